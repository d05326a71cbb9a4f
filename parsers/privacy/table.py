"""The table of labels of identifiers, for text, JSON and the headings of columns.

Identifiers without a label are found by the rules of devices.py, hosts.py, users.py and shapes.py.
"""

import re
from itertools import chain
from typing import NamedTuple

from parsers.privacy.names import DATA_SET, EACH_PART, is_chosen_name
from parsers.privacy.rules import (
    BETWEEN,
    DOMAIN,
    FULL_NAME,
    HEX,
    HOST,
    SEPARATOR,
    USER,
    VALUE,
    VERB,
    WRAPPED,
    Accepts,
    Rule,
    at_word,
    is_labelled,
    is_long_hex,
    is_name,
)
from parsers.privacy.words import COMMON_WORDS


class Label(NamedTuple):
    """Names for identifiers of one kind, as tools and people put them in front of a value.

    A blank in a name stands for a blank, underscore, dash, dot or nothing, so the name is the key of JSON as well. A
    name with a star in front can end a longer word. Capitals make no difference.
    """

    kind: str
    names: tuple[str, ...]
    fills_line: bool = False  # whatever follows is the identifier, up to the end of the line
    is_heading: bool = False  # also of a column
    by_submitter: bool = False  # slogdb-submit masks it before it sends the text


LABELS = (
    Label("serial", ("*Serial Number",), fills_line=True, is_heading=True, by_submitter=True),
    Label("serial", ("*Serial", "*Serial No"), is_heading=True, by_submitter=True),
    Label("serial", ("*Serial Numbers", "*Serial Num", "*Serial Nr", "*Serial #"), is_heading=True),
    Label("serial", ("*Serials", "*Serial Nummer", "*Serial Short", "*Serial ID")),
    Label("serial", ("SN", "S/N"), is_heading=True, by_submitter=True),
    Label("serial", ("S / N", "S/No", "S.N", "S/Nr", "SNr", "Ser.", "Ser#")),
    Label("serial", ("Chassis ID", "CSN")),
    Label("serial", ("Ser No", "Ser Nr", "Ser Num"), is_heading=True),
    Label("serial", ("Ident",), by_submitter=True),
    Label("serial", ("Disk SN", "Drive SN", "HDD SN", "SSD SN", "Device SN"), by_submitter=True),
    Label(
        "serial", ("Asset Tag", "Asset ID", "Asset Number", "Service Tag", "Service Code", "Tracer Number")
    ),
    Label(
        "serial",
        ("Express Service Code", "Express Svc Code", "Board Tracer", "PPID", "Matricola", "Matricola disco"),
    ),
    Label("serial", ("Serien Nummer", "Serien Nr", "Serie Nummer", "Serie Nr", "Serie No"), is_heading=True),
    Label(
        "serial",
        ("Numer seryjny", "Nr seryjny", "Výrobní číslo", "Gyári szám", "Sorozatszám", "Sorozatszáma"),
    ),
    Label("serial", ("Sarjanumero", "Seerianumber", "Sērijas numurs", "Numeris", "Raðnúmer", "Radnúmer")),
    Label("serial", ("Заводской номер", "С/Н", "مספר", "מספר סידורי", "الرقم التسلسلي", "شماره سریال")),
    Label(
        "serial",
        (
            "序列号",
            "序列號",
            "序号",
            "序號",
            "出厂编号",
            "製造番号",
            "일련 번호",
            "시리얼 번호",
            "시리얼 넘버",
        ),
        is_heading=True,
    ),
    Label("serial", ("シリアル", "シリアル番号", "シリアル ナンバー", "シリアル no", "시리얼")),
    Label("serial", ("सीरियल नंबर", "หมายเลขซีเรียล", "số sê-ri", "số sêri")),
    Label("wwn", ("*WWN", "*UUID", "Part UUID"), is_heading=True, by_submitter=True),
    Label("wwn", ("WWN with extension", "WWN ID", "WWNN"), by_submitter=True),
    Label("wwn", ("World Wide Name",)),
    Label("wwn", ("WWN Device Id", "Unit Id", "Nguid"), fills_line=True, by_submitter=True),
    Label("wwn", ("LUNID", "EUI 64"), fills_line=True, is_heading=True, by_submitter=True),
    Label("wwn", ("SAS Address",), is_heading=True, by_submitter=True),
    Label("wwn", ("*WWID", "*GUID", "SAS Addr"), is_heading=True),
    Label("wwn", ("WWPN", "NAA", "EUI", "*UUID Sub")),
    Label(
        "wwn", ("LUN", "LUN ID", "LUN Name", "LU ID", "Enclosure ID", "Enclosure Logical ID", "Logical ID")
    ),
    Label(
        "wwn",
        ("*Logical Identifier", "*Device Name", "*Node Name", "*Port Name", "*Identifier", "*Unique ID"),
    ),
    Label("wwn", ("Disk ID", "Label ID", "Disk Signature")),
    Label("wwn", ("Vendor Specific Identifier Extension", "*Machine ID", "*Boot ID", "*UDID")),
    Label("host", ("*Host Name", "*Computer Name"), is_heading=True, by_submitter=True),
    Label("host", ("Host",), is_heading=True),
    Label("host", ("Node", "Nodelist", "Server", "Machine", "VM Name", "Workgroup"), is_heading=True),
    Label(
        "host", ("Node Name", "System Name", "Cluster Name", "NAS Name", "Peer Name", "FQDN", "Guest Name")
    ),
    Label("host", ("Server Name", "Machine Name", "NetBIOS Name", "Instance", "Agent Host", "Remote Host")),
    Label(
        "host",
        (
            "Domain",
            "Domain Name",
            "DNS Domain",
            "DNS Domain Name",
            "*DNS Suffix",
            "*DNS-Suffix",
            "Cs Workgroup",
        ),
    ),
    Label("host", ("Rechnername", "Servername", "Gerätename", "Naam van host", "Apparaatnaam")),
    Label(
        "host",
        (
            "Nom d'hôte",
            "Nom d'hôte statique",
            "Nom de l'hôte",
            "Nom de l’hôte",
            "Nom du serveur",
            "Nom de l'ordinateur",
        ),
    ),
    Label(
        "host", ("Nombre de host", "Nombre del equipo", "Nombre del servidor", "Nome do host", "Nome host")
    ),
    Label("host", ("Nazwa hosta", "Nazwa komputera", "Název hostitele", "Název počítače", "Gépnév")),
    Label("host", ("Имя компьютера", "Имя хоста", "Имя узла", "Имя машины")),
    Label("host", ("主机名", "主机", "计算机名", "主機名稱", "ホスト名", "コンピューター名", "호스트 이름")),
    Label("user", ("User", "User Name", "Owner"), is_heading=True),
    Label("user", ("Full Name", "Real Name", "Registered Owner", "Vollständiger Name"), fills_line=True),
    Label(
        "user",
        ("Registrierter Benutzer", "Eingetragener Besitzer", "Registrierter Besitzer"),
        fills_line=True,
    ),
    Label(
        "user",
        ("Propriétaire enregistré", "Propietario registrado", "Propriedade registrada"),
        fills_line=True,
    ),
    Label("user", ("Proprietario registrato", "Geregistreerde eigenaar", "Nom complet"), fills_line=True),
    Label("user", ("Nombre completo", "Nome completo", "Volledige naam", "Imię i nazwisko"), fills_line=True),
    Label(
        "user",
        (
            "Зарегистрированный владелец",
            "Полное имя",
            "注册所有人",
            "登録されている所有者",
            "全名",
            "フルネーム",
        ),
        fills_line=True,
    ),
    Label("user", ("Valid Users", "Invalid Users", "Auth Users", "SUDO_USER", "LOGNAME", "Author", "Poster")),
    Label("user", ("RUSER", "EUSER", "RUID", "EUID", "SUSER"), is_heading=True),
    Label("user", ("CN", "sAMAccountName", "Owner Name", "Creator", "Customer", "Requester", "Technician")),
    Label("user", ("Engineer", "Assigned to", "Ansprechpartner", "Bearbeiter", "Kunde", "Contact Person")),
    Label("user", ("Opened by", "Closed by", "Modified by", "Changed by", "Updated by", "Prepared by")),
    Label("user", ("Login", "Login Name", "Account", "Account Name", "Acct", "AUID", "Current User")),
    Label(
        "user", ("Uploader", "Uploaded by", "Submitter", "Submitted by", "Reporter", "Assignee", "Created by")
    ),
    Label(
        "user", ("Nick", "Nickname", "Screen Name", "Handle", "Thread starter", "Topic starter", "Force User")
    ),
    Label("user", ("Benutzer", "Benutzername", "Besitzer", "Eigentümer", "Utilisateur", "Nom d'utilisateur")),
    Label("user", ("Usuario", "Nombre de usuario", "Utente", "Nome utente", "Gebruiker", "Gebruikersnaam")),
    Label("user", ("Użytkownik", "Nazwa użytkownika", "Uživatel", "Användare", "Bruker", "Käyttäjä")),
    Label(
        "user", ("Пользователь", "Имя пользователя", "Користувач", "用户", "用户名", "使用者", "使用者名稱")
    ),
    Label("user", ("ユーザー", "ユーザー名", "사용자", "사용자 이름", "Nome de usuário", "Felhasználó")),
    Label("pool", ("Pool Name", "Zpool", "Zpool Name", "Dataset", "VG Name", "LV Name", "*Event Pool")),
    Label("pool", ("VG", "LV", "Label"), is_heading=True),
    Label("pool", ("Volume Label", "Dataset Parent Name")),
    Label("pool", ("Pool", "ZFS Pool", "Volume Group", "Logical Volume")),
    Label("address", ("HWaddr", "HWaddress", "MAC", "*MAC address"), is_heading=True),
    Label("address", ("*MAC addr", "Ether", "Ether addr", "Ether address", "Ethernet", "Ethernet address")),
    Label(
        "key", ("*Password", "*Passwd", "*Pass Phrase", "Passcode", "PWD", "PW", "*Token", "*Secret", "PSK")
    ),
    Label(
        "key", ("*Secret Key", "*API Key", "*Private Key", "*Pre Shared Key", "*Access Key", "*Access Key ID")
    ),
    Label(
        "key", ("Public Key", "Auth Key", "Encryption Key", "Recovery Key", "Master Key", "Safe ID", "PSID")
    ),
    Label("key", ("Community", "Community String", "SNMP Community", "Session ID")),
    Label(
        "key", ("Passwort", "Kennwort", "Mot de passe", "Contraseña", "Senha", "Wachtwoord", "Hasło", "Heslo")
    ),
    Label("key", ("Lösenord", "Salasana", "Parola", "Jelszó", "Adgangskode", "Passord", "Şifre", "Geslo")),
    Label("key", ("Lozinka", "Пароль", "Κωδικός", "密码", "密碼", "口令", "パスワード", "비밀번호", "암호")),
)


class Form(NamedTuple):
    """The text between a label of a kind and its value, and the form of the value."""

    between: str
    value: str
    accepts: Accepts | None = None
    before: str = ""
    parts: str | None = None  # what to mask in it, if not all of it


def _is_host(match: re.Match[str], value: str) -> bool:
    """Whether it is a name; in a sentence ("the host is idle") no common word."""
    is_sentence = bool(match.groupdict().get("verb"))
    return is_name(match, value) and not (is_sentence and value.lower() in COMMON_WORDS)


def _is_secret(_match: re.Match[str], value: str) -> bool:
    """Whether it is not the path of a file, nor what a shell has to replace."""
    return not (value.startswith(("$(", "${")) or re.match(r"(?:file:/|~|\.)?/[\w.-]{2,40}/", value))


DEVICE = r"(?:scsi\d|sd[a-z]{1,2}|nvme|nvd\d|nda\d|a?da\d|md\d|dm-\d|mmcblk|loop\d|cpu\d?|numa)(?![a-z])"
_QUOTES = r"[\"'*`]{0,3}"
FORMS = {
    "serial": Form(rf"\.?(?:[ ]?\([\w. -]{{1,20}}\))?(?P<verb>{VERB}){BETWEEN}", VALUE, is_labelled),
    "wwn": Form(
        rf"(?:[ ]?\([^)\n]{{1,12}}\))?(?:[ ](?:for|from|of)[ ][\w ]{{1,20}})?{BETWEEN}", HEX, is_long_hex
    ),
    "host": Form(
        rf"{_QUOTES}[ \t]{{0,40}}(?:(?:[ ]?\.){{2,40}}[ ]?)?(?:[:=\uff1a]|->|=>|(?P<verb>[ ]is))[ \t\"'*`]{{0,40}}",
        rf"(?P<v1>(?!{DEVICE}){HOST})(?![\w/:(-])",
        _is_host,
    ),
    "user": Form(
        rf"{_QUOTES}[ \t]{{0,40}}[:=\uff1a][ \t\"'*`]{{0,40}}",
        rf"(?:{DOMAIN})?(?P<v1>[a-z_\u00c0-\uffdc][^\n\"]{{0,80}})",
        is_name,
        parts=rf"\A(?:{FULL_NAME}(?=\s*(?:\Z|[,;(<|\[']|[ ]-[ ]|[ ]{{2}}))|{USER}(?![\w(/\\]))",
        before="(?<!failed )(?<!last )",
    ),
    "pool": Form(
        rf"{_QUOTES}[ \t]{{0,20}}[:=\uff1a][ \t\"'*`/]{{0,40}}",
        rf"(?P<v1>{DATA_SET})(?=[\"',;)}}\]@#]|[ \t]*(?:$|[\w.-]+[=:]|[({{<]))",
        is_chosen_name,
        parts=EACH_PART,
    ),
    "address": Form(
        r"(?:[ ](?:is|was|ist|no\.?))?[ \"':=(<]{1,10}",
        r"(?P<v1>[0-9a-f]{12}|[0-9a-f]{2}(?:[ ][0-9a-f]{2}){5})(?![0-9a-z])",
    ),
    "key": Form(
        r"[\"']?[ \t]{0,20}[:=][ \t]{0,20}[\"']?",
        r"(?P<v1>(?<=[\"'])[^\"'\n]{4,100}(?=[\"'])|[^\s\"',;<>&]{4,200})",
        _is_secret,
    ),
}
_GAP = r"[ \t\n_.-]{0,2}"
_GAPS = (" ", "_", "-", "")
SHORTEST_TO_FIND = 4  # letters of a name's first word that is looked for by itself


def spelled(*labels: Label) -> str:
    """A pattern for the names, in whatever spelling: the longest that fits."""
    names = sorted({name.lower() for label in labels for name in label.names}, key=len, reverse=True)
    return f"(?:{'|'.join(map(_pattern, names))})"


def _pattern(name: str) -> str:
    words = _GAP.join(map(re.escape, name.lstrip("*").split(" ")))
    if name[0] == "*":
        return f"{words}(?![a-z])"
    return rf"(?<![a-z0-9]){words}(?![a-z0-9])" if name[-1].isascii() else words


def begins(*labels: Label) -> list[str]:
    """The words to look for: how one of the names can begin."""
    names = {name.lstrip("*").lower() for label in labels for name in label.names}
    return sorted(set(chain.from_iterable(map(_spellings, names))))


def _spellings(name: str) -> list[str]:
    first, _, _ = name.partition(" ")
    return [first] if len(first) >= SHORTEST_TO_FIND else [name.replace(" ", gap) for gap in _GAPS]


def of_kind(kind: str) -> list[Label]:
    """The labels of a kind."""
    return [label for label in LABELS if label.kind == kind]


def label_rules(kind: str) -> tuple[Rule, ...]:
    """The rule on labels in front of what looks like an identifier of the kind."""
    form, labels = FORMS[kind], of_kind(kind)
    fits = f"{form.before}(?P<label>{spelled(*labels)}){form.between}{form.value}"
    return (at_word(kind, *begins(*labels), fits=fits, accepts=form.accepts, parts=form.parts),)


def line_rules(kind: str) -> tuple[Rule, ...]:
    """The rule on labels in front of whatever is on the rest of the line."""
    labels = [label for label in of_kind(kind) if label.fills_line]
    return (at_word(kind, *begins(*labels), fits=rf"{spelled(*labels)}\"?{SEPARATOR}\"?{WRAPPED}"),)


def _key_rule(
    kind: str, labels: list[Label], value: str, accepts: Accepts | None = None, parts: str | None = None
) -> Rule:
    fits = rf"(?P<label>{spelled(*labels)})(?P<verb>)\"\s{{0,20}}:\s{{0,20}}\"{value}\""
    return at_word(kind, *begins(*labels), fits=fits, accepts=accepts, parts=parts)


JSON_RULES = (
    *(
        _key_rule(kind, [label for label in of_kind(kind) if label.fills_line], r"(?P<v1>[^\"\n]{1,200})")
        for kind in ("serial", "wwn", "user")
    ),
    *(_key_rule(kind, of_kind(kind), form.value, form.accepts, form.parts) for kind, form in FORMS.items()),
)
HEADINGS = {
    kind: [label for label in of_kind(kind) if label.is_heading]
    for kind in ("serial", "wwn", "address", "user", "host", "pool")
}
