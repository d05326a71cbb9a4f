"""The histograms of biolatency, as each version of bcc and bpftrace prints them.

Sources: src/python/bcc/table.py (`_print_log2_hist`) and libbpf-tools/trace_helpers.c (`print_log2_hist`) of bcc 0.1
to 0.35; src/output.cpp (`hist_index_label`, `hist`) of bpftrace 0.8 to 0.24.
"""

from collections.abc import Iterator, Sequence

from tests.parsers.formats.cases import Case

COUNTS = {
    "short": (0, 0, 3, 17, 120, 9),
    "usual": (0, 1, 0, 12, 345, 6789, 123456, 9876, 543, 21, 0, 2),
    "large": (*[0] * 5, *[10**at for at in range(12)]),
    "wide": (*[0] * 20, 7, 12345678, 99, *[1] * 14),
}
TRACING = "Tracing block device I/O... Hit Ctrl-C to end."


def bounds(at: int) -> tuple[int, int]:
    low, high = (1 << at) >> 1, (1 << at) - 1
    return (low - 1 if low == high else low), high


def bcc_rows(counts: Sequence[int], unit: str, stars: int) -> tuple[str, list[tuple[int, int, int]]]:
    """Ten digits a bound, or twenty if one of the slots above the 32nd is used."""
    is_wide = len(counts) > 32
    head, width, stars = (34, 20, stars // 2) if is_wide else (24, 10, stars)
    lines = [f"{'':{15 if is_wide else 5}}{unit:{head - 5}} : count     distribution"]
    found = []
    for at, count in enumerate(counts, start=1):
        low, high = bounds(at)
        bar = "*" * (stars * count // max(counts))
        lines.append(f"{low:{width}} -> {high:<{width}} : {count:<8} |{bar:{stars}}|")
        found.append((low, high, count))
    return "\n".join(lines) + "\n", found


def bcc_cases() -> Iterator[Case]:
    for name, counts in COUNTS.items():
        for unit in ("usecs", "msecs", "nsecs"):
            text, found = bcc_rows(counts, unit, 40)
            for version, stars in (("0.1", 38), ("0.35", 40)):
                yield Case(
                    f"bcc-{version}-{unit}-{name}",
                    f"# biolatency\n{TRACING}\n^C\n{bcc_rows(counts, unit, stars)[0]}",
                    ({"unit": unit, "buckets": tuple(found), "disk": None, "flags": None},),
                )
            yield Case(
                f"bcc-D-{unit}-{name}",
                f"# biolatency -D\n{TRACING}\n^C\n\ndisk = b'nvme0n1'\n{text}\ndisk = b'sda'\n{text}",
                tuple({"unit": unit, "buckets": tuple(found), "disk": disk} for disk in ("nvme0n1", "sda")),
            )
        text, found = bcc_rows(counts, "usecs", 40)
        yield Case(
            f"bcc-D-2-{name}",
            f"# biolatency -D\n{TRACING}\n^C\n\ndisk = 'nvme0n1'\n{text}",
            ({"buckets": tuple(found), "disk": "nvme0n1"},),
        )


def libbpf_cases() -> Iterator[Case]:
    """libbpf-tools' biolatency: four blanks less in the head, the disk and the flags on one line."""
    text, found = bcc_rows(COUNTS["usual"], "usecs", 40)
    text = text.replace("count     distribution", "count    distribution")
    for captions in (
        ("disk = sda\t", "disk = nvme0n1\t"),
        ("disk = sda\tflags = Read", "disk = sda\tflags = Sync-Write"),
    ):
        stated = [dict(part.split(" = ") for part in caption.split("\t") if part) for caption in captions]
        yield Case(
            f"bcc-libbpf-{len(stated[0])}",
            f"# biolatency -D\n{TRACING}\n^C\n" + "".join(f"\n{caption}\n{text}" for caption in captions),
            tuple(
                {"disk": named["disk"], "flags": named.get("flags"), "buckets": tuple(found)}
                for named in stated
            ),
        )


def label(power: int) -> str:
    """A bound in powers of 1024: the largest whose remainder is a power of 2."""
    suffix = ("", "K", "M", "G", "T", "P", "E")[power // 10]
    return f"{1 << power % 10}{suffix}"


def bpftrace_cases() -> Iterator[Case]:
    for name, counts in COUNTS.items():
        for first, unit in ((0, "usecs"), (3, "usecs"), (9, "nsecs"), (18, "nsecs")):
            if first + len(counts) > 60:
                continue
            for version, zero_bucket, first_bucket in (("0.8", "[0, 1)", "[1]"), ("0.20", "[0]", "[1]")):
                lines, found = [], []
                for at, count in enumerate(counts, start=first):
                    if at == 0:
                        shown, low, high = zero_bucket, 0, 1 if "," in zero_bucket else 0
                    elif at == 1:
                        shown, low, high = first_bucket, 1, 1
                    else:
                        shown = f"[{label(at - 1)}, {label(at)})"
                        low, high = 1 << (at - 1), 1 << at
                    lines.append(f"{shown:16} {count:8} |{'@' * (52 * count // max(counts)):52}|")
                    found.append((low, high, count))
                yield Case(
                    f"bpftrace-{version}-{unit}-{first}-{name}",
                    "Attaching 4 probes...\nTracing block device I/O... Hit Ctrl-C to end.\n^C\n\n"
                    f"@{unit}: \n" + "\n".join(lines) + "\n",
                    ({"unit": unit, "buckets": tuple(found)},),
                )


CASES = [*bcc_cases(), *libbpf_cases(), *bpftrace_cases()]
