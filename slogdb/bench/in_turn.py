"""Pages asked for in turn, so that what is kept of one page makes no figure: a script for wrk, and the addresses."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

DEVICES = 200
PAGES = 8  # all that 400 devices fill, those of 10,000 results: the same pages at every size
_DEVICE = re.compile(rb'href="(/devices/[^"/?]+/)')
_SORTS = ("device", "interval", "zil_latency", "latency_4k", "throughput_128k", "peak_throughput", "n_units")


def leaderboards(page_count: int) -> list[str]:
    """Addresses of the first PAGES pages in the order of the ranking and of other columns, forwards and backwards."""
    return _boards(range(1, min(PAGES, page_count) + 1))


def far_leaderboards(page_count: int) -> list[str]:
    """The same of as many pages in the middle, behind the first; none where there are too few."""
    middle = (page_count - PAGES) // 2 + 1
    return _boards(range(middle, middle + PAGES)) if middle > PAGES else []


def _boards(numbers: Iterable[int]) -> list[str]:
    pages = ["" if number == 1 else f"page={number}" for number in numbers]
    sorts = ["", *(f"sort={sign}{key}" for key in _SORTS for sign in ("", "-"))]
    queries = ("&".join(filter(None, (sort, page))) for sort in sorts for page in pages)
    return [f"/leaderboard/?{query}".rstrip("?") for query in queries]


def devices(fetch: Callable[[str], bytes], boards: Iterable[str]) -> list[str]:
    """Addresses of the first DEVICES devices that these pages lead to; raises SystemExit where there is none."""
    found: dict[str, None] = {}
    for board in boards:
        found.update(dict.fromkeys(link.decode() for link in _DEVICE.findall(fetch(board))))
        if len(found) >= DEVICES:
            break
    if not found:
        raise SystemExit("no device stands on the leaderboard")
    return list(found)[:DEVICES]


def write_script(path: Path, addresses: Iterable[str]) -> Path:
    """The script that makes wrk ask for one of the addresses after the other, and then for the first again."""
    listed = ",\n".join(json.dumps(address) for address in addresses)
    path.write_text(
        f"local addresses = {{\n{listed}\n}}\nlocal turn = 0\n"
        "request = function()\n  turn = turn % #addresses + 1\n"
        '  return wrk.format("GET", addresses[turn])\nend\n',
        encoding="utf-8",
    )
    return path
