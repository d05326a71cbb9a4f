"""Keep pveperf's lines: labels and figures; what is mounted is masked, the domain of its DNS times left out."""

from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.privacy.paths import mask_path
from parsers.pveperf.lines import LABELS, MESSAGES, VALUE, is_cut, split_fields


def keep(block: Block, masks: Masker) -> KeptLines:
    masked_lines: list[str | None] = []
    lines = iter(zip(block.lines, [*block.lines[1:], ""], strict=True))
    for line, below in lines:
        fields = list(split_fields(line))
        if fields and _is_value_below(fields[-1][1], below):
            fields[-1] = fields[-1][0], f": {below}"
            next(lines, None)
            masked_lines += [_keep_fields(fields, masks), ""]
        elif fields:
            masked_lines.append(_keep_fields(fields, masks))
        elif MESSAGES.include(line):
            masked_lines.append(MESSAGES.keep(line))
        else:
            masked_lines.append(line if is_cut(line) else None)
    return KeptLines(masked_lines)


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The folder that was measured."""
    if not words:
        return ""
    is_folder = len(words) == 1 and words[0].startswith(("/", "~", "."))
    return mask_path(words[0], masks) if is_folder else None


def _is_value_below(text: str, below: str) -> bool:
    is_alone = not text.strip(" \t:|*=") and not any(split_fields(below))
    return is_alone and VALUE.match(f": {below}") is not None


def _keep_fields(fields: Sequence[tuple[str, str]], masks: Masker) -> str:
    return "   ".join(_keep_value(name, text, masks) for name, text in fields)


def _keep_value(name: str, text: str, masks: Masker) -> str:
    value = VALUE.match(text)
    if value is None:
        return f"{LABELS[name]}:"
    unit = f" {value['unit']}" if value["unit"] else ""
    source = ""
    if value["source"] and name == "hd_size_gb":
        source = f" ({mask_path(value['source'].strip(' |*()'), masks)})"
    return f"{LABELS[name] + ':':<19}{value['figure']}{unit}{source}"
