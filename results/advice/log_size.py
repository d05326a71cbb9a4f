"""How much of a SLOG is in use at most: one answer for the guide, the calculator and the shortlist.

That is what arrives until the transaction groups that it belongs to are on the pool, but no more than ZFS lets the
log grow to (`wrlog_data_max` in results/data/openzfs.csv), twice: a 4 KiB write takes 8 KiB of log (`log_block`), and
freed blocks wait for two more groups (`deferred_frees`).
Defaults are those of zfs(4): zfs_txg_timeout is 5 seconds; zfs_dirty_data_max is a tenth of the memory, and no more
than zfs_dirty_data_max_max, the lesser of 4 GiB and a quarter of the memory; zfs_wrlog_data_max is twice that.
"""

from dataclasses import dataclass
from decimal import Decimal

from parsers.base.units import GIBIBYTE

SECONDS_A_GROUP = Decimal(5)
MAX_GROUPS = 3  # one fills, one waits, one is written
BITS_A_BYTE = 8
GIGA = 10**9
DIRTY_SHARE = 10  # a tenth
DIRTY_MAX_BYTES = 4 * GIBIBYTE
WRLOG_FACTOR = 2  # of zfs_dirty_data_max
SPACE_FACTOR = 2  # of what the log holds


@dataclass(frozen=True, slots=True)
class LogSize:
    """Bytes that arrive in a second and in three groups; what ZFS lets the log hold, and the space for that."""

    second: int
    arriving: int
    data_limit: int

    @property
    def space_limit(self) -> int:
        return self.data_limit * SPACE_FACTOR

    @property
    def needed(self) -> int:
        """The most that can be in use."""
        return min(self.arriving, self.space_limit)

    @property
    def needed_gb(self) -> float:
        return float(self.needed / GIGA)

    @property
    def is_limited(self) -> bool:
        return self.arriving > self.space_limit


def log_size(
    link_gbit_s: Decimal,
    *,
    seconds: Decimal = SECONDS_A_GROUP,
    memory_gib: Decimal | None = None,
    dirty_gib: Decimal | None = None,
    wrlog_gib: Decimal | None = None,
) -> LogSize:
    """The log size for a link (10^9 bits) if all writes are sync; `dirty_gib` and `wrlog_gib` are tuned values."""
    second = link_gbit_s * GIGA / BITS_A_BYTE
    return LogSize(
        second=int(second),
        arriving=int(second * seconds * MAX_GROUPS),
        data_limit=int(wrlog_gib * GIBIBYTE) if wrlog_gib else WRLOG_FACTOR * _dirty(memory_gib, dirty_gib),
    )


def _dirty(memory_gib: Decimal | None, dirty_gib: Decimal | None) -> int:
    """zfs_dirty_data_max."""
    if dirty_gib:
        return int(dirty_gib * GIBIBYTE)
    return (
        DIRTY_MAX_BYTES
        if memory_gib is None
        else min(int(memory_gib * GIBIBYTE / DIRTY_SHARE), DIRTY_MAX_BYTES)
    )


def max_gbit_s(capacity_bytes: int) -> Decimal | None:
    """The fastest link whose log fits, with defaults; None if the log of any link does."""
    if capacity_bytes >= log_size(Decimal(0)).space_limit:
        return None
    return Decimal(capacity_bytes * BITS_A_BYTE) / GIGA / SECONDS_A_GROUP / MAX_GROUPS
