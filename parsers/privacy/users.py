"""Masking rules on people: home folders, logs, file owners, quotes, mails."""

import re

from parsers.privacy.rules import DOMAIN, USER, Rule, at_line, at_word, by_shape, is_name
from parsers.privacy.table import label_rules
from parsers.privacy.words import COMMANDS, COMMON_GROUPS, COMMON_WORDS, NOT_THANKED, STORAGE_WORDS

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
    "|написал(?:\\(а\\)|а)?|пишет|写道|写了|schrieb)"
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
    at_line("user", " wrote:", fits=r"[ \t>]{0,8}(?P<v1>[^\s:\[,>][^\n:\[,]{0,39}) wrote:", accepts=is_name),
    at_word("user", "data-", fits=r"data-(?:quote|author|username)=\"(?P<v1>[^\"\n\[]{1,60})"),
    at_word("user", "/home/", "/homes/", "/users/", fits=r"/(?:homes?|users)/(?P<v1>[\w][\w.-]{0,31})"),
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
    at_word("user", "\\users\\", fits=r"\\users\\{1,2}(?P<v1>[\w][\w. -]{0,31}?)(?=[\\>\"\n]|\Z)"),
    at_line("user", "$ ", fits=rf"\[?[a-z][\w.-]{{1,60}}:[^\s#$%>]{{0,80}}[ ](?P<v1>{USER})\$[ ]"),
    at_line("user", " login:", fits=rf"\S{{1,80}}[ ]login:[ ](?P<v1>{USER})[ \t]*$"),
    *label_rules("user"),
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
            "author:",
            "-by:",
        ),
        fits=(
            r"[ \t>]{0,8}(?:from|to|b?cc|reply-to|sender|author|(?:signed-off|reported|tested)-by|von|an|de|para)"
            rf"[ \t]?:[ \t]*\"?(?P<v1>{NAME}(?:,[ ]{NAME})?)\"?[ \t]*(?:[<\[(]|$)"
        ),
        accepts=is_name,
    ),
    # zfs allow, zfs userspace
    at_line(
        "user",
        "user ",
        fits=rf"[ \t]{{0,20}}user (?P<v1>{USER}) [a-z]{{3,20}}(?:,[@a-z]{{3,20}}){{1,40}}[ \t]*$",
    ),
    at_word("user", "posix user ", fits=rf"posix user[ ]{{1,20}}(?P<v1>{USER})(?=[ ])"),
    # mails
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
        "user", ":/", fits=rf"{USER}:[x*!]?:\d{{1,7}}:\d{{1,7}}:(?P<v1>[^:\n]{{2,60}}):/", accepts=_is_owner
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
            rf"[ \t>]{{0,8}}(?P<v1>{USER})(?:[ ][+-])?[ ]{{1,20}}"
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
    at_word("user", "~", fits=r"(?<![\w~.])~(?P<v1>[a-z_][\w.-]{1,31})(?=/|:[ ]|:$|[ \t]*$)"),
    # ps: user, process, two percentages
    by_shape(
        "user",
        fits=rf"^(?P<v1>{USER})[ ]{{1,20}}\d{{1,8}}[ ]{{1,6}}\d{{1,3}}\.\d[ ]{{1,6}}\d{{1,3}}\.\d[ ]{{1,12}}\d",
        hint=r"\.\d {1,6}\d{1,3}\.\d {1,12}\d{1,9} {1,12}\d",
    ),
    # the same of System V: user, two processes, a figure, the time it began
    at_line(
        "user",
        *(" pts/", " tty", " ? "),
        fits=(
            rf"[ >]{{0,8}}(?P<v1>{USER})[ ]{{1,20}}\d{{1,8}}[ ]{{1,8}}\d{{1,8}}[ ]{{1,4}}\d{{1,3}}[ ]{{1,4}}"
            r"(?:\d\d:\d\d(?::\d\d)?|[a-z]{3}[ ]?\d\d)[ ]"
        ),
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
        "user", "@", fits=r"(?<![\w.@/<-])@(?P<v1>[a-z][\w-]{2,38})(?![\w@/]|\.[a-z])", accepts=_is_mentioned
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
            r"@?(?P<v1>[^\W\d_][\w-]{2,30})(?=[ ]for[ ]|[ \t]*[!.,:)]?[ \t]*$)"
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
            r"(?<![\w.@/<-])@"
            r"(?P<v1>[a-z][\w-]{1,30}\.(?!(?:txt|json|log|csv|service)\b)[a-z][\w-]{1,30})(?=[\s,:!?]|$)"
        ),
        accepts=_is_mentioned,
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
