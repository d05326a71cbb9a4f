"""Find measured devices and products that fit a need, and why others don't."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest, nsmallest
from itertools import chain, islice, zip_longest
from typing import NamedTuple

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Coalesce
from django.utils.functional import SimpleLazyObject

from results.advice.criteria import (
    Criterion,
    Finding,
    Measured,
    Need,
    Option,
    check_speed,
    explain,
    explain_one,
    is_bus_too_slow,
    uncertainties,
)
from results.advice.link import Reached
from results.advice.shortlist import (
    CandidateProduct,
    Judged,
    ProductRefusal,
    Relaxation,
    by_price,
    choose,
    find_near_misses,
    judge_option,
    price_age,
    refuse,
    relax,
)
from results.catalogue.prices import DEFAULT_CURRENCY, load_shown
from results.catalogue.purchase_options import (
    Facts,
    ProductRow,
    find_facts,
    options_of_device,
    product_rows,
    with_reached,
)
from results.catalogue.throughput import PEAK, load_reached, reached_together
from results.core.addresses import address, drive_address
from results.core.drive_names import DriveName
from results.core.formats import format_count
from results.core.systems import system_of
from results.models import Caveat, Device, DeviceRanking, Product, Result, Submission
from results.models.choices import PROTECTED, Board, CaveatKind, Plp
from results.ranking.recommend import IS_RECOMMENDED, IS_TOO_SLOW, is_recommended, is_too_slow
from results.ranking.standing import main_rows

MAX_SHOWN = 10  # of each list
MAX_REFUSED = 8
MAX_NEAR = 3
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
    device__page: str
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
    digits: int | None


def _device_rows(rankings: QuerySet[DeviceRanking]) -> dict[int, DeviceRow]:
    """The rows by device. One query."""
    return {row.device_id: row for row in map(DeviceRow._make, rankings.values_list(*DeviceRow._fields))}


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
    def name(self) -> DriveName:
        """With the capacity of the option."""
        vendor, line = (self.product.vendor__name, self.product.name) if self.product else (None, None)
        model_name = self.device.device__model_name if self.device else ""
        return DriveName(model_name, self.option.capacity_bytes, vendor, line)

    @property
    def url(self) -> str:
        if self.device:
            return drive_address(self.device.device__page, self.device.device__slug)
        return address("product", self.product.slug if self.product else "")

    @property
    def is_recommended(self) -> bool:
        """Whether it also passes the site's bar for recommendations."""
        device = self.device
        return device is not None and is_recommended(device.recommended_high, self.product)


class TooSmall(NamedTuple):
    """A measured device outside the catalogue whose only fault is that it is too small."""

    device: DeviceRow
    option: Option
    reason: Finding

    @property
    def name(self) -> str:
        return DriveName(self.device.device__model_name, self.option.capacity_bytes).full


@dataclass(frozen=True, slots=True)
class ShortlistSection:
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
    measured: ShortlistSection
    on_paper: ShortlistSection
    near_misses: Sequence[ProductRefusal]  # only too slow, or only too small
    too_small: Sequence[TooSmall]
    why_not: Sequence[ProductRefusal]
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


class _Ranked(NamedTuple):
    """A device, in leaderboard order, and the most that it reached, 0 if that isn't known."""

    place: float
    device_id: int
    mib_s: float


class _Placed(NamedTuple):
    """A device or product with its best option, before sentences are written."""

    device_id: int | None
    product: ProductRow | None
    judged: Judged


class _Alike(NamedTuple):
    """Devices of one size with the same best option, and their order among the others."""

    product: ProductRow | None
    judged: Judged
    order: tuple[bool, bool, int, int]
    devices: Sequence[_Ranked]


@dataclass(frozen=True, slots=True)
class _Considered:
    """Everything that is considered."""

    facts: Mapping[int, Facts]  # by product
    devices: Mapping[_Size, Sequence[_Ranked]]  # sizes in the order of their first device
    options: Mapping[_Size, Sequence[Option]]  # on paper
    measured: Mapping[int, Sequence[Option]]  # by product: of each capacity the device that reached most
    popular: Sequence[int]
    left_out: Sequence[ProductRow]  # whose bus is too slow


def find_shortlist(need: Need) -> Shortlist:
    """Find the shortlist. At most sixteen queries, six more if nothing fits or nearly does."""
    pool = _load(need)
    devices = _judge_devices(pool, need)
    measured, on_paper = _Split.for_devices(devices), _Split.of(_place_products(pool, need, devices))
    sentences = _Sentences.about([*measured.shown, *on_paper.shown], need)
    near = _too_slow(pool, need)
    is_any = bool(measured.fits.total or on_paper.fits.total)
    if pool.left_out and not (is_any and near):
        pool = _with_slow(pool, need)
        near = _too_slow(pool, need)
    unknown = Product.objects.filter(plp=Plp.UNKNOWN)
    small = (_candidate(key, pool) for key in pool.facts if _is_small(key, pool, need))
    near += find_near_misses(small, need, Criterion.SIZE, most=MAX_NEAR)
    return Shortlist(
        need=need,
        measured=sentences.section(measured),
        on_paper=sentences.section(on_paper),
        near_misses=near,
        too_small=_too_small(pool, need),
        why_not=_refusals(pool, need, except_for={refusal.candidate.id for refusal in near}),
        relaxations=[] if is_any else relax(_candidates(pool), need),
        products={key: facts.product for key, facts in pool.facts.items()},
        unknown_protection_count=unknown.count() if need.protections else 0,
    )


def _load(need: Need) -> _Considered:
    """Products with acceptable protection and interface, and popular ones that need an explanation.

    Nine queries at most.
    """
    popular = _popular_products()
    condition = Q(pk__in=popular) | Q(plp__in=need.protections) if need.protections else Q()
    among = Product.objects.filter(condition)
    rows = product_rows(among)
    products = [row for row in rows if row.id in popular or not is_bus_too_slow(row.bus, need)]
    facts = _facts_of(products, among, need)
    left_out = [row for row in rows if row.id not in facts]
    return _pool(facts, _load_devices(facts, need), popular, left_out)


def _with_slow(pool: _Considered, need: Need) -> _Considered:
    """The pool including products that are too slow. Six queries at most."""
    others = Product.objects.filter(pk__in=[product.id for product in pool.left_out])
    facts = _facts_of(pool.left_out, others, need)
    devices = _load_devices(facts, need)
    return _pool({**pool.facts, **facts}, {**pool.devices, **devices}, pool.popular)


def _facts_of(products: Sequence[ProductRow], among: QuerySet[Product], need: Need) -> dict[int, Facts]:
    """The facts of these products, all in `among`. Three queries at most."""
    currencies = {DEFAULT_CURRENCY, need.currency}  # most sightings, which say what is sold, are in dollars
    sightings = [sighting for currency in currencies for sighting in load_shown(among, currency=currency)]
    return find_facts(products, among, sightings, need)


def _pool(
    facts: Mapping[int, Facts],
    devices: Mapping[_Size, Sequence[_Ranked]],
    popular: Sequence[int],
    left_out: Sequence[ProductRow] = (),
) -> _Considered:
    options = {
        size: options_of_device(facts.get(size.product_id or 0), size.capacity_bytes) for size in devices
    }
    return _Considered(facts, devices, options, _measured(options, devices), popular, left_out)


def _measured(
    options: Mapping[_Size, Sequence[Option]], devices: Mapping[_Size, Sequence[_Ranked]]
) -> dict[int, list[Option]]:
    """The options that were measured, by product: one for each capacity, with the most that was reached."""
    most: dict[tuple[int, int | None], tuple[Option, float]] = {}
    for size, for_size in options.items():
        mib_s = max(device.mib_s for device in devices[size])
        for option in for_size:
            key = size.product_id or 0, option.capacity_bytes
            most[key] = max(most.get(key, (option, 0)), (option, mib_s), key=lambda two: two[1])
    found: dict[int, list[Option]] = defaultdict(list)
    for (product_id, _), (option, mib_s) in most.items():
        found[product_id].append(_that_reached(option, mib_s))
    return found


def _that_reached(option: Option, mib_s: float) -> Option:
    """The option with a measured rate, 0 if there is none; to judge it, the rate is enough."""
    return with_reached(option, Reached(mib_s) if mib_s else None)


def _popular_products() -> list[int]:
    """Products with the most results or the most aliases, in turn. Two queries."""
    results = Device.objects.shown().filter(product__isnull=False).values("product")
    measured = results.annotate(total=Sum("result_count")).order_by("-total", "product")
    names = Func(F("aliases"), function="cardinality", output_field=IntegerField())
    known = Product.objects.annotate(names=names).filter(names__gt=0).order_by("-names", "pk")
    ids = zip_longest(
        measured.values_list("product", flat=True)[:_POPULAR], known.values_list("pk", flat=True)[:_POPULAR]
    )
    return list(dict.fromkeys(pk for pk in chain.from_iterable(ids) if pk is not None))


def _load_devices(facts: Mapping[int, Facts], need: Need) -> dict[_Size, list[_Ranked]]:
    """Ranked devices of products with facts, and the most that each reached, by size. Three queries.

    If no protection is required, devices without a product are included. There are many more devices than sizes, so
    PostgreSQL returns a row for each size.
    """
    for_products = Q(device__product__in=list(facts))
    condition = for_products if need.protections else for_products | Q(device__product__isnull=True)
    rankings = DeviceRanking.objects.filter(condition, board=Board.SYNC_WRITE)
    sizes = rankings.filter(is_main=True).values_list("device__product_id", "device__capacity_bytes")
    found: dict[_Size, list[_Ranked]] = {}
    rate = Coalesce(PEAK, 0.0)
    columns = {"highs": ArrayAgg("high"), "devices": ArrayAgg("device_id"), "rates": ArrayAgg(rate)}
    most = {device_id: reached.mib_s for device_id, reached in reached_together().items()}
    for device_id, mib_s in rankings.filter(is_main=False).values_list("device_id", rate):
        most[device_id] = max(mib_s, most.get(device_id, 0))
    for product_id, capacity_bytes, *arrays in sizes.annotate(**columns):
        found[_Size(product_id, capacity_bytes)] = [
            _Ranked(high, key, max(mib_s, most.get(key, 0))) for high, key, mib_s in zip(*arrays, strict=True)
        ]
    return dict(sorted(found.items(), key=lambda item: min(item[1])))


def _doubt(device: DeviceRow) -> str:
    if device.recommended_high is not None:
        return ""
    return _TOO_SLOW if is_too_slow(device.device_class, device.metrics.get("latency_4k_us")) else _TOO_FEW


def _candidate(key: int, pool: _Considered) -> CandidateProduct:
    """Each measured device of a product, and every capacity that nobody measured."""
    measured = pool.measured.get(key, [])
    return CandidateProduct(key, pool.facts[key].product.drive_name, [*measured, *_unmeasured(key, pool)])


def _candidates(pool: _Considered) -> Iterator[CandidateProduct]:
    return (_candidate(key, pool) for key in pool.facts)


def _too_slow(pool: _Considered, need: Need) -> list[ProductRefusal]:
    if not need.mib_s:
        return []
    return find_near_misses(_candidates(pool), need, Criterion.SPEED, most=MAX_NEAR)


def _is_small(key: int, pool: _Considered, need: Need) -> bool:
    """Whether a capacity of the product is smaller than the log."""
    measured = (option.capacity_bytes for option in pool.measured.get(key, ()))
    stated = (*pool.facts[key].capacities[:1], *measured)
    return any(capacity is not None and capacity < need.log_bytes for capacity in stated)


def _too_small(pool: _Considered, need: Need) -> list[TooSmall]:
    """The largest devices outside the catalogue that are only too small. One query, or none if there are none."""
    options = {
        device.device_id: _that_reached(option, device.mib_s)
        for size, devices in pool.devices.items()
        if size.product_id is None and size.capacity_bytes and size.capacity_bytes < need.log_bytes
        for option in pool.options[size]
        for device in devices
    }
    small = [key for key, option in options.items() if judge_option(option, need).failed == {Criterion.SIZE}]
    if not small:
        return []
    largest = nlargest(MAX_NEAR, small, key=lambda key: options[key].capacity_bytes or 0)
    found = _device_rows(main_rows().filter(device__in=largest))
    return [
        TooSmall(found[key], options[key], explain_one(options[key], need, Criterion.SIZE)) for key in largest
    ]


def _unmeasured(key: int, pool: _Considered) -> list[Option]:
    measured = {option.capacity_bytes for option in pool.measured.get(key, [])}
    return [option for option in pool.facts[key].on_paper() if option.capacity_bytes not in measured]


def _judge_devices(pool: _Considered, need: Need) -> list[_Alike]:
    """Devices that fit or may fit, those that are judged alike together.

    In the order of `_order`, then by latency.
    """
    found = []
    for size, for_size in pool.devices.items():
        options, facts = pool.options[size], pool.facts.get(size.product_id or 0)
        for devices in _alike(for_size, options, need):
            judged = choose((_that_reached(option, devices[0].mib_s) for option in options), need)
            if judged:
                product = facts.product if facts else None
                found.append(_Alike(product, judged, _order(judged.option, need), devices))
    return found


def _alike(
    devices: Sequence[_Ranked], options: Sequence[Option], need: Need
) -> Collection[Sequence[_Ranked]]:
    """Devices with these options, by what decides about their speed: the need, and which limits they exceeded."""
    if not need.mib_s:
        return [devices]
    limits = sorted(limit.mib_s for option in options for limit in option.throughput.limits)
    found: dict[int | None, list[_Ranked]] = defaultdict(list)
    for device in devices:
        found[None if device.mib_s >= need.mib_s else bisect_left(limits, device.mib_s)].append(device)
    return found.values()


def _order(option: Option, need: Need) -> tuple[bool, bool, int, int]:
    """Last choices last, measured throughput before claims, recent prices before old ones and before none.

    Without a price, the smallest is likely the cheapest.
    """
    check = check_speed(option, need)
    unpriced = 0 if option.price else option.capacity_bytes or 0
    return option.is_last_choice, check is not None and check.is_on_paper, price_age(option), unpriced


def _place_products(pool: _Considered, need: Need, measured: Sequence[_Alike]) -> list[_Placed]:
    """Products that fit or may fit at an unmeasured capacity, by price, each once."""
    fitting = {alike.product.id for alike in measured if alike.product and alike.judged.fits}
    to_check = {alike.product.id for alike in measured if alike.product} - fitting
    found = []
    for key, facts in pool.facts.items():
        judged = None if key in fitting else choose(_unmeasured(key, pool), need)
        if judged and (judged.fits or key not in to_check):
            found.append((CandidateProduct(key, facts.product.drive_name, [judged.option]), judged))
    return [
        _Placed(None, pool.facts[candidate.id].product, judged) for candidate, judged in by_price(found, need)
    ]


class _First(NamedTuple):
    """The first MAX_SHOWN of a list, and how many there are."""

    shown: Sequence[_Placed]
    total: int

    @classmethod
    def of(cls, placed: Sequence[_Placed]) -> "_First":
        return cls(placed[:MAX_SHOWN], len(placed))

    @classmethod
    def for_devices(cls, found: Sequence[_Alike]) -> "_First":
        devices = (
            (alike.order, ranked.place, ranked.device_id, alike)
            for alike in found
            for ranked in nsmallest(MAX_SHOWN, alike.devices)
        )
        first = nsmallest(MAX_SHOWN, devices)  # no two have the same device
        shown = [_Placed(device_id, alike.product, alike.judged) for _, _, device_id, alike in first]
        return cls(shown, sum(len(alike.devices) for alike in found))


@dataclass(frozen=True, slots=True)
class _Split:
    """What fits, and what may fit but lacks a figure."""

    fits: _First
    to_check: _First

    @classmethod
    def of(cls, placed: Sequence[_Placed]) -> "_Split":
        fits = _First.of([entry for entry in placed if entry.judged.fits])
        return cls(fits, _First.of([entry for entry in placed if not entry.judged.fits]))

    @classmethod
    def for_devices(cls, found: Sequence[_Alike]) -> "_Split":
        fits = _First.for_devices([alike for alike in found if alike.judged.fits])
        return cls(fits, _First.for_devices([alike for alike in found if not alike.judged.fits]))

    @property
    def shown(self) -> list[_Placed]:
        return [*self.fits.shown, *self.to_check.shown]


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
        devices = {entry.device_id for entry in shown if entry.device_id}
        return cls(
            need,
            devices=_device_rows(main_rows().filter(device__in=devices)),
            reached=load_reached(devices),
            problems=_known_problems({entry.product.id for entry in shown if entry.product}),
            systems=_systems(devices) if need.system else {},
        )

    def section(self, split: _Split) -> ShortlistSection:
        return ShortlistSection(
            entries=[self.entry(entry) for entry in split.fits.shown],
            count=split.fits.total,
            to_check=[self.entry(entry) for entry in split.to_check.shown],
            to_check_count=split.to_check.total,
        )

    def entry(self, placed: _Placed) -> Entry:
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
            *(finding.check for finding in findings if finding.check),
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


def _refusals(pool: _Considered, need: Need, *, except_for: Collection[int]) -> list[ProductRefusal]:
    popular = (key for key in pool.popular if key in pool.facts and key not in except_for)
    found = (refuse(_candidate(key, pool), need) for key in popular)
    return list(islice((refusal for refusal in found if refusal), MAX_REFUSED))


MAX_ANSWERED = 100  # of the fastest recommended devices, and of those with a recent price


def find_answers(needs: Sequence[Need]) -> list[Entry | None]:
    """The best for each need, among recommended devices and products on paper that any machine takes.

    All needs require protection, and have one currency and no preference for new or used. The order is the
    shortlist's: a device comes before a product on paper. Results too few for a recommendation change no answer,
    except that a product that proved too slow is left out. At most nine queries for all of them.
    """
    any_need = Need(protections=frozenset(PROTECTED))
    bound = Caveat.objects.filter(product=OuterRef("pk"), kind=CaveatKind.PLATFORM_LIMIT)
    among = Product.objects.filter(~Exists(bound), plp__in=PROTECTED)
    facts = _facts_of(product_rows(among), among, any_need)
    sold = [
        key
        for key, fact in facts.items()
        if any(option.price and option.price.is_recent for option in fact.on_paper())
    ]
    devices = _fastest_recommended(list(facts)) | _fastest_recommended(sold)
    by_latency = sorted(devices, key=lambda key: (devices[key].metrics["latency_4k_us"], key))
    rows = {key: devices[key] for key in by_latency}
    reached = load_reached(rows)
    sizes: dict[_Size, list[_Ranked]] = defaultdict(list)
    for place, (key, device) in enumerate(rows.items()):
        size = _Size(device.device__product_id, device.device__capacity_bytes)
        sizes[size].append(_Ranked(place, key, reached[key].mib_s if key in reached else 0))
    pool = _pool(facts, sizes, ())
    # Few needs have to fall back on products on paper
    slow = SimpleLazyObject(lambda: _proved_too_slow(among))
    return [_answer(pool, rows, reached, need, slow) for need in needs]


def _proved_too_slow(among: QuerySet[Product]) -> set[int]:
    """The products with a device that accountable results show to be too slow to recommend. One query."""
    accountable = Result.objects.filter(
        submission__in=Submission.objects.accountable(), device=OuterRef("device"), is_ranked=True
    )
    rows = main_rows().filter(IS_TOO_SLOW, Exists(accountable), device__product__in=among)
    return set(rows.filter(recommended_high=None).values_list("device__product", flat=True))


def _fastest_recommended(product_ids: Sequence[int]) -> dict[int, DeviceRow]:
    """At most MAX_ANSWERED recommended devices of these products. One query."""
    rankings = main_rows().filter(IS_RECOMMENDED, device__product__in=product_ids)
    return _device_rows(rankings.order_by("recommended_high")[:MAX_ANSWERED])


def _answer(
    pool: _Considered,
    rows: Mapping[int, DeviceRow],
    reached: Mapping[int, Reached],
    need: Need,
    slow: Container[int],
) -> Entry | None:
    devices = _judge_devices(pool, need)
    first = next(iter(_Split.for_devices(devices).fits.shown), None)
    if first is None:
        on_paper = (placed for placed in _place_products(pool, need, devices) if placed.judged.fits)
        first = next(
            (placed for placed in on_paper if placed.product and placed.product.id not in slow), None
        )
    return first and _Sentences(need, devices=rows, reached=reached, problems={}, systems={}).entry(first)
