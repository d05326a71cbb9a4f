"""A comparison to paste elsewhere: its link, its image, and its table as BBCode and as Markdown."""

from collections.abc import Iterable, Sequence
from typing import Any

from results.addresses import address
from results.ranking.compare import Compared
from results.web.chart_view import AskedChart
from results.web.compare_address import AskedComparison
from results.web.figures import device_name
from results.web.share import bbcode_text, full_url, markdown_text

Row = Sequence[str]
_MARKS = {"best": " (best)", "tie": " (tie)"}


def compare_share(
    asked: AskedComparison, compared: Sequence[Compared], sections: Iterable[dict[str, Any]]
) -> list[dict[str, str]]:
    """What partials/share.html needs, each way with its label and its text."""
    url = full_url(asked.url())
    slugs = ",".join(asked.slugs)
    picture = full_url(AskedChart(address("compare-preview"), {"devices": slugs}).url())
    drawing = full_url(asked.chart.image_url(address("compare-chart"), devices=slugs))
    rows = _rows(compared, sections)
    ways = (
        ("Link", url),
        ("Picture, BBCode", f"[url={url}][img]{picture}[/img][/url]"),
        ("Chart as SVG", drawing),
        ("Table, BBCode", f"{_bbcode(rows)}\n[url={url}]{url}[/url]"),
        ("Table, Markdown", f"{_markdown(rows)}\n\n<{url}>"),
    )
    return [
        {"id": f"share-{number}", "label": label, "text": text}
        for number, (label, text) in enumerate(ways, 1)
    ]


def _rows(compared: Sequence[Compared], sections: Iterable[dict[str, Any]]) -> list[Row]:
    """The table as texts, its head first."""
    head = ["", *(device_name(one.device) for one in compared)]
    rows = [row for section in sections for row in section["rows"]]
    return [head, *([_label(row), *(_text(cell) for cell in row["cells"])] for row in rows)]


def _label(row: dict[str, Any]) -> str:
    return f"{row['label']}, {row['unit']}" if row["unit"] else str(row["label"])


def _text(cell: dict[str, Any]) -> str:
    return f"{cell['text']}{_MARKS.get(cell.get('mark', ''), '')}"


def _bbcode(rows: Sequence[Row]) -> str:
    lines = ("".join(f"[td]{bbcode_text(text)}[/td]" for text in row) for row in rows)
    return "\n".join(["[table]", *(f"[tr]{line}[/tr]" for line in lines), "[/table]"])


def _markdown(rows: Sequence[Row]) -> str:
    head, *rest = ([markdown_text(text) for text in row] for row in rows)
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rest))
