"""Every format that a paste can contain, in the order in which they are tried.

A new format is a module with a `FORMAT`, its import, and its line below.
"""

from parsers import unread_tools
from parsers.base.format import Format
from parsers.biolatency import read as biolatency
from parsers.dd import read as dd
from parsers.diskinfo import read as diskinfo
from parsers.dtrace import read as dtrace
from parsers.fio import read as fio
from parsers.fio_log import read as fio_log
from parsers.iozone import read as iozone
from parsers.live_log import read as live_log
from parsers.pg_test_fsync import read as pg_test_fsync
from parsers.pveperf import read as pveperf
from parsers.slogprobe import read as slogprobe
from parsers.smartctl import json as smartctl_json
from parsers.smartctl import text as smartctl_text
from parsers.zpool import read as zpool

FORMATS: tuple[Format, ...] = (
    diskinfo.FORMAT,
    smartctl_text.FORMAT,
    smartctl_json.FORMAT,
    fio.FORMAT,
    slogprobe.FORMAT,
    pg_test_fsync.FORMAT,
    pveperf.FORMAT,
    dd.FORMAT,
    iozone.FORMAT,
    fio_log.FORMAT,
    dtrace.FORMAT,
    biolatency.FORMAT,
    live_log.FORMAT,
    zpool.FORMAT,
    unread_tools.FORMAT,
)
