"""What to compare before devices are chosen: suggested comparisons, and devices to add."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from results.advice.comparison import Comparable, Comparison
from results.compare.devices.figures import ranked_reading
from results.core.addresses import MAX_COMPARED, compare_url
from results.models import DeviceRanking
from results.models.choices import DEVICE_CLASSES, Board
from results.ranking.boards import factor_of
from results.ranking.recommend import best_of_each_class
from results.ranking.standing import RANKED_COLUMNS, RankedDevice, main_rows

MAX_SUGGESTED = 60


class Offer(NamedTuple):
    """A suggested comparison of several devices; `names` are of them or of their classes."""

    title: str
    url: str
    names: Sequence[str]


class BestPair(NamedTuple):
    """The best two devices of a class."""

    url: str
    devices: Sequence[RankedDevice]
    verdict: str


class Start(NamedTuple):
    """The context of compare/devices/start.html."""

    offers: Sequence[Offer]
    pairs: Sequence[BestPair]


def compare_start() -> Start:
    """The suggestions while no device is chosen. Four queries."""
    classes, factor = _best_of_classes(2), factor_of(Board.SYNC_WRITE)
    best = sorted((devices[0] for devices in classes.values()), key=lambda device: device.high)[:MAX_COMPARED]
    rows = main_rows().order_by("-unit_count", "high", "device_id").values_list(*RANKED_COLUMNS)
    common = [RankedDevice(*row) for row in rows[:MAX_COMPARED]]
    labels = [device.class_label for device in best]
    offers = [
        Offer(f"The best choices in {len(best)} classes", _url(best), labels),
        Offer("Measured most often", _url(common), [device.name.full for device in common]),
    ]
    pairs = [classes[name] for name in DEVICE_CLASSES if len(classes.get(name, ())) == 2]
    return Start(
        [offer for offer in offers if len(offer.names) > 1],
        [BestPair(_url(pair), pair, _verdict(pair, factor)) for pair in pairs],
    )


def _url(devices: Iterable[RankedDevice]) -> str:
    return compare_url(device.slug for device in devices)


def _verdict(pair: Sequence[RankedDevice], factor: float) -> str:
    """How different they are; `factor` is that between methods."""
    compared = [Comparable(device.name.full, device, {"latency": ranked_reading(device)}) for device in pair]
    comparison = Comparison(compared, factor)
    is_tied = len(comparison.leaders("latency")) > 1
    return "too close to call" if is_tied else f"{comparison.certainty('latency')} different"


def _best_of_classes(count: int) -> dict[str, list[RankedDevice]]:
    """The best recommended devices of each class, best first. Two queries."""
    keys = best_of_each_class(count)
    rows = DeviceRanking.objects.filter(pk__in=keys).values_list("pk", *RANKED_COLUMNS)
    devices = {key: RankedDevice(*row) for key, *row in rows}
    found: dict[str, list[RankedDevice]] = {}
    for device in (devices[key] for key in keys if key in devices):
        found.setdefault(device.device_class, []).append(device)
    return found


def suggest_devices(device_class: str, *, except_slugs: Iterable[str]) -> list[RankedDevice]:
    """The best ranked devices of a class, or of all if empty. One query."""
    rankings = main_rows().exclude(device__slug__in=except_slugs)
    if device_class:
        rankings = rankings.filter(device_class=device_class)
    rows = rankings.order_by("high", "device_id").values_list(*RANKED_COLUMNS)
    return [RankedDevice(*row) for row in rows[:MAX_SUGGESTED]]
