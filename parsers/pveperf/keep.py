"""Keep pveperf's lines: labels and figures; what is mounted is masked, the domain of its DNS times left out."""

from collections.abc import Sequence

from parsers.base.format import Block, KeptLines, Masker
from parsers.privacy.paths import mask_path
from parsers.pveperf.lines import LABELS, VALUE, find_labels, is_cut, is_error


def keep(block: Block, masks: Masker) -> KeptLines:
    kept: list[str | None] = []
    lines = iter(zip(block.lines, [*block.lines[1:], ""], strict=True))
    for line, below in lines:
        kept.append(_keep_line(line, below, masks))
        if kept[-1] and find_labels(line) and _is_value_below(line, below):
            kept.append("")
            next(lines, None)
    return KeptLines(kept)


def keep_command(words: Sequence[str], masks: Masker) -> str | None:
    """The folder that was measured."""
    if not words:
        return ""
    is_folder = len(words) == 1 and words[0].startswith(("/", "~", "."))
    return mask_path(words[0], masks) if is_folder else None


def _is_value_below(line: str, below: str) -> bool:
    label = find_labels(line)[-1]
    return (
        not line[label.end() :].strip(" \t:|*=")
        and not find_labels(below)
        and VALUE.match(f": {below}") is not None
    )


def _keep_line(line: str, below: str, masks: Masker) -> str | None:
    if is_error(line):
        return "pveperf: not found" if "not found" in line else "pveperf: error"
    labels = find_labels(line)
    if not labels:
        return line if is_cut(line) else None
    ends = [*(label.start() for label in labels[1:]), len(line)]
    kept = []
    for label, end in zip(labels, ends, strict=True):
        text = line[label.end() : end]
        if label is labels[-1] and _is_value_below(line, below):
            text = f": {below}"
        kept.append(_keep_value(str(label.lastgroup), text, masks))
    return "   ".join(kept)


def _keep_value(name: str, text: str, masks: Masker) -> str:
    value = VALUE.match(text)
    if value is None:
        return f"{LABELS[name]}:"
    unit = f" {value['unit']}" if value["unit"] else ""
    source = ""
    if value["source"] and name == "hd_size_gb":
        source = f" ({mask_path(value['source'].strip(' |*()'), masks)})"
    return f"{LABELS[name] + ':':<19}{value['figure']}{unit}{source}"
