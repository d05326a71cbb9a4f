"""Where a board's figures come from."""

from collections import Counter, defaultdict

from results.core.formats import format_count
from results.models import Result
from results.models.choices import Quality
from results.ranking.standing import main_rows

TABLE = 3  # devices of a page, from which on it is a table


def origin_text(board: str, device_class: str, count: int) -> str:
    """As in "54 of 57 drives here are known only from 2 public tables of one test". One query.

    "" unless most of the `count` devices of this class (all classes for "") are.
    """
    listed = main_rows(board).filter(**({"device_class": device_class} if device_class else {}))
    published = Result.objects.published().filter(is_ranked=True, submission__survey_id__isnull=False)
    rows = published.filter(device__in=listed.values("device")).values_list(
        "device",
        "device__result_count",
        "device__elsewhere_count",
        "submission__quality",
        "submission__source_url",
        "method",
        "sync_method",
        "pattern",
    )
    pages: defaultdict[int, set[str]] = defaultdict(set)
    ways: defaultdict[str, set[tuple[str | None, ...]]] = defaultdict(set)
    for device, result_count, elsewhere_count, quality, url, *way in rows:
        is_from_elsewhere = result_count == elsewhere_count and quality == Quality.TABLE
        page = url.partition("#")[0]
        pages[device].add(page if is_from_elsewhere else "")
        ways[page].add(tuple(way))
    found = Counter(page for of_device in pages.values() for page in of_device)
    tables = {page for page, devices in found.items() if page and devices >= TABLE}
    known = sum(of_device <= tables for of_device in pages.values())
    if 2 * known <= count:
        return ""
    of_one_test = " of one test" if len(set().union(*(ways[page] for page in tables))) == 1 else ""
    source = "one public table" if len(tables) == 1 else f"{len(tables)} public tables"
    return f"{known:,} of {format_count(count, 'drive')} here are known only from {source}{of_one_test}."
