"""The best protected choice of a class for pages, or the protected products if there is none."""

from collections.abc import Sequence
from dataclasses import dataclass

from parsers.base.device_class import DeviceClass
from results.core.formats import format_origin
from results.core.subject import drive_name
from results.kinds.curve.metrics import ranked_metric
from results.models import DeviceRanking
from results.ranking.intervals import Interval
from results.ranking.recommend import ProtectedProduct, protected_products, recommended, vouched_figures
from results.ranking.tiers import tier_text

FEW = 3
MORE = 8


@dataclass(frozen=True, slots=True)
class NoChoice:
    """The protected products of a class without a recommendation; shows at most `most` of each kind."""

    products: Sequence[ProtectedProduct]
    most: int

    @property
    def measured(self) -> Sequence[ProtectedProduct]:
        return [product for product in self.products if product.is_measured][: self.most]

    @property
    def unmeasured(self) -> Sequence[ProtectedProduct]:
        return self._unmeasured[: self.most]

    @property
    def more_count(self) -> int:
        return max(0, len(self._unmeasured) - self.most)

    @property
    def _unmeasured(self) -> Sequence[ProtectedProduct]:
        return [product for product in self.products if not product.is_measured]


@dataclass(frozen=True, slots=True)
class RecommendedDevice:
    """A recommended device with the figures behind its recommendation."""

    ranking: DeviceRanking

    @property
    def name(self) -> str:
        return drive_name(self.ranking.device).full

    @property
    def metric(self) -> str:
        return ranked_metric(self.ranking.board).label

    @property
    def origin(self) -> str:
        return format_origin(self.ranking.device.elsewhere_count, self.ranking.device.result_count)

    @property
    def interval(self) -> Interval:
        return Interval(self.ranking.recommended_low or 0, self.ranking.recommended_high or 0)

    @property
    def tier(self) -> str:
        return tier_text(*self.interval)

    @property
    def unit_count(self) -> int:
        return vouched_figures(vars(self.ranking)).unit_count


@dataclass(frozen=True, slots=True)
class ClassChoice:
    """The best choice of a class, or what there is without one."""

    class_label: str
    best: RecommendedDevice | None
    no_choice: NoChoice | None


def class_choice(device_class: str) -> ClassChoice:
    """One query, two without a choice."""
    first = recommended(device_class).values("pk")[:1]  # of an index alone
    best = DeviceRanking.objects.filter(pk__in=first).select_related("device__product__vendor").first()
    return ClassChoice(
        DeviceClass(device_class).label,
        RecommendedDevice(best) if best else None,
        None if best else NoChoice(protected_products().get(device_class, []), MORE),
    )
