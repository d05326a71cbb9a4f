"""Patterns of model names that show the device class, for `re.search`.

They come from drive outputs, manuals and drive databases.

What is known of single products belongs in the catalogue; these patterns are shared by entire families.
"""

import re

from parsers.base.device_class import DeviceClass
from parsers.base.vocabulary import read_lines


def _any(*alternatives: str, flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """Join alternatives into one pattern, those anchored at the start in one group."""
    tied = "|".join(each[1:] for each in alternatives if each.startswith("^"))
    free = [each for each in alternatives if not each.startswith("^")]
    return re.compile("|".join([f"^(?:{tied})", *free] if tied else free), flags | re.ASCII)


VIRTUAL_VENDOR = re.compile(
    r"^(?:QEMU|VMware,?|Msft|VBOX|BHYVE|LIO-ORG|IET|FreeNAS|FreeBSD|TrueNAS|Nimble|3PARdata|DGC|PURE"
    r"|Google|Xen|virtio|COMPELNT|EQLOGIC)$"
)
VIRTUAL_MODEL = re.compile(
    r"^(?:QEMU |VBOX |VMware|Virtual (?:Disk|HD)|bhyve|BHYVE|Amazon E|nvme_card|PersistentDisk|EphemeralDisk"
    r"|Microsoft Virtual|Google |iSCSI Disk|LUN\b|MFI Logical Disk|LOGICAL VOLUME|Logical (?:Volume|Drive))"
)
# tried on "vendor model"
RAID = _any(*read_lines(__file__, "raid.txt"), flags=re.IGNORECASE)
OPTICAL = _any(r"\bDVD", r"\bCD-?ROM", r"\bBD-RE", flags=re.IGNORECASE)
ENCLOSURE = _any(r"enclosure", r"expander", r"\bSES\b", r"tape", r"^VSC\d", flags=re.IGNORECASE)

# what FreeBSD's driver prints of any persistent memory, NVDIMM-N and Optane PMem alike
NVDIMM = re.compile(r"^(?:PMEM region \d+GB$|(?i:nvdimm)\b|(?:/dev/)?pmem\d)")
NVRAM = re.compile(r"^(?:(?:STEC|HGST) +)?ZeusRAM\b|^(?:RADIAN )?RMS-\d{3}\b|(?i:flashtec)")
# Optane is NVMe to every tool: only the model name differs. In Intel's part numbers of PCIe drives, the character
# after the form factor names the controller, and 1 is Optane's: SSDPE21K, SSDPED1D, SSDPD21K, SSDPF21Q are Optane,
# while SSDPE2KX, SSDPED*M*, SSDPF2KX are flash. OEM names hold Intel's short one: "Dell ... P5800x".
OPTANE = _any(*read_lines(__file__, "optane.txt"), flags=re.IGNORECASE)
# Classes that only names tell from others, in the order in which they are tried
KNOWN_BY_NAME = {DeviceClass.NVDIMM: NVDIMM, DeviceClass.NVRAM: NVRAM, DeviceClass.OPTANE: OPTANE}

SATA_SSD = _any(*read_lines(__file__, "sata_ssd.txt"))
HDD = _any(*read_lines(__file__, "hdd.txt"))
SAS_SSD = re.compile(
    r"^(?:[A-Za-z-]+ +)?(?:HUS(?:MM|MH|MR|TR|ML|SL)\w+SS\w+|WUST[MRV]\w+SS\w+|PX0[2-5]S\w+|KPM[5-9]\w+"
    r"|MZ(?:ILS|ILT|ILG|6ER)\w+|ST\d{3,5}F[MX]\d+|XS\d+[LMST]E\d+|Zeus ?IOPS.*)",
    re.ASCII,
)
