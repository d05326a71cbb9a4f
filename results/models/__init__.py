"""The tables: a file each family."""

from results.models.device import Device, DeviceAlias, Firmware
from results.models.pin import RepresentativePin
from results.models.product import Product, Vendor
from results.models.ranking import ClassRanking, DeviceRanking
from results.models.result import Result
from results.models.submission import Submission
from results.models.version import DataVersion

__all__ = [
    "ClassRanking",
    "DataVersion",
    "Device",
    "DeviceAlias",
    "DeviceRanking",
    "Firmware",
    "Product",
    "RepresentativePin",
    "Result",
    "Submission",
    "Vendor",
]
