"""What a log device's latency means to one writer that waits for each of its writes.

A wait is the network's round trip, the work of the client and the server, that of ZFS for its log, and the log
device's write and flush. The constants come from published measurements of pools;
docs/methodology.md has them.
"""

ROUND_TRIP_US = 100.0  # between an NFS client and its server in one room
STACK_US = 50.0  # of both ends of the network; assumed
ZIL_US = 55.0  # of ZFS for a log block, without the device


def wait_us(log_us: float, *, network_us: float = ROUND_TRIP_US + STACK_US, pool_us: float = 0.0) -> float:
    """What one sync write of 4 KiB takes, in µs.

    `log_us` is the log device's latency at 8 KiB, which such a write takes with its header; `network_us` is 0 for a
    writer on the same machine; `pool_us` is what the same write takes with sync=disabled.
    """
    return network_us + ZIL_US + log_us + pool_us


def client_iops(log_us: float) -> float:
    """The sync writes a second of one NFS client that waits for each, with nothing else to do."""
    return 1e6 / wait_us(log_us)
