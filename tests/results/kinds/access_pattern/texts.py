"""Made-up output of tools that observe a pool, with names that nobody may find again."""

from tests.results.kinds.pool_io.texts import HOST, POOL

PROMPT = f"root@{HOST}:~# "
IOPATTERN = f"""{PROMPT}./iopattern -d 10
DEVICE  %RAN %SEQ  COUNT    MIN    MAX    AVG     KR     KW
sd5       40   60   1000   4096 131072   8192      0   8000
sd5        0  100      0      0      0      0      0      0
sd5       20   80   3000   4096  65536   4096      0  12000
"""
SEEKSIZE = f"""{PROMPT}./seeksize.d
Tracing... Hit Ctrl-C to end.

     PID  CMD
     412  zpool-{POOL}\\0

           value  ------------- Distribution ------------- count
             -32 |                                         0
             -16 |@@@@                                     10
              -8 |                                         0
               0 |@@@@@@@@@@@@@@@@@@@@@@@@@@@@             80
               1 |                                         0
               8 |@@@@                                     10
              16 |                                         0
"""
BITESIZE = f"""{PROMPT}./bitesize.d
Tracing... Hit Ctrl-C to end.

     PID  CMD
     412  zpool-{POOL}\\0

           value  ------------- Distribution ------------- count
            2048 |                                         0
            4096 |@@@@@@@@@@@@@@@@@@@@                     50
            8192 |@@@@@@@@@@@@                             30
           16384 |                                         0
           65536 |                                         0
          131072 |@@@@@@@@                                 20
          262144 |                                         0
"""
ZILSTAT = f"""{PROMPT}./zilstat -l 10 10
   N-Bytes  N-Bytes/s N-Max-Rate    B-Bytes  B-Bytes/s B-Max-Rate    ops  <=4kB 4-32kB >=32kB
  10000000    1000000    2000000   20971520    2097152    4194304   2000   1000    600    400
         0          0          0          0          0          0      0      0      0      0
"""
BIOLATENCY = f"""{PROMPT}biolatency -D 10 1
Tracing block device I/O... Hit Ctrl-C to end.

disk = nvme0n1
     usecs               : count     distribution
         0 -> 1          : 0        |                                        |
         2 -> 3          : 0        |                                        |
         4 -> 7          : 0        |                                        |
         8 -> 15         : 40       |**                                      |
        16 -> 31         : 955      |****************************************|
        32 -> 63         : 5        |                                        |
"""
_RULER = "----------  -----  -----  -----  -----  -----  -----  -----  -----\n"


def sizes(*, options: str = "-ry", sync: tuple[int, ...] = (500, 300, 100, 0, 0, 100)) -> str:
    """zpool iostat -r with these numbers of single sync writes of 4 to 128 KiB, and as many async ones."""
    names = ("4K", "8K", "16K", "32K", "64K", "128K")
    rows = "".join(
        f"{name:<10}      0      0  {count:>5}      0      0      0  {count:>5}      0\n"
        for name, count in zip(names, sync, strict=True)
    )
    return f"""{PROMPT}zpool iostat {options} {POOL} 10 1

{POOL}    sync_read    sync_write    async_read    async_write
req_size      ind    agg    ind    agg    ind    agg    ind    agg
{_RULER}512             0      0      0      0      0      0      0      0
1K              0      0      0      0      0      0      0      0
2K              0      0      0      0      0      0      0      0
{rows}256K            0      0      0      0      0      0      0      0
{_RULER}"""


def latencies(*, name: str = POOL) -> str:
    rows = "".join(
        f"{high:<10}      0  {total:>5}      0  {disk:>5}      0  {queue:>5}      0      0      0      0\n"
        for high, total, disk, queue in (
            ("8us", 0, 0, 900),
            ("16us", 0, 100, 100),
            ("32us", 500, 800, 0),
            ("65us", 500, 100, 0),
        )
    )
    return f"""{PROMPT}zpool iostat -wy {name} 10 1

{name}     total_wait     disk_wait    syncq_wait    asyncq_wait
latency      read  write   read  write   read  write   read  write  scrub   trim
----------  -----  -----  -----  -----  -----  -----  -----  -----  -----  -----
{rows}"""


WHOLE = IOPATTERN + SEEKSIZE + BITESIZE + ZILSTAT + BIOLATENCY + sizes() + latencies()
