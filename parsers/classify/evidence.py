"""What smartctl and diskinfo printed of a device that its class is decided on (parsers.classify)."""

from collections.abc import Callable
from typing import Any, NamedTuple

from parsers.base.readings import DiskinfoReading

LONGEST_REMEMBERED = 400  # characters of all that was printed


class ClassEvidence(NamedTuple):
    """What the class is decided on; None is "not said", which for the rotation rate is not the same as 0."""

    model: str | None = None
    vendor: str | None = None
    family: str | None = None
    command_set: str | None = None  # "ata", "nvme", "scsi"
    transport: str | None = None  # of SCSI devices, as printed: "SAS (SPL-4)"
    attachment: str | None = None  # the driver that diskinfo names: "mpr0"
    rotation_rate_rpm: int | None = None
    device_type: str | None = None
    path: str | None = None
    is_usb: bool | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The model to try with patterns and catalogue, then the same with its vendor."""
        if not self.model:
            return ()
        if not self.vendor or self.model.startswith(self.vendor):
            return (self.model,)
        return self.model, f"{self.vendor} {self.model}"

    @property
    def full_name(self) -> str:
        """Vendor and model, whatever of them is there; all of `names` is in it."""
        return f"{self.vendor or ''} {self.model or ''}".strip()

    @property
    def is_short(self) -> bool:
        """Whether it takes no more memory than a device's names do."""
        printed = (
            self.model,
            self.vendor,
            self.family,
            self.transport,
            self.attachment,
            self.device_type,
            self.path,
        )
        return sum(len(value) for value in printed if value) <= LONGEST_REMEMBERED

    @property
    def device_name(self) -> str:
        """The path without its `/dev/`."""
        return (self.path or "").removeprefix("/dev/")


def smartctl_evidence(field: Callable[[str], Any]) -> ClassEvidence:
    """The evidence that smartctl gives; `field` looks up a field of SmartctlReading by its name."""
    return ClassEvidence(
        model=field("model_name"),
        vendor=field("vendor"),
        family=field("model_family"),
        command_set=field("transport"),
        transport=field("transport_protocol"),
        rotation_rate_rpm=field("rotation_rate_rpm"),
        device_type=field("device_type"),
        path=field("path"),
        is_usb=field("is_usb"),
    )


def diskinfo_evidence(reading: DiskinfoReading) -> ClassEvidence:
    """A description holds vendor and product together; the driver's name tells the command set."""
    description = reading.description or ""
    return ClassEvidence(
        model=reading.description,
        vendor=description.split(" ", 1)[0] or None,
        attachment=reading.attachment,
        rotation_rate_rpm=reading.rotation_rate_rpm,
        path=reading.path,
    )
