"""Closed lists of the catalogue's values, with the words that people read."""

from django.db import models


class Segment(models.TextChoices):
    """For whom a product is made, as the catalogue judges it."""

    CONSUMER = "consumer", "Consumer"
    PROSUMER = "prosumer", "Prosumer"
    ENTERPRISE = "enterprise", "Enterprise"


class Plp(models.TextChoices):
    """Whether a write that was acknowledged survives a power cut."""

    YES = "yes", "Protected"
    BY_DESIGN = "by_design", "Safe by design"
    EXTERNAL = "external", "Needs a battery or UPS"
    PARTIAL = "partial", "Partly protected"
    NO = "no", "Not protected"
    DISPUTED = "disputed", "Disputed"
    UNKNOWN = "unknown", "Protection unknown"


PROTECTED = frozenset({Plp.YES, Plp.BY_DESIGN})  # what "protected only" keeps


class PlpEvidence(models.TextChoices):
    """What sort of source states a PLP value, the strongest first."""

    DATA_SHEET = "data_sheet", "maker's data sheet or manual"
    BOARD_REVIEW = "board_review", "review that looked at the board"
    CAPACITOR_ATTRIBUTE = "capacitor_attribute", "capacitor self-test known to smartmontools"
    OPENZFS_LIST = "openzfs_list", "OpenZFS hardware list, which asks for flushed data and metadata"
    MEDIUM = "medium", "OpenZFS hardware page, on 3D XPoint as such"
    MAKER = "maker", "maker's own article or talk"
    ARTICLE = "article", "article, announcement or shop page"
    SYSTEM_SOURCE = "system_source", "source or device list of an operating system"
    COMPETITOR = "competitor", "competitor's talk"
    PERSONAL_PAGE = "personal_page", "personal page"
    DISCUSSION = "discussion", "discussion among users"
    UNSIGNED_PAGE = "unsigned_page", "page that names no author"
    GENERAL_STATEMENT = "general_statement", "statement on the whole kind, not on this model"
    INDIRECT = "indirect", "recommended among drives with capacitors"
    SILENT = "silent", "speaks of it and leaves it open"


# Kinds of evidence that don't carry a value that calls a device safe.
WEAK_EVIDENCE = frozenset(
    {PlpEvidence.UNSIGNED_PAGE, PlpEvidence.GENERAL_STATEMENT, PlpEvidence.INDIRECT, PlpEvidence.SILENT}
)


class ProductFlag(models.TextChoices):
    """What a reader of a catalogue line has to know besides."""

    SMR = "smr", "shingled recording (SMR)"
    SOME_SMR = "some_smr", "some models of the line use shingled recording (SMR)"
    PATTERN_UNCONFIRMED = (
        "pattern_unconfirmed",
        "the model pattern has not been confirmed by a drive's output",
    )
    NAME_INFERRED = "name_inferred", "the product name was inferred from part numbers"
    UNSOURCED = "unsourced", "no page could be cited for this line"
    CUT_NAME_SHARED = "cut_name_shared", "behind a SAS adapter its cut name is shared with another line"
    TWO_DEVICES = "two_devices", "one piece shows up as two devices"
    PLP_PARTLY_STATED = "plp_partly_stated", "the source speaks of a part of the line only"
    PLATFORM_DEPENDENT = "platform_dependent", "holds where the platform flushes its memory controllers (ADR)"
    LIMITED_HOLD = "limited_hold", "a battery keeps the data for a limited time only"
    ENDURANCE_PARTLY_STATED = "endurance_partly_stated", "endurance is stated for a part of the line only"
    ENDURANCE_QUOTED = "endurance_quoted", "endurance as quoted by somebody else than the maker"
