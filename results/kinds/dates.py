"""The day of a run, and where it was published, as pages show them."""

from collections.abc import Mapping
from operator import attrgetter
from typing import Any

from results.core.formats import ELSEWHERE, format_date

DATE_FIELDS = ("measured_on", "submission__posted_on", "submission__survey_id", "submission__created_at")


def date_of_run(row: Mapping[str, Any]) -> str:
    """The day of a run from DATE_FIELDS: "2026-11-03", or "sent 2026-11-03".

    A page may gain figures for years after its day, so the day is called the page's.
    """
    if row["measured_on"]:
        return format_date(row["measured_on"])
    is_from_page = row["submission__survey_id"] is not None
    if row["submission__posted_on"]:
        day = format_date(row["submission__posted_on"])
        return f"on a page dated {day}" if is_from_page else f"posted {day}"
    return "undated" if is_from_page else f"sent {format_date(row['submission__created_at'].date())}"


def date_of_result(result: Any) -> str:
    """The same of a Result."""
    return date_of_run({name: attrgetter(name.replace("__", "."))(result) for name in DATE_FIELDS})


def origin_of_run(row: Mapping[str, Any]) -> str:
    """ELSEWHERE or "", from DATE_FIELDS."""
    return "" if row["submission__survey_id"] is None else ELSEWHERE
