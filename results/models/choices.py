"""Closed lists of values that several tables share, with the words that people read."""

from django.db import models

from parsers.base.readings import DeviceClass


class DeviceClassChoice(models.TextChoices):
    """Device classes in the order in which the site shows them."""

    OPTANE = DeviceClass.OPTANE.value, "Optane"
    NVDIMM = DeviceClass.NVDIMM.value, "NVDIMM"
    NVRAM = DeviceClass.NVRAM.value, "NVRAM card"
    NVME = DeviceClass.NVME.value, "NVMe SSD"
    SAS_SSD = DeviceClass.SAS_SSD.value, "SAS SSD"
    SATA_SSD = DeviceClass.SATA_SSD.value, "SATA SSD"
    SSHD = DeviceClass.SSHD.value, "Hybrid disk"
    HDD = DeviceClass.HDD.value, "Hard disk"
    UNKNOWN = DeviceClass.UNKNOWN.value, "Class unknown"


class Method(models.TextChoices):
    """How a curve was measured; methods are never mixed."""

    DISKINFO = "diskinfo", "diskinfo -wS"
    FIO = "fio", "fio, synchronous writes"


class State(models.TextChoices):
    """What became of a submission: only a published one is seen by everyone and counts."""

    WAITING = "waiting", "Waiting to be read"
    PUBLISHED = "published", "Published"
    HELD = "held", "Held"
    REJECTED = "rejected", "Rejected"
    WITHDRAWN = "withdrawn", "Withdrawn"
    ERASED = "erased", "Erased"


class Quality(models.TextChoices):
    """How good the source of a published figure is."""

    RAW = "a", "Raw output"
    TABLE = "b", "Table"
    SENTENCE = "c", "Sentence"


class ReportReason(models.TextChoices):
    """Why somebody thinks that a person should look at a result."""

    WRONG_FIGURES = "figures", "The figures can't be right"
    WRONG_DEVICE = "device", "It is another device"
    PERSONAL_DATA = "personal", "It holds personal data"
    SPAM = "spam", "It is spam"
    OTHER = "other", "Something else"


class Scope(models.TextChoices):
    """What an API key may be used for."""

    READ = "read", "Read, with a member's limits"
    SUBMIT = "submit", "Send results and manage the member's own"


class Action(models.TextChoices):
    """What somebody with the right to do so did, as the audit log keeps it."""

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
