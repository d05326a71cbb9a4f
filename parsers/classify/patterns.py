"""Patterns of model names that show the device class, for `re.search`.

They come from drive outputs, manuals and drive databases.

What is known of single products belongs in the catalogue; these patterns are shared by entire families.
"""

import re

from parsers.base.device_class import DeviceClass


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
RAID = _any(
    r"\bRAID\b",
    r"MRAID",
    r"\bMR\d{4}-\d{1,3}i\b",
    r"\bPERC\b",
    r"SmartRAID",
    r"ServeRAID",
    r"MegaRAID",
    r"\bVolume\d*\b",
    r"\bArray\b",
    r"^ASR\d",
    r"LOGICAL VOLUME",
    flags=re.IGNORECASE,
)
OPTICAL = _any(r"\bDVD", r"\bCD-?ROM", r"\bBD-RE", flags=re.IGNORECASE)
ENCLOSURE = _any(r"enclosure", r"expander", r"\bSES\b", r"tape", r"^VSC\d", flags=re.IGNORECASE)

# what FreeBSD's driver prints of any persistent memory, NVDIMM-N and Optane PMem alike
NVDIMM = re.compile(r"^(?:PMEM region \d+GB$|(?i:nvdimm)\b|(?:/dev/)?pmem\d)")
NVRAM = re.compile(r"^(?:(?:STEC|HGST) +)?ZeusRAM\b|^(?:RADIAN )?RMS-\d{3}\b|(?i:flashtec)")
# Optane is NVMe to every tool: only the model name differs. In Intel's part numbers of PCIe drives, the character
# after the form factor names the controller, and 1 is Optane's: SSDPE21K, SSDPED1D, SSDPD21K, SSDPF21Q are Optane,
# while SSDPE2KX, SSDPED*M*, SSDPF2KX are flash. OEM names hold Intel's short one: "Dell ... P5800x".
OPTANE = _any(
    r"\bSSDP[A-Z][0-9A-Z]1[A-Z]",
    r"\b(?:MEMPE[KI]|MDTPE)",
    r"\bHBRPEKN\w+O$",
    r"\b(?:[PD]48|P58)[01][01]X\b",
    r"\bP1600X\b",
    r"\bOptane\b",
    r"^EO000(?:375|750)KWJUC$",
    flags=re.IGNORECASE,
)
# Classes that only names tell from others, in the order in which they are tried
KNOWN_BY_NAME = {DeviceClass.NVDIMM: NVDIMM, DeviceClass.NVRAM: NVRAM, DeviceClass.OPTANE: OPTANE}

SATA_SSD = _any(
    r"\bSSD\b",
    r"^(?:INTEL ?)?SSDS[AC]",
    r"^(?:\w+[-_])?MTFD",
    r"CTFDDA",
    r"^Crucial_",
    r"^CT\d{3,4}\w+SSD",
    r"^(?:SAMSUNG )?MZ(?:7|M|N|[AH]PV)",
    r"^Micron_",
    r"^OCZ",
    r"^KINGSTON S",
    r"^(?:MARVELL )?SD88SA",
    r"^SanDisk S[DS]",
    r"^LITEON",
    r"^PLEXTOR",
    r"^C[34]00-",
    r"^(?:HP +)?(?:[FLMTV]K|[MV]R)\d{4}(?:\d\d)?[A-Z]\w{4}$",
)
HDD = _any(
    r"^(?:SEAGATE +)?ST\d{2,5}(?!F[A-Z]|HM)[A-Z]{2}\d*",
    r"^(?:SEAGATE +)?ST[39]\d{5,8}[A-Z]{1,3}(?:\b|SUN)",
    r"^WDC? +(?:WD\d|WUH|WUS7)",
    r"^W(?:UH|US)7\d",
    r"^(?:(?:HGST|HITACHI|Hitachi) +)?H(?:DS|DT|DN|DE|DP|TS|TE|CC|MS|UA|UH|UC)\w*\d",
    r"^(?:(?:HGST|HITACHI|Hitachi) +)?HUS(?:1|7)\w+",
    r"^TOSHIBA (?:DT0|HDW|M[DGNQKH]\d|AL\d)",
    r"^(?:TOSHIBA +)?(?:AL1|MG0|MG1)\w+",
    r"^SAMSUNG H[DEMNS]\d",
    r"^(?:MAXTOR|Maxtor|FUJITSU M|QUANTUM )",
    r"^APPLE HDD",
    r"^(?:HP +)?[GMV][BJM]\d{4}(?:\d\d)?[A-Z]\w{4}$",
)
SAS_SSD = re.compile(
    r"^(?:[A-Za-z-]+ +)?(?:HUS(?:MM|MH|MR|TR|ML|SL)\w+SS\w+|WUST[MRV]\w+SS\w+|PX0[2-5]S\w+|KPM[5-9]\w+"
    r"|MZ(?:ILS|ILT|ILG|6ER)\w+|ST\d{3,5}F[MX]\d+|XS\d+[LMST]E\d+|Zeus ?IOPS.*)",
    re.ASCII,
)
