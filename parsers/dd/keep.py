"""Keep dd's lines in one form: records, results, napp-it's line, errors; of its command the known operands."""

from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.dd.lines import (
    FLAGS,
    MEMORY,
    MESSAGES,
    NUMBERS,
    PATHS,
    UNKNOWN,
    WORDS_OF_FLAGS,
    DdLine,
    final_lines,
    size_of,
)
from parsers.privacy.paths import mask_path

_LINES_TO_MEMORY = 12


def keep(block: Block, _masks: Masker) -> KeptLines:
    masked_lines: list[str | None] = [None] * len(block.lines)
    side = "out"
    for at, line in final_lines(block.lines).items():
        if line.kind in ("in", "out", "records"):
            side = line.kind if line.kind != "records" else "in" if side == "out" else "out"
        masked_lines[at] = _keep_line(line, side, block.lines[at])
    return KeptLines(masked_lines)


def keep_above(lines: Sequence[str], _masks: Masker) -> dict[int, str | None]:
    """The memory that napp-it states in front of the command."""
    near = list(enumerate(lines))[-_LINES_TO_MEMORY:]
    return {at: line.strip() for at, line in near if MEMORY.fullmatch(line.strip())}


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The known operands, paths masked; None if other words show that it is a sentence."""
    masked_words: list[str] = []
    for word in words:
        name, is_assigned, value = word.partition("=")
        if name not in PATHS | NUMBERS | FLAGS or not is_assigned:
            return None
        if name in PATHS and value:
            masked_words.append(f"{name}={mask_path(value, masks)}")
        elif name in FLAGS:
            known = [flag if flag in WORDS_OF_FLAGS else UNKNOWN for flag in value.split(",")]
            masked_words.append(f"{name}={','.join(known)}")
        elif size_of(value):
            masked_words.append(word)
    return " ".join(masked_words) if masked_words else None


def _keep_line(line: DdLine, side: str, text: str) -> str:
    match = line.match
    if match is None:
        return MESSAGES.keep(text)
    if line.kind in ("in", "out", "records"):
        interrupted = "^C" if match[0].startswith("^C") else ""
        return f"{interrupted}{match['full']}+{match['partial']} records {side}"
    if "sizes" not in match.groupdict():
        return match[0].removeprefix("^C")
    sizes = (match["sizes"] or "").strip().translate({0xFF08: "(", 0xFF09: ")", 0xFF0C: ", "})
    copied = f"{match['bytes']} bytes {sizes} copied" if sizes else f"{match['bytes']} bytes copied"
    return f"{copied}, {match['seconds']} s, {match['rate'] or 'Infinity'} {match['unit']}/s"
