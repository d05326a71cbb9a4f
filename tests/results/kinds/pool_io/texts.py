"""Texts about a made-up pool, with names that nobody may find again."""

from tests import pastes

POOL, HOST, DATASET = "zwergspitz", "kellerkind", "urlaubsfotos"
LOG_MODEL = "SAMPLE LOG"
PROMPT = f"root@{HOST}:~# "
LOGS = "\tlogs\n\t  nvme0n1   ONLINE       0     0     0\n"
RULER = "------------  -----  -----  -----  -----  -----  -----\n"


def status(*, logs: str = LOGS, pool: str = POOL, state: str = "ONLINE") -> str:
    return f"""{PROMPT}zpool status {pool}
  pool: {pool}
 state: {state}
config:

\tNAME        STATE     READ WRITE CKSUM
\t{pool}  {state}       0     0     0
\t  mirror-0  ONLINE       0     0     0
\t    sda     ONLINE       0     0     0
\t    sdb     ONLINE       0     0     0
\t  mirror-1  ONLINE       0     0     0
\t    sdc     ONLINE       0     0     0
\t    sdd     ONLINE       0     0     0
{logs}
errors: No known data errors
"""


def properties(*, sync: str = "always", compression: str = "lz4") -> str:
    name = f"{POOL}/{DATASET}"
    return f"""{PROMPT}zfs get recordsize,compression,sync {name}
NAME{" " * len(name)}PROPERTY     VALUE           SOURCE
{name}    recordsize   128K            default
{name}    compression  {compression:<14}  local
{name}    sync         {sync:<14}  local
"""


def dd(
    *, operands: str = f"if=/dev/zero of=/{POOL}/{DATASET}/x bs=1M count=4000", seconds: str = "20"
) -> str:
    rate = f"{4194.304 / float(seconds):.0f}"
    return f"""{PROMPT}dd {operands}
4000+0 records in
4000+0 records out
4194304000 bytes (4.2 GB, 3.9 GiB) copied, {seconds} s, {rate} MB/s
"""


def fio(*, options: str = "--sync=1", path: str = f"/{POOL}/{DATASET}/f", writers: int = 4) -> str:
    command = f"fio --name=t --filename={path} --rw=randwrite --bs=4k --size=1g --numjobs={writers} --ioengine=psync"
    return f"""{PROMPT}{command} {options} --group_reporting --runtime=30 --time_based
t: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
...
fio-3.33
Starting {writers} processes

t: (groupid=0, jobs={writers}): err= 0: pid=1234: Fri Oct  3 12:00:00 2025
  write: IOPS=20.5k, BW=80.1MiB/s (84.0MB/s)(2403MiB/30001msec); 0 zone resets
    clat (usec): min=100, max=9000, avg=190.20, stdev=50.00
     lat (usec): min=100, max=9000, avg=190.50, stdev=50.00
    clat percentiles (usec):
     |  1.00th=[  110],  5.00th=[  120], 10.00th=[  130], 20.00th=[  140],
     | 99.00th=[  400], 99.50th=[  500], 99.90th=[  900], 99.95th=[ 1000],
  cpu          : usr=1.00%, sys=5.00%, ctx=100000, majf=0, minf=40
  IO depths    : 1=100.0%, 2=0.0%, 4=0.0%, 8=0.0%, 16=0.0%, 32=0.0%, >=64=0.0%
     issued rwts: total=0,615200,0,0 short=0,0,0,0 dropped=0,0,0,0

Run status group 0 (all jobs):
  WRITE: bw=80.1MiB/s (84.0MB/s), 80.1MiB/s-80.1MiB/s (84.0MB/s-84.0MB/s), io=2403MiB (2520MB), run=30001-30001msec
"""


SAMPLE = f"""{POOL}     1.20T  2.40T      0  21.0K      0   180M
  mirror-0     600G  1.20T      0    500      0  20.0M
    sda           -      -      0    250      0  20.0M
    sdb           -      -      0    250      0  20.0M
  mirror-1     600G  1.20T      0    500      0  20.0M
    sdc           -      -      0    250      0  20.0M
    sdd           -      -      0    250      0  20.0M
logs              -      -      -      -      -      -
  nvme0n1     1.00G   259G      0  20.0K      0   140M
"""
HEAD = f"""                capacity     operations     bandwidth
pool          alloc   free   read  write   read  write
{RULER}"""
IOSTAT = f"{PROMPT}zpool iostat -vy {POOL} 10 1\n{HEAD}{SAMPLE}{RULER}"
LOG_DEVICE = f"{PROMPT}smartctl -a /dev/nvme0n1\n" + pastes.smartctl(model=LOG_MODEL, serial="ZWERG0815SPITZ")
WHOLE = LOG_DEVICE + status() + properties() + dd() + fio() + IOSTAT
