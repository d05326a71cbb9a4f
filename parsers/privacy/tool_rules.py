"""How the tools that the site reads state identifiers: smartctl, diskinfo, geom, CAM; and names of device nodes."""

from parsers.privacy.rules import REST, WRAPPED, at_word

SEPARATOR = r"[ \t]*[:=][ \t]*"
WITH_DIGIT = r"(?=[a-z-]{0,20}[0-9])"
_WORD = r"[0-9a-z][\w-]{3,63}"
# What can stand behind the serial number in the name of a device node
NODE_END = r"(?=(?:-part[0-9]+|_[0-9]|-[0-9]:[0-9])*(?:[\s\"',;:)<\]|]|\.{2,}|\u2026|\Z))"
_PARTS = r"[^\s_/\"':\0]{1,40}(?:_[^\s_/\"':\0]{1,40}){0,8}?_"
# Digests of stored units depend on the values that these find: they come first, and others leave them alone.
TOOL_RULES = (
    # "Serial Number:    X" of smartctl, "serial_number": "X" of its JSON, "Serial Number X" of FreeBSD's boot
    # messages, "serial no. X12345" of people
    at_word(
        "serial",
        "serial",
        fits=(
            rf"serial(?:[ _-]?number\"?{SEPARATOR}\"?{WRAPPED}"
            rf"|[ ]number[ \t]+(?P<v2>{WITH_DIGIT}[0-9a-z][0-9a-z-]{{5,63}})\b"
            rf"|(?:[ ]no\.[ \t]*[:=#]?|[ \t]*[:=#])[ \t]*(?P<v3>{WITH_DIGIT}[\w-]{{5,63}}))"
        ),
    ),
    at_word(
        "serial", "sn:", "sn=", "s/n", fits=rf"s/?n(?<![a-z0-9]sn){SEPARATOR}(?P<v1>{WITH_DIGIT}{_WORD})"
    ),
    # "ident: X" of geom, and names of device nodes that hold the serial number
    at_word("serial", "ident:", fits=r"ident:[ \t]+(?P<v1>\S{4,40})"),
    at_word(
        "serial",
        "diskid/disk-",
        fits=r"diskid/disk-(?P<v1>[^\s/\"',]{1,80}?)(?=(?:[ps][0-9]+)?(?:[\s/\"',]|$))",
    ),
    at_word(
        "serial",
        "/by-id/",
        fits=(
            rf"/by-id/(?!nvme-eui|wwn-|scsi-3[0-9a-f]{{16}}){_PARTS}"
            r"(?P<v1>[^\s_/\"']{4,40}?)(?=(?:-part[0-9]+|_[0-9])?(?:[\s/\"',;:)]|\Z))"
        ),
    ),
    at_word(
        "serial",
        *("ata-", "sata-", "nvme-", "scsi-", "usb-", "sas-", "mmc-"),
        fits=(
            rf"(?<![\w/.-])(?:s?ata|nvme|scsi|usb|sas|mmc)-(?!nvme\.|eui\.){_PARTS}"
            rf"(?P<v1>(?=[^\s_/\"',:]{{0,40}}[0-9])[^\s_/\"',:]{{4,40}}?){NODE_END}"
        ),
    ),
    at_word(
        "wwn",
        "wwn",
        fits=rf"wwn(?: device id{SEPARATOR}{REST}|{SEPARATOR}(?P<v2>[0-9a-fx]{{16,34}})\b)",
    ),
    # its groups on two lines or three
    at_word(
        "wwn",
        "wwn device",
        fits=r"wwn device\s+id[ \t]*:\s*(?P<v1>[0-9a-f][ \t]*[\s][0-9a-f]{6}[ \t]*[\s][0-9a-f]{9})(?!\w)",
    ),
    at_word("wwn", "nit id", "lunid", fits=rf"(?:nit id|lunid){SEPARATOR}{WRAPPED}"),
    at_word("wwn", "eui-64", "nguid", fits=rf"(?:eui-64|nguid){SEPARATOR}{REST}"),
    at_word(
        "wwn", "sas address", fits=r"sas address[ \t]*[=:][ \t]*(?P<v1>(?:0x)?[0-9a-f]{4,32})(?![0-9a-f:-])"
    ),
    # enclosure paths: "id1,enc@n500.../type@0/slot@4/elmdesc@Slot_07"
    at_word("wwn", "enc@n", fits=r"enc@n(?P<v1>[0-9a-f]{8,32})"),
    at_word("wwn", "wwn-0x", fits=r"wwn-(?P<v1>0x[0-9a-f]{16,32})"),
    # "naa." and "eui."; behind "nvme." the serial number in hexadecimal, between the vendor's number and the model
    at_word("wwn", "naa.", "eui.", fits=r"(?:naa|eui)\.(?P<v1>[0-9a-f]{16,32})"),
    at_word("wwn", "nvme.", fits=r"nvme\.[0-9a-f]{4}-(?P<v1>[0-9a-f]{8,80})-[0-9a-f]{2,100}"),
)
