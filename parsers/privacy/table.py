"""How people and tools name a serial number: labels in any notation and language, and formats of their own."""

from parsers.privacy.labels import VALUE, is_in_capitals, is_labelled, is_plain, is_strong, labelled
from parsers.privacy.rules import Rule, at_line, at_word, by_shape

_WORD = r"[^\W\d_]"
# "Seriennummer", "numéro de série", "sériové číslo", "seri numarası", "Серийный номер": a word that begins like this,
# and up to two more
_LATIN = rf"s[eéèê]ri(?!es(?!\w)|al(?!e)){_WORD}{{0,12}}\.?(?:[ -]{{0,2}}{_WORD}{{1,12}}(?!\w)\.?){{0,2}}"
_OTHERS = (
    "numer seryjny|nr seryjny|gyári szám|sarjanumero|sorozatszáma?|výrobní číslo|numeris|ra[ðd]númer|seerianumber"
    rf"|sērijas numurs|(?:сер[иі]?|σειρ){_WORD}{{0,10}}\.?(?:[ ]{_WORD}{{1,10}}\.?)?|заводской номер|с/н"
    "|序列[号號]|序[号號]|出厂编号|シリアル ?(?:番号|ナンバー|no\\.?)?|製造番号|일련 ?번호|시리얼 ?(?:번호|넘버)?"
    "|מספר סידורי|الرقم التسلسلي|شماره سریال|सीरियल नंबर|หมายเลขซีเรียล|số sê-?ri"
)
_OTHER_WORDS = (
    *("numer seryjny", "nr seryjny", "gyári", "sarjanumero", "sorozatsz", "výrobní", "numeris", "rað"),
    *("radnúmer", "seerianumber", "sērijas", "сер", "σειρ", "завод", "с/н", "序", "出厂", "シリアル", "製造"),
    *("일련", "시리얼", "מספר", "الرقم", "شماره", "सीरियल", "หมายเลข", "số s"),
)
_DIGIT_AHEAD = r"(?=[a-z-]{0,30}[0-9])"
_MAKER = r"(?=[ \t]|intel |samsung |wdc |micron|mtfd|st[0-9]{3,5}[a-z]|ct[0-9]|toshiba|hgst|hitachi|kingston|crucial"
_NODE_NAME = r"(?P<v1>(?=[\w.-]{0,60}[0-9])[a-z0-9][\w.-]{4,60}?)(?=(?:-part[0-9]+)?(?:[\s\"',;:)]|\Z))"
# Makers of iSCSI targets and initiators: in front of a machine's name, or instead of it
_ISCSI = (
    r"(?:org\.(?:(?:free|true)nas(?:\.ctl)?|linux-iscsi|debian|freebsd|open-iscsi)"
    r"|com\.(?:synology|qnap|redhat|microsoft|vmware|ubuntu|sun|oracle|dell|hp|netapp|apple)|de\.suse)"
)
_NUMBER = r"[ \t\n_.-]{0,2}(?:numbers?|nummer|num|no|nr|short|id|#)(?![a-z])"
_SERIAL = rf"serials?(?:{_NUMBER})?\.?(?:[ ]?\([\w. -]{{1,20}}\))?"

SERIAL_RULES: tuple[Rule, ...] = (
    # udev: the model and the serial number in one value
    at_word(
        "serial",
        "id_serial=",
        fits=r"id_serial=[\"']?(?:[^\n\"'_]{1,40}_){0,9}(?P<v1>(?=[^\s\"'_]{0,40}[0-9])[^\s\"'_]{4,40})",
    ),
    at_word("serial", "serial", fits=labelled(_SERIAL), accepts=is_labelled),
    at_word(
        "serial",
        *("sn", "s/n", "s / n", "s.n", "s/nr", "ser"),
        fits=labelled(
            r"(?<![a-z0-9])(?:s(?:/no?|n|\.n\.?|/?nr\.?| / n)|ser\.?[ -]?(?:no|nr|num)\.?|ser\.|ser#)(?![a-z0-9])"
        ),
        accepts=is_labelled,
    ),
    # one without a digit, behind a colon
    at_word(
        "serial",
        *("serial", "s/n", "sn"),
        fits=(
            r"(?<![a-z0-9])(?:serial(?:[ _-]?(?:number|no\.?))?|s/?n)[\"']?[ \t]{0,20}[:=\uff1a][ \t\"'`]{0,20}"
            r"(?P<v1>[a-z]{6,20})(?![\w-])"
        ),
        accepts=is_in_capitals,
    ),
    at_word("serial", "ident", fits=labelled(r"(?<![a-z])ident(?![a-z])"), accepts=is_labelled),
    at_word(
        "serial",
        *("disksn", "drivesn", "hddsn", "ssdsn", "devicesn"),
        fits=labelled("[a-z]{3,6}sn"),
        accepts=is_labelled,
    ),
    at_word("serial", "seri", "séri", "sèri", fits=labelled(_LATIN), accepts=is_plain),
    at_word(
        "serial",
        "seri",
        fits=labelled("seri(?:en|e)?[- ]?(?:nummer|nr|no)\\.?"),
        accepts=is_labelled,
    ),
    at_word("serial", "ro de s", "ro di s", fits=labelled("ro d[ei] s[eé]rie"), accepts=is_labelled),
    at_word("serial", *_OTHER_WORDS, fits=labelled(_OTHERS), accepts=is_labelled),
    # the label on a line of its own, and in tags
    at_line(
        "serial",
        *("serial", "s/n", "sn"),
        fits=(
            r"[ \t\"'|]{0,20}(?:serial(?:[ _-]?(?:number|no\.?))?|s/?n)[ \t\"':|]{0,20}\n"
            r"[ \t\"'|]{0,20}(?P<v1>(?=[\w-]{0,40}[0-9])[\w-]{4,40})[. \t\"'|]{0,40}(?=\n|\Z)"
        ),
    ),
    at_word(
        "serial",
        "serial",
        fits=rf"serial[\w:.-]{{0,20}}[ ][^>\n]{{1,80}}>[ \t\n]{{0,20}}{VALUE}(?=[ \t\n]{{0,20}}<)",
    ),
    at_word(
        "serial",
        *(
            "asset",
            "service tag",
            "servicetag",
            "service_tag",
            "service code",
            "tracer number",
            "part serial",
        ),
        fits=labelled(r"(?:asset[ _-]?(?:tag|id|number)|service[ _]?tag|service code|tracer number)"),
        accepts=is_labelled,
    ),
    at_word(
        "serial",
        *("no", "nr", "n°", "nº", "№"),
        fits=rf"(?<![\w.])(?:n[or]\.?|n[°º]|№)[ :#]{{0,3}}{VALUE}",
        accepts=is_strong,
    ),
    at_word("serial", "#", fits=rf"#(?<![\w&#]#)[ ]?{VALUE}", accepts=is_strong),
    at_word("serial", "lunname", fits=r"lunname[:>][ \t]*(?P<v1>[^\s<][^\n<]{3,80})"),
    # MegaCLI: of SATA devices the serial number comes first, of SAS devices last; the fields have their widths
    at_word(
        "serial",
        "inquiry data",
        fits=rf"inquiry data:?[ \t]*(?P<v1>{_DIGIT_AHEAD}[\w-]{{6,20}}?){_MAKER})",
    ),
    at_word(
        "serial",
        "inquiry data",
        fits=rf"inquiry data:?[ \t]*[a-z]{{2,20}}[ \t][^\n]{{1,60}}[ \t](?P<v1>{_DIGIT_AHEAD}[\w-]{{6,40}})[ \t]*$",
    ),
    # openSeaChest parts its fields by dashes
    at_line(
        "serial",
        " - ",
        fits=(
            r"/dev/\S{1,40} - [^\n]{1,60}? - (?P<v1>(?=[\w-]{0,40}[0-9])[\w-]{4,40}) - "
            r"\S{1,20} - (?:ata|scsi|nvme|sata|sas)"
        ),
    ),
    # nvme list of version 0.x: "/dev/nvme0n1: NVM Express - 0x144d - MODEL   SERIAL - 0"
    at_word(
        "serial",
        "nvm express - ",
        fits=r"nvm express - 0x[0-9a-f]{4} - [^\n]{1,60}[ ](?P<v1>(?=[\w%-]{0,40}[0-9])[\w%-]{6,40})[ ]- ",
    ),
    at_word("serial", "iserial", fits=rf"iserial[ \t]{{1,30}}[0-9]{{1,3}}[ ]{VALUE}"),
    # a row of nvme list: node, serial number, model, namespace, usage
    at_line(
        "serial",
        "/dev/nvme",
        fits=(
            r"[ \t]*/dev/nvme\S{1,12}[ \t]{1,20}(?:/dev/ng\S{1,12}[ \t]{1,20})?(?P<v1>[a-z0-9][\w-]{4,39})[ ]{1,30}"
            r"\S[^\n]{0,60}?[ ](?:0x)?[0-9a-f]{1,8}[ ]{1,20}[0-9.]{1,8}[ ]{1,4}[kmgtp]?i?b /"
        ),
    ),
    # of an NVMe subsystem: the serial number behind the numbers of the vendor, or as the last part
    at_word("serial", "nvmexpress:", fits=r"nvmexpress:(?!uuid)[0-9a-f]{8}(?P<v1>[\w-]{4,40})"),
    at_word(
        "serial",
        "nqn.",
        fits=(
            r"nqn\.[\w.-]{1,60}(?::[\w. -]{1,60}){0,8}:(?:nvm-subsystem-sn-|sn)?"
            r"(?P<v1>(?=[\w.-]{0,60}[0-9])[\w-]{4,60})(?![\w:-]|[ ][\w ]{0,20}:)"
        ),
    ),
    at_word("host", "iqn.", fits=r"iqn\.[0-9]{4}-[0-9]{2}\.[\w.-]{1,80}:(?P<v1>[\w.:-]{1,80})"),
    at_word(
        "host",
        "iqn.",
        fits=rf"iqn\.[0-9]{{4}}-[0-9]{{2}}\.(?!{_ISCSI}(?![\w.-]))(?:{_ISCSI}\.)?+(?P<v1>[\w-][\w.-]{{0,79}})",
    ),
    # ESXi fills up its fields with underscores
    at_word(
        "serial",
        "t10.",
        fits=r"t10\.[a-z0-9]{1,8}_{1,8}[\w.-]{1,80}?_{2,40}(?P<v1>(?=[a-z0-9]{0,40}[0-9])[a-z0-9]{6,40})(?![a-z0-9])",
    ),
    # smartd's files, and names of disks that hold the model as well
    at_word(
        "serial",
        *("smartd.", "attrlog."),
        fits=r"(?:smartd|attrlog)\.[\w.]{1,80}-(?P<v1>[\w-]{4,40}?)\.(?:ata|scsi|nvme)\.",
    ),
    by_shape(
        "serial",
        fits=(
            rf"_(?P<v1>{_DIGIT_AHEAD}[a-z0-9-]{{6,40}})(?:-[0-9]:[0-9])?"
            r"[ ]\((?:sd[a-z]{1,2}|nvme[0-9]n[0-9]|a?da[0-9]{1,3})\)"
        ),
        hint=r" \((?:sd[a-z]|nvme[0-9]|a?da[0-9])",
    ),
    at_word("serial", "{serial", fits=rf"\{{serial(?:_lunid)?\}}(?P<v1>{_DIGIT_AHEAD}[a-z0-9-]{{4,40}})"),
    # device nodes of transports that no tool rule knows
    at_word("serial", "/by-id/", fits=rf"/by-id/(?!wwn-|nvme-|dm-|lvm-|md-)[a-z0-9]{{2,12}}-{_NODE_NAME}"),
    at_word("serial", "virtio-", "ieee1394-", fits=rf"(?<![\w/.-])(?:virtio|ieee1394)-{_NODE_NAME}"),
)
