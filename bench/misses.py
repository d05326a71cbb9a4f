"""Pages rendered on a cache miss, with many and with few results, compared with an empty Django view."""

import http.client
import re
import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise

import psycopg

from bench.bars import BenchmarkError, Row
from bench.site import DJANGO, EMPTY, DataSet, fetch
from bench.submissions import NEW_MODELS, Sender
from bench.wrk import CONNECTIONS, Load, Target, measure_in_turns, script_target

MEDIAN_MS, P99_MS, GROWTH = 100.0, 500.0, 1.5
MAX_LINKED = 200
COMPARED = 20  # devices, each with the next
PAGES = 8  # filled by the 400 devices of 10,000 results: the same pages at every size
SORTS = ("device", "interval", "zil_latency", "latency_4k", "throughput_128k", "peak_throughput", "n_units")
FILTERS = (
    "class=nvme",
    "class=sata_ssd&capacity=256gb-1tb",
    "plp=protected&interface=pcie",
    "q=ssd&min_units=2",
)
OTHERS = {
    "home page": ("/",),
    "leaderboard by facts": tuple(
        f"/leaderboard/?{query}"
        for query in (*FILTERS, "sort=latest_price", "sort=price_per_gb", "price=100", "link_gbit=10")
    ),
    "shortlist": tuple(f"/shortlist/{query}" for query in ("", "?link_gbit=10", "?link_gbit=10&budget=250")),
    "results": ("/results/",),
    "survey": ("/survey/",),
}
CHANGES = 40
_LINKS = {
    "drives": r'href="(/(?:devices|products)/[^"?]+/)',
    "products": r'href="(/products/[^"/?]+/)',
}
_COMPARED = re.compile(r'compare/\?devices=([^",&]+)"')
_HEAVIEST = """
    SELECT coalesce('/products/' || nullif(device.page, ''), '/devices/' || device.slug) || '/',
        sum(ranking.result_count)
    FROM results_deviceranking AS ranking JOIN results_device AS device ON device.id = ranking.device_id
    WHERE ranking.board = 'sync_write' GROUP BY device.id ORDER BY 2 DESC LIMIT 1
"""


def measure(few: DataSet, many: DataSet, *, rounds: int, seconds: int) -> list[Row]:
    """Latencies of Django without the page cache, at one connection and at 16."""
    heaviest_page, heaviest = heaviest_device(many)
    with ExitStack() as ending:
        empty = ending.enter_context(many.serve(EMPTY))
        sites = {
            data.results: f"http://127.0.0.1:{ending.enter_context(data.serve(DJANGO))}"
            for data in (few, many)
        }
        targets = {"empty view": Target(f"http://127.0.0.1:{empty}/")}
        boards = board_addresses(page_count(fetch(f"{sites[few.results]}/leaderboard/")))
        for data in (few, many):
            site = sites[data.results]
            for page, paths in pages(site, boards).items():
                script = data.folder / f"{page.replace(' ', '-')}.lua"
                targets[f"{page}, {data.results:,} results"] = script_target(script, site, paths)
        site = sites[many.results]
        targets[f"device with {heaviest:,} of {many.results:,} results"] = script_target(
            many.folder / "heaviest.lua", site, [heaviest_page]
        )
        alone = measure_in_turns(targets, connections=1, rounds=rounds, seconds=seconds)
        loaded = measure_in_turns(targets, connections=CONNECTIONS, rounds=rounds, seconds=seconds)
        changed_ms = first_requests_ms(int(site.rpartition(":")[2]))
    return [*rows(alone, loaded, few=few.results, many=many.results), change_row(changed_ms)]


def pages(site: str, boards: Sequence[str]) -> dict[str, Sequence[str]]:
    """The addresses that are requested in turn, by kind of page."""
    slugs = list(dict.fromkeys(_COMPARED.findall(fetch(f"{site}{boards[0]}").decode())))[:COMPARED]
    return {
        "leaderboard": boards,
        "device": linked_addresses(site, boards, "drives"),
        "product": linked_addresses(site, ["/products/"], "products"),
        "compare": [f"/compare/?devices={slug},{other}" for slug, other in pairwise(slugs)] or ["/compare/"],
        **OTHERS,
    }


def rows(alone: Mapping[str, Load], loaded: Mapping[str, Load], *, few: int, many: int) -> list[Row]:
    """Each page's median at one connection and p99 at 16, and the ratio of both sizes."""
    found = []
    for name in alone:
        if name.endswith(f", {few:,} results"):
            continue  # it is only there for comparison
        is_floor = name == "empty view"
        shown = "empty Django view" if is_floor else f"{name} on a miss"
        is_judged = not is_floor
        found.append(
            Row(f"{shown}, median alone", alone[name].p50_ms, "ms", MEDIAN_MS if is_judged else None)
        )
        if name in loaded:
            p99_ms = loaded[name].p99_ms
            found.append(Row(f"{shown}, p99 at 16 connections", p99_ms, "ms", P99_MS if is_judged else None))
    for name, load in alone.items():
        page = name.removesuffix(f", {few:,} results")
        if page != name:
            large = alone[f"{page}, {many:,} results"].p50_ms
            found.append(Row(f"{page}, {many:,} results, of {few:,}", large / load.p50_ms, limit=GROWTH))
    return found


def change_row(times_ms: list[float]) -> Row:
    return Row(
        "filtered leaderboard, first request after a submission, median",
        statistics.median(times_ms),
        "ms",
    )


def page_count(page: bytes) -> int:
    """The number of pages that the leaderboard states."""
    found = re.search(rb"Page 1 of (\d+)", page)
    return int(found[1]) if found else 1


def board_addresses(page_count: int) -> list[str]:
    """The first pages of the leaderboard, in ranking order and by other columns, in both directions."""
    sorts = ["", *(f"sort={sign}{key}" for key in SORTS for sign in ("", "-"))]
    pages = ["", *(f"page={number}" for number in range(2, min(PAGES, page_count) + 1))]
    queries = ("&".join(filter(None, (sort, page))) for sort in sorts for page in pages)
    return [f"/leaderboard/?{query}".rstrip("?") for query in queries]


def linked_addresses(site: str, lists: Iterable[str], what: str) -> list[str]:
    """The first MAX_LINKED drives or products that these pages link to; BenchmarkError if there are none."""
    found: dict[str, None] = {}
    for page in lists:
        links = re.findall(_LINKS[what], fetch(f"{site}{page}").decode())
        found.update(dict.fromkeys(links))
        if len(found) >= MAX_LINKED:
            break
    if not found:
        raise BenchmarkError(f"the lists have no {what}")
    return list(found)[:MAX_LINKED]


def heaviest_device(data: DataSet) -> tuple[str, int]:
    """The page and the number of results of the device with the most results."""
    with psycopg.connect(data.environment["DATABASE_URL"]) as connection:
        found = connection.execute(_HEAVIEST).fetchone()
    if found is None:
        raise BenchmarkError("nothing is ranked")
    return found[0], int(found[1])


def first_requests_ms(port: int) -> list[float]:
    """Milliseconds that a filtered leaderboard takes right after a submission, over one connection."""
    sender, times = Sender(port), []
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number in range(CHANGES):
        sender.submit(NEW_MODELS[number % len(NEW_MODELS)])
        began = time.perf_counter()
        connection.request("GET", f"/leaderboard/?{FILTERS[number % len(FILTERS)]}")
        answer = connection.getresponse()
        answer.read()
        times.append((time.perf_counter() - began) * 1000)
        if answer.status != http.client.OK:
            raise BenchmarkError(f"a filtered leaderboard was answered with {answer.status}")
    return times[CHANGES // 10 :]
