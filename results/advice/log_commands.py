"""The single commands that print what a light needs, for those who don't run our block."""

from parsers.base.readings import LiveLogReading

_KSTAT = "cat /proc/spl/kstat/zfs/zil /proc/spl/kstat/zfs/dmu_tx"
_SYSCTL = "sysctl kstat.zfs.misc.zil kstat.zfs.misc.dmu_tx"
_STATED_BY = {  # what needs the block isn't listed
    "asked": "{twice}",
    "used": "zpool status -LP {pool}; {twice}",
    "data": "zpool status -LP {pool}; {twice}",
    "saturated": "zpool iostat -vlqyp {pool} 1 30",
    "stalls": "{twice}",
    "throttled": "{twice}",
    "size": "zpool iostat -v {pool}",
    "redundant": "zpool status -LP {pool}",
    "worn": "smartctl -x /dev/DISK",
    "safe": "smartctl -x /dev/DISK",
    "settings": "zfs get -r type,sync,logbias,recordsize,direct {pool}",
    "version": "uname -s; zfs version",
}


def command_for(key: str, log: LiveLogReading) -> str:
    """The command that prints what this light needs, as far as one does; "" if only the block does."""
    counters = _SYSCTL if log.system == "FreeBSD" else _KSTAT
    twice = f"date +%s; {counters}; sleep 30; date +%s; {counters}; echo zpool list; zpool list"
    return _STATED_BY.get(key, "").format(pool=log.pool or "POOL", twice=twice)
