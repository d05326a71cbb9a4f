"""Closed lists of values that several tables share, with the words that people read."""

from django.db import models

from parsers.kinds import DeviceClass


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
    """What became of a submission: only a published one is seen and counts."""

    PUBLISHED = "published", "Published"
    HELD = "held", "Held"
    WITHDRAWN = "withdrawn", "Withdrawn"
