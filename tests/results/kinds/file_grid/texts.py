"""Output of iozone for a made-up pool, as iozone.c prints it."""

from tests.results.kinds.pool_io import texts

HEADER = (
    "                                                              random    random     bkwd    record    stride"
    "                                    \n"
    "              kB  reclen    write  rewrite    read    reread    read     write     read   rewrite      read"
    "   fwrite frewrite    fread  freread\n"
)
WIDTHS = (9, 9, 9, 10, 10, 9, 10, 10, 10, 9, 9, 9, 9)
COLUMNS = {
    0: (0, 1), 1: (2, 3), 2: (4, 5), 3: (6,), 4: (7,), 5: (8,), 6: (9, 10), 7: (11, 12)
}  # fmt: skip
COMPLETE = "\niozone test complete.\n"
SIZES = (64, 128, 256, 512, 1024)


def row(reclen: int, rates: dict[int, int], file_kb: int = 6 << 20) -> str:
    """A row of the table; `rates` are KiB/s by column."""
    cells = "".join(f"{rates.get(at, ''):>{width}}" for at, width in enumerate(WIDTHS))
    return f"{file_kb:>16}{reclen:>8}{cells}\n"


def head(options: str, *, lines: str = "", unit: str = "\tOutput is in kBytes/sec\n") -> str:
    return f"""{texts.PROMPT}iozone {options}
\tIozone: Performance Test of File I/O
\t        Version $Revision: 3.489 $

\tRun began: Sat Nov 21 02:25:17 2026

{lines}\tCommand line used: iozone {options}
{unit}\tTime Resolution = 0.000001 seconds.
\tFile stride size set to 17 * record size.
"""


def iozone(
    rates: dict[int, dict[int, int]],
    *,
    options: str = "-s 6g -i 0 -i 1 -i 2",
    file_kb: int = 6 << 20,
    **of_head: str,
) -> str:
    """A whole run; `rates` are KiB/s by record size in KiB and by column."""
    rows = "".join(row(size, found, file_kb) for size, found in rates.items())
    return head(options, **of_head) + HEADER + rows + COMPLETE


def flat(factor: float = 1.0, *, random_write: int = 90_000, dip: int = 0) -> dict[int, dict[int, int]]:
    """Rates of writes, reads and random ones at SIZES, slow random writes below 128 KiB."""
    base = {0: 100_000, 1: 100_000, 2: 200_000, 3: 200_000, 4: 20_000}
    return {
        size: {
            at: round(rate * factor * (0.5 if size == dip and at == 2 else 1)) for at, rate in base.items()
        }
        | {5: round((random_write / 18 if size < 128 else random_write) * factor)}
        for size in SIZES
    }


def mirror(drives: int) -> str:
    """zpool status of a pool with one mirror."""
    rows = "".join(f"\t    sd{'abcdef'[at]}     ONLINE       0     0     0\n" for at in range(drives))
    return f"""{texts.PROMPT}zpool status {texts.POOL}
  pool: {texts.POOL}
 state: ONLINE
config:

\tNAME        STATE     READ WRITE CKSUM
\t{texts.POOL}  ONLINE       0     0     0
\t  mirror-0  ONLINE       0     0     0
{rows}
errors: No known data errors
"""
