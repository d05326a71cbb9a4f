"""Apply what people do to output before they paste it to every document of the corpora.

`python -m tests.parsers.damages [--every N] [--tool TOOL] [--damage NAME] [-v]` prints by damage and tool how many
documents give the same figures or a notice that says why not. A wrong figure is one that differs from that of the
undamaged document without being absent: there must never be one.
"""

import argparse
import json
import os
import re
import sys
from collections import Counter, defaultdict
from itertools import count
from pathlib import Path

from parsers.__main__ import to_json
from parsers.paste import parse_paste
from parsers.text.decode import decode

HERE = Path(__file__).parent
STRENGTHS = (1, 2, 3)
LONGEST = 400  # characters of a line to which something is added
SIGNED = (
    "# fine", "<- new firmware!", "// was 90 before", "<--- see above", "# 4 years", "\u2190 \u5f88\u6162",
    "<-- \u043c\u0435\u0434\u043b\u0435\u043d\u043d\u043e", "# ok?",
)  # fmt: skip
WORDS = (
    "slow", "looks good to me", "\u5f88\u6162", "\u043c\u0435\u0434\u043b\u0435\u043d\u043d\u043e!", "(bit slow)",
    "\u0628\u0637\u064a\u0621", "that one worries me", "\u9045\u3044",
)  # fmt: skip
BULLETS = ("- ", "* ", "\u2022 ")
QUOTES = ("> ", ">> ", "| ")
PREFIXES = (
    "Nov 14 20:20:{:02} nas bench[4711]: ",
    "2025-11-14T20:20:{:02}+0100 nas bench[4711]: ",
    "2025-11-14T20:20:{:02}.123456789Z ",
)
WIDTHS = (120, 100, 80)  # of terminals
COMMANDS = ("$ uname -a", "# zfs list", "$ fio --version")
# What a document is called, and where it is; the number of a mask; what is above a table
NO_FIGURES = {"first_line", "last_line", "command", "mode", "format"}
ABSENT = (None, "", [], "unknown", ("complete", False))
NO_REASONS = {"nothing_found", "empty"}  # they don't say what is wrong with the text
MASK = re.compile(r"(?<=\[)([a-z]+)-[0-9]+(?=\])")


def documents(folder=None):
    """Each document: its tool, its name and its file; with those of another corpus, if its folder is given."""
    for path in sorted((HERE / "corpus").glob("*/accepted/*.txt")):
        yield path.parent.parent.name.partition("_")[0], path.name, path
    for path in sorted(Path(folder).rglob("*.txt")) if folder else ():
        yield path.parent.name, path.name, path


def chosen(places, strength):
    """The lines that are damaged: one, some, or all."""
    places = list(places)
    if strength == 1:
        return places[len(places) // 2 :][:1]
    return places[1::4] if strength == 2 else places


def behind(remarks):
    def damage(lines, places, strength):
        changed = list(lines)
        for number, at in enumerate(chosen(places, strength)):
            changed[at] = f"{lines[at].rstrip()}   {remarks[number % len(remarks)]}"
        return "\n".join(changed)

    return damage


def between(lines, places, strength):
    changed, remarks = [], (*SIGNED, *WORDS)
    behind_these = set(chosen(places, strength))
    number = count()
    for at, line in enumerate(lines):
        changed += [line, remarks[next(number) % len(remarks)]] if at in behind_these else [line]
    return "\n".join(changed)


def numbered(lines, places, strength):
    changed = list(lines)
    for number, at in enumerate(chosen(places, strength), 1):
        changed[at] = f"{number}) {lines[at]}"
    return "\n".join(changed)


def bulleted(lines, places, strength):
    changed = list(lines)
    for at in places:
        changed[at] = f"{BULLETS[strength - 1]}{lines[at]}"
    return "\n".join(changed)


def quoted(lines, _places, strength):
    return "\n".join(f"{QUOTES[strength - 1]}{line}" for line in lines)


def logged(lines, _places, strength):
    return "\n".join(f"{PREFIXES[strength - 1].format(at // 7 % 60)}{line}" for at, line in enumerate(lines))


def padded(lines, _places, strength):
    return "\n".join(line.ljust(WIDTHS[strength - 1]) for line in lines)


def joined(lines, places, strength):
    """Rows on one line, as a terminal pads them."""
    above = chosen([at for at in list(places)[::2] if at + 1 in set(places)], strength)
    text = ""
    for at, line in enumerate(lines):
        text += line.ljust(-(-(len(line) + 1) // 80) * 80) if at in set(above) else f"{line}\n"
    return text


def split(lines, _places, strength):
    width = WIDTHS[strength - 1]
    return "\n".join(line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width))


def without_line_feeds(lines, _places, strength):
    if strength == 1:
        return "\r\n".join(lines)
    if strength == 2:
        return re.sub(r"(?<=\S) {3,}(?=\S)", "\t", "\n".join(lines))
    return " ".join(line.strip() for line in lines)


def second_command(lines, _places, strength):
    return "\n".join([*COMMANDS[:strength], "", *lines])


DAMAGES = {
    "remark behind": behind(SIGNED),
    "words behind": behind(WORDS),
    "remark between": between,
    "numbered": numbered,
    "bullets": bulleted,
    "quoted": quoted,
    "log": logged,
    "padded": padded,
    "joined": joined,
    "split": split,
    "line ends": without_line_feeds,
    "command above": second_command,
}

WAYS = [(damage, strength) for damage in DAMAGES for strength in STRENGTHS]


def read(text):
    paste = parse_paste(text, unit_key=b"key")
    return paste, json.loads(to_json(paste))


def figures(value):
    """What a reading states, without lines and the numbers of masks."""
    if isinstance(value, dict):
        return {
            name: figures(item) for name, item in value.items() if name not in NO_FIGURES and item is not None
        }
    if isinstance(value, list):
        return [figures(item) for item in value]
    return " ".join(MASK.sub(r"\1", value).split()) if isinstance(value, str) else value


def differences(wanted, found, where=""):
    """What is wrong or lost, as ("wrong" or "lost", the place, the figures); rows that are lost move no others."""
    if found in ABSENT or (where.rpartition(".")[2], found) in ABSENT:
        yield "lost", where, wanted
    elif isinstance(wanted, dict) and isinstance(found, dict):
        for name in {**wanted, **found}:
            if name not in wanted:
                yield "wrong", f"{where}.{name}", (None, found[name])
            elif wanted[name] != found.get(name):
                yield from differences(wanted[name], found.get(name), f"{where}.{name}")
    elif isinstance(wanted, list) and isinstance(found, list):
        yield from _differences_of_rows(wanted, found, where)
    elif wanted != found and not _is_rounded(wanted, found):
        yield "wrong", where, (wanted, found)


def _differences_of_rows(wanted, found, where):
    rest = list(wanted)
    for row in found:
        fits = [
            [("wrong", "", None)] * 99 if _kind(other) != _kind(row) else list(differences(other, row, where))
            for other in rest
        ]
        at = next((at for at, fit in enumerate(fits) if not fit), None)
        if at is None:
            at = next((at for at, fit in enumerate(fits) if all(kind == "lost" for kind, *_ in fit)), None)
        if at is None:
            least = min(range(len(fits)), key=lambda at: len(fits[at]), default=None)
            if least is None:
                yield "wrong", where, (None, row)
                continue
            at = least
        yield from fits[at]
        for lost_row in rest[:at]:
            yield "lost", where, lost_row
        del rest[: at + 1]
    for lost_row in rest:
        yield "lost", where, lost_row


def _is_rounded(wanted, found):
    """Whether two numbers are one: fio's text rounds what its JSON states, where a document has both."""
    return (
        isinstance(wanted, float) and isinstance(found, float) and abs(wanted - found) < 0.001 * abs(wanted)
    )


def _kind(row):
    return row.get("kind") if isinstance(row, dict) else None


def outcome(printed, damaged):
    """ "same", "explained", "silent" or "wrong", and the differences."""
    found = list(differences(figures(printed["readings"]), figures(damaged["readings"])))
    if not found:
        return "same", found
    if any(kind == "wrong" for kind, *_rest in found):
        return "wrong", found
    said = Counter(warning["code"] for warning in damaged["warnings"]) - Counter(
        warning["code"] for warning in printed["warnings"]
    )
    return ("explained" if set(said) - NO_REASONS else "silent"), found


def tries(path, ways):
    """Each of these kinds of damage to a document: its name, its strength, the text, the outcome."""
    text = decode(path.read_bytes())
    paste, printed = read(text)
    lines = text.split("\n")
    if not printed["readings"]:
        return
    kept_at = sorted({at - 1 for at in paste.source_lines if at <= len(lines) and lines[at - 1].strip()})
    commands = {
        at for at, line in zip(paste.source_lines, paste.text.split("\n"), strict=False) if line[:2] == "$ "
    }
    rows = [at for at in kept_at if at + 1 not in commands and len(lines[at]) < LONGEST]
    for name, strength in ways:
        damaged = DAMAGES[name](lines, rows, strength)
        yield name, strength, damaged, *outcome(printed, read(damaged)[1])


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only every so many documents")
    parser.add_argument("--tool")
    parser.add_argument("--name", help="only documents whose name contains it")
    parser.add_argument("--damage", action="append", choices=DAMAGES)
    parser.add_argument("-v", "--verbose", action="count", default=0)
    options = parser.parse_args(arguments)
    table = defaultdict(Counter)
    for tool, name, path in list(documents(os.environ.get("SLOGDB_CORPUS")))[:: options.every]:
        if (options.tool or tool) != tool or (options.name or "") not in name:
            continue
        ways = [way for way in WAYS if way[0] in (options.damage or DAMAGES)]
        for damage, strength, text, result, found in tries(path, ways):
            table[damage, tool][result] += 1
            if result in ("wrong", "silent")[: 1 + (options.verbose > 0)]:
                sys.stdout.write(f"{result}: {damage} {strength}: {tool} {name}: {str(found[:3])[:300]}\n")
            if result != "same" and options.verbose > 1:
                sys.stdout.write(f"{text}\n")
    show(table)
    return 0


def show(table):
    """Print for each damage and tool how many of all are the same or explained, and how many are wrong."""
    tools = sorted({tool for _damage, tool in table})
    rows = [
        [damage, *(table[damage, tool] for tool in tools)] for damage in dict.fromkeys(d for d, _t in table)
    ]
    sys.stdout.write(
        " | ".join(["damage".ljust(15), *(tool[:13].rjust(13) for tool in tools), "all".rjust(16)]) + "\n"
    )
    everything = Counter()
    for damage, *cells in rows:
        whole = sum(cells, Counter())
        everything += whole
        shown = [cell(entry).rjust(13) for entry in cells]
        sys.stdout.write(" | ".join([damage.ljust(15), *shown, cell(whole).rjust(16)]) + "\n")
    sys.stdout.write(f"all: {cell(everything)} {dict(everything)}\n")


def cell(found):
    good = found["same"] + found["explained"]
    wrong = f" {found['wrong']}!" if found["wrong"] else ""
    return f"{good}/{found.total()}{wrong}"


if __name__ == "__main__":
    sys.exit(main())
