"""Find measured devices and products that fit a need, and why others don't."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Sum

from results.advice.criteria import (
    Finding,
    Measured,
    Need,
    Option,
    check_speed,
    explain,
    is_bus_too_slow,
    uncertainties,
)
from results.advice.link import Reached
from results.advice.shortlist import (
    Candidate,
    Judged,
    Refusal,
    Relaxation,
    by_price,
    choose,
    find_near_misses,
    price_age,
    refuse,
    relax,
)
from results.catalogue.options import (
    CLAIMS_READ,
    ClaimRow,
    Facts,
    ProductRow,
    group_facts,
    options_of_device,
    with_reached,
)
from results.catalogue.prices import DEFAULT_CURRENCY, load_newest
from results.catalogue.throughput import PEAK, load_reached, reached_together
from results.core.formats import format_count, format_device
from results.core.links import address
from results.core.systems import system_of
from results.models import Caveat, Claim, Device, DeviceRanking, Product
from results.models.choices import PROTECTED, Board, CaveatKind, Plp
from results.ranking.recommend import IS_RECOMMENDED, is_recommended, is_too_slow
from results.ranking.standing import main_rows

MOST_SHOWN = 10  # of each list
MOST_REFUSED = 8
MOST_NEAR = 3
_POPULAR = 30  # of the most measured products, and of the best known
_TOO_SLOW = "far slower than its class should be: not recommended"
_TOO_FEW = "too few results to recommend it"
_NO_CAPACITY = "the capacity of the measured device isn’t stated"
_NOT_IN_CATALOGUE = "not in our catalogue: we know only what was measured"


class DeviceRow(NamedTuple):
    """Columns of DeviceRanking, by these names."""

    method: str
    device_id: int
    device__slug: str
    device__vendor: str
    device__model_name: str
    device__capacity_bytes: int | None
    device__product_id: int | None
    device__elsewhere_count: int
    device__result_count: int
    device_class: str
    metrics: Mapping[str, float]
    unit_count: int
    recommended_high: float | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A measured device or a product on paper, at one capacity, with findings."""

    device: DeviceRow | None
    product: ProductRow | None
    judged: Judged
    findings: Sequence[Finding]
    uncertain: Sequence[str]

    @property
    def option(self) -> Option:
        return self.judged.option

    @property
    def name(self) -> str:
        """The device's model name, or the product's name, with the capacity."""
        name = self.product.full_name if self.product else ""
        return format_device(
            self.device.device__model_name if self.device else name, self.option.capacity_bytes
        )

    @property
    def url(self) -> str:
        if self.device:
            return address("device", self.device.device__slug)
        return address("product", self.product.slug if self.product else "")

    @property
    def is_recommended(self) -> bool:
        """Whether it also passes the site's bar for recommendations."""
        device = self.device
        return device is not None and is_recommended(device.recommended_high, self.option.plp)


@dataclass(frozen=True, slots=True)
class Section:
    """The best of a list: what fits, what may fit, and how many there are of each."""

    entries: Sequence[Entry] = ()
    count: int = 0
    to_check: Sequence[Entry] = ()
    to_check_count: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortlist:
    """The shortlist.

    `unknown_protection_count` counts products left out because no source states their protection.
    """

    need: Need
    measured: Section
    on_paper: Section
    near_misses: Sequence[Refusal]  # too slow, and nothing else
    why_not: Sequence[Refusal]
    relaxations: Sequence[Relaxation]
    products: Mapping[int, ProductRow]
    unknown_protection_count: int = 0

    @property
    def count(self) -> int:
        return self.measured.count + self.on_paper.count

    @property
    def to_check_count(self) -> int:
        return self.measured.to_check_count + self.on_paper.to_check_count

    @property
    def headline(self) -> str:
        """How much fits, in a sentence."""
        if not self.count:
            to_check = format_count(self.to_check_count, "candidate")
            return f"Nothing definitely fits; {to_check} to check" if self.to_check_count else "Nothing fits"
        devices = self.measured.count
        parts = [format_count(devices, "measured device")] if devices else []
        if self.on_paper.count:
            parts.append(f"{format_count(self.on_paper.count, 'product')} on paper")
        return f"{' and '.join(parts)} {'fits' if self.count == 1 else 'fit'}"


class _Size(NamedTuple):
    """A product, None for one that isn't in the catalogue, and the capacity that its device states."""

    product_id: int | None
    capacity_bytes: int | None


class _Placed(NamedTuple):
    """A device or product with its best option, before sentences are written."""

    device_id: int | None
    product: ProductRow | None
    judged: Judged


@dataclass(frozen=True, slots=True)
class _Pool:
    """Everything that is considered."""

    facts: Mapping[int, Facts]  # by product
    devices: Mapping[int, _Size]  # in leaderboard order
    reached: Mapping[int, Reached]  # by device; to judge, its rate is enough
    options: Mapping[_Size, Sequence[Option]]  # on paper
    measured: Mapping[int, Sequence[Option]]  # by product: of each capacity the device that reached most
    popular: Sequence[int]
    left_out: Sequence[ProductRow]  # whose bus is too slow


def find_shortlist(need: Need, *, today: date) -> Shortlist:
    """Find the shortlist. At most fourteen queries, five more if nothing fits or nearly does."""
    pool = _load(need, today)
    devices = _place_devices(pool, need)
    measured, on_paper = _Split.of(devices), _Split.of(_place_products(pool, need, devices))
    sentences = _Sentences.about([*measured.shown, *on_paper.shown], need)
    near = _near_misses(pool, need)
    is_any = bool(measured.fits or on_paper.fits)
    if pool.left_out and not (is_any and near):
        pool = _with_slow(pool, need, today)
        near = _near_misses(pool, need)
    return Shortlist(
        need=need,
        measured=sentences.section(measured),
        on_paper=sentences.section(on_paper),
        near_misses=near,
        why_not=_refusals(pool, need, except_for={one.candidate.id for one in near}),
        relaxations=[] if is_any else relax(_candidates(pool), need),
        products={key: one.product for key, one in pool.facts.items()},
        unknown_protection_count=_count_unknown(need),
    )


def _load(need: Need, today: date) -> _Pool:
    """Products with acceptable protection and interface, and popular ones that need an explanation.

    Eight queries at most.
    """
    popular = _popular_products()
    condition = Q(pk__in=popular) | Q(plp__in=need.protections) if need.protections else Q()
    among = Product.objects.filter(condition)
    rows = [ProductRow(*row) for row in among.values_list(*ProductRow._fields)]
    products = [one for one in rows if one.id in popular or not is_bus_too_slow(one.bus, need)]
    facts = _facts_of(products, among, need, today)
    left_out = [one for one in rows if one.id not in facts]
    return _pool(facts, *_load_devices(facts, among, need), popular, left_out)


def _with_slow(pool: _Pool, need: Need, today: date) -> _Pool:
    """The pool including products that are too slow. Five queries at most."""
    others = Product.objects.filter(pk__in=[one.id for one in pool.left_out])
    facts = _facts_of(pool.left_out, others, need, today)
    devices, reached = _load_devices(facts, others, need)
    return _pool(
        {**pool.facts, **facts}, {**pool.devices, **devices}, {**pool.reached, **reached}, pool.popular
    )


def _facts_of(
    products: Sequence[ProductRow], among: QuerySet[Product], need: Need, today: date
) -> dict[int, Facts]:
    """The facts of these products, all in `among`. Three queries at most."""
    claims = Claim.objects.filter(product__in=among, quantity__in=CLAIMS_READ).values_list(*ClaimRow._fields)
    currencies = {DEFAULT_CURRENCY, need.currency}  # most sightings, which say what is sold, are in dollars
    sightings = [one for currency in currencies for one in load_newest(among, currency=currency)]
    return group_facts(products, (ClaimRow(*row) for row in claims), sightings, need=need, today=today)


def _pool(
    facts: Mapping[int, Facts],
    devices: Mapping[int, _Size],
    reached: Mapping[int, Reached],
    popular: Sequence[int],
    left_out: Sequence[ProductRow] = (),
) -> _Pool:
    best: dict[_Size, Reached | None] = {}
    for device_id, size in devices.items():
        best[size] = max(best.get(size), reached.get(device_id), key=_rate)
    options = {size: options_of_device(facts.get(size.product_id or 0), size.capacity_bytes) for size in best}
    return _Pool(facts, devices, reached, options, _measured(options, best), popular, left_out)


def _measured(
    options: Mapping[_Size, Sequence[Option]], best: Mapping[_Size, Reached | None]
) -> dict[int, list[Option]]:
    """The options that were measured, by product: one for each capacity, with the most that was reached."""
    most: dict[tuple[int, int | None], tuple[Option, Reached | None]] = {}
    for size, of_size in options.items():
        for one in of_size:
            key = size.product_id or 0, one.capacity_bytes
            most[key] = max(most.get(key, (one, None)), (one, best[size]), key=lambda two: _rate(two[1]))
    found: dict[int, list[Option]] = defaultdict(list)
    for (product_id, _), (one, reached) in most.items():
        found[product_id].append(with_reached(one, reached))
    return found


def _rate(reached: Reached | None) -> float:
    return reached.mib_s if reached else 0


def _popular_products() -> list[int]:
    """Products with the most results or the most aliases, in turn. Two queries."""
    results = Device.objects.shown().filter(product__isnull=False).values("product")
    measured = results.annotate(total=Sum("result_count")).order_by("-total", "product")
    names = Func(F("aliases"), function="cardinality", output_field=IntegerField())
    known = Product.objects.annotate(names=names).filter(names__gt=0).order_by("-names", "pk")
    ids = zip_longest(
        measured.values_list("product", flat=True)[:_POPULAR], known.values_list("pk", flat=True)[:_POPULAR]
    )
    return list(dict.fromkeys(one for one in chain.from_iterable(ids) if one is not None))


def _load_devices(
    facts: Mapping[int, Facts], among: QuerySet[Product], need: Need
) -> tuple[dict[int, _Size], dict[int, Reached]]:
    """Ranked devices of products with facts, in leaderboard order, and the most that each reached. Two queries.

    If no protection is required, devices without a product are included.
    """
    of_products = Q(device__product__in=among)
    condition = of_products if need.protections else of_products | Q(device__product__isnull=True)
    rankings = DeviceRanking.objects.filter(condition, board=Board.SYNC_WRITE)
    rows = rankings.order_by("-is_main", "high", "device_id").values_list(
        "device_id", "device__product_id", "device__capacity_bytes", PEAK
    )
    devices: dict[int, _Size] = {}
    reached = {device_id: Reached(one.mib_s) for device_id, one in reached_together().items()}
    for device_id, product_id, capacity_bytes, mib_s in rows:  # of each method one
        if product_id is None or product_id in facts:
            devices.setdefault(device_id, _Size(product_id, capacity_bytes))
            if mib_s is not None and mib_s > _rate(reached.get(device_id)):
                reached[device_id] = Reached(mib_s)
    return devices, reached


def _doubt(device: DeviceRow) -> str:
    if device.recommended_high is not None:
        return ""
    return _TOO_SLOW if is_too_slow(device.device_class, device.metrics.get("latency_4k_us")) else _TOO_FEW


def _candidate(key: int, pool: _Pool) -> Candidate:
    """Each measured device of a product, and every capacity that nobody measured."""
    measured = pool.measured.get(key, [])
    return Candidate(key, pool.facts[key].product.full_name, [*measured, *_unmeasured(key, pool)])


def _candidates(pool: _Pool) -> Iterator[Candidate]:
    return (_candidate(key, pool) for key in pool.facts)


def _near_misses(pool: _Pool, need: Need) -> list[Refusal]:
    return find_near_misses(_candidates(pool), need, most=MOST_NEAR) if need.mib_s else []


def _unmeasured(key: int, pool: _Pool) -> list[Option]:
    measured = {one.capacity_bytes for one in pool.measured.get(key, [])}
    return [one for one in pool.facts[key].on_paper() if one.capacity_bytes not in measured]


def _place_devices(pool: _Pool, need: Need) -> list[_Placed]:
    """Devices that fit or may fit.

    Measured throughput comes before claims, then recent prices before old ones, then low latency.
    """
    judge = _Judge(pool, need)
    placed = (
        (judge.best(device_id, size), device_id, pool.facts.get(size.product_id or 0))
        for device_id, size in pool.devices.items()
    )
    found = [
        (best.order, _Placed(device_id, facts.product if facts else None, best.judged))
        for best, device_id, facts in placed
        if best
    ]
    return [one for _, one in sorted(found, key=lambda one: one[0])]


class _Best(NamedTuple):
    """The best option of a device, and its order among the others'."""

    judged: Judged
    order: tuple[bool, int]


class _Judge:
    """Judges devices: those of one size are judged once for each of its limits that they may have exceeded."""

    def __init__(self, pool: _Pool, need: Need) -> None:
        self._pool = pool
        self._need = need
        self._limits = {
            size: [limit.mib_s for one in options for limit in one.throughput.limits]
            for size, options in pool.options.items()
        }
        self._found: dict[tuple[_Size, bool, int], _Best | None] = {}

    def best(self, device_id: int, size: _Size) -> _Best | None:
        """The best option of a device; None if it fails any criterion."""
        reached, mib_s = self._pool.reached.get(device_id), self._need.mib_s
        rate = _rate(reached) if mib_s else 0
        key = size, rate >= (mib_s or 0), sum(limit < rate for limit in self._limits[size])
        if key not in self._found:
            options = [with_reached(one, reached) for one in self._pool.options[size]]
            judged = choose(options, self._need)
            self._found[key] = _Best(judged, self._order(judged.option)) if judged else None
        return self._found[key]

    def _order(self, option: Option) -> tuple[bool, int]:
        check = check_speed(option, self._need)
        return check is not None and check.is_on_paper, price_age(option)


def _place_products(pool: _Pool, need: Need, measured: Sequence[_Placed]) -> list[_Placed]:
    """Products that fit or may fit at an unmeasured capacity, by price, each once."""
    fitting = {one.product.id for one in measured if one.product and one.judged.fits}
    to_check = {one.product.id for one in measured if one.product} - fitting
    found = []
    for key, facts in pool.facts.items():
        judged = None if key in fitting else choose(_unmeasured(key, pool), need)
        if judged and (judged.fits or key not in to_check):
            found.append((Candidate(key, facts.product.full_name, [judged.option]), judged))
    return [_Placed(None, pool.facts[one.id].product, judged) for one, judged in by_price(found, need)]


@dataclass(frozen=True, slots=True)
class _Split:
    """What fits, and what may fit but lacks a figure."""

    fits: Sequence[_Placed]
    to_check: Sequence[_Placed]

    @classmethod
    def of(cls, placed: Iterable[_Placed]) -> "_Split":
        found = list(placed)
        return cls([one for one in found if one.judged.fits], [one for one in found if not one.judged.fits])

    @property
    def shown(self) -> list[_Placed]:
        return [*self.fits[:MOST_SHOWN], *self.to_check[:MOST_SHOWN]]


@dataclass(frozen=True, slots=True)
class _Sentences:
    """Writes sentences, from known problems by product and systems by device."""

    need: Need
    devices: Mapping[int, DeviceRow]
    reached: Mapping[int, Reached]
    problems: Mapping[int, Sequence[str]]
    systems: Mapping[tuple[int, str], Collection[str]]

    @classmethod
    def about(cls, shown: Sequence[_Placed], need: Need) -> "_Sentences":
        """Four queries, or five if a system is given."""
        devices = {one.device_id for one in shown if one.device_id}
        rows = main_rows().filter(device__in=devices).values_list(*DeviceRow._fields)
        return cls(
            need,
            devices={one.device_id: one for one in (DeviceRow(*row) for row in rows)},
            reached=load_reached(devices),
            problems=_known_problems({one.product.id for one in shown if one.product}),
            systems=_systems(devices) if need.system else {},
        )

    def section(self, split: _Split) -> Section:
        return Section(
            entries=[self._entry(one) for one in split.fits[:MOST_SHOWN]],
            count=len(split.fits),
            to_check=[self._entry(one) for one in split.to_check[:MOST_SHOWN]],
            to_check_count=len(split.to_check),
        )

    def _entry(self, placed: _Placed) -> Entry:
        device, product = self.devices.get(placed.device_id or 0), placed.product
        option = placed.judged.option
        if device:
            measured = Measured(device.unit_count, _doubt(device))
            option = replace(with_reached(option, self.reached.get(device.device_id)), measured=measured)
        findings = explain(option, self.need)
        systems = self.systems.get((device.device_id, device.method), ()) if device else ()
        uncertain = [
            *uncertainties(option, self.need, systems),
            *([_NO_CAPACITY] if device and device.device__capacity_bytes is None else []),
            *([_NOT_IN_CATALOGUE] if product is None else product.protection_checks),
            *(one.check for one in findings if one.check),
            *(self.problems.get(product.id, ()) if product else ()),
        ]
        return Entry(device, product, placed.judged._replace(option=option), findings, uncertain)


def _known_problems(product_ids: Collection[int]) -> dict[int, list[str]]:
    rows = Caveat.objects.filter(product__in=product_ids).order_by("summary")
    found: dict[int, list[str]] = defaultdict(list)
    for product_id, kind, summary in rows.values_list("product", "kind", "summary"):
        found[product_id].append(f"{CaveatKind(kind).label}: {summary.rstrip('.')}")
    return found


def _systems(device_ids: Collection[int]) -> dict[tuple[int, str], set[str]]:
    """The systems that ranked results state, by device and method. One query."""
    devices = Device.objects.filter(pk__in=device_ids)
    return {
        (device_id, method): {system_of(platform) for platform in stated.get("platforms", ())}
        for device_id, values in devices.values_list("pk", "condition_values")
        for method, stated in values.items()
    }


def _refusals(pool: _Pool, need: Need, *, except_for: Collection[int]) -> list[Refusal]:
    popular = (key for key in pool.popular if key in pool.facts and key not in except_for)
    found = (refuse(_candidate(key, pool), need) for key in popular)
    return list(islice((one for one in found if one), MOST_REFUSED))


def _count_unknown(need: Need) -> int:
    """One query, none if protection isn't required."""
    return Product.objects.filter(plp=Plp.UNKNOWN).count() if need.protections else 0


MOST_ANSWERED = (
    100  # the fastest recommended devices, and those with a recent price: where one answer is enough
)


def find_answers(needs: Sequence[Need], *, today: date) -> list[Entry | None]:
    """The best for each need, among recommended devices and unmeasured products that any machine takes.

    All needs require protection, and have one currency and no preference for new or used. The order is the
    shortlist's: a device comes before a product on paper. At most nine queries for all of them.
    """
    any_need = Need(protections=frozenset(PROTECTED))
    bound = Caveat.objects.filter(product=OuterRef("pk"), kind=CaveatKind.PLATFORM_LIMIT)
    among = Product.objects.filter(~Exists(bound), plp__in=PROTECTED)
    products = [ProductRow(*row) for row in among.values_list(*ProductRow._fields)]
    facts = _facts_of(products, among, any_need, today)
    sold = [
        key
        for key, one in facts.items()
        if any(option.price and option.price.is_recent for option in one.on_paper())
    ]
    devices = {one.device_id: one for keys in (list(facts), sold) for one in _fastest_recommended(keys)}
    rows = {one.device_id: one for one in sorted(devices.values(), key=_latency)}
    sizes = {key: _Size(one.device__product_id, one.device__capacity_bytes) for key, one in rows.items()}
    pool = _pool(facts, sizes, load_reached(rows), ())
    measured = set(Device.objects.shown().filter(product__in=among).values_list("product", flat=True))
    return [_answer(pool, rows, need, measured) for need in needs]


def _fastest_recommended(product_ids: Sequence[int]) -> list[DeviceRow]:
    """At most MOST_ANSWERED recommended devices of these products. One query."""
    rankings = (
        main_rows().filter(IS_RECOMMENDED, device__product__in=product_ids).order_by("recommended_high")
    )
    return [DeviceRow(*row) for row in rankings.values_list(*DeviceRow._fields)[:MOST_ANSWERED]]


def _latency(device: DeviceRow) -> tuple[float, int]:
    return device.metrics["latency_4k_us"], device.device_id


def _answer(
    pool: _Pool, rows: Mapping[int, DeviceRow], need: Need, measured: Collection[int]
) -> Entry | None:
    devices = _place_devices(pool, need)
    on_paper = (
        one for one in _place_products(pool, need, devices) if one.product and one.product.id not in measured
    )
    first = next((one for one in chain(devices, on_paper) if one.judged.fits), None)
    sentences = _Sentences(need, devices=rows, reached=pool.reached, problems={}, systems={})
    return sentences.section(_Split([first], [])).entries[0] if first else None
