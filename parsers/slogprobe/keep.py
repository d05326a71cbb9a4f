"""Keep slogprobe's lines, with the path of what was measured masked."""

from parsers.base.format import Block, KeptLines, Masker
from parsers.privacy.paths import mask_path
from parsers.slogprobe.lines import HEAD, MESSAGES, OTHERS, ROW, TARGET


def keep(block: Block, masks: Masker) -> KeptLines:
    return KeptLines([_keep_line(line.strip(), masks) for line in block.lines])


def _keep_line(line: str, masks: Masker) -> str | None:
    target = TARGET.fullmatch(line)
    if target is not None:
        place = (
            mask_path(target["path"], masks)
            if target["path"]
            else f"a file on {target['layer'] or 'unknown'}"
        )
        return f"target: {place}, {target['bytes']} bytes"
    if MESSAGES.include(line):
        return MESSAGES.keep(line)
    is_known = any(shape.fullmatch(line) for shape in (HEAD, ROW, *OTHERS))
    return line if is_known else None
