"""Every board as data: what it ranks, which results it compares, and whether its rows are stored."""

from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import F, Q
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from results.core.formats import format_block_size
from results.kinds.curve.metrics import RANKED_BY
from results.kinds.metric import Metric
from results.kinds.registry import KINDS
from results.kinds.series.figures import pattern_label
from results.models.choices import DEVICE_CLASSES, Board
from results.models.conditions import FLUSH_OFF, SYNC_METHODS


@dataclass(frozen=True, slots=True)
class RankedList:
    """Devices in the order of a metric of one kind of results; the metric has the unit, and says which end is better.

    The same counts on all lists: published results that don't wait for a moderator, by independent units, and only
    vouched ones if a device has any (results.ranking.senders), with intervals and places by results.ranking.intervals
    and ties.
    """

    kind: str
    metric_key: str

    @property
    def metric(self) -> Metric:
        return KINDS[self.kind].metrics[self.metric_key]


@dataclass(frozen=True, slots=True)
class StoredList(RankedList):
    """A list whose rows passes store as DeviceRanking (results.ranking.medians, boards).

    They rank what `meaning` says, by class: results that are marked as ranked, and have the metric.
    """

    meaning: str


@dataclass(frozen=True, slots=True)
class LiveList(RankedList):
    """Lists that are ranked when they are shown (results.ranking.live), one for each load.

    Two results are compared if their `load` is equal; `counted` is what the kind requires besides.
    """

    counted: Q
    load: tuple[Combinable, ...]


STORED = {
    board: StoredList("latency_curve", RANKED_BY[board], meaning)
    for board, meaning in {
        Board.SYNC_WRITE: "One durable write of 4 KiB to the raw device: any single writer, by diskinfo, slogprobe or"
        " fio.",
        Board.ZIL: "The sizes that the ZIL writes: runs that measured all of them, by diskinfo, slogprobe or fio.",
    }.items()
}
# Writes per second, all of one size, over the last five minutes of a steady series
SUSTAINED = LiveList(
    "sustained",
    "sustained_iops",
    counted=Q(sustained__is_on_board=True),
    load=(  # in the order of Load
        F("device__device_class"),
        F("sustained__random_percent"),
        F("sustained__transfer_size"),
        F("sync_method"),
        Coalesce("writers", 1),
    ),
)


class Load(NamedTuple):
    """The write load that the devices of a sustained board were tested with."""

    device_class: str
    random_percent: int
    transfer_size: int
    sync: str  # a method of syncing each write, or "none"
    in_flight: int

    @property
    def key(self) -> str:
        return "-".join(map(str, self))

    @property
    def label(self) -> str:
        """As in "NVMe SSD: random, 4 KiB, not synced, 32 in flight"."""
        sync = "not synced" if self.sync == FLUSH_OFF else f"each write by {SYNC_METHODS[self.sync]}"
        return (
            f"{DEVICE_CLASSES[self.device_class]}: {pattern_label(self.random_percent)}, "
            f"{format_block_size(self.transfer_size)}, {sync}, {self.in_flight} in flight"
        )
