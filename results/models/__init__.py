"""The tables: one file per family. All of them can be imported from here."""

from results.models.device import Device, DeviceAlias, Firmware, RepresentativePin
from results.models.fact import Caveat, Claim, LifeCycle, PriceSighting
from results.models.import_batch import ImportBatch
from results.models.member import ApiKey, ClosedAccount, Member
from results.models.moderation import AuditEntry, NetworkBan, PriceReport, Report
from results.models.pair import ResultPair
from results.models.pool import Pool, PoolLog
from results.models.product import Product, Vendor
from results.models.ranking import ClassRanking, DeviceRanking
from results.models.result import Result
from results.models.site import DataVersion, Erasure, Installation, RereadRun, Tombstone
from results.models.submission import DayKey, RememberedAnswer, Submission
