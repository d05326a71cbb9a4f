"""The tables: a file each family."""

from results.models.api_key import ApiKey
from results.models.device import Device, DeviceAlias, Firmware
from results.models.idempotency import RememberedAnswer
from results.models.import_batch import ImportBatch
from results.models.member import ClosedAccount, Member
from results.models.moderation import AuditEntry, Report
from results.models.pin import RepresentativePin
from results.models.product import Claim, Product, Vendor
from results.models.ranking import ClassRanking, DeviceRanking
from results.models.result import Result
from results.models.submission import DayKey, Submission
from results.models.version import DataVersion

__all__ = [
    "ApiKey",
    "AuditEntry",
    "Claim",
    "ClassRanking",
    "ClosedAccount",
    "DataVersion",
    "DayKey",
    "Device",
    "DeviceAlias",
    "DeviceRanking",
    "Firmware",
    "ImportBatch",
    "Member",
    "Product",
    "RememberedAnswer",
    "Report",
    "RepresentativePin",
    "Result",
    "Submission",
    "Vendor",
]
