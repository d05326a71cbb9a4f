"""What is kept outside the output of the tools, wherever it stands, each in one canonical form.

The day of a run, as a program or a prompt states it; the file system of a mount point; a drive's native capacity; and
whether a write cache is on.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date

from parsers.base.dates import STAMP, date_of
from parsers.base.format import Masker
from parsers.flush_path import DISK_LINE, HINT, kernel_state, read_state
from parsers.layers import NAMES_FILE_SYSTEM, find_mount
from parsers.privacy.paths import mask_path
from parsers.smartctl.ata import NATIVE_CAPACITY
from parsers.text.tool_lines import TOOL_NAMES

_MAX_LENGTH = 300  # characters
_TIME = re.compile(r":[0-9]{2}")
_FRAME = " \t#*=-_~[]()<>|.:'\""  # around a date on a line of its own: "--- Sat Jan  7 12:00:00 CET 2023 ---"
_CAPTION = re.compile(r"Script started on|Started(?: at| on)?|Start|Begin", re.IGNORECASE)
_REST_OF_TIME = re.compile(
    r"\A(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2}|[A-Z]{2,5})\b)?"
)
_TERMINAL = re.compile(r" \[(?:TERM=|COMMAND=|<)")  # script(1) writes it behind the date
_DATE_COMMAND = re.compile(r"(?:.{0,160}[#$%>;&]\s*)?date(?: [^|;&]{1,60})?")
# Of a chat or syslog: after the date of a line
_SENDER = re.compile(r"[\s\])>]*(?:<[^<>\n]{1,60}>|[\w./ -]{1,80}(?:\[[0-9]{1,8}\])?: )")
# Of mail and forums, near a date that is the mail's; mail prints more of the zone and weekday than date(1) does
_MAIL_LINE = re.compile(
    r"\s*(?:From|To|Cc|Subject|Sent|Posted|Author|Commit|Message-ID|(?:Previous|Next) message)\b[^\n]{0,40}:"
    r"|[^\n]{0,200}[\w.+-](?:@| at )[\w-]{1,60}(?:\.[\w-]{1,60}){0,3}\.[a-z]{2,}(?=[\s>)\]*]|\Z)"
    r"|[^\n]{0,200}\bwrote:",
    re.IGNORECASE,
)
_LINES_NEAR_MAIL = 3  # above and below a date
_MAIL_DATE = re.compile(r"[A-Z][a-z]{2},|[^\n]{0,80} [+-][0-9]{4}\b")
_COMMAND = re.compile(
    r"[^#$%>]{0,160}[#$%>]\s*(?:(?:sudo|doas|time) )*(?:\S{0,60}[/\\])?"
    rf"(?:{TOOL_NAMES}|date)(?:\.exe)?(?:[ ;]|$)"
)
# The second sign is that of Kali
_IN_PROMPT = re.compile(r"[@\u327f](?:\[host-[0-9]{1,6}\]|[A-Za-z][\w.-]*)")
_SIGN = re.compile(r"[^#$%>]{0,120}[#$%>](?: |$)")

_STATE_WORD = re.compile(rf"{HINT.pattern}|max sectors|host protected|hpa|accessible max")
Rule = Callable[[Sequence[str], int, Masker], str | None]


def keep_outside(lines: Sequence[str], masks: Masker) -> Callable[[int], str | None]:
    """Return a function that gives the canonical form of a line, by its index; None where it isn't kept."""
    text = "\n".join(lines)
    rules = [rule for has_word, rule in _RULES if has_word(text)]
    return lambda at: next(filter(None, (rule(lines, at, masks) for rule in rules)), None)


def asctime(day: date) -> str:
    """A day in the form of asctime(3), without the time."""
    return day.strftime("%a %b %e 00:00:00 %Y")


def day_of_shell(lines: Sequence[str], at: int) -> date | None:
    """The day on which a line says that something ran: as `date`, script(1) or a prompt states it."""
    line = lines[at]
    if _TIME.search(line, 0, _MAX_LENGTH) is None:
        return None
    stamp = STAMP.search(line, 0, _MAX_LENGTH)
    found = date_of(stamp) if stamp else None
    return found if stamp and found and _is_from_shell(lines, at, stamp) else None


def _is_from_shell(lines: Sequence[str], at: int, stamp: re.Match[str]) -> bool:
    """Whether date and time are a program's, or in front of a command.

    Any other date may be the day of a post, a mail, a build or an error.
    """
    line = lines[at]
    before = line[: stamp.start()].strip(_FRAME)
    behind = _REST_OF_TIME.sub("", line[stamp.end() : _MAX_LENGTH], count=1)
    if not before or _CAPTION.fullmatch(before):
        is_alone = not behind.strip(_FRAME) or _TERMINAL.match(behind) is not None
        is_below_date = at > 0 and _DATE_COMMAND.fullmatch(lines[at - 1]) is not None
        if is_alone and (before or is_below_date or not (stamp["iso"] or _is_date_of_mail(lines, at, stamp))):
            return True
    if _COMMAND.match(behind):
        return _SENDER.match(behind) is None
    if _IN_PROMPT.search(line) is None or line.endswith(":"):  # of mail: "On ... <a@b> wrote:"
        return False
    is_bracketed = line[stamp.start() - 1 : stamp.start()] in ("[", "(")
    return _SIGN.match(behind) is not None or (is_bracketed and not behind.strip(_FRAME))


def _is_date_of_mail(lines: Sequence[str], at: int, stamp: re.Match[str]) -> bool:
    """Whether a date alone on its line is when something was sent."""
    near = lines[max(at - _LINES_NEAR_MAIL, 0) : at + 1 + _LINES_NEAR_MAIL]
    is_formatted = _MAIL_DATE.match(lines[at], stamp.start()) is not None
    return is_formatted or any(_MAIL_LINE.match(line) for line in near)


def _keep_date(lines: Sequence[str], at: int, _masks: Masker) -> str | None:
    day = day_of_shell(lines, at)
    return asctime(day) if day else None


def _keep_mount(lines: Sequence[str], at: int, masks: Masker) -> str | None:
    mount = find_mount(lines[at]) if NAMES_FILE_SYSTEM.search(lines[at], 0, _MAX_LENGTH) else None
    return f"none on {mask_path(mount[0], masks)} type {mount[1]}" if mount else None


def _keep_state(lines: Sequence[str], at: int, masks: Masker) -> str | None:
    """A line on the native capacity or the write cache."""
    text = lines[at].strip()
    if len(text) > _MAX_LENGTH:
        return None
    if _is_state(text):
        return text
    if DISK_LINE.fullmatch(text) and any(map(_is_state, lines[at + 1 : at + 3])):
        return mask_path(text[:-1], masks) + ":"
    return kernel_state(text, lines[at - 1][:_MAX_LENGTH] if at else "")


def _is_state(line: str) -> bool:
    text = line.strip()[:_MAX_LENGTH]
    return NATIVE_CAPACITY.fullmatch(text) is not None or bool(read_state(text))


_RULES: tuple[tuple[Callable[[str], object], Rule], ...] = (
    (_TIME.search, _keep_date),
    (NAMES_FILE_SYSTEM.search, _keep_mount),
    (lambda text: _STATE_WORD.search(text.lower()), _keep_state),
)
