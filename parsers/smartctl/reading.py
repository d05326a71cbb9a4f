"""From a finished draft to a reading: its device class, and notices about what stands between it and a disk."""

from parsers.base.readings import Notice, SmartctlReading
from parsers.classify.evidence import smartctl_evidence
from parsers.classify.rules import StandIn, classify, find_stand_in
from parsers.smartctl.fields import Draft

_STAND_INS = {
    StandIn.RAID_VOLUME: "this is the volume of a RAID controller, not a disk: name the disk behind it with -d, "
    "for instance -d megaraid,0",
    StandIn.VIRTUAL_DISK: "this is a virtual disk: what it promises about a write, its host has to keep",
    StandIn.ISCSI_LUN: "this is a unit of a storage array, reached through iSCSI, not a disk",
    StandIn.SOFTWARE_DISK: "this is a device made by software out of others, or a file, not a disk",
    StandIn.OPTICAL_DRIVE: "this is an optical drive, not a disk",
    StandIn.ENCLOSURE: "this is an enclosure, an expander or a tape drive, not a disk",
    StandIn.OTHER_DEVICE: "this device is not a disk",
}


def finish_reading(draft: Draft, *, first_line: int, last_line: int, text_format: str) -> SmartctlReading:
    """The reading with its class; what is to be said about the device is added to the draft's notices."""
    evidence = smartctl_evidence(draft.values.get)
    stand_in = find_stand_in(evidence)
    if stand_in is not None:
        draft.notices.append(Notice(stand_in.value, _STAND_INS[stand_in], first_line))
    if evidence.is_usb:
        draft.notices.append(
            Notice(
                "usb_bridge",
                "a USB bridge stands before this drive: latency says little about it",
                first_line,
            )
        )
    device_class = classify(evidence)
    return SmartctlReading(
        first_line=first_line,
        last_line=last_line,
        format=text_format,
        device_class=device_class,
        printed_class=device_class,
        **draft.values,
    )
