"""How people and tools name world-wide names, UUIDs, and the GUIDs of pools and their devices."""

from parsers.privacy.labels import BETWEEN, GUID, HEX, MARK, is_long_hex
from parsers.privacy.rules import Rule, at_line, at_word

_POOL_STATES = (
    "unavail",
    "offline",
    "removed",
    "faulted",
    "degraded",
    "online",
    "avail",
    "inuse",
    "was /dev",
)

NAME_RULES: tuple[Rule, ...] = (
    at_word(
        "wwn",
        *(
            "wwn",
            "wwid",
            "wwpn",
            "wwnn",
            "naa",
            "eui",
            "guid",
            "nguid",
            "lun",
            "lu id",
            "lu_id",
            "unit id",
            "unit_id",
        ),
        *(
            "sas addr",
            "sas_addr",
            "sasaddr",
            "uuid",
            "enclosure id",
            "enclosure logical",
            "logical id",
            "device name",
        ),
        *(
            "device_name",
            "node name",
            "node_name",
            "port name",
            "port_name",
            "vendor specific id",
            "machine",
            "boot",
        ),
        *("identifier", "unique id", "uniqueid"),
        fits=(
            r"(?:ww(?:n|id|pn|nn)(?:[ _](?:id|with_extension))?|(?<![a-z])naa|(?<![a-z])eui-?(?:64)?|n?guid"
            r"|(?<![a-z])lun(?:[ _]?id|name)?|(?:lu|unit)[ _]id|sas[ _]?addr(?:ess)?|uuid(?:_sub)?|enclosure id"
            r"|(?:enclosure[ ])?logical id(?:entifier)?|(?:device|node|port)[ _]name|identifier|unique ?id"
            r"|vendor specific identifier(?: extension)?|(?:machine|boot)[ _-]?id)"
            rf"(?:[ ]?\([^)\n]{{1,12}}\))?(?:[ ](?:for|from|of)[ ][\w ]{{1,20}})?{BETWEEN}{HEX}"
        ),
        accepts=is_long_hex,
    ),
    at_word("wwn", "guid", fits=rf"guid(?:s|_sum)?{MARK}{{1,40}}{GUID}"),
    # LVM's
    at_word(
        "wwn",
        "uuid",
        fits=rf"uuid{BETWEEN}(?P<v1>[a-z0-9]{{6}}(?:-[a-z0-9]{{4}}){{5}}-[a-z0-9]{{6}})(?![a-z0-9])",
    ),
    at_word("wwn", "lvm-pv-uuid-", fits=r"lvm-pv-uuid-(?P<v1>[a-z0-9]{6}(?:-[a-z0-9]{4}){5}-[a-z0-9]{6})"),
    # a device that is missing from a pool, by its GUID
    at_line(
        "wwn",
        *_POOL_STATES,
        fits=(
            r"[ \t>]{0,40}(?P<v1>[0-9]{8,20})[ \t]{1,80}"
            r"(?:unavail|offline|removed|faulted|degraded|online|avail|inuse)"
        ),
    ),
    at_word(
        "wwn",
        "zpool ",
        fits=(
            r"zpool (?:replace|offline|online|detach|attach|remove|clear|import)[ ]"
            r"[^\n]{0,60}?[ ]?(?P<v1>(?<![\w.])[0-9]{8,20})(?![\w.])"
        ),
    ),
    at_word(
        "host",
        "hostid",
        "host id",
        fits=rf"host[ ]?id{MARK}{{1,20}}(?P<v1>(?:0x)?[0-9a-f]{{6,16}})(?![0-9a-z])",
    ),
)
