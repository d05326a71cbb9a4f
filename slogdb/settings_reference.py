"""docs/settings.md, made from .env.example: `python -m slogdb.settings_reference` writes it.

.env.example describes each variable once: a heading per section, and above a variable, or several that belong
together, a comment that says what it is. The comment ends with "Since 1.1.0." if 1.0.0 didn't have it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / ".env.example"
DOCUMENT = ROOT / "docs" / "settings.md"
FIRST = "1.0.0"
SHARED = "Described above."  # of a variable without a comment of its own
HEAD = """\
# Settings

Environment variables, in `.env` with containers. This page is made from [.env.example](../.env.example) by
`python -m slogdb.settings_reference`. "Set it" means that there is no default; "since" is the first release with it.
"""
_SECTION = re.compile(r"# --- (.+?) -+")
_VARIABLE = re.compile(r"#?([A-Z][A-Z_]+)=(.*)")
_SINCE = re.compile(r"\s*Since (\d+\.\d+\.\d+)\.$")


@dataclass(frozen=True, slots=True)
class Setting:
    """A variable. `default` is the value of a commented line, None for one that has to be set."""

    section: str
    name: str
    default: str | None
    meaning: str
    since: str


def settings() -> Iterator[Setting]:
    """The variables in the order of .env.example."""
    section, is_open = "", False
    comment: list[str] = []
    for line in EXAMPLE.read_text(encoding="utf-8").splitlines():
        if heading := _SECTION.fullmatch(line):
            section, comment = heading[1], []
        elif variable := _VARIABLE.fullmatch(line):
            text = " ".join(comment) if is_open else SHARED
            since = _SINCE.search(text)
            yield Setting(
                section,
                variable[1],
                variable[2] if line.startswith("#") else None,
                _SINCE.sub("", text),
                since[1] if since else FIRST,
            )
            is_open = False
        elif line.startswith("# "):
            comment = [*comment, line[2:]] if is_open else [line[2:]]
            is_open = True
        else:
            is_open = False


def reference() -> str:
    """The document."""
    lines, section = [HEAD], ""
    for setting in settings():
        if setting.section != section:
            section = setting.section
            lines += [
                f"\n## {section}\n",
                "| variable | default or example | meaning | since |",
                "|---|---|---|---|",
            ]
        default = (
            "set it" if setting.default is None else f"`{setting.default}`" if setting.default else "none"
        )
        lines.append(f"| `{setting.name}` | {default} | {_escaped(setting.meaning)} | {setting.since} |")
    return "\n".join(lines).replace("\n\n\n", "\n\n") + "\n"


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    DOCUMENT.write_text(reference(), encoding="utf-8")
