"""How many runs of a text are published, and why the others are not."""

from collections.abc import Iterable, Mapping
from typing import Any

WILL_BE, WERE, READ = "will be published", "published", "read"


def runs_summary(
    published: int, left_out: Iterable[Mapping[str, Any]], outcome: str = WILL_BE
) -> dict[str, Any]:
    """What partials/runs_summary.html needs; `left_out` comes from results.models.submission.split_notices."""
    rows = [
        {
            "lines": _lines(one["first_line"], one["last_line"]),
            "first_line": one["first_line"],
            "message": f"{one['message'][:1].upper()}{one['message'][1:].rstrip('.')}.",
        }
        for one in left_out
    ]
    return {"sentence": _sentence(published, published + len(rows), outcome), "left_out": rows}


def without_left_out(
    notices: Iterable[Mapping[str, Any]], left_out: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """The notices that don't repeat why a run was left out."""
    said = {(one["code"], one["message"]) for one in left_out}
    return [notice for notice in notices if (notice["code"], notice["message"]) not in said]


def _sentence(published: int, total: int, outcome: str) -> str:
    if outcome != WILL_BE:
        outcome = f"{'was' if published == 1 else 'were'} {outcome}"
    count = f"{published}" if published == total == 1 else f"{published} of {total}"
    return f"{count} {'run' if total == 1 else 'runs'} {outcome}"


def _lines(first: int, last: int) -> str:
    return f"Line {first}" if first == last else f"Lines {first}–{last}"
