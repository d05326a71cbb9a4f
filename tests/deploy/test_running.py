"""What the containers run, run: the very commands, settings and proxy configuration, without containers."""

import http.client
import json
import re
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, closing, contextmanager
from itertools import count
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
from redis.exceptions import AuthenticationError, NoPermissionError, ResponseError

from tests import pastes
from tests.deploy.compose import ROOT
from tests.deploy.site import DOMAIN, SITE_ROLE, TRUSTING, Deployed, has_ipv6, wait_until
from tests.plugins.site import free_port

PUBLIC, NOT_KEPT = "/leaderboard/", "/submit/"
READERS = 2


@pytest.fixture(scope="module")
def metrics_port():
    """Of the worker."""
    return free_port()


@pytest.fixture(scope="module")
def deployed(metrics_port):
    """With two web servers, which the proxy finds although it started first; one has two processes."""
    site = Deployed(Path(tempfile.mkdtemp(prefix="slogdb-deployed-")))
    try:
        site.put_static()
        site.start_queue()
        assert site.run("setup").wait(240) == 0, site.logs()
        site.start_proxy()
        check_that_nobody_answers(site)
        site.run("worker", SLOGDB_WORKER_METRICS_PORT=str(metrics_port))
        site.run("beat", ("--schedule=/tmp/beat-schedule", f"--schedule={site.folder}/beat-schedule"))
        site.wait_for_web(site.start_web(processes=2), site.start_web())
        wait_until(lambda: site.get(NOT_KEPT).status == 200, site.logs)
        yield site
    finally:
        site.end()


def check_that_nobody_answers(site):
    away = site.get(NOT_KEPT)
    assert (away.status, away.headers["Retry-After"]) == (503, "10")
    assert "Try again in a few seconds" in away.body.decode()
    assert away.headers.get_all("Content-Security-Policy") == ["default-src 'none'"]


def log_of(site, name, request_id):
    lines = (site.folder / name).read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{") and request_id in line]


def test_the_site_answers_over_tls_and_leads_to_it(deployed):
    page = deployed.get("/")
    assert page.status == 200
    assert "max-age=31536000" in page.headers["Strict-Transport-Security"]
    assert "preload" not in page.headers["Strict-Transport-Security"]
    led = deployed.plain(deployed.http_port, "/leaderboard/?class=nvme", Host=DOMAIN)
    assert (led.status, led.headers["Location"]) == (301, f"https://{DOMAIN}/leaderboard/?class=nvme")
    assert deployed.get("/", Host="evil.example").status == 400


def test_a_public_page_is_kept_by_the_proxy_and_its_etag_honored(deployed):
    path = "/guide/safety/"
    answers = [deployed.get(path)]
    wait_until_kept(deployed, path, answers)
    first, *_, cached = answers
    assert (first.status, cached.status, first.body) == (200, 200, cached.body)
    assert "s-maxage=5" in cached.headers["Cache-Control"]
    same = deployed.get(path, If_None_Match=first.headers["ETag"])
    assert (same.status, same.body) == (304, b"")


def wait_until_kept(deployed, path, answers):
    """Ask until the proxy has the page; the answers are added to those that there are."""

    def is_kept():
        answers.append(deployed.get(path))
        return answers[-1].headers["X-Proxy-Cache"] == "HIT"

    wait_until(is_kept, deployed.logs)


def test_each_encoding_is_kept_apart_however_browsers_word_it(deployed):
    path = "/about/"
    for accepted, encoding in {
        "": None,
        "gzip, deflate": "gzip",
        "gzip, deflate, br, zstd": "br",
        "br;q=0, gzip": "gzip",
    }.items():
        page = deployed.get(path, Accept_Encoding=accepted)
        assert (page.status, page.headers["Content-Encoding"]) == (200, encoding), accepted
        assert page.headers["ETag"].endswith(f'-{encoding or "identity"}"')


@pytest.mark.parametrize(
    ("path", "accept"),
    [
        ("/leaderboard.csv", "*/*"),
        ("/api/v1/products/?page_size=500&format=csv", "*/*"),
        ("/api/v1/products/", "application/x-ndjson"),
    ],
)
def test_csv_and_ndjson_are_compressed_for_browsers(deployed, path, accept):
    answer = deployed.get(path, Accept=accept, Accept_Encoding="gzip, deflate, br, zstd")
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")


def test_what_is_somebodys_own_is_not_kept(deployed):
    for path in ("/submit/", "/account/login/", "/healthz"):
        for _ in range(2):
            assert deployed.get(path).headers["X-Proxy-Cache"] in {"MISS", "BYPASS", None}, path
    for _ in range(2):
        answer = deployed.get("/api/v1/leaderboard/", Authorization=f"Bearer slogdb_{'0' * 40}")
        assert (answer.status, answer.headers["X-Proxy-Cache"]) == (401, "BYPASS")


def test_other_authorization_headers_do_not_go_round_the_proxys_cache(deployed):
    for path, header in {
        "/guide/questions/": f"Bearer slogdb_{'0' * 40}",  # pages have no keys
        "/api/v1/grid-remarks/": "Bearer nobody",
    }.items():
        wait_until_kept(deployed, path, [])
        answer = deployed.get(path, Authorization=header)
        assert (answer.status, answer.headers["X-Proxy-Cache"]) == (200, "HIT")


def test_a_flood_of_one_address_is_refused_even_from_the_cache(deployed):
    """Two hundred at once are answered, and twenty a second; another address is not concerned."""
    answers = []
    with closing(
        http.client.HTTPSConnection(
            "127.0.0.1", deployed.https_port, context=TRUSTING, timeout=60, source_address=("127.0.0.9", 0)
        )
    ) as flooding:
        for _ in range(600):
            flooding.request("GET", "/robots.txt", headers={"Host": DOMAIN})
            answer = flooding.getresponse()
            answer.read()
            answers.append(answer)
    statuses = [other.status for other in answers]
    assert statuses[:200] == [200] * 200
    assert statuses[-1] == 429
    assert answers[-1].headers["Retry-After"] == "1"
    assert deployed.get("/robots.txt").status == 200


def test_what_was_said_to_one_sender_is_not_kept_for_the_next(deployed):
    """Each web process makes the page once, and says so; what they have then is kept by the proxy."""
    path = "/api/v1/results/?method=fio"  # that no other test asks for
    answers = []
    wait_until_kept(deployed, path, answers)
    assert "RateLimit" in answers[0].headers
    assert "RateLimit" not in answers[-1].headers


def test_a_body_that_is_too_large_stops_at_the_proxy(deployed):
    limit = re.search(r"client_max_body_size (\d+)m;", deployed.proxy_configuration())
    size = int(limit[1]) * 1024 * 1024
    too_large, large = deployed.send(b"x" * (size + 1)), deployed.send(b"x" * (size - 10))
    assert (too_large.status, large.status) == (413, 413)
    assert b"512 KiB" in large.body  # this one is the site's own


def test_every_answer_has_the_security_headers_once(deployed):
    """Those of the site, from its processes and from the proxy's cache, and those that the proxy makes itself."""
    [style, *_] = re.findall(r'href="(/static/[^"]+\.css)"', deployed.get("/").body.decode())
    paths = (PUBLIC, PUBLIC, "/nowhere/", "/metrics", "/api/v1/classes/", style, "/static/none.css")
    answers = [deployed.get(path) for path in paths]
    answers.append(deployed.get("/submit/", method="POST", body=b"x" * 13_000_000, Content_Type="text/plain"))
    answers.append(deployed.get("/", Content_Length="nonsense"))
    assert [answer.status for answer in answers] == [200, 200, 404, 404, 200, 200, 404, 413, 400]
    for answer in answers:
        for name in (
            "Strict-Transport-Security",
            "X-Content-Type-Options",
            "X-Frame-Options",
            "Referrer-Policy",
            "Content-Security-Policy",
        ):
            assert len(answer.headers.get_all(name, [])) == 1, (answer.status, name)
        assert answer.headers["Strict-Transport-Security"] == "max-age=31536000; includeSubDomains"
    assert "Strict-Transport-Security" not in deployed.plain(deployed.http_port, "/").headers


def test_tls_has_forward_secrecy_and_authenticated_encryption(deployed):
    """Each cipher suite of this machine's OpenSSL is offered alone."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.set_ciphers("ALL:COMPLEMENTOFALL:@SECLEVEL=0")
    suites = {cipher["name"] for cipher in context.get_ciphers() if cipher["protocol"] != "TLSv1.3"}
    taken = {name for name in suites if shakes_hands(deployed, ssl.TLSVersion.TLSv1_2, name)}
    assert taken == {
        f"ECDHE-RSA-{name}" for name in ("AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305")
    }
    assert len(suites) > 50
    assert shakes_hands(deployed, ssl.TLSVersion.TLSv1_3, "ALL")


def shakes_hands(site, version, suites):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_ciphers(f"{suites}:@SECLEVEL=0")
    context.minimum_version = context.maximum_version = version
    with socket.create_connection(("127.0.0.1", site.https_port), timeout=30) as plain:
        try:
            context.wrap_socket(plain).close()
        except (ssl.SSLError, ConnectionError):
            return False
    return True


def test_slow_senders_hold_up_nobody(deployed):
    """Twenty of them, and three processes that answer one request each; others don't wait until nginx ends them."""
    head = f"POST /api/v1/submissions/ HTTP/1.1\r\nHost: {DOMAIN}\r\nContent-Length: 500\r\n\r\nx".encode()
    senders = []
    with ExitStack() as ending:
        for _ in range(20):
            plain = ending.enter_context(
                socket.create_connection(("127.0.0.1", deployed.https_port), timeout=30)
            )
            senders.append(ending.enter_context(TRUSTING.wrap_socket(plain, server_hostname=DOMAIN)))
            senders[-1].sendall(head)
        assert all(deployed.get("/submit/").status == 200 for _ in range(5))
        sent = deployed.send(pastes.diskinfo(description="ATA BESIDE", ident="ABCD78").encode())
        assert sent.status == 201
        for sender in senders:
            sender.setblocking(False)
            with pytest.raises(ssl.SSLWantReadError):  # it is neither answered nor cut off yet
                sender.recv(1)


def test_a_paste_goes_through_and_is_seen_through_the_proxy(deployed):
    """Its processes have the page as it was before open, and none sends that any more."""
    path = "/api/v1/results/"
    for _ in range(10):
        deployed.get(path)
    sent = deployed.send(pastes.FIRST_PASTE.encode())
    assert sent.status == 201
    ids = [load["id"] for load in json.loads(sent.body)["results"]]
    wait_until(lambda: ids[0] in deployed.get(path).body.decode(), deployed.logs)
    assert all(ids[0] in deployed.get(path).body.decode() for _ in range(10))


def test_only_the_proxys_word_is_taken_for_who_asks(deployed):
    """A sender who makes up an X-Forwarded-For spends the allowance of the real address all the same."""
    counts = [left(deployed, X_Forwarded_For=f"192.0.2.{number}") for number in range(4)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] <= counts[0] - 2


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
def test_a_visitor_by_ipv6_has_an_allowance_of_their_own(deployed):
    """Not one shared with whoever passes the request on."""
    by_ipv4 = [left(deployed) for _ in range(3)]
    assert left(deployed, host="::1") > by_ipv4[-1]


def left(deployed, **where):
    """What a sender may still send."""
    return int(re.search(r"r=(\d+)", deployed.send(b"no run", **where).headers["RateLimit"])[1])


def test_request_ids_are_the_proxys_and_go_through_to_the_log(deployed):
    answer = deployed.get("/account/login/", X_Request_ID="made-up-by-a-sender")
    name = answer.headers["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", name)
    assert answer.headers.get_all("X-Request-ID") == [name]
    wait_until(
        lambda: log_of(deployed, "web.log", name) and log_of(deployed, "access.log", name), deployed.logs
    )
    (line,) = log_of(deployed, "web.log", name)
    assert (line["view"], line["code"]) == ("account_login", 200)
    assert "127.0.0.1" not in (deployed.folder / "access.log").read_text()


def test_what_is_for_the_operator_is_not_for_the_world(deployed):
    for path in ("/metrics", "/readyz"):
        assert deployed.get(path).status == 404
    assert deployed.inside("/metrics", X_Forwarded_For="127.0.0.1").status == 404
    assert deployed.inside("/metrics").status == 200
    missed = rb'slogdb_page_cache_requests_total\{outcome="miss"\} [1-9]'
    pages = (f"/search/?q={number}" for number in count())  # asked for by nobody before

    def is_counted():
        """By the one of the web servers that we ask, as soon as a page is its."""
        deployed.get(next(pages))
        return re.search(missed, deployed.inside("/metrics").body)

    wait_until(is_counted, deployed.logs)
    assert deployed.plain(deployed.inside_port, "/up").status == 200


def test_metrics_know_when_the_certificate_expires(deployed):
    """The proxy of the tests has one for two days."""
    text = deployed.inside("/metrics").body.decode()
    left_s = float(re.search(r"^slogdb_certificate_left_seconds (\S+)", text, re.MULTILINE)[1])
    assert 47 * 3600 < left_s <= 48 * 3600


def test_security_txt_is_reachable(deployed):
    response = deployed.get("/.well-known/security.txt")
    assert response.status == 200
    assert f"Canonical: https://{DOMAIN}/.well-known/security.txt" in response.body.decode()


def test_static_files_come_from_the_proxy_for_good_and_compressed(deployed):
    page = deployed.get("/").body.decode()
    (path, *_) = re.findall(r'href="(/static/[^"]+\.css)"', page)
    answer = deployed.get(path, Accept_Encoding="gzip")
    assert (answer.status, answer.headers["Content-Encoding"]) == (200, "gzip")
    assert "immutable" in answer.headers["Cache-Control"]
    assert "X-Proxy-Cache" not in answer.headers
    module = re.search(r'src="(/static/[^"]+\.js)"', page)[1]
    assert "javascript" in deployed.get(module).headers["Content-Type"]
    assert deployed.get("/static/../manage.py").status in {400, 404}
    copied = deployed.folder / "data" / path.removeprefix("/")  # by the setup, for the proxy
    assert copied.is_file()


def test_worker_and_beat_do_their_work_and_are_seen_well(deployed, metrics_port):
    wait_until(lambda: worker_is_seen(deployed), deployed.logs)
    wait_until(lambda: b"slogdb_tasks_total{" in deployed.plain(metrics_port, "/").body, deployed.logs)
    schedule = ("/tmp/beat", f"{deployed.folder}/beat")  # noqa: S108 - the container's own
    wait_until(lambda: deployed.probe("beat", schedule), deployed.logs)
    assert deployed.probe("worker")
    wait_until(
        lambda: (deployed.folder / "data" / "exports" / "current" / "manifest.json").exists(), deployed.logs
    )
    manifest = deployed.get("/exports/manifest.json", Accept_Encoding="gzip, deflate, br")
    assert (manifest.status, manifest.headers["Content-Encoding"]) == (200, "gzip")


@pytest.mark.parametrize("service", ["web", "worker", "beat"])
def test_every_line_of_a_log_is_an_object(deployed, service):
    """But for Celery's warning of root, which no container runs as; Python's warnings have no formatter."""
    wait_until(lambda: worker_is_seen(deployed), deployed.logs)  # so that all have had something to log
    lines = (deployed.folder / f"{service}.log").read_text().splitlines()
    entries = [line for line in lines if not is_of_root(line)]
    assert [line for line in entries if not line.startswith("{")] == []
    assert all(json.loads(line)["level"] for line in entries)


def worker_is_seen(site):
    return b'"worker": "ok"' in site.get("/healthz").body


def is_of_root(line):
    parts = (
        "SecurityWarning",
        "absolutely not recommended",
        "--uid option",
        "User information",
        "_warn_or_raise",
    )
    return not line.strip() or any(part in line for part in parts)


def test_the_backup_job_makes_one_that_can_be_restored(deployed):
    deployed.run("backup")
    latest = deployed.folder / "data" / "backups" / "latest.json"
    wait_until(latest.exists, deployed.logs)
    age = rb"slogdb_backup_age_seconds [0-9]"
    wait_until(lambda: re.search(age, deployed.inside("/metrics").body), deployed.logs)
    assert deployed.probe("backup", ("/data/backups/latest.json", str(latest)))
    drill = subprocess.run(
        [sys.executable, "manage.py", "restore_drill"],
        cwd=ROOT,
        env=deployed.environment("backup"),
        capture_output=True,
        text=True,
    )
    assert "can be restored" in drill.stdout, drill.stderr
    assert f"The role {SITE_ROLE} can read and write the site's rows" in drill.stdout


def test_the_queue_is_for_the_sites_own_keys_alone(deployed):
    """With the site's password; what the worker does with it is tested above."""
    refused = (
        "FLUSHALL",
        "FLUSHDB",
        "CONFIG GET *",
        "KEYS *",
        "SCAN 0",
        "ACL LIST",
        "SHUTDOWN",
        "INFO",
        "MONITOR",
        "SCRIPT FLUSH",
        "FUNCTION FLUSH",
        "PUBSUB CHANNELS",
        "GET other:key",
        "SET other:key 1",
        "RENAME slogdb:data-version other:key",
        "PUBLISH other 1",
    )
    with deployed.queue() as queue:
        assert int(queue.get("slogdb:data-version")) > 1
        for words in refused:
            with pytest.raises(NoPermissionError):
                queue.execute_command(*words.split())
        with pytest.raises(ResponseError, match="No permissions"):
            queue.eval("return redis.call('GET', 'other:key')", 0)
    for others in ({"username": "", "password": ""}, {"username": "default"}, {"password": "wrong"}):
        with pytest.raises(AuthenticationError), deployed.queue(**others) as queue:
            queue.ping()


def test_the_sites_role_changes_no_tables_and_reads_no_passwords(deployed):
    """What web servers and workers connect by; all that they do in these tests they do with it."""
    environments = {name: deployed.environment(name) for name in ("web", "worker", "beat", "setup", "backup")}
    of_site, for_owner = deployed.url_of("slogdb_site"), deployed.url_of("slogdb")
    assert {name: found["DATABASE_URL"] for name, found in environments.items()} == {
        "web": of_site,
        "worker": of_site,
        "beat": of_site,
        "setup": for_owner,
        "backup": for_owner,
    }
    refused = (
        "CREATE TABLE more (id int)",
        "ALTER TABLE results_member ADD more int",
        "TRUNCATE results_member",
        "DROP TABLE results_member",
        "INSERT INTO django_migrations (app, name, applied) VALUES ('results', 'more', now())",
        "SELECT * FROM pg_authid",
        "CREATE ROLE more",
        "CREATE DATABASE more",
        "COPY results_member TO PROGRAM 'cat'",
        "SELECT pg_read_file('/etc/passwd')",
    )
    with psycopg.connect(of_site, autocommit=True) as connection:
        assert connection.execute("SELECT count(*) FROM results_member").fetchone()
        for statement in refused:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement)
    with psycopg.connect(for_owner) as connection:
        connection.execute("CREATE TABLE next_migration (id int)")
        readable = "SELECT has_table_privilege(%s, 'next_migration', 'SELECT, INSERT, UPDATE, DELETE')"
        assert connection.execute(readable, [SITE_ROLE]).fetchone() == (True,)
        stored = connection.execute(
            "SELECT rolpassword FROM pg_authid WHERE rolname = %s", [SITE_ROLE]
        ).fetchone()
        assert stored[0].startswith("SCRAM-SHA-256$")
        connection.rollback()


@contextmanager
def load(site):
    """Readers of cached pages, of others, and a sender; yields the count of each outcome."""
    is_over, outcomes = Event(), Counter()

    def repeat(outcome):
        number = 0
        while not is_over.is_set():
            number += 1
            try:
                outcomes[outcome(number)] += 1
            except (OSError, http.client.HTTPException) as error:
                outcomes[repr(error)] += 1

    def send(number):
        time.sleep(0.3)  # the allowance is 300 an hour
        return "sent", site.send(
            pastes.diskinfo(description="ATA REPLACED", ident=f"REPL{number}").encode()
        ).status

    def read(number):
        path = PUBLIC if number % 2 else NOT_KEPT
        source = f"127.{1 + number // 250 % 250}.{number % 250}.9"  # of another network, as reads are limited
        return path, site.get(path, source=source).status

    threads = [Thread(target=repeat, args=(what,)) for what in (send, *[read] * READERS)]
    for thread in threads:
        thread.start()
    try:
        yield outcomes
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def test_each_is_replaced_under_load_and_every_request_is_answered(deployed):
    deployed.wait_for_web(*(deployed.start_web() for _ in range(2 - len(deployed.web))))
    first, second = deployed.web
    with load(deployed) as outcomes:
        deployed.end_web(first)
        deployed.wait_for_web(deployed.start_web())
        time.sleep(2)  # longer than a name is valid
        deployed.end_web(second)
        before = outcomes["sent", 201]
        wait_until(lambda: outcomes["sent", 201] >= before + 3, deployed.logs)
    expected = {(PUBLIC, 200), (NOT_KEPT, 200), ("sent", 201)}
    assert set(outcomes) == expected, f"{outcomes}\n{deployed.logs()}"
    assert min(outcomes.values()) >= 10, outcomes


def test_without_any_of_them_cached_pages_are_shown_and_a_time_to_come_back(deployed):
    cached = deployed.get("/survey/").body
    for address in list(deployed.web):
        deployed.end_web(address)
    wait_until(
        lambda: deployed.get("/survey/").headers["X-Proxy-Cache"] in {"STALE", "UPDATING"}, deployed.logs
    )
    answers = [deployed.get("/survey/") for _ in range(5)]
    assert {(answer.status, answer.body) for answer in answers} == {(200, cached)}
    check_that_nobody_answers(deployed)
    deployed.wait_for_web(deployed.start_web())
    wait_until(lambda: deployed.get(NOT_KEPT).status == 200, deployed.logs)
