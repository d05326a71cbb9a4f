"""A device in one line, as badges, previews, shares and embeds say it; what is not known is said, too."""

from dataclasses import dataclass

from results.models import Device, DeviceRanking
from results.models.catalogue_values import PROTECTED
from results.models.choices import DeviceClassChoice, Method
from results.presentation import format_device, format_places, format_range
from results.ranking.intervals import Interval
from results.ranking.places import ALL_CLASSES, ends_by_class
from results.ranking.recommend import is_recommended, is_too_slow
from results.ranking.standing import Standing, standing_among
from results.ranking.ties import Ends, Place, find_place
from results.web.safety import plp_badge

CLASS_LABELS: dict[str, str] = dict(DeviceClassChoice.choices)
NOT_RANKED = "no ranked result yet"


@dataclass(frozen=True, slots=True)
class Figures:
    """A device, and where it stands on the board of its class and beyond; nothing of it where nothing counts."""

    device: Device
    ranking: DeviceRanking | None = None
    place: Place | None = None
    device_count: int = 0
    standing: Standing | None = None

    @property
    def name(self) -> str:
        return device_name(self.device)

    @property
    def class_label(self) -> str:
        return CLASS_LABELS[self.device.device_class]

    @property
    def protection(self) -> dict[str, str]:
        """As results.web.safety.plp_badge has it."""
        return plp_badge(self.device.product.plp if self.device.product else None)

    @property
    def is_recommended(self) -> bool:
        """Whether the site recommends it: protected, with enough results from accountable sources."""
        plp = self.device.product.plp if self.device.product else None
        return self.ranking is not None and is_recommended(self.ranking.recommended_high_us, plp)

    @property
    def recommendation(self) -> str:
        """Why a protected device with ranked results is not recommended; "" for all others."""
        if self.ranking is None or self.is_recommended or self.protection["value"] not in PROTECTED:
            return ""
        is_slow = is_too_slow(self.ranking.device_class, self.ranking.latency_4k_us)
        return "far slower than its class" if is_slow else "too few results to judge speed"

    @property
    def tone(self) -> str:
        """Green for recommended devices, a warning for unprotected ones."""
        if self.is_recommended:
            return "good"
        return "warn" if self.protection["tag"] == "tag-warn" else ""

    @property
    def rank_text(self) -> str:
        """The places that the interval leaves open: "rank 3–7 of 44"; "" without a place."""
        return f"rank {format_places(self.place)} of {self.device_count}" if self.place else ""

    @property
    def metric(self) -> str:
        """What the device is ranked by."""
        is_by_fio = self.ranking is not None and self.ranking.method == Method.FIO
        return "4 KiB latency by fio" if is_by_fio else "ZIL latency"

    @property
    def latency_text(self) -> str:
        """The ranked latency's interval: "ZIL latency 12.3–14.5 µs"; "" without a ranking."""
        if self.ranking is None:
            return ""
        return f"{self.metric} {format_range(self.ranking.low_us, self.ranking.high_us)} µs"

    @property
    def summary(self) -> str:
        """All of it in one line, without the name."""
        speed = [self.rank_text, self.latency_text] if self.ranking else [NOT_RANKED]
        said = [self.class_label, *speed, in_a_sentence(self.protection["label"]), self.recommendation]
        return ", ".join(filter(None, said))


def in_a_sentence(label: str) -> str:
    """A label as it stands within a sentence: UPS stays what it is."""
    return f"{label[:1].lower()}{label[1:]}"


def device_name(device: Device) -> str:
    """Model name and capacity, as far as that is known."""
    return format_device(device.model_name, device.capacity_bytes)


def find_figures(device: Device) -> Figures:
    """By diskinfo, or by fio where there is nothing else. Two queries."""
    rankings = {ranking.method: ranking for ranking in DeviceRanking.objects.filter(device=device)}
    ranking = rankings.get(Method.DISKINFO) or rankings.get(Method.FIO)
    if ranking is None:
        return Figures(device)
    classes = (ranking.device_class, ALL_CLASSES, DeviceClassChoice.HDD.value)
    ends = ends_by_class(ranking.method, *classes)
    own, *others = (ends.get(one, Ends()) for one in classes)
    place = find_place(own, Interval(ranking.low_us, ranking.high_us))
    count = max(len(own.highs), place.last_possible)
    return Figures(device, ranking, place, count, standing_among(ranking, *others))
