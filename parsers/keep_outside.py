"""What is kept outside the output of the tools, wherever it stands, each in one canonical form.

The day of a run, as a program or a prompt states it; the file system of a mount point; a drive's native capacity; and
whether a write cache is on.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date

from parsers.base.dates import STAMP, date_of
from parsers.base.format import Masker
from parsers.layers import NAMES_FILE_SYSTEM, find_mount
from parsers.privacy.paths import mask_path

_LONGEST = 300  # characters
_TIME = re.compile(r":[0-9]{2}")
_FRAME = " \t#*=-_~[]()<>|.:'\""  # around a date on a line of its own: "--- Sat Jan  7 12:00:00 CET 2023 ---"
_CAPTION = re.compile(r"Script started on|Started(?: at| on)?|Start|Begin|Date", re.IGNORECASE)
_REST_OF_TIME = re.compile(
    r"\A(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2}|[A-Z]{2,5})\b)?"
)
_TERMINAL = re.compile(r" \[(?:TERM=|COMMAND=|<)")  # script(1) writes it behind the date
_DATE_COMMAND = re.compile(r"(?:.{0,160}[#$%>;&]\s*)?date(?: [^|;&]{1,60})?")
_COMMAND = re.compile(
    r"[^#$%>]{0,160}[#$%>]\s*(?:(?:sudo|doas|time) )*(?:\S{0,60}[/\\])?"
    r"(?:smartctl|diskinfo|fio|pg_test_fsync|pveperf|date)(?:\.exe)?(?:[ ;]|$)"
)
_IN_PROMPT = re.compile(
    r"[@\u327f](?:\[host-[0-9]{1,6}\]|[A-Za-z][\w.-]*)"
)  # the second sign is that of Kali
_SIGN = re.compile(r"[^#$%>]{0,120}[#$%>](?: |$)")

# hdparm -N and camcontrol's rows on HPA and AMA
_NATIVE_CAPACITY = re.compile(
    r"(?:max sectors\s*=|Host Protected Area|HPA\b|Accessible Max Address)"
    r"(?:[\s\d/=(),.?-]|\b(?:HPA|AMA|host|protected|area|accessible|address|is|enabled|disabled|config|security|yes|no|setting|seems|invalid|sectors|max)\b)"
    r"{0,80}",
    re.IGNORECASE,
)
# hdparm -W, sdparm --get=WCE, nvme id-ctrl, nvme get-feature -f 6, camcontrol identify
_WRITE_CACHE = re.compile(
    r"write-caching\s*=\s*\d \((?:on|off|not supported)\)|WCE(?:\s++[:=]?|[:=])\s*+[01]"
    r"(?:\s+\[(?:(?:cha|def|sav|changeable|default|saved):\s{0,3}[01ny](?:,\s{0,3})?){1,3}\])?"
    r"|vwc\s*:\s*(?:0x)?[0-9a-f]{1,4}"
    r"|get-feature: ?0x0?6 \(Volatile Write Cache\), Current value: ?(?:0x)?[0-9a-f]{1,10}"
    r"|Volatile Write Cache Enable \(WCE\): (?:En|Dis)abled|write cache\s+(?:yes|no)\s+(?:yes|no)"
)
_KERNEL_FILE = re.compile(r"(?P<file>(?:/sys/\S{1,200}/|queue/)?(?:write_cache|fua|cache_type))")
_KERNEL_STATE = r"write back(?:, no read \(daft\))?|write through|none|temporary|0|1"
_STATED = re.compile(rf"{_KERNEL_FILE.pattern}\s*[:=]\s*(?P<state>{_KERNEL_STATE})")
_CAT = re.compile(rf".*\bcat {_KERNEL_FILE.pattern}['\"]?\s*")
_STATE = re.compile(_KERNEL_STATE)
_SCSI_ADDRESS = re.compile(r"[0-9]{1,3}(?::[0-9]{1,3}){3}")
_DISK_LINE = re.compile(r"/dev/[a-z0-9]{2,20}:")  # above the answers of hdparm
_STATE_WORD = re.compile(
    r"write.cach|WCE|vwc|Volatile Write|max sectors|Host Protected|HPA|Accessible Max|/fua|cache_type|^fua",
    re.IGNORECASE,
)
Rule = Callable[[Sequence[str], int, Masker], str | None]


def keep_outside(lines: Sequence[str], masks: Masker) -> Callable[[int], str | None]:
    """Return a function that gives the canonical form of a line, by its index; None where it isn't kept."""
    text = "\n".join(lines)
    rules = [rule for word, rule in _RULES if word.search(text)]
    return lambda at: next(filter(None, (rule(lines, at, masks) for rule in rules)), None)


def asctime(day: date) -> str:
    """A day in the form of asctime(3), without the time."""
    return day.strftime("%a %b %e 00:00:00 %Y")


def day_of_shell(lines: Sequence[str], at: int) -> date | None:
    """The day on which a line says that something ran: as `date`, script(1) or a prompt states it."""
    line = lines[at]
    if _TIME.search(line, 0, _LONGEST) is None:
        return None
    stamp = STAMP.search(line, 0, _LONGEST)
    found = date_of(stamp) if stamp else None
    return (
        found if stamp and found and _is_from_shell(line, stamp, above=lines[at - 1] if at else "") else None
    )


def _is_from_shell(line: str, stamp: re.Match[str], *, above: str) -> bool:
    """Whether date and time are a program's, or in front of a command.

    Any other date may be the day of a post, a build or an error.
    """
    before = line[: stamp.start()].strip(_FRAME)
    behind = _REST_OF_TIME.sub("", line[stamp.end() : _LONGEST], count=1)
    if not before or _CAPTION.fullmatch(before):
        is_alone = not behind.strip(_FRAME) or _TERMINAL.match(behind) is not None
        if is_alone and (before or not stamp["iso"] or _DATE_COMMAND.fullmatch(above)):
            return True
    if _COMMAND.match(behind):
        return True
    if _IN_PROMPT.search(line) is None or line.endswith(":"):  # of mail: "On ... <a@b> wrote:"
        return False
    is_bracketed = line[stamp.start() - 1 : stamp.start()] in ("[", "(")
    return _SIGN.match(behind) is not None or (is_bracketed and not behind.strip(_FRAME))


def _keep_date(lines: Sequence[str], at: int, _masks: Masker) -> str | None:
    day = day_of_shell(lines, at)
    return asctime(day) if day else None


def _keep_mount(lines: Sequence[str], at: int, masks: Masker) -> str | None:
    mount = find_mount(lines[at]) if NAMES_FILE_SYSTEM.search(lines[at], 0, _LONGEST) else None
    return f"none on {mask_path(mount[0], masks)} type {mount[1]}" if mount else None


def _keep_state(lines: Sequence[str], at: int, masks: Masker) -> str | None:
    """A line on the native capacity or the write cache."""
    text = lines[at].strip()
    if len(text) > _LONGEST:
        return None
    if _NATIVE_CAPACITY.fullmatch(text) or _WRITE_CACHE.fullmatch(text):
        return text
    if _DISK_LINE.fullmatch(text) and any(map(_is_state, lines[at + 1 : at + 3])):
        return mask_path(text[:-1], masks) + ":"
    stated = _STATED.fullmatch(text)
    if stated is not None:
        return f"{_kernel_file(stated['file'])}:{stated['state']}"
    asked = _CAT.match(lines[at - 1][:_LONGEST]) if at and _STATE.fullmatch(text) else None
    return f"{_kernel_file(asked['file'])}:{text}" if asked else None


def _is_state(line: str) -> bool:
    text = line.strip()[:_LONGEST]
    return bool(_NATIVE_CAPACITY.fullmatch(text) or _WRITE_CACHE.fullmatch(text))


def _kernel_file(path: str) -> str:
    """The file below the disk's own folder: "/sys/block/sda/queue/fua"."""
    names = path.split("/")
    disk = next(
        (name for name in names if re.fullmatch(r"(?:sd|vd|nvme|md|dm-|da|hd)[a-z0-9]{1,12}", name)), None
    )
    address = next((name for name in names if _SCSI_ADDRESS.fullmatch(name)), None)
    if disk:
        return f"/sys/block/{disk}/queue/{names[-1]}"
    return f"/sys/class/scsi_disk/{address}/{names[-1]}" if address else names[-1]


_RULES: tuple[tuple[re.Pattern[str], Rule], ...] = (
    (_TIME, _keep_date),
    (NAMES_FILE_SYSTEM, _keep_mount),
    (_STATE_WORD, _keep_state),
)
