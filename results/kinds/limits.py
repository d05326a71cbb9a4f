"""What runs are judged by, and the limits that hold for all of them: those of the link and the medium."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from parsers.base.device_class import DeviceClass, Medium
from parsers.base.readings import Notice
from results.kinds.curve.metrics import throughput_mib_s
from results.kinds.envelope import Run
from results.kinds.flags import Flag
from results.kinds.interconnects import Interconnect, fastest_link, link_named
from results.models.conditions import FLUSH_OFF
from results.models.fields import BLOCK_SIZES, SLOT_4K


@dataclass(frozen=True, slots=True)
class OtherUnits:
    """The number of the device's other independent units, and the median of their ranked latencies."""

    count: int
    latency_us: float


@dataclass(frozen=True, slots=True)
class KnownProduct:
    """What the catalogue knows about the device's product."""

    is_protected: bool = False  # its cache survives a power cut, or it has no cache
    largest_capacity_bytes: int | None = None
    smallest_capacity_bytes: int | None = None
    link: Interconnect | None = None
    rated_latency_us: float | None = None  # typical, for a random write
    is_compressing: bool = False  # its speed depends on the data: the caveat "compression"
    measured_us: float | None = None  # by other sources: the median of the ranked latencies


AnyRun_co = TypeVar("AnyRun_co", bound=Run, covariant=True)


@dataclass(frozen=True, slots=True)
class Evidence(Generic[AnyRun_co]):
    """Everything a check may use."""

    run: AnyRun_co
    curve: tuple[float | None, ...]
    notices: tuple[Notice, ...]  # those about the lines of this run
    others: OtherUnits | None
    product: KnownProduct = KnownProduct()
    vouched_us: float | None = None  # the device's 4 KiB latency in vouched results, by any method


# A medium without a volatile cache can't be faster: half a turn of the fastest disk, a flash program operation.
FASTEST_HDD_US = 1000.0
FASTEST_NVME_US = 60.0
FASTEST_FLASH_US = 100.0  # with the time that a SATA or SAS command takes


def link_of(evidence: Evidence[Run]) -> Interconnect | None:
    """The slower of the product's and the negotiated link, else the class's fastest."""
    known = [evidence.product.link, link_named(evidence.run.negotiated_link)]
    links = [link for link in known if link is not None]
    if not links:
        return fastest_link(DeviceClass(evidence.run.device_class))
    return min(links, key=lambda link: link.ceiling_mib_s)


def exceeds_link(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Faster than the link that the device was measured through."""
    link = link_of(evidence)
    if link is None:
        return
    ceiling = link.ceiling_mib_s
    for block_size, latency in zip(BLOCK_SIZES, evidence.curve, strict=True):
        rate = throughput_mib_s(block_size, latency, evidence.run.writers) if latency is not None else 0
        if rate > ceiling:
            yield Flag(
                "exceeds_link",
                f"{rate:,.0f} MiB/s is more than {link.name} can carry ({ceiling:,.0f} MiB/s): "
                "something between the test and the device answered from memory.",
            )
            return


def acknowledges_too_soon(evidence: Evidence[Run]) -> Iterator[Flag]:
    """Faster than the medium can store a write durably without a volatile cache."""
    latency = evidence.curve[SLOT_4K]
    if latency is None:
        return
    device_class = DeviceClass(evidence.run.device_class)  # of a series, also as a string
    medium = device_class.medium
    if medium is Medium.DISK and latency < FASTEST_HDD_US:
        yield Flag(
            "cached_disk",
            f"This hard disk acknowledges 4 KiB in {latency:,.0f} µs, faster than its platter can turn: "
            "something along the way is caching the write.",
        )
    if (
        medium is Medium.FLASH
        and not evidence.product.is_protected
        and latency < (FASTEST_NVME_US if device_class is DeviceClass.NVME else FASTEST_FLASH_US)
    ):
        yield Flag(
            "cached_flash",
            f"4 KiB in {latency:,.1f} µs is faster than flash can be programmed, and we don't know of any power-loss "
            "protection in this device: the flush may not reach the flash.",
        )


Check = Callable[[Evidence[AnyRun_co]], Iterator[Flag]]


def check_limits(evidence: Evidence[Run]) -> list[Flag]:
    """The flags of a run that only its link limits, and the medium if its writes are durable."""
    is_durable = evidence.run.sync_method not in {FLUSH_OFF, None}
    return [*exceeds_link(evidence), *(acknowledges_too_soon(evidence) if is_durable else ())]
