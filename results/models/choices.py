"""Enumerations with their labels; PLP with its badge."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import models

from parsers.base.device_class import DeviceClass

DEVICE_CLASSES = {device_class.value: device_class.label for device_class in DeviceClass}


class Board(models.TextChoices):
    """What devices are ranked by, whichever tool measured it."""

    SYNC_WRITE = "sync_write", "Sync writes (4 KiB)"
    ZIL = "zil", "ZIL writes (4 to 128 KiB)"


class Method(models.TextChoices):
    """How a curve was measured; a figure never mixes methods."""

    DISKINFO = "diskinfo", "diskinfo -wS"
    SLOGPROBE = "slogprobe", "slogprobe"
    FIO = "fio", "fio, synchronous writes"


# For columns and choices
METHOD_LABELS = {
    Method.DISKINFO.value: "diskinfo",
    Method.SLOGPROBE.value: "slogprobe",
    Method.FIO.value: "fio",
}


class State(models.TextChoices):
    """The state of a submission: only published ones are public and count."""

    PUBLISHED = "published", "Published"
    HELD = "held", "Held"
    REJECTED = "rejected", "Rejected"
    WITHDRAWN = "withdrawn", "Withdrawn"
    ERASED = "erased", "Erased"


class Gone(models.TextChoices):
    """Why a row is no longer public: the state of its submission, or what happened to the row itself."""

    HELD = State.HELD.value, "Held"
    REJECTED = State.REJECTED.value, "Rejected"
    WITHDRAWN = State.WITHDRAWN.value, "Withdrawn"
    ERASED = State.ERASED.value, "Erased"
    MERGED = "merged", "Merged into another"
    REMOVED = "removed", "Removed"


class Quality(models.TextChoices):
    """How good the source of a published figure is."""

    RAW = "a", "Raw output"
    TABLE = "b", "Table"
    SENTENCE = "c", "Sentence"


class Change(models.TextChoices):
    """What differs between the two results of a pair."""

    HBA_FIRMWARE = "hba_firmware", "HBA firmware"
    HBA = "hba", "HBA or controller"
    DRIVER = "driver", "Driver"
    FIRMWARE = "firmware", "Drive firmware"
    SYSTEM = "system", "Operating system or its version"
    ZFS_VERSION = "zfs_version", "OpenZFS version"
    LOG_DEVICE = "log_device", "Log device (SLOG)"
    SYNC = "sync", "sync of the dataset"
    WRITE_CACHE = "write_cache", "Write cache"
    LAYOUT = "layout", "Layout of the pool"
    CABLE = "cable", "Cable, slot or backplane"
    SETTING = "setting", "Another setting"
    WEAR = "wear", "Age or wear of the drive"


class SubjectKind(models.TextChoices):
    """What a result is about."""

    DEVICE = "device", "a device"
    POOL = "pool", "a pool"


class Origin(models.TextChoices):
    """Whether a result was submitted here, or is a figure that was published elsewhere."""

    SUBMITTED_HERE = "submitted_here", "Submitted here"
    PUBLISHED_ELSEWHERE = "published_elsewhere", "Published elsewhere"


class ReportReason(models.TextChoices):
    """The reason for a report."""

    WRONG_FIGURES = "figures", "The figures can't be right"
    WRONG_DEVICE = "device", "It is another device"
    PERSONAL_DATA = "personal", "It holds personal data"
    SPAM = "spam", "It is spam"
    OTHER = "other", "Something else"


class Scope(models.TextChoices):
    """The permissions of an API key."""

    READ = "read", "Read, with a member's limits"
    SUBMIT = "submit", "Send results and manage the member's own"


class Action(models.TextChoices):
    """Privileged actions that the audit log records."""

    APPROVED = "approved", "Approved"
    HELD = "held", "Held"
    REJECTED = "rejected", "Rejected"
    WITHDRAWN = "withdrawn", "Withdrawn"
    ERASED = "erased", "Erased"
    RESTORED = "restored", "Restored"
    CLAIMED = "claimed", "Claimed"
    REPORT_CLOSED = "report_closed", "Closed a report"
    MERGED = "merged", "Merged devices"
    OVERRULED = "overruled", "Overruled a class"
    PINNED = "pinned", "Pinned a representative"
    BANNED = "banned", "Banned a member"
    UNBANNED = "unbanned", "Lifted a ban"
    IMPORTED = "imported", "Imported a thread"
    NOTES_REMOVED = "notes_removed", "Removed the notes"
    NETWORK_BANNED = "network_banned", "Banned a network"
    NETWORK_UNBANNED = "network_unbanned", "Lifted the ban of a network"
    MODERATOR_ADDED = "moderator_added", "Made a moderator"
    MODERATOR_REMOVED = "moderator_removed", "Removed a moderator"
    FACTOR_RESET = "factor_reset", "Reset second factors"
    ACCOUNT_CLOSED = "account_closed", "Closed an account on request"
    PRICE_ACCEPTED = "price_accepted", "Accepted a price"
    PRICE_REJECTED = "price_rejected", "Rejected a price"
    READ_ONLY_ON = "read_only_on", "Made the site read-only"
    READ_ONLY_OFF = "read_only_off", "Ended read-only"


class Segment(models.TextChoices):
    """The market segment of a product, as the catalogue judges it."""

    CONSUMER = "consumer", "Consumer"
    PROSUMER = "prosumer", "Prosumer"
    ENTERPRISE = "enterprise", "Enterprise"


class Plp(models.TextChoices):
    """Whether acknowledged writes survive a power cut."""

    YES = "yes", "Protected"
    BY_DESIGN = "by_design", "Safe by design"
    EXTERNAL = "external", "Needs a battery or UPS"
    PARTIAL = "partial", "Partly protected"
    NO = "no", "Not protected"
    DISPUTED = "disputed", "Disputed"
    UNKNOWN = "unknown", "Protection unknown"


PROTECTED = frozenset({Plp.YES, Plp.BY_DESIGN})  # the values that "protected only" includes
NOT_FULLY = frozenset({Plp.NO, Plp.PARTIAL})  # known to be protected in part or not at all
PLP_TONES = {
    "good": PROTECTED,
    "bad": frozenset({Plp.NO}),
}  # the colors of drives in charts; all others are gray
ONLY_PROTECTED = "protected"
PLP_LABELS = {ONLY_PROTECTED: "Protected or safe by design", **dict(Plp.choices)}

# Filter options: their labels, and the lower-case words of which the catalogue's text must contain one.
INTERFACES = {
    "pcie": ("PCIe, NVMe", ("pcie", "nvme")),
    "sas": ("SAS", ("sas",)),
    "sata": ("SATA", ("sata",)),
    "dimm": ("Memory slot", ("ddr", "dimm")),
}
MEDIA = {
    "rotating": ("Rotating disks", ("rotating",)),
    "dram": ("DRAM", ("dram",)),
    "3d_xpoint": ("3D XPoint", ("3d xpoint",)),
    "nand": ("NAND flash", ("nand", "slc", "mlc", "tlc", "qlc")),
    "slc": ("SLC", ("slc",)),
    "mlc": ("MLC", ("mlc",)),
    "tlc": ("TLC", ("tlc",)),
    "qlc": ("QLC", ("qlc",)),
}
FORMS = {
    "m2": ("M.2", ("m.2",)),
    "u2": ("U.2, U.3", ("u.2", "u.3")),
    "2.5": ("2.5-inch", ("2.5-inch",)),
    "3.5": ("3.5-inch", ("3.5-inch",)),
    "card": ("Card", ("card",)),
    "dimm": ("DIMM", ("dimm",)),
    "edsff": ("E1.S, E1.L", ("e1.",)),
}


def options_in(text: str, options: Mapping[str, tuple[str, Sequence[str]]]) -> list[str]:
    """The options, such as those of INTERFACES, that a text of the catalogue mentions."""
    lower = text.lower()
    return [option for option, (_, words) in options.items() if any(word in lower for word in words)]


class PlpEvidence(models.TextChoices):
    """The kinds of sources for a PLP value, the strongest first."""

    DATA_SHEET = "data_sheet", "maker's data sheet or manual"
    BOARD_REVIEW = "board_review", "review that looked at the board"
    CAPACITOR_ATTRIBUTE = "capacitor_attribute", "capacitor self-test known to smartmontools"
    OPENZFS_LIST = "openzfs_list", "OpenZFS hardware list, which requires flushed data and metadata"
    MEDIUM = "medium", "OpenZFS docs (all Optane)"
    MAKER = "maker", "maker's own article or talk"
    ARTICLE = "article", "article, announcement or shop page"
    SYSTEM_SOURCE = "system_source", "listed in an OS’s source"
    COMPETITOR = "competitor", "competitor's talk"
    PERSONAL_PAGE = "personal_page", "personal page"
    DISCUSSION = "discussion", "discussion among users"
    UNSIGNED_PAGE = "unsigned_page", "page without an author"
    GENERAL_STATEMENT = "general_statement", "says so of consumer SSDs in general"
    INDIRECT = "indirect", "recommended as such, no proof yet"
    SILENT = "silent", "mentions it without a clear statement"


# Kinds of evidence that are too weak for a value that calls a device safe.
WEAK_EVIDENCE = frozenset(
    {PlpEvidence.UNSIGNED_PAGE, PlpEvidence.GENERAL_STATEMENT, PlpEvidence.INDIRECT, PlpEvidence.SILENT}
)


# How the note of a statement begins that says that a drive was shown to lose data
LOSES_DATA = "loses data"


class ProductFlag(models.TextChoices):
    """Additional information that readers of a catalogue line need."""

    SMR = "smr", "shingled recording (SMR)"
    SOME_SMR = "some_smr", "some models of the line use shingled recording (SMR)"
    PATTERN_UNCONFIRMED = (
        "pattern_unconfirmed",
        "the model pattern has not been confirmed by a drive's output",
    )
    NAME_INFERRED = "name_inferred", "the product name was inferred from part numbers"
    UNSOURCED = "unsourced", "we found no page to cite for this line"
    CUT_NAME_SHARED = (
        "cut_name_shared",
        "behind a SAS adapter its truncated name is the same as another line's",
    )
    TWO_DEVICES = "two_devices", "one unit shows up as two devices"
    PLP_PARTLY_STATED = "plp_partly_stated", "the source covers only part of the line"
    PLATFORM_DEPENDENT = "platform_dependent", "only on platforms that flush their memory controllers (ADR)"
    LIMITED_HOLD = "limited_hold", "a battery retains the data for a limited time only"
    ENDURANCE_PARTLY_STATED = "endurance_partly_stated", "endurance is stated for only part of the line"
    ENDURANCE_QUOTED = "endurance_quoted", "endurance as quoted by someone other than the maker"


# What is uncertain about a line's power-loss protection
PLP_FLAGS = (ProductFlag.PLP_PARTLY_STATED, ProductFlag.PLATFORM_DEPENDENT, ProductFlag.LIMITED_HOLD)


class StatedBy(models.TextChoices):
    """Who states a claim."""

    MAKER = "maker", "maker"
    REVIEWER = "reviewer", "reviewer"
    DISTRIBUTOR = "distributor", "distributor"
    COMPETITOR = "competitor", "competitor"
    SECONDARY = "secondary", "secondary source"  # collected from excerpts of others' pages


class ClaimQuantity(models.TextChoices):
    """The subject of a claim, in display order."""

    WRITE_LATENCY = "write_latency_us", "Write latency"
    WRITE_LATENCY_QD1 = "write_latency_4k_qd1_us", "Write latency, 4 kB, queue depth 1"
    RANDOM_WRITE_QD1 = "random_write_4k_qd1_iops", "Random writes, 4 kB, queue depth 1"
    RANDOM_WRITE_STEADY = "random_write_4k_steady_iops", "Random writes, 4 kB, steady state"
    RANDOM_WRITE = "random_write_4k_iops", "Random writes, 4 kB"
    SEQUENTIAL_WRITE = "sequential_write_mb_s", "Sequential writes"
    SUSTAINED_WRITES = "sustained_writes", "Sustained writes"
    WRITE_DEGRADATION = "write_degradation", "Slower after long writing"
    CONTENT_DEPENDENCE = "content_dependence", "Depends on data content"
    ALIGNMENT_DEPENDENCE = "alignment_dependence", "Depends on alignment of writes"
    PARTITION_DEPENDENCE = "partition_dependence", "Depends on alignment of partitions"
    TRIM_DEPENDENCE = "trim_dependence", "Depends on TRIM"
    IOPS_PER_DOLLAR = "iops_per_dollar", "Sustained writes per dollar"
    PLP_MECHANISM = "plp_mechanism", "Power-loss protection"
    EXTERNAL_POWER = "external_power", "External power backup"
    SEPARATE_CONTROLLER = "separate_controller", "Separate HBA or controller"
    LONGEVITY = "longevity", "Durability"
    ENDURANCE_TBW = "endurance_tbw", "Endurance, written"
    ENDURANCE_DWPD = "endurance_dwpd", "Endurance, drive writes a day"
    WARRANTY = "warranty_years", "Warranty"
    MTBF = "mtbf_hours", "Time between failures"
    UBER = "uber", "Uncorrectable errors"
    POWER_IDLE = "power_idle_w", "Power, idle"
    POWER_ACTIVE = "power_active_w", "Power, active"
    CACHE = "cache_dram_mb", "DRAM cache"
    CONTROLLER = "controller", "Controller"
    NAND = "nand", "Flash"
    FORM_FACTOR = "form_factor", "Form factor"
    INTERFACE = "interface", "Interface"
    SECTOR_FORMATS = "sector_formats", "Sector formats, bytes"


# The units of numeric quantities; the others are texts.
CLAIM_UNITS = {
    ClaimQuantity.WRITE_LATENCY: "us",
    ClaimQuantity.WRITE_LATENCY_QD1: "us",
    ClaimQuantity.RANDOM_WRITE_QD1: "IOPS",
    ClaimQuantity.RANDOM_WRITE_STEADY: "IOPS",
    ClaimQuantity.RANDOM_WRITE: "IOPS",
    ClaimQuantity.SEQUENTIAL_WRITE: "MB/s",
    ClaimQuantity.ENDURANCE_TBW: "TB",
    ClaimQuantity.ENDURANCE_DWPD: "DWPD",
    ClaimQuantity.WARRANTY: "years",
    ClaimQuantity.MTBF: "hours",
    ClaimQuantity.POWER_IDLE: "W",
    ClaimQuantity.POWER_ACTIVE: "W",
    ClaimQuantity.CACHE: "MB",
}


class PriceCondition(models.TextChoices):
    """The condition in which a device was offered."""

    NEW = "new", "new"
    USED = "used", "used"
    REFURBISHED = "refurbished", "refurbished"
    LAUNCH_MSRP = "launch_msrp", "list price at launch"


class Offer(models.TextChoices):
    """The group in which prices are compared; results.core.prices assigns sightings to it."""

    NEW = "new", "new"
    USED = "used", "used"


class SellerKind(models.TextChoices):
    """Where a price was seen."""

    SHOP = "shop", "shop"
    MARKETPLACE = "marketplace", "marketplace"
    PRESS = "press", "press"


class PriceReportState(models.TextChoices):
    """What became of a price that a member reported."""

    WAITING = "waiting", "Waiting for a moderator"
    ACCEPTED = "accepted", "Accepted"
    REJECTED = "rejected", "Rejected"


class DataContent(models.TextChoices):
    """What fio writes."""

    RANDOM = "random", "random data"
    REFILLED = "refilled", "random data, new for each write"
    COMPRESSIBLE = "compressible", "compressible data"
    ZEROS = "zeros", "zeros"


EASY_DATA = frozenset({DataContent.ZEROS, DataContent.COMPRESSIBLE})


class KernelCache(models.TextChoices):
    """What the kernel believes about a disk's cache: it sends no flush to one that writes through."""

    BACK = "write back", "write back (flushes are sent)"
    THROUGH = "write through", "write through (no flush is sent)"


class Pattern(models.TextChoices):
    """The order of fio's writes."""

    RANDOM = "random", "random"
    SEQUENTIAL = "sequential", "sequential"
    MIXED = "mixed", "partly random"


PAGE_CACHE = {True: "bypassed (direct=1)", False: "used (direct=0)"}


class CaveatKind(models.TextChoices):
    """The kinds of caveats, the gravest first."""

    FIRMWARE_BUG = "firmware_bug", "Firmware bug"
    FAKE = "fake_or_counterfeit", "Fakes are sold"
    SILENT_REVISION = "silent_revision", "Changed under the same name"
    SMR = "smr", "Shingled recording (SMR)"
    WRITE_CLIFF = "write_cliff", "Writes slow down"
    COMPRESSION = "compression", "Speed depends on compression"
    THERMAL = "thermal", "Heat"
    NEEDS_SETTING = "needs_setting", "Needs a setting"
    PLATFORM_LIMIT = "platform_limit", "Limits"


# The tones of tags, by which static/css/parts.css gives each a color and an icon
_TAGS = {
    Plp.YES: "good",
    Plp.BY_DESIGN: "good",
    Plp.EXTERNAL: "battery",
    Plp.PARTIAL: "warn",
    Plp.NO: "bad",
    Plp.DISPUTED: "warn",
    Plp.UNKNOWN: "unknown",
}


PROBABLY_PROTECTED = "Probably protected"


def is_probably_protected(plp: str | None, statements: Iterable[Mapping[str, str]] | None) -> bool:
    """Whether all that is stated is "protected", by evidence of which some is indirect.

    `statements` are those of Product. The value stays unknown, and filters take it as that.
    """
    stated = list(statements or ())
    is_only_yes = all(statement["value"] == Plp.YES for statement in stated)
    return plp == Plp.UNKNOWN and is_only_yes and any(is_indirect_yes(statement) for statement in stated)


def strength(evidence: str) -> int:
    """The place of a kind of evidence, 0 for the strongest."""
    return list(PlpEvidence).index(PlpEvidence(evidence))


def strongest_first(statements: Iterable[Mapping[str, str]]) -> list[Mapping[str, str]]:
    return sorted(statements, key=lambda statement: strength(statement["evidence"]))


def strongest_statement(plp: str, statements: Iterable[Mapping[str, str]]) -> Mapping[str, str] | None:
    """The best-supported statement that agrees with the value, or else of any; None without statements."""
    stated = list(statements)
    agreeing = [statement for statement in stated if statement["value"] == plp] or stated
    return min(agreeing, key=lambda statement: strength(statement["evidence"]), default=None)


def is_indirect_yes(statement: Mapping[str, str]) -> bool:
    return (statement["value"], statement["evidence"]) == (Plp.YES, PlpEvidence.INDIRECT)


def plp_label(plp: str | None, statements: Iterable[Mapping[str, str]] | None = ()) -> str:
    """The value in words; `plp` is None for a device without a product."""
    return PROBABLY_PROTECTED if is_probably_protected(plp, statements) else Plp(plp or Plp.UNKNOWN).label


def plp_tone(plp: str | None) -> str:
    """The color of a drive with this protection, a CSS class: "good", "bad", or "muted" if partly so or unknown."""
    return next((tone for tone, values in PLP_TONES.items() if plp in values), "muted")


@dataclass(frozen=True, slots=True)
class Badge:
    """A value as a tag: in words, and its tone."""

    value: str
    label: str
    tone: str


def plp_badge(plp: str | None, statements: Iterable[Mapping[str, str]] | None = ()) -> Badge:
    """Power-loss protection as a tag; None is a device without a product."""
    value = Plp(plp or Plp.UNKNOWN)
    tone = "maybe" if is_probably_protected(plp, statements) else _TAGS[value]
    return Badge(value.value, plp_label(plp, statements), tone)
