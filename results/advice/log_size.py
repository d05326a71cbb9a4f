"""How much log a SLOG holds at a time.

That is what arrives until the transaction groups that it belongs to are on the pool.
Defaults are those of OpenZFS, zfs(4): zfs_txg_timeout is 5 seconds; zfs_dirty_data_max is a tenth of the memory, and
no more than zfs_dirty_data_max_max, the lesser of 4 GiB and a quarter of the memory.
"""

from dataclasses import dataclass
from decimal import Decimal

from parsers.base.units import GIBIBYTE

SECONDS_A_GROUP = Decimal(5)
FEWEST_GROUPS = 2  # the one that fills and the one that is written
MOST_GROUPS = 3  # one more waits in between
BITS_A_BYTE = 8
GIGA = 10**9
DIRTY_SHARE = 10  # a tenth
DIRTY_MOST_BYTES = 4 * GIBIBYTE


@dataclass(frozen=True, slots=True)
class LogSize:
    """Bytes that arrive in a second, in two and three groups; the memory's limit."""

    second: int
    low: int
    high: int
    memory_limit: int | None

    @property
    def needed(self) -> int:
        """The most that can be in use."""
        return self.high if self.memory_limit is None else min(self.high, self.memory_limit)


def log_size(link_gbit_s: Decimal, *, seconds: Decimal, memory_gib: Decimal | None = None) -> LogSize:
    """The log size for a link (10^9 bits) and group length, if all writes are sync."""
    group = link_gbit_s * GIGA / BITS_A_BYTE * seconds
    limit = None if memory_gib is None else min(int(memory_gib * GIBIBYTE / DIRTY_SHARE), DIRTY_MOST_BYTES)
    return LogSize(
        second=int(link_gbit_s * GIGA / BITS_A_BYTE),
        low=int(group * FEWEST_GROUPS),
        high=int(group * MOST_GROUPS),
        memory_limit=limit,
    )
