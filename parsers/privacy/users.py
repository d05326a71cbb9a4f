"""Masking rules on people: home folders, logs, file owners, quotes, mails."""

import re

from parsers.privacy.devices import PROMPT
from parsers.privacy.rules import (
    DOMAIN,
    USER,
    USER_CUT,
    Rule,
    at_hint,
    at_line,
    at_word,
    by_shape,
    in_lines,
    is_name,
)
from parsers.privacy.table import label_rules, line_rules
from parsers.privacy.words import (
    COMMANDS,
    COMMON_GROUPS,
    COMMON_WORDS,
    NO_NAME,
    NOT_THANKED,
    PUBLIC_ACCOUNTS,
    STORAGE_WORDS,
    WEEKDAYS,
)

NAME = r"[^\W\d_][\w.'-]{1,30}(?:[ ][^\W\d_][\w.'-]{0,30}){0,3}"
# Words after "@" in the output of bpftrace and in words on benchmarks
NO_MENTION = re.compile(
    r"(?:qd|bs|iodepth|numjobs|j)\d|[un]?secs?$|usecs|nsecs|hist|count|start|avg|sum|lat|io|bytes|reads?$"
    r"|writes?$|total|max$|min$|stats?$|\w+\[|param|return|todo"
)


MODEL = re.compile(r"[a-z]{1,4}-?\d{3,}[a-z]{0,4}\d{0,3}")  # such as "s3700", "p4800x"


def _is_owner(_match: re.Match[str], value: str) -> bool:
    return value.lower() not in COMMON_GROUPS and not value.isdigit()


def _is_at_work(match: re.Match[str], value: str) -> bool:
    return value.lower() not in COMMON_WORDS and _is_owner(match, value)


def _is_thanked(match: re.Match[str], value: str) -> bool:
    """A name: with a capital, a figure, or at the end of the thanks."""
    behind = match.string[match.end("v1") : match.end("v1") + 1]
    return value.lower() not in NOT_THANKED and (
        not value.islower()
        or not value.isalpha()
        or behind in ("", "\n", ",", "!")
        or " to " in match[0].lower()
    )


def _is_person(match: re.Match[str], value: str) -> bool:
    """A name that is no program, no maker and no word: with a figure or a capital."""
    name = value.lower()
    return (
        name not in COMMON_WORDS
        and name not in COMMANDS
        and name not in NOT_THANKED
        and is_name(match, value)
        and not value.isupper()
        and MODEL.fullmatch(name) is None
        and (not value.islower() or any(map(str.isdigit, value)))
    )


def _is_private_account(_match: re.Match[str], value: str) -> bool:
    return value.lower() not in PUBLIC_ACCOUNTS


def _is_capitalized(_match: re.Match[str], value: str) -> bool:
    """Whether each word of a name begins with a capital."""
    return all(word[0].isupper() for word in value.split()) and value.split()[0].lower() not in WEEKDAYS


def _is_in_crontab(_match: re.Match[str], value: str) -> bool:
    return value.lower() not in COMMANDS | NO_NAME


def _is_poster(match: re.Match[str], value: str) -> bool:
    """Whether a line above a title, or in front of a date, is a name."""
    return is_name(match, value) and value.lower().split()[0].rstrip(".") not in WEEKDAYS | COMMON_WORDS


def _is_windows_user(match: re.Match[str], value: str) -> bool:
    """Whether it isn't the rest of a line behind "\\n" or the like, or an account of the system."""
    name = value.lower()
    return (
        name[0] not in "nrtu0_"
        and name not in {"system", "administrators", "everyone"}
        and is_name(match, value)
    )


def _is_windows_domain(match: re.Match[str], value: str) -> bool:
    return value.lower() not in {"builtin", "authority", "workgroup", "service"} and is_name(match, value)


def _is_mentioned(match: re.Match[str], value: str) -> bool:
    behind = match.string[match.end("v1") : match.end("v1") + 2]
    return (
        NO_MENTION.match(value.lower()) is None and not behind.startswith(("[", ":\n", "=")) and behind != ":"
    )


_AGE = r"(?:minutes?|hours?|days?|weeks?|months?|years?|min\.?|hr\.?|mo\.?|yr\.?|[hdwmy])"
_FILE_MODE = (
    r"[ \t>|\[\u2500-\u257f]{0,20}(?:\d{1,12}[ \t]{1,12}){0,2}[-dlbcps][-rwxst]{9}[+.@]?[ \t]+"
    r"(?:\d{1,6}[ \t]+)?"
)
_GROUP = r"[\w.^-]{1,32}(?:[ ]{1,4}[\w,-]{1,20}){0,2}"
_MODES = ("r--", "rw-", "r-x", "rwx", "---")
_AFTER_TIME = (
    r"(?:^|\d{4}|\d/\d\d|\d{1,2}[:.h]\d\d(?::\d\d)?(?:[\s\u202f]?[ap]\.?m\.?)?|(?:\d{1,2}\.?[ ][^\W\d_]{3,9}"
    r"|[^\W\d_]{3,9}[ ]\d{1,2}(?:st|nd|rd|th)?)(?=,)|\d\d?\.\d\d?\.\d\d)"
    r"(?:[ ](?:uhr|\(?[+-]\d{4}\)?|\(?[a-z]{2,4}t\)?|utc|gmt))?[,:]?[ \t>]{1,8}"
)
_WROTE = (
    "(?:wrote|a écrit|escribió|ha scritto|schreef|escreveu|skrev|napisał(?:\\(a\\)|a)?|kirjoitti"
    "|написал(?:\\(а\\)|а)?|пишет|写道|写了|schrieb|pisze|napsala?\\(?a?\\)?|a scris|írta|yazdı)"
)
_WROTE_WORDS = (
    *(
        "wrote",
        "a écrit",
        "escribió",
        "ha scritto",
        "schreef",
        "escreveu",
        "skrev",
        "napisał",
        "kirjoitti",
    ),
    *(
        "написал",
        "пишет",
        "写道",
        "写了",
        "schrieb",
        *("pisze", "napsal", "a scris", "írta", "yazdı"),
    ),
)
_CLOSING = (
    r"(?:(?:best|kind|warm|many)?[ ]?(?:regards|cheers|best|greetings|wishes)"
    "|(?:viele|liebe|beste|schöne|mit freundlichen)?[ ]?(?:grüße|gruß|grüßen)"
    "|mfg|sincerely|cordialement|saludos|thanks|thank you|danke|merci)"
)


def _is_not_media_folder(_match: re.Match[str], value: str) -> bool:
    """Whether it is a person's folder for media, not a medium."""
    return value.lower() not in COMMON_WORDS | STORAGE_WORDS


_TITLE = (
    r"(?:(?:(?:well-known|active|new|junior|senior|full|hero|legendary|sr\.|jr\.|registered|super|first-time"
    r"|established|respected|distinguished|renowned|famous|silver|gold|platinum|premium|iconic) )?"
    r"(?:member|moderator|poster|user)|administrator|dabbler|explorer|contributor|patron|guru|wizard|cadet|neophyte"
    r"|sage|hall of famer|newbie|n00b|enthusiast|\[h\]ard\|gawd|limp gawd|2\[h\]4u|diamond member|lifer|staff member)"
)


def _is_full_name(match: re.Match[str], value: str) -> bool:
    return " " in value and _is_capitalized(match, value) and _is_poster(match, value)


def _is_account(_match: re.Match[str], value: str) -> bool:
    return value.lower() not in {"guest", "defaultaccount", "wdagutilityaccount", "gast", "invité"}


def _is_with_figure(match: re.Match[str], value: str) -> bool:
    """Whether a name behind "user" or "account" isn't a word of the sentence."""
    return (
        any(map(str.isdigit, value)) and _is_at_work(match, value) and MODEL.fullmatch(value.lower()) is None
    )


USER_ANSWERS: tuple[Rule, ...] = (
    # commands that list accounts, by one or by line
    at_line(
        "user",
        *("users", "/home", "wbinfo", "id -f", "username"),
        fits=(
            rf"{PROMPT}(?:users|ls(?: -1)?[ ]/(?:usr/)?(?:home|users)/?|dscl[ ]\.[ ]-?list[ ]/users|wbinfo -u|id[ ]-f"
            r"|\[(?:system\.)?environment\]::username|lslogins -u)[ \t]*\n"
            r"(?P<v1>[a-z_][\w.-]{1,31}(?:[ \t\n]{1,12}[a-z_][\w.-]{1,31}){0,12})"
            r"[ \t]*(?=\n[^\n]{0,80}[#$%>]|\n\n|\n?\Z)"
        ),
        accepts=_is_owner,
        parts=r"[^\s\\]+",
    ),
    at_line(
        "user",
        "%su ",
        "%u ",
        fits=rf"{PROMPT}stat[ ][^\n]{{0,60}}%s?u[^\n]{{0,60}}\n(?P<v1>{USER})(?=[\s:])",
        accepts=_is_owner,
    ),
)

USER_RULES: tuple[Rule, ...] = (
    at_word(
        "user", "[quote=", fits=r"\[quote=[\"']?(?P<v1>[^\s\"',\]\[][^\"',\]\n\[]{0,59}?)(?=[\"',\]]| post)"
    ),
    at_word(
        "user",
        "[quote ",
        fits=r"\[quote author=[\"']?(?P<v1>[^\s\"',\]\[][^\"',\]\n\[]{0,59}?)(?=[\"',\]]| link| date)",
    ),
    at_line("user", " said:", fits=r"[ \t>]{0,8}(?P<v1>[^\s:\[>][^\n:\[]{0,39}) said:"),
    at_line(
        "user", " said", fits=r"[ \t>]{0,8}(?P<v1>[^\s:\[>(]{2,39}) said(?: \(| on |[ \t]*$)", accepts=is_name
    ),
    at_line("user", " in ", fits=rf"(?P<v1>{USER}) (?:in|at|on) (?:[^\w\s]{{1,3}} )?[\w.-]{{2,60}} in [~/]"),
    at_line(
        "user",
        " in ",
        fits=rf"[ \t]{{0,4}}(?P<v1>{USER}) (?:in|at|on) [^\w\s\"'(\[]{{1,3}} [\w.-]{{2,60}} (?:in|on) \S",
    ),
    at_line("user", " wrote:", fits=r"[ \t>]{0,8}(?P<v1>[^\s:\[,>][^\n:\[,]{0,39}) wrote:", accepts=is_name),
    at_word("user", "data-", fits=r"data-(?:quote|author|username)=\"(?P<v1>[^\"\n\[]{1,60})"),
    at_word(
        "user",
        *(
            "/home/",
            "/homes/",
            "/users/",
            "/var/mail/",
            "/spool/mail/",
            "/crontabs/",
            "/spool/cron/",
            "/cron/tabs/",
        ),
        fits=(
            r"/(?:homes?|users|(?:var|spool)/mail|crontabs|spool/cron(?=/(?!crontabs|tabs|atjobs))|cron/tabs)/"
            r"(?P<v1>[\w][\w.-]{0,31})"
        ),
    ),
    at_word(
        "user",
        *("github", "gitlab", "codeberg", "bitbucket", "hub.docker", "sourceforge", "launchpad"),
        fits=(
            r"(?:(?:gist\.|raw\.)?github(?:usercontent)?|gitlab|codeberg|bitbucket|hub\.docker|launchpad)\.(?:com|org|net)"
            r"(?:/[ru]|/users)?[/:]~?(?P<v1>[a-z0-9][\w.-]{1,38})(?=[/\s\"'`)>]|$)"
        ),
        accepts=_is_private_account,
    ),
    at_word("user", "/media/", fits=rf"/media/(?P<v1>{USER})(?=/)", accepts=_is_not_media_folder),
    at_word("user", "user=", fits=rf"user=[\"']?(?P<v1>{USER})(?![\w%.])", accepts=is_name),
    at_word("user", "://", fits=rf"://(?P<v1>{USER}):[^\s/@]{{1,100}}@", accepts=is_name),
    at_word(
        "user",
        "log in as ",
        "logged in as ",
        "login as ",
        fits=rf"log(?:ged )?[ ]?in as[ :]{{1,2}}(?P<v1>{USER})",
        accepts=is_name,
    ),
    at_line("user", " user ", "\tuser ", fits=rf"[ \t]{{1,8}}user[ ](?P<v1>{USER})[ \t]*$", accepts=is_name),
    at_word(
        "user",
        "uploaded by ",
        "run_by",
        "run by:",
        fits=rf"(?:uploaded by|run[_ ]by[ ]?:)[ ](?P<v1>{USER})",
        accepts=is_name,
    ),
    at_word("user", "\\users\\", fits=r"\\users\\{1,2}(?P<v1>[\w][\w. ~-]{0,31}?)(?=[\\>\"\n]|\Z)"),
    at_line("user", "$ ", fits=rf"\[?[a-z][\w.-]{{1,60}}:[^\s#$%>]{{0,80}}[ ](?P<v1>{USER})\$[ ]"),
    at_line("user", " login:", fits=rf"\S{{1,80}}[ ]login:[ ](?P<v1>{USER})[ \t]*$"),
    *line_rules("user"),
    *label_rules("user"),
    at_word(
        "user",
        "group",
        fits=rf"(?<![\w-])group\"?[ ]?[:=][ ]?\"?(?P<v1>{USER})(?![\w(-])",
        accepts=_is_owner,
    ),
    # a Windows account
    in_lines(
        "user",
        "\\",
        fits=rf"(?<![\w\\.:/-])(?!(?:builtin|authority|nt|hk\w+)\\)[a-z][\w-]{{2,14}}\\(?P<v1>{USER})(?![\w\\])",
        accepts=_is_windows_user,
    ),
    in_lines(
        "host",
        "\\",
        fits=rf"(?<![\w\\.:/-])(?P<v1>[a-z][\w-]{{2,14}})\\(?![nrtu0_\s]){USER}(?![\w\\])",
        accepts=_is_windows_domain,
    ),
    at_line(
        "user",
        *(
            "from",
            "to:",
            "cc:",
            "von",
            "de:",
            "de :",
            "sender:",
            "reply-to:",
            "para:",
            "an:",
            *("author:", "-by:", " by:", "committer", "maintainer", "contact", "submitter", "reporter"),
            *("van:", "aan:", "à", "från", "till:", "от", "кому"),
        ),
        fits=(
            r"[ \t>]{0,8}(?:from|to|b?cc|reply-to|sender|author|committer|maintainer|contact|submitter|reporter"
            r"|(?:signed-off|reported|tested|reviewed|acked|co-authored|suggested|submitted|uploaded|created)[- ]by"
            r"|von|an|de|para|van|aan|da|od|do|från|till|à|от|кому)"
            rf"[ \t]?:[ \t]*\"?(?P<v1>{NAME}(?:,[ ]{NAME})?)\"?[ \t]*(?:[<\[(]|$)"
        ),
        accepts=is_name,
    ),
    # zfs allow, zfs userspace
    at_line(
        "user",
        *("user ", "group "),
        fits=rf"[ \t]{{0,20}}(?:user|group) (?P<v1>{USER}) [a-z]{{3,20}}(?:,[@a-z]{{3,20}}){{1,40}}[ \t]*$",
    ),
    at_word("user", "posix user ", fits=rf"posix user[ ]{{1,20}}(?P<v1>{USER})(?=[ ])"),
    # mails: any name in front of an address
    in_lines(
        "user",
        "@",
        fits=rf"(?<![\w.-])(?P<v1>{NAME}(?:,[ ]{NAME})?)\"?[ ][<(\[](?:mailto:)?[\w.+-]{{1,60}}@[\w.-]{{1,80}}[>)\]]",
        accepts=_is_capitalized,
    ),
    at_line(
        "user",
        *(" writes", " wrote", " has written"),
        fits=(
            rf"[ \t>]{{0,8}}\"?(?P<v1>{NAME}(?:,[ ]{NAME})?)\"?[ ]"
            r"[<(\[][^>\n]{0,60}[@\0][^>\n]{0,60}[>)\]][ ]?(?:writes|wrote|has written)(?!\w)"
        ),
        accepts=is_name,
    ),
    # what sudo, su, ssh and PAM write
    by_shape(
        "user",
        fits=rf"(?<![\w.-])(?P<v1>{USER})[ ]:[ ](?:[^\n;]{{1,60}} ; )?tty=",
        hint=r" : (?:[^\n;]{1,60} ; )?tty=",
    ),
    at_word(
        "user",
        "su[",
        "su:",
        fits=rf"su(?:\[\d{{1,8}}\])?:[ ](?:successful|failed) su for \w{{1,32}} by (?P<v1>{USER})",
    ),
    at_word("user", "su[", "su:", fits=rf"su(?:\[\d{{1,8}}\])?:[ ](?P<v1>{USER}) to \w{{1,32}} on "),
    at_word("user", "su[", "su:", fits=rf"su(?:\[\d{{1,8}}\])?:[ ][+-] \S{{1,20}} (?P<v1>{USER}):"),
    at_word("user", "password for ", fits=rf"password for[ ](?P<v1>{USER})"),
    at_word("user", "attempt", fits=rf"attempts? by[ ](?P<v1>{USER})", accepts=is_name),
    by_shape(
        "user",
        fits=rf"(?<![\w.-])(?P<v1>{USER})[ ]is not allowed to (?:run|execute)",
        hint="is not allowed to",
    ),
    at_word("user", "runuser ", fits=rf"runuser -(?:l|-login)?[ ](?P<v1>{USER})(?=[ ]|$)"),
    at_word(
        "user",
        "whoami:",
        "whoami ->",
        "whoami =",
        fits=rf"whoami(?::| ?[-=]>)[ ](?P<v1>{USER})(?![\w(])",
        accepts=is_name,
    ),
    at_line(
        "user",
        *("wheel", "staff", "sudo", "operator"),
        fits=rf"(?P<v1>{USER}) : (?:[\w.-]{{1,32}} ){{0,12}}(?:wheel|staff|sudo|users|operator|adm)(?![\w-])",
    ),
    at_word("user", "[sudo", fits=rf"\[sudo[^\]\n]{{0,20}}\][^\n:]{{0,40}}[ ](?P<v1>{USER})[ ]?:"),
    at_word("user", "[sudo", fits=rf"\[sudo\][ ](?P<v1>{USER})[ ]?(?:的|の|의)"),
    at_word(
        "user",
        "user ",
        fits=(
            rf"(?<!\w)user[ ][\"']?(?P<v1>{USER})[\"']?[ ](?:is not (?:allowed|in|known)|may (?:not )?run"
            r"|does not exist|not (?:found|known|allowed|in)|logged (?:in|out|off))(?!\w)"
        ),
        accepts=_is_at_work,
    ),
    by_shape(
        "user", fits=rf"(?<![\w.-])(?P<v1>{USER})[ ]is not in the sudoers", hint="is not in the sudoers"
    ),
    at_word(
        "user",
        *("for user ", "of user ", "from user ", "as user ", "by user ", "authenticating user "),
        *("invalid user ", "unknown user ", "illegal user ", "uid=0) by "),
        fits=(
            r"(?:(?:for|of|from|as|by|authenticating|invalid|unknown|illegal) user|uid=0\) by)"
            rf"[ ][\"']?(?P<v1>{USER})"
        ),
        accepts=is_name,
    ),
    at_word(
        "user",
        *("su: ", "su ", "bad su ", "failed su"),
        fits=(
            rf"(?<![\w-])(?:(?:bad[ ])?su:?|failed su(?:[ ]\(to \w+\))?)[ ](?:\(to \w+\)[ ])?"
            rf"(?P<v1>(?!-){USER})[ ](?:to[ ]\w|on[ ])"
        ),
    ),
    at_word(
        "user",
        *("su ", "sudo -u ", "crontab -u "),
        fits=rf"(?<![\w-])(?:su(?:[ ]-l?)?|sudo -u|crontab -u)[ ](?P<v1>(?!-){USER})[ \t]*(?:$|-)",
        accepts=is_name,
    ),
    # accounts that commands are given
    at_word(
        "user",
        *("zfs allow ", "zfs unallow ", "ipmitool ", "smbclient ", "mysql ", "psql "),
        *("sudo ", "doas ", "runuser "),
        fits=(
            r"(?<![\w-])(?:(?:sudo|doas|runuser|zfs (?:un)?allow)(?: -[a-z]{1,8}){0,6}?"
            r"|(?:ipmitool|smbclient|mysql|psql)(?: [^\n|;]{1,60}?)??)[ ]-u[ ]?"
            rf"[\"']?(?P<v1>{USER})(?=[\s,\"'%]|\Z)"
        ),
        accepts=is_name,
    ),
    at_word(
        "user",
        "ssh ",
        fits=rf"ssh(?: -[a-z0-9]{{1,8}}(?: (?!-)\S{{1,60}})?){{0,6}}? -l[ ]?(?P<v1>{USER})(?=[ ])",
    ),
    at_line("user", "'s password", fits=rf"[ \t]{{0,8}}(?:[(]|\S{{1,60}}[ ])??(?P<v1>{USER})'s password"),
    at_line("user", " all=", "\tall=", fits=rf"(?P<v1>{USER})[ \t]{{1,20}}all=\("),
    at_word(
        "user",
        *("logged in as ", "login as ", "authenticated as "),
        fits=rf"(?:logged in|login|authenticated) as[ ][\"']?(?P<v1>{USER})",
        accepts=is_name,
    ),
    at_word(
        "user",
        *("registered owner", "full name", "fullname", "real name", "gecos"),
        fits=rf"(?:registered owner|full ?name|real ?name|gecos)\"?[ ]?[:=][ \t\"]{{0,30}}(?P<v1>{NAME})",
    ),
    at_word("user", "-u ", fits=rf"(?<![\w-])-u[ ](?P<v1>{USER})(?=[ ]-p[ ])"),
    by_shape(
        "user",
        fits=rf"\((?P<v1>{USER})\) (?:cmd(?:out|end)?|list|replace) \(",
        hint=r"\) (?:cmd|list|replace)",
    ),
    at_word(
        "user",
        *("accepted ", "failed "),
        fits=rf"(?:accepted|failed)[ ]\S{{1,30}}[ ]for[ ](?P<v1>{USER})[ ]from",
        accepts=is_name,
    ),
    at_word(
        "user",
        *("uid=", "gid=", "groups="),
        fits=rf"(?:[ug]id|groups)=\d{{1,10}}\((?P<v1>{USER})\)",
        accepts=_is_owner,
    ),
    by_shape("user", fits=rf"(?P<v1>(?<![\w.-]){USER})\(uid=", hint=r"\(uid="),
    # the history of a pool, login, stat, access lists, the file of accounts
    at_word("user", "user ", fits=rf"user \d{{1,7}} \((?P<v1>{USER})\)"),
    at_word("user", "login (", fits=rf"login \((?P<v1>{USER})\) on "),
    at_word(
        "user",
        "uid:",
        "gid:",
        fits=rf"[ug]id:[ ]*+\([ ]{{0,8}}\d{{1,10}}/[ ]{{0,12}}(?P<v1>{USER})\)",
        accepts=_is_owner,
    ),
    at_word("user", "setfacl ", fits=rf"setfacl [^\n]{{1,40}}?[ug]:(?P<v1>{USER}):", accepts=_is_owner),
    at_line("user", ":/", fits=rf"(?P<v1>{USER}):[x*!]?:\d{{1,7}}:\d{{1,7}}:", accepts=_is_owner),
    at_line(
        "user",
        ":/",
        fits=rf"{USER}:[x*!]?:\d{{1,7}}:\d{{1,7}}:(?:\w{{0,20}}:\d{{1,9}}:\d{{1,9}}:)?(?P<v1>[^:\n]{{2,60}}):/",
        accepts=_is_owner,
    ),
    # the files of passwords, groups, Samba's accounts
    at_hint(
        "user",
        fits=rf"(?P<v1>{USER}):[^:\n]{{1,200}}:\d{{5}}:\d{{0,5}}:\d{{0,5}}:",
        hint=r":\d{5}:\d{0,5}:\d{0,5}:",
    ),
    at_hint("user", fits=rf"(?P<v1>{USER}):\d{{5,7}}:65536[ \t]*$", hint=r":65536"),
    at_hint("user", fits=rf"(?P<v1>{USER}):\d{{1,6}}:[0-9a-fx]{{32}}:", hint=r":[0-9a-fx]{32}:"),
    at_hint(
        "user",
        fits=r"[\w.-]{1,32}:[x*!]?:\d{1,6}:(?P<v1>[a-z_][\w.,-]{1,200})[ \t]*$",
        hint=r":[x*!]?:\d{1,6}:[a-z_]",
        accepts=_is_owner,
        parts=r"[^,]+",
    ),
    at_hint(
        "user", fits=rf"(?P<v1>{USER}):[x*!]?:[1-9]\d{{3,5}}:[ \t]*$", hint=r":[x*!]?:\d{4,6}:[ \t]*(?:\n|\Z)"
    ),
    by_shape("user", fits=rf"^(?P<v1>{USER}):\d{{1,6}}:(?:[^:\n]{{2,60}})?$", hint="pdbedit"),
    by_shape("user", fits=rf"^{USER}:\d{{1,6}}:(?P<v1>[^:\n]{{2,60}})$", hint="pdbedit"),
    at_hint("user", fits=rf"(?P<v1>{USER})::::", hint="::::"),
    # user@host, by its number, on a line of its own
    by_shape(
        "user",
        fits=rf"^(?P<v1>{USER}) \(\d{{3,6}}\)\n[ ]{{2,20}}since:",
        hint=r"\(\d{3,6}\)\n[ ]{2,20}since:",
    ),
    # the table of "net user"
    by_shape(
        "user",
        fits=(
            r"user accounts for[^\n]{1,80}\n\s{0,4}-{20,100}\n"
            r"(?P<v1>(?:[^\n]{1,90}\n){1,12}?)(?=the command|\s*\Z|\s*\n)"
        ),
        hint="user accounts for",
        accepts=_is_account,
        parts=r"[^\s](?:[ ]?[^\s]){0,30}",
    ),
    # crontab
    at_line(
        "user",
        *("* *", "@daily", "@hourly", "@reboot", "@weekly", "@monthly", "@midnight", "@yearly"),
        fits=(
            r"(?:@\w{4,8}|(?:[\d*/,-]{1,20}[ \t]{1,8}){4}[\w*/,-]{1,20})"
            rf"[ \t]{{1,20}}(?P<v1>{USER})[ \t]{{1,20}}[/\w.\"(]"
        ),
        accepts=_is_in_crontab,
    ),
    at_word("user", "chown ", fits=rf"chown[ ](?:-\w+[ ]){{0,4}}(?P<v1>{USER})(?=[:.\s])", accepts=_is_owner),
    at_word(
        "user",
        *("chown ", "chgrp "),
        fits=rf"(?:chown[ ](?:-\w+[ ]){{0,4}}[\w.-]{{0,32}}:|chgrp[ ](?:-\w+[ ]){{0,4}})(?P<v1>{USER})(?=\s)",
        accepts=_is_owner,
    ),
    at_line(
        "user",
        *("pts/", "tty", "(:0)"),
        fits=(
            rf"[ \t>]{{0,8}}(?P<v1>{USER})(?:[ ]{{1,20}}[+-])?[ ]{{1,20}}"
            r"(?:pts/\d{1,3}|tty[a-z]?\d{1,3}|console(?=[ ]{2})|:\d(?=[ ]{2})|ssh(?:d|:notty)?(?=[ ]{2}))[ ]"
        ),
    ),
    at_line(
        "user",
        *_MODES,
        fits=rf"{_FILE_MODE}(?:{DOMAIN})?(?P<v1>{USER})(?:[ \t]+|/)(?:{DOMAIN})?{_GROUP}[ \t]+\d",
        accepts=_is_owner,
    ),
    at_line(
        "user",
        *_MODES,
        fits=rf"{_FILE_MODE}[\w.-]{{1,32}}(?:[ \t]+|/)(?P<v1>{USER})(?:[ ]{{1,4}}[\w,-]{{1,20}})?[ \t]+\d",
        accepts=_is_owner,
    ),
    at_line(
        "user",
        *_MODES,
        fits=(
            rf"[ \t>]{{0,8}}[.dlbcps-][-rwxst]{{9}}[+.@]?[ ]{{1,8}}(?:\d[\d.]{{0,8}}[kmgt]?i?|-)[ ]{{1,8}}"
            rf"(?P<v1>{USER})[ ]{{1,12}}(?:[\w.-]{{1,32}}[ ]{{1,12}})?\d"
        ),
        accepts=_is_owner,
    ),
    at_line(
        "user",
        *_MODES,
        fits=rf"[ \t>]{{0,8}}[dlbcps-][-rwxst]{{9}}[ ]{{1,4}}(?P<v1>{USER}(?:[ ]{{1,12}}{USER}){{1,2}})[ \t]*$",
        accepts=_is_owner,
        parts=r"\S+",
    ),
    at_word("user", "~", fits=r"(?<![\w~.])~(?P<v1>[a-z_][\w.-]{1,31})(?=/|:[ ]|:$|[ \t]*$)"),
    # ps: user, process, two percentages
    by_shape(
        "user",
        fits=rf"^(?P<v1>{USER_CUT})[ ]{{1,20}}\d{{1,8}}[ ]{{1,6}}\d{{1,3}}\.\d[ ]{{1,6}}\d{{1,3}}\.\d[ ]{{1,12}}\d",
        hint=r"\.\d {1,6}\d{1,3}\.\d {1,12}\d{1,9} {1,12}\d",
    ),
    # the same of System V: user, two processes, a figure, the time it began
    at_line(
        "user",
        *(" pts/", " tty", " ? "),
        fits=(
            rf"[ >]{{0,8}}(?P<v1>{USER_CUT})[ ]{{1,20}}\d{{1,8}}[ ]{{1,8}}\d{{1,8}}[ ]{{1,4}}\d{{1,3}}[ ]{{1,4}}"
            r"(?:\d\d:\d\d(?::\d\d)?|[a-z]{3}[ ]?\d\d)[ ]"
        ),
    ),
    # finger
    at_line(
        "user",
        *("pts/", "tty", "console"),
        fits=rf"(?P<v1>{USER})[ ]{{2,30}}{NAME}[ ]{{2,30}}\*?(?:pts/\d|tty|console)",
    ),
    at_line(
        "user",
        *("pts/", "tty", "console"),
        fits=rf"{USER}[ ]{{2,30}}(?P<v1>{NAME})[ ]{{2,30}}\*?(?:pts/\d|tty|console)",
    ),
    # quotas, the queue of at, access logs
    at_line(
        "user",
        *("-- ", "+- ", "-+ ", "++ "),
        fits=rf"(?P<v1>{USER})[ ]{{1,30}}[+-]{{2}}[ ]{{1,12}}\d{{1,15}}[ ]{{1,12}}\d",
    ),
    at_line(
        "user",
        " a ",
        fits=(
            r"(?:job )?\d{1,6}\s(?:at )?\w{3} \w{3}[ ]{1,2}\d{1,2} [\d:]{8} \d{4} a "
            rf"(?P<v1>{USER})[ \t]*$"
        ),
    ),
    at_line("user", " - ", fits=rf"\S{{1,60}} - (?P<v1>{USER}) \[\d{{1,2}}/"),
    # git blame, comments of Bugzilla
    at_line(
        "user",
        " (",
        fits=rf"\^?[0-9a-f]{{7,40}} (?:\S{{1,100}} )?\((?P<v1>{NAME})[ ]{{1,20}}\d{{4}}-\d\d-\d\d",
    ),
    at_line(
        "user",
        *(" utc", " gmt", " cet", " cest", " est", " edt", " pst", " pdt"),
        fits=rf"(?P<v1>{NAME}) 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d [a-z]{{3,4}}[ \t]*$",
        accepts=_is_full_name,
    ),
    # lsof, fuser, pidstat, without a heading
    at_line(
        "user",
        *(" reg ", " dir ", " chr ", " blk ", " ipv4 ", " ipv6 ", " unix ", " fifo ", " sock "),
        fits=(
            rf"[ >]{{0,4}}\S{{1,20}}[ ]{{1,20}}\d{{1,8}}[ ]{{1,20}}(?P<v1>{USER_CUT})[ ]{{1,12}}"
            r"(?:cwd|rtd|txt|mem|\d{1,5}[rwu-]?[a-z]?)[ ]{1,8}(?:reg|dir|chr|blk|ipv[46]|unix|fifo|sock)[ ]"
        ),
    ),
    at_line(
        "user",
        *("..c..", "f....", "f.c..", ".rce.", "frce.", "f..e."),
        fits=rf"(?:/\S{{0,100}}:)?[ ]{{2,40}}(?P<v1>{USER})[ ]{{2,20}}\d{{1,8}}[ ][.cefrm]{{4,6}}[ ]",
    ),
    by_shape(
        "user",
        fits=rf"^\d\d:\d\d:\d\d(?:[ ][ap]m)?[ ]{{2,20}}(?P<v1>{USER})[ ]{{2,20}}\d{{1,8}}[ ]{{2,20}}[\d.]",
        hint=r"[ ]user[ ]{2,20}pid[ ]",
    ),
    # top
    by_shape(
        "user",
        "h:hh.hh",
        fits=(
            rf"^[ >]{{0,8}}\d{{1,7}}[ ]{{1,6}}(?P<v1>{USER})[ ]{{1,20}}(?:\d{{1,4}}[ ]{{1,6}})?(?:-?\d{{1,3}}"
            r"|rt)[ ]{1,6}-?\d{1,3}"
            r"[ ]{1,8}\d[\d.]{0,9}[kmgt]?[ ]{1,8}\d[\d.]{0,9}[kmgt]?[ ][^\n]{4,40}\d:\d\d(?:\.\d|[ ])"
        ),
        accepts=_is_owner,
    ),
    # chats and forums
    at_line(
        "user",
        "> ",
        fits=rf"[ \t]{{0,8}}\[?\d\d:\d\d(?::\d\d)?\]?[ ]<[@+%~& ]?(?P<v1>{USER})>[ ]",
        accepts=is_name,
    ),
    by_shape(
        "user",
        fits=rf"^[ \t>]{{0,4}}(?P<v1>[^\s:|>][^\n:|>]{{1,29}})\n\s{{0,8}}{_TITLE}[ \t]*$",
        hint=rf"\n\s{{0,8}}{_TITLE}[ \t]*(?:\n|\Z)",
        accepts=_is_poster,
    ),
    at_line(
        "user",
        *(", 20", ", ["),
        fits=(
            r"[ \t>]{0,8}(?P<v1>[^\s:,\[>|][^\n:,\[>|]{1,29}), (?:[a-z]{3,9}\.? \d{1,2}, 20\d\d(?: at[^\n]{1,20})?"
            r"|\d{1,2} [a-z]{3,9} 20\d\d(?:,? at [^\n]{1,20})?"
            r"|\[\d{1,2}[. ]\w{2,9}[. ]\d{2,4}[^\]\n]{0,20}\]:?)[ \t]*$"
        ),
        accepts=_is_poster,
    ),
    at_line(
        "user",
        *("— ", "today at ", "yesterday at "),
        fits=(
            r"[ \t>]{0,8}(?P<v1>[^\s:\[>|][^\n:\[>|—]{1,31}?)(?:[ ]—)?[ ](?:(?:today|yesterday) at \d"
            r"|(?<=— )\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4})"
        ),
        accepts=_is_poster,
    ),
    at_line(
        "user",
        *("] ", "m - ", "0 - ", "1 - ", "2 - ", "3 - ", "4 - ", "5 - ", "6 - ", "7 - ", "8 - ", "9 - "),
        fits=(
            r"[ \t>]{0,8}(?:\[\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4},? \d{1,2}:\d\d(?::\d\d)?(?: [ap]m)?\]"
            r"|\d{1,4}[/.-]\d{1,2}[/.-]\d{2,4}, \d{1,2}:\d\d(?: [ap]m)? -|\[\d{1,2}:\d\d [ap]m\])[ ]"
            r"(?P<v1>[^\s:\[<(][^\n:\[<(]{1,31}):[ ]"
        ),
        accepts=_is_poster,
    ),
    at_line(
        "user",
        *(" am", " pm"),
        fits=rf"[ \t>]{{0,8}}(?P<v1>{NAME})[ ]{{1,3}}(?:\[\d{{1,2}}:\d\d[ ][ap]m\]|\d{{1,2}}:\d\d[ ][ap]m)[ \t]*$",
        accepts=_is_full_name,
    ),
    at_line("user", "level ", fits=rf"level \d{{1,2}}\n\s{{0,4}}(?P<v1>{USER})[ \t]*$", accepts=is_name),
    # quotes, mentions and thanks
    at_word(
        "user", "quote from", fits=r"quote from:?[ ](?P<v1>[^\s\[,:][^\n\[,:]{0,39}?)(?=[ ]on[ ]|[ \t]*$|,)"
    ),
    at_word("user", "by ", fits=r"(?<!\w)by[ ](?P<v1>[^\s\u00bb\n][^\n\u00bb]{0,39}?)[ ]\u00bb"),
    at_word(
        "user",
        *(
            "posted by",
            "reply to",
            "replying to",
            "reply from",
            "written by",
            "commented by",
            "in response to",
        ),
        "submitted by",
        fits=(
            r"(?:posted by|repl(?:y|ying) (?:to|from)|written by|commented by|in response to|submitted by)"
            r"[ :]{1,3}@?(?!/?u/)(?P<v1>[^\W\d_][\w.'-]{1,30})"
        ),
        accepts=is_name,
    ),
    at_word("user", "u/", fits=r"(?<![\w.])(?<!\w/)u/(?P<v1>[\w-]{3,30})"),
    at_line(
        "user",
        *(" commented", " replied", " posted"),
        fits=(
            r"[ \t>]{0,8}@?(?P<v1>[\w.-]{2,39})[ ](?:commented|replied|posted)"
            r"(?:[ ]on|[ ]\d|:|[ ]\w{1,12}[ ]ago|$)"
        ),
        accepts=is_name,
    ),
    at_line(
        "user",
        *_WROTE_WORDS,
        fits=(
            rf"(?:[^\n]{{0,80}}?{_AFTER_TIME})?(?P<v1>[^\W\d_][^\n<,:\d\[]{{1,50}}?)[ ]"
            rf"(?:[<\[(]{{1,2}}[^>\n]{{0,100}}[>\])]{{1,2}}[ ]?)?{_WROTE}(?!\w)"
        ),
        accepts=is_name,
    ),
    at_word(
        "user",
        *("answered ", "asked ", "edited "),
        fits=(
            r"(?:answered|asked|edited) [a-z]{3} \d{1,2}(?:, \d{4})? at \d{1,2}:\d\d"
            rf"\s{{1,4}}(?P<v1>{USER})[ \t]*$"
        ),
    ),
    at_line(
        "user",
        *(" ago", " on "),
        fits=(
            rf"[ \t>]{{0,8}}(?P<v1>{USER})[ ](?:[\u2022\u00b7][ ])?(?:\d{{1,3}}[ ]?{_AGE}[ ]ago"
            r"|on [a-z]{3} \d{1,2}, \d{4})(?=[ ]?[|\u00b7]|[ \t]*$)"
        ),
        accepts=is_name,
    ),
    at_word(
        "user",
        *("schrieb ", "schreef ", "skrev ", "escribió ", "написал ", "kirjoitti "),
        fits=rf"(?:schrieb|schreef|skrev|escribió|написал|kirjoitti)[ ](?P<v1>{NAME})(?=[ ]?[:<(]|$)",
    ),
    at_line(
        "user",
        " said",
        fits=r"[^\n]{1,60}?\d{1,2}:\d\d(?:[ ][ap]m)?,[ ](?P<v1>[^\s:\[][^\n:\[]{0,39}?)[ ]said:",
    ),
    at_line(
        "user",
        "writes",
        fits=rf"[ \t>]{{0,8}}in (?:message|article) \S{{1,200}} (?P<v1>{NAME})[ ](?:\S{{1,100}}[ ])?writes",
    ),
    at_line("user", "> writes", fits=r"[ \t>]{0,8}\"(?P<v1>[^\"\n]{1,40})\" == "),
    at_line(
        "user", "> writes", fits=rf"[ \t>]{{0,8}}\"[^\"\n]{{1,40}}\" == (?P<v1>{NAME})(?=[ ][<(]|[ ]writes)"
    ),
    at_word(
        "user",
        "[user",
        "[member",
        "[mention",
        fits=r"\[(?:user|member|mention)(?:=[\"']?\d{1,9}[\"']?)?\]@?(?P<v1>[^\[\]\n]{2,60})\[",
    ),
    at_line("user", ", post: ", fits=r"[ \t>]{0,8}(?P<v1>[^\s,:\[\"=][^\n,:\[\"]{1,39}), post: \d"),
    at_word(
        "user", "according to ", fits=r"according to[ ]@?(?P<v1>[^\W\d_][\w-]{2,30})", accepts=_is_person
    ),
    at_line(
        "user",
        "by: ",
        fits=(
            r"[^\n]{0,60}?(?:sent|posted|written|submitted|reported|tested|measured|run|created|uploaded|added"
            r"|started"
            rf"|edited) by:[ ]{{1,8}}@?(?P<v1>{NAME})[ \t]*(?:[<\[(,]|$)"
        ),
        accepts=_is_person,
    ),
    at_word(
        "user",
        "@",
        fits=r"(?<![\w.@/<\0-])@(?P<v1>[a-z][\w-]{2,38})(?![\w@/]|\.[a-z])",
        accepts=_is_mentioned,
    ),
    at_word(
        "user",
        *(
            "thank",
            "thx ",
            "cheers",
            "kudos ",
            "danke ",
            "merci ",
            "gracias ",
            "credit",
            "props to ",
            "shout-out to ",
            "h/t ",
            "hat tip ",
        ),
        fits=(
            r"(?:thanks?|thx|cheers|kudos|danke|merci|gracias|credits?|props|h/t|hat tip|shout-?out|hats off)"
            r"(?:[ ](?:you|a lot|again|so much|very much|goes?))?[,:]?(?:[ ](?:out )?to)?(?:[ ]user)?[ ]@?"
            r"(?P<v1>[^\W\d_][\w-]{2,30})"
        ),
        accepts=_is_thanked,
    ),
    at_word(
        "user",
        *("thank", "thx ", "cheers", "kudos ", "credit", "props to "),
        fits=(
            r"(?:thanks?|thx|cheers|kudos|credits?|props)[ ,:]{1,2}(?:you |again |so much |a lot )?"
            r"(?:to )?@?[\w\0-]{2,32}"
            r"(?:, @?[\w\0-]{2,32}){0,4}?(?:,|,? and|,? &| und| et)[ ]"
            r"@?(?P<v1>[^\W\d_][\w-]{2,30})(?=[ ]for[ ]|[ \t]*+(?:[!.,:)][ \t]*+)?$)"
        ),
        accepts=_is_thanked,
    ),
    at_word(
        "user", "welcome ", fits=rf"welcome[^\n]{{0,60}}, (?P<v1>{USER})[!.]?[ \t]*$", accepts=_is_thanked
    ),
    at_word("user", "login for ", fits=rf"login for (?P<v1>{USER})(?=[: ])", accepts=is_name),
    at_word("user", "authenticating to ", fits=rf"authenticating to \S{{1,80}} as '(?P<v1>{USER})'"),
    at_line(
        "user",
        *(" opened ", " closed ", " reopened ", " started ", " mentioned ", " edited "),
        fits=(
            r"[ \t>]{0,8}@?(?P<v1>[\w.-]{2,39})[ ](?:opened|closed|reopened|started|mentioned|edited) (?:this|a)"
            r" (?:issue|pull|discussion|topic|thread|new|post|comment)"
        ),
        accepts=_is_at_work,
    ),
    at_line(
        "user",
        "gmt",
        fits=rf"[ \t>]{{0,8}}\d{{4}}-\d\d-\d\d[^\n]{{1,30}} (?P<v1>{NAME}) <[^>\n]{{3,100}}>:[ \t]*$",
    ),
    at_word(
        "user",
        "@",
        fits=(
            r"(?<![\w.@/<\0-])@"
            r"(?P<v1>[a-z][\w-]{1,30}\.(?!(?:txt|json|log|csv|service)\b)[a-z][\w-]{1,30})(?=[\s,:!?]|$)"
        ),
        accepts=_is_mentioned,
    ),
    at_word(
        "user",
        "user ",
        "account ",
        fits=rf"(?<![\w-])(?:user|account)[ ](?P<v1>{USER})(?![\w@/:=(-])",
        accepts=_is_with_figure,
    ),
    at_line(
        "user",
        *(" said", " wrote", " suggested", " mentioned", " pointed out", " noted", " recommended"),
        fits=(
            r"[^\n]{0,200}?(?<!\w)(?:as|like|what)[ ]@?(?P<v1>[^\W\d_][\w.-]{2,30})[ ](?:already |also )?"
            r"(?:said|wrote|suggested|mentioned|pointed out|noted|recommended)(?!\w)"
        ),
        accepts=_is_person,
    ),
    # the end of a public key
    at_word(
        "user",
        *("ssh-ed25519 ", "ssh-rsa "),
        fits=rf"ssh-(?:ed25519|rsa)[ ](?:aaaa[\w+/=]{{10,1000}}|\0{{1,20}})[ ](?P<v1>{NAME})[ \t]*$",
    ),
    # who measured it
    at_word(
        "user",
        *(
            "run by ",
            "tested by ",
            "measured by ",
            "contributed by ",
        ),
        *("courtesy of ",),
        *(
            "benchmark by ",
            "sent by ",
            "reported by ",
        ),
        fits=(
            r"(?:(?:run|ran|tested|measured|benchmark(?:ed)?|contributed|provided|shared|done|results|numbers"
            r"|test|bench|taken|sent|reported|collected) by|courtesy of)"
            r"(?: (?:user|our|my (?:friend|colleague)))?[ ]@?(?P<v1>[^\W\d_][\w-]{2,30})(?![\w/.]*[(/])"
        ),
        accepts=_is_person,
    ),
    # signatures: behind two dashes, or a closing line
    at_line("user", "--", fits=rf"--[ ]?\n(?P<v1>{NAME})[ \t]*$"),
    at_line(
        "user",
        *(
            "regards",
            "cheers",
            "best",
            "greetings",
            "wishes",
            "grüß",
            "gruß",
            "mfg",
            "sincerely",
        ),
        *("cordialement", "saludos", "thank", "danke", "merci"),
        fits=rf"{_CLOSING}[,.!]?\n{{1,2}}(?P<v1>{NAME})[ \t]*$",
    ),
)
