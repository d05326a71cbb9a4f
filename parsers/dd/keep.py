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
    Line,
    final_lines,
    size_of,
)
from parsers.privacy.paths import mask_path

_LINES_TO_MEMORY = 12


def keep(block: Block, _masks: Masker) -> KeptLines:
    kept: list[str | None] = [None] * len(block.lines)
    side = "out"
    for at, line in final_lines(block.lines).items():
        if line.kind in ("in", "out", "records"):
            side = line.kind if line.kind != "records" else "in" if side == "out" else "out"
        kept[at] = _keep_line(line, side, block.lines[at])
    return KeptLines(kept)


def keep_above(lines: Sequence[str], _masks: Masker) -> KeptLines:
    """The memory that napp-it states in front of the command."""
    kept: list[str | None] = [None] * len(lines)
    for at in range(max(len(lines) - _LINES_TO_MEMORY, 0), len(lines)):
        kept[at] = lines[at].strip() if MEMORY.fullmatch(lines[at].strip()) else None
    return KeptLines(kept)


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The known operands, paths masked; None if other words show that it is a sentence."""
    kept: list[str] = []
    for word in words:
        name, is_assigned, value = word.partition("=")
        if name not in PATHS | NUMBERS | FLAGS or not is_assigned:
            return None
        if name in PATHS and value:
            kept.append(f"{name}={mask_path(value, masks)}")
        elif name in FLAGS:
            known = [flag if flag in WORDS_OF_FLAGS else UNKNOWN for flag in value.split(",")]
            kept.append(f"{name}={','.join(known)}")
        elif size_of(value):
            kept.append(word)
    return " ".join(kept) if kept else None


def _keep_line(line: Line, side: str, text: str) -> str:
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
