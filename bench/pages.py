"""The page cache beside its floors: nginx with a static file of the same size, and an empty Django view.

The page cache answers by itself and behind the project's own proxy, which keeps pages too.

All of them answer in one run, in turns, so that the ratios hold whatever else the machine does.
"""

import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.error import URLError
from urllib.request import Request, urlopen

from slogdb.local.process import Process, Program
from slogdb.local.stack import throwaway_stack

CONNECTIONS = 16
SECONDS = 2
ROUNDS = 7
RESULTS = 5000
RESULTS_A_DEVICE = 25
MOST_DEVICES = 20_000
POSTGRES_SETTINGS = {"shared_buffers": "512MB"}  # as docker-compose.yml has it
PAGE = "/leaderboard/"
REQUIRED_TOOLS = ("wrk", "nginx")
FIRST = "leaderboard, made anew"
FAR = "leaderboard, pages in the middle, made anew"
BROTLI = "Accept-Encoding: br"
MOST_ADDRESSES = 200  # of devices
PAGES = 8  # all that 400 devices fill, those of 10,000 results: the same pages at every size
_DEVICE_LINK = re.compile(rb'href="(/devices/[^"/?]+/)')
_SORTS = ("device", "interval", "zil_latency", "latency_4k", "throughput_128k", "peak_throughput", "n_units")
CONFIGURATION = Path(__file__).parents[1] / "deploy" / "nginx" / "nginx.conf"
WITHOUT_TLS = r"^\s*ssl_.*\n| ssl http2"
EVERY_REQUEST_KEPT = "keepalive_requests 1000000;"  # wrk opens its connections once


@dataclass(frozen=True, slots=True)
class Item:
    """Something that answers requests: its name in the table, its address, and what is sent along."""

    name: str
    url: str
    header: str = ""
    script: Path | None = None  # of wrk, where several addresses are asked for in turn
    is_compressed: bool = False  # and so stands beside nginx with as many bytes


def main(arguments: Sequence[str]) -> int:
    """`arguments`: of how many made-up results the pages are, if not RESULTS; of several, what more of them cost."""
    counts = [int(count) for count in arguments] or [RESULTS]
    missing = [tool for tool in REQUIRED_TOOLS if shutil.which(tool) is None]
    if missing:
        sys.stderr.write(
            f"this benchmark needs {' and '.join(missing)} (Debian: apt-get install wrk nginx-light)\n"
        )
        return 2
    found = {count: _run(count) for count in counts}
    if len(found) > 1:
        sys.stdout.write(f"\n{growth_table(found)}")
    return 0


def _run(count: int) -> dict[str, float]:
    """Measure pages of that many results, print the table, and give the rates by name, the empty view's last."""
    with ExitStack() as ending:
        environment = ending.enter_context(throwaway_stack(**POSTGRES_SETTINGS))
        folder = Path(ending.enter_context(TemporaryDirectory(prefix="slogdb-bench-")))
        folder.chmod(0o755)  # nginx's workers are another user
        _prepare({**environment, "SLOGDB_STATIC_ROOT": str(folder / "static")}, count)
        items = ending.enter_context(_serving(environment, folder))
        measured = _measure(items)
        sys.stdout.write(f"{count:,} made-up results\n\n{_table(items, measured)}\n")
        sys.stdout.flush()
    return {name: statistics.median(rate for rate, _ in rounds) for name, rounds in measured.items()}


def growth_table(found: Mapping[int, Mapping[str, float]]) -> str:
    """How many times as long what is made anew takes with the most results as with the fewest.

    `found` has rates by name, the empty view's last, by number of results. Each is held against the empty view of
    its own run, as the machine may have been faster in one. Far pages, where there are any, stand beside the first
    ones of the fewest results.
    """
    few, many = (found[count] for count in (min(found), max(found)))
    lines = [
        f"| of the empty view | {min(found):,} results | {max(found):,} results | times as long |",
        "|---|---:|---:|---:|",
    ]
    for name in [name for name in many if name.endswith("made anew")]:
        before, after = (
            rates[asked] / list(rates.values())[-1]
            for rates, asked in ((few, name if name in few else FIRST), (many, name))
        )
        lines.append(f"| {name} | {before:.3f} | {after:.3f} | {before / after:.2f} |")
    return "\n".join(lines) + "\n"


def _prepare(environment: Mapping[str, str], count: int = RESULTS) -> None:
    for command in (
        ["migrate", "-v0"],
        ["make_results", str(count), "--devices", str(devices_to_draw(count))],
        ["collectstatic", "--noinput", "-v0"],
    ):
        subprocess.run(  # noqa: S603 - the project's own commands
            [sys.executable, "manage.py", *command], env=environment, check=True, stdout=subprocess.DEVNULL
        )


def devices_to_draw(count: int) -> int:
    """Ever more of them, but not more than there may be one day: 20,000 of a million results."""
    return max(1, min(count // RESULTS_A_DEVICE, MOST_DEVICES))


@contextmanager
def _serving(environment: Mapping[str, str], folder: Path) -> Iterator[list[Item]]:
    """The site, the empty view and nginx, each on a port of its own."""
    site, plain, floor, static, proxy = (_free_port() for _ in range(5))
    settings = {**environment, "SLOGDB_STATIC_ROOT": str(folder / "static"), "SLOGDB_LOG_LEVEL": "ERROR"}
    with ExitStack() as ending:
        for name, port, target, module in (
            ("site", site, "slogdb.wsgi:application", "slogdb.settings"),
            ("plain", plain, "slogdb.wsgi:django_application", "slogdb.settings"),
            ("empty view", floor, "bench.empty_site.wsgi:application", "bench.empty_site.settings"),
        ):
            own = {**settings, "DJANGO_SETTINGS_MODULE": module}
            ending.enter_context(_running(_granian(name, port, target, environment=own, folder=folder)))
        page_url = f"http://127.0.0.1:{site}{PAGE}"
        body, etag = _fetch(page_url)
        boards = board_addresses(_page_count(body))
        far = far_board_addresses(_page_count(body))
        known = device_addresses(lambda path: _fetch(f"http://127.0.0.1:{site}{path}")[0], boards)
        asked = {
            name: write_script(folder / f"{name}.lua", addresses)
            for name, addresses in (("boards", boards), ("far", far), ("devices", known))
        }
        packed, _ = _fetch(page_url, BROTLI)
        (folder / "page.html").write_bytes(body)
        (folder / "page.br").write_bytes(packed)
        ending.enter_context(_running(static_nginx(static, folder, is_ready=_answers(static))))
        ending.enter_context(
            _running(
                proxy_nginx(
                    proxy, site, folder, is_ready=_answers(proxy), inside=_free_port(), plain=_free_port()
                )
            )
        )
        yield [
            Item(f"nginx, static file of {len(body):,} bytes", f"http://127.0.0.1:{static}/page.html"),
            Item(
                f"nginx, static file of {len(packed):,} bytes",
                f"http://127.0.0.1:{static}/page.br",
                is_compressed=True,
            ),
            Item("leaderboard from the proxy's cache", f"http://127.0.0.1:{proxy}{PAGE}"),
            Item("leaderboard from the page cache", page_url),
            Item("leaderboard from the page cache, brotli", page_url, BROTLI, is_compressed=True),
            Item("leaderboard, not changed (304)", page_url, f"If-None-Match: {etag}"),
            Item(FIRST, f"http://127.0.0.1:{plain}", script=asked["boards"]),
            *([Item(FAR, f"http://127.0.0.1:{plain}", script=asked["far"])] if far else []),
            Item("device, made anew", f"http://127.0.0.1:{plain}", script=asked["devices"]),
            Item("empty Django view", f"http://127.0.0.1:{floor}/"),
        ]


def _page_count(page: bytes) -> int:
    """How many pages a page of the leaderboard says there are."""
    found = re.search(rb"Page 1 of (\d+)", page)
    return int(found[1]) if found else 1


def _granian(name: str, port: int, target: str, *, environment: Mapping[str, str], folder: Path) -> Program:
    options = ["--interface", "wsgi", "--port", str(port), "--workers", "2", "--blocking-threads", "1"]
    return Program(
        name=name,
        command=[sys.executable, "-m", "granian", *options, "--log-level", "warning", target],
        log=folder / f"{port}.log",
        environment=environment,
        is_ready=_answers(port),
    )


@contextmanager
def _running(program: Program) -> Iterator[None]:
    process = Process(program)
    try:
        process.wait_until_ready()
        yield
    finally:
        process.stop()


def _answers(port: int) -> Callable[[], bool]:
    def is_ready() -> bool:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return True
        except OSError:
            return False

    return is_ready


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _fetch(url: str, header: str = "") -> tuple[bytes, str]:
    headers = dict([header.split(": ")]) if header else {}
    try:
        with urlopen(Request(url, headers=headers), timeout=30) as response:  # noqa: S310 - our own address
            return response.read(), response.headers["ETag"]
    except URLError as error:
        raise SystemExit(f"{url} does not answer: {error}") from error


def _measure(items: list[Item]) -> dict[str, list[tuple[float, float]]]:
    """Requests a second and the 99th percentile in ms, a pair a round; rounds take turns over the items."""
    for item in items:
        _wrk(item, seconds=1)
    measured: dict[str, list[tuple[float, float]]] = {item.name: [] for item in items}
    for _ in range(ROUNDS):
        for item in items:
            measured[item.name].append(_wrk(item, seconds=SECONDS))
    return measured


def _wrk(item: Item, *, seconds: int) -> tuple[float, float]:
    header = ["-H", item.header] if item.header else []
    script = ["-s", str(item.script)] if item.script else []
    command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "--latency", *script, *header, item.url]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout  # noqa: S603 - as above
    rate, p99 = (
        re.search(r"Requests/sec:\s+([\d.]+)", printed),
        re.search(r"99%\s+([\d.]+)(us|ms|s)\b", printed),
    )
    if rate is None or p99 is None or "Non-2xx" in printed:
        raise SystemExit(f"{item.name} did not answer as it should:\n{printed}")
    scale = {"us": 0.001, "ms": 1.0, "s": 1000.0}[p99[2]]
    return float(rate[1]), float(p99[1]) * scale


def _table(items: Sequence[Item], measured: Mapping[str, list[tuple[float, float]]]) -> str:
    medians = {name: statistics.median(rate for rate, _ in rounds) for name, rounds in measured.items()}
    static = {one.is_compressed: medians[one.name] for one in items if one.name.startswith("nginx")}
    empty = medians[items[-1].name]
    lines = [
        f"{CONNECTIONS} connections, {ROUNDS} rounds of {SECONDS} s in turns; requests a second, min / median / max",
        "",
        "| what answers | requests/s | p99 ms | of nginx | of the empty view |",
        "|---|---|---|---|---|",
    ]
    for item in items:
        median, rounds = medians[item.name], measured[item.name]
        p99 = statistics.median(latency for _, latency in rounds)
        rates = [rate for rate, _ in rounds]
        shown = " / ".join(f"{rate:,.0f}" for rate in (min(rates), median, max(rates)))
        of_nginx = median / static[item.is_compressed]
        lines.append(f"| {item.name} | {shown} | {p99:.1f} | {of_nginx:.2f} | {median / empty:.2f} |")
    return "\n".join(lines) + "\n"


def board_addresses(page_count: int) -> list[str]:
    """Addresses of the first PAGES pages in the order of the ranking and of other columns, forwards and backwards."""
    return _addresses(range(1, min(PAGES, page_count) + 1))


def far_board_addresses(page_count: int) -> list[str]:
    """The same of as many pages in the middle, behind the first; none where there are too few."""
    middle = (page_count - PAGES) // 2 + 1
    return _addresses(range(middle, middle + PAGES)) if middle > PAGES else []


def _addresses(numbers: Iterable[int]) -> list[str]:
    pages = ["" if number == 1 else f"page={number}" for number in numbers]
    sorts = ["", *(f"sort={sign}{key}" for key in _SORTS for sign in ("", "-"))]
    queries = ("&".join(filter(None, (sort, page))) for sort in sorts for page in pages)
    return [f"/leaderboard/?{query}".rstrip("?") for query in queries]


def device_addresses(fetch: Callable[[str], bytes], boards: Iterable[str]) -> list[str]:
    """The first MOST_ADDRESSES devices that these pages link to; raises SystemExit where there is none."""
    found: dict[str, None] = {}
    for board in boards:
        found.update(dict.fromkeys(link.decode() for link in _DEVICE_LINK.findall(fetch(board))))
        if len(found) >= MOST_ADDRESSES:
            break
    if not found:
        raise SystemExit("no device stands on the leaderboard")
    return list(found)[:MOST_ADDRESSES]


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


def static_nginx(port: int, folder: Path, *, is_ready: Callable[[], bool]) -> Program:
    """Files of `folder`, with nothing written down about who fetches them."""
    text = (
        f"daemon off; worker_processes 2; pid {folder}/nginx.pid; error_log {folder}/nginx.log;\n"
        "events { worker_connections 256; }\n"
        f"http {{ access_log off; sendfile on; {EVERY_REQUEST_KEPT} open_file_cache max=10;\n"
        f"  server {{ listen 127.0.0.1:{port}; root {folder}; }} }}\n"
    )
    return _nginx("nginx", text, folder, is_ready=is_ready)


def proxy_nginx(
    port: int, site: int, folder: Path, *, is_ready: Callable[[], bool], inside: int, plain: int
) -> Program:
    """The proxy of deploy/, access log and all, but without TLS, as the static file beside it is."""
    places = {
        "/tmp/": f"{folder}/proxy/",  # noqa: S108 - the container's own
        "/dev/stdout": f"{folder}/proxy/access.log",
        "/dev/stderr": f"{folder}/proxy/error.log",
        "web:8000": f"127.0.0.1:{site}",
        "127.0.0.1:8081": f"127.0.0.1:{inside}",
        "listen 8080": f"listen 127.0.0.1:{plain}",
        "listen 8443": f"listen 127.0.0.1:{port}",
        "keepalive_timeout 30s;": f"keepalive_timeout 30s; {EVERY_REQUEST_KEPT}",
    }
    (folder / "proxy").mkdir()
    text = re.sub(WITHOUT_TLS, "", CONFIGURATION.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return _nginx("proxy", f"daemon off;\nuser root;\n{placed(text, places)}", folder, is_ready=is_ready)


def placed(text: str, places: Mapping[str, str]) -> str:
    """The configuration with this machine's places and ports; ValueError when it names one of them nowhere."""
    missing = [theirs for theirs in places if theirs not in text]
    if missing:
        raise ValueError(f"the proxy's configuration does not name {', '.join(missing)}")
    pattern = re.compile("|".join(re.escape(theirs) for theirs in sorted(places, key=len, reverse=True)))
    return pattern.sub(lambda found: places[found[0]], text)


def _nginx(name: str, text: str, folder: Path, *, is_ready: Callable[[], bool]) -> Program:
    configuration = folder / f"{name}.conf"
    configuration.write_text(text, encoding="utf-8")
    return Program(
        name=name,
        command=["nginx", "-p", str(folder), "-c", str(configuration)],
        log=folder / f"{name}-start.log",
        environment={"PATH": "/usr/sbin:/usr/bin:/bin"},
        is_ready=is_ready,
    )
