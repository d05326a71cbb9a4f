"""Pages asked for in turn, so that what is kept of one page makes no figure: a script for wrk, and the addresses."""

import json
import re
from collections.abc import Callable, Iterable
from pathlib import Path

DEVICES = 200
PAGES = 20
_DEVICE = re.compile(rb'href="(/devices/[^"/?]+/)')
_SORTS = ("device", "interval", "zil_latency", "latency_4k", "throughput_128k", "peak_throughput", "n_units")


def leaderboards(page_count: int = PAGES) -> list[str]:
    """Addresses of pages in the order of the ranking and of other columns, forwards and backwards."""
    pages = ["", *(f"page={number}" for number in range(2, page_count + 1))]
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
