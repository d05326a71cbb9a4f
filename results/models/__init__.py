"""The tables: a file each family."""

from results.models.device import Device, Firmware
from results.models.ranking import ClassRanking, DeviceRanking
from results.models.result import Result
from results.models.submission import Submission
from results.models.version import DataVersion

__all__ = [
    "ClassRanking",
    "DataVersion",
    "Device",
    "DeviceRanking",
    "Firmware",
    "Result",
    "Submission",
]
