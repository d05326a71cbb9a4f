"""The record of a drive that was looked up or checked."""

from collections.abc import Sequence
from dataclasses import dataclass

from parsers.base.device_class import DeviceClass
from parsers.base.readings import Notice
from results.advice.protection import Safety
from results.api.records import PLP_PROBABLY, TIER_CHOICES, NoticeRecord, page_of, rounded
from results.catalogue.protection import product_protection
from results.catalogue.records import CaveatRecord, PlpStatementRecord
from results.core.addresses import address, full_url, with_query
from results.core.record import Record, Row, Url, field, null_if_empty
from results.models.choices import Method, Plp, PlpEvidence, strongest_first
from results.models.fact import is_same_capacity
from results.ranking.tiers import tiers_of
from results.search.products import Match
from results.used_drive.check import CheckedDrive
from results.used_drive.drives import ProductName
from results.used_drive.oddities import CaveatState, Code, Finding, Tone, state_of
from results.used_drive.similar import SimilarDevice

_LEVELS = {Tone.INFO: "ok", Tone.WARN: "warn", Tone.BAD: "bad"}
_UNKNOWN = "unknown"
_UNIT_STATES = [("working", "it reports that its capacitors work"), ("failed", "it reports that it failed")]


@dataclass(frozen=True, slots=True)
class LookedUp:
    """A drive as it was named or reports itself, how that named it, and what else it may be."""

    checked: CheckedDrive
    match: Match | None
    may_be: Sequence[ProductName] = ()
    notices: Sequence[Notice] = ()

    @property
    def capacity_bytes(self) -> int | None:
        """As stated or by its part number; None if it may have several."""
        life = self.checked.life
        return life.possible[0].capacity_bytes if life.is_of_one else None

    @property
    def url(self) -> str:
        """The page of the drive, or else the one that checks it."""
        product, device = self.checked.product, self.checked.drive.device
        if self.checked.own is not None:
            return full_url(device.get_absolute_url())
        if product is not None:
            return full_url(product.get_absolute_url())
        return full_url(with_query(address("used-drive"), model=self.checked.drive.reading.model_name or ""))

    @property
    def measured(self) -> SimilarDevice | None:
        """The drive's own device, else the one of its product and capacity with the most units; None if unranked."""
        checked = self.checked
        if checked.is_ranked:
            return checked.own
        ranked = [
            other
            for other in checked.similar
            if other.score is not None and is_same_capacity(other.device.capacity_bytes, self.capacity_bytes)
        ]
        return max(ranked, key=lambda other: other.unit_count or 0, default=None)


class NamedDriveRecord(Record):
    """The drive as a lookup named it, or as it reports itself in a check. Identifiers are masked."""

    model: str = field("the model name", "reading.model_name")
    capacity_bytes: int | None = field("in bytes, as stated or of the only device of this name; or null")
    firmware: str | None = field("null if not stated", "reading.firmware_version", to=null_if_empty)


class MayBeRecord(Record):
    """A product that the name may mean."""

    slug: str = field("its name in URLs")
    name: str = field("its name", "full_name")
    url: Url = field("its page for people", "slug", to=page_of("product"))


def _statements(drive: CheckedDrive) -> list[Row]:
    stated = strongest_first(drive.product.plp_statements) if drive.product else []
    return [{"note": "", **statement} for statement in stated]


def _unit_state(drive: CheckedDrive) -> str | None:
    if drive.drive.reading.protection_fault:
        return "failed"
    return "working" if drive.drive.reading.protection_evidence else None


class DriveProtectionRecord(Record):
    """What is known of the power-loss protection."""

    safety: Safety = field(
        "what happens to acknowledged writes in a power cut",
        lambda drive: product_protection(drive.product).safety.value,
        choices=[safety.value for safety in Safety],
    )
    is_probable: bool = field(
        "the same as `plp_probably`",
        lambda drive: drive.product is not None and drive.product.is_probably_protected,
    )
    text: str = field("the same in a sentence", lambda drive: product_protection(drive.product).sentence)
    evidence: PlpEvidence | None = field(
        "the kind of the best source; null without any",
        lambda drive: next((stated["evidence"] for stated in _statements(drive)), None),
    )
    statements: list[PlpStatementRecord] = field("what sources state, the better first", _statements)
    unit_state: str | None = field(
        "what this very drive reports about its capacitors; null if nothing: a clear warning bit says nothing",
        _unit_state,
        choices=_UNIT_STATES,
    )
    unit_evidence: str = field(
        "as it reports that; or empty",
        lambda drive: drive.drive.reading.protection_fault or drive.drive.reading.protection_evidence or "",
    )


class ByteRangeRecord(Record):
    """A number of bytes; from low to high where the drive may have several capacities."""

    low: int = field("bytes")
    high: int = field("bytes")

    @classmethod
    def from_amounts(cls, amounts: Sequence[int]) -> Row | None:
        return {"low": min(amounts), "high": max(amounts)} if amounts else None


class DriveLatencyRecord(Record):
    """The 4 KiB latency that was measured: of this device, else of one of its product and capacity."""

    device: str = field("the slug of the device that was measured", "device.slug")
    method: Method = field("how it was measured")
    latency_4k_us: float = field("the median over its units, in µs", "score", to=rounded)
    low_us: float = field("lower end of its interval, in µs", "low", to=rounded)
    high_us: float = field("its upper end, in µs", "high", to=rounded)
    tier: list[str] = field(
        "the tiers that the interval spans, best first",
        lambda measured: [tier.key for tier in tiers_of(measured.low, measured.high)],
        choices=TIER_CHOICES,
    )
    unit_count: int = field("how many units were measured")


class DriveFindingRecord(Record):
    """A finding about the drive."""

    code: Code = field("a stable code for programs")
    level: str = field("how much it matters", "tone", choices=[tone.value for tone in Tone])
    text: str = field("for people to read")
    source_url: Url = field("of its source, or empty", allow_blank=True)


class DriveVerdictRecord(Record):
    """The verdict on the drive as a SLOG."""

    level: str = field("unknown: its protection isn't known", choices=[*_LEVELS.values(), _UNKNOWN])
    code: Code = field("a stable code for programs: what decided it")
    text: str = field("for people to read")


def _verdict(verdict: Finding) -> Row:
    is_unknown = verdict.code == Code.PROTECTION_UNKNOWN
    return DriveVerdictRecord.of(verdict, level=_UNKNOWN if is_unknown else _LEVELS[verdict.tone])


class DriveCaveatRecord(CaveatRecord):
    """A known problem of the product, and whether it is one of this drive."""

    state: CaveatState = field("by its firmware")


def _product_name(found: LookedUp) -> str:
    return found.checked.product.full_name if found.checked.product else ""


class KnownDriveRecord(Record):
    """A drive that was looked up or checked; null or empty where nothing is known."""

    drive: NamedDriveRecord = field("as it was sent, or as it reports itself", "checked.drive")
    match: Match | None = field(
        "exact: the only one of this name; shared: several products have the name; similar: only their names are; "
        "null: nothing is called like that. Only an exact one has facts"
    )
    may_be: list[MayBeRecord] = field("products that it may be; empty if `match` is exact")
    product: str | None = field("the slug of its product", "checked.product.slug")
    product_name: str = field("the vendor and name of its product", _product_name)
    device: str | None = field("the slug of its device, if that was measured", "checked.own.device.slug")
    device_class: DeviceClass = field("its class", "checked.drive.device_class")
    capacity_bytes: int | None = field(
        "in bytes, as stated or by its part number; null if it may have several"
    )
    capacities: list[int] = field(
        "all that it may have, in bytes", lambda found: sorted(found.checked.life.capacities)
    )
    plp: Plp = field(
        "power-loss protection, by the catalogue", "checked.product.plp", to=lambda plp: plp or Plp.UNKNOWN
    )
    plp_probably: bool = field(PLP_PROBABLY, "checked.product.is_probably_protected", to=bool)
    protection: DriveProtectionRecord = field("what is known of its protection", "checked")
    rated_bytes: ByteRangeRecord | None = field(
        "how many bytes may be written to it",
        lambda found: [left.rated_bytes for left in found.checked.life.possible if left.rated_bytes],
        to=ByteRangeRecord.from_amounts,
    )
    written_bytes: int | None = field(
        "how many bytes were written to it", "checked.drive.reading.host_bytes_written"
    )
    wear_percent: int | None = field("of its rated life", "checked.drive.reading.wear_percent")
    power_on_hours: int | None = field("as it reports them", "checked.drive.power_on_hours")
    life_left_bytes: ByteRangeRecord | None = field(
        "how many bytes may still be written",
        lambda found: [left.left.bytes_left for left in found.checked.life.known if left.left],
        to=ByteRangeRecord.from_amounts,
    )
    life_left_text: str = field(
        "the same in words, and what it is based on", lambda found: found.checked.life.in_words()
    )
    latency: DriveLatencyRecord | None = field("its measured latency", "measured")
    verdict: DriveVerdictRecord = field("the verdict on it as a SLOG", "checked.verdict", to=_verdict)
    findings: list[DriveFindingRecord] = field("what to look at, most severe first", "checked.findings")
    caveats: list[DriveCaveatRecord] = field(
        "known problems of its product",
        lambda found: [
            DriveCaveatRecord.of(caveat, state=state_of(caveat, found.checked.firmware).value)
            for caveat in found.checked.caveats
        ],
        to=list,
    )
    sources: list[Url] = field("where its protection, rating and problems are stated", "checked.sources")
    notices: list[NoticeRecord] = field("about the text that was sent: a RAID volume, a USB bridge")
    url: Url = field("its page for people")
