"""The containers' own commands and the proxy's own configuration, run without containers on a throwaway database."""

import contextlib
import http.client
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import psycopg
from redis import Redis
from redis.exceptions import RedisError

from bench.pages import placed
from slogdb.local.stack import valkey_server
from tests.collected import put_static_files
from tests.deploy.compose import GIVEN, ROOT, services
from tests.migrated import shipped_template
from tests.plugins.site import free_port

DOMAIN = GIVEN["SLOGDB_DOMAIN"]
DATABASE, SITE_ROLE = f"deployed_{os.getpid()}", f"slogdb_site_{os.getpid()}"
PATIENCE_S = 240
SERVICES = services(GIVEN)
TRUSTING = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
TRUSTING.check_hostname, TRUSTING.verify_mode = False, ssl.CERT_NONE


class Names:
    """A DNS server as Docker's: `web` has the addresses of the web servers that run at the moment."""

    def __init__(self) -> None:
        self.addresses: list[str] = []
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                query, sender = self._socket.recvfrom(512)
            except OSError:
                return
            self._socket.sendto(self._answer(query), sender)

    def _answer(self, query: bytes) -> bytes:
        """RFC 1035, 4.1: the question again, and an A record without a lifetime for each address."""
        question = query[12 : query.index(b"\0", 12) + 5]
        assert question.startswith(b"\x03web\0"), question
        addresses = list(self.addresses)
        flags = b"\x81\x80" if addresses else b"\x81\x83"  # there is no such name
        record = b"\xc0\x0c\0\x01\0\x01\0\0\0\0\0\x04"
        records = b"".join(record + socket.inet_aton(address) for address in addresses)
        return query[:2] + flags + b"\0\x01" + len(addresses).to_bytes(2) + b"\0\0\0\0" + question + records

    def close(self) -> None:
        self._socket.close()


class Deployed:
    """What docker-compose.yml runs, as processes of this machine.

    The web servers share a port, and each has an address of its own, as containers have.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names = Names()
        self.web: dict[str, subprocess.Popen[bytes]] = {}
        self._addresses = (f"127.0.0.{number}" for number in count(1))
        self._ending = ExitStack()
        self._running: list[subprocess.Popen[bytes]] = []
        self.web_port, self.http_port, self.https_port, self.inside_port = (free_port() for _ in range(4))
        self.queue_port = free_port()
        self.database_url = urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{DATABASE}").geturl()
        self._places = {
            "/data/": f"{folder}/data/",
            "/srv/": f"{folder}/srv/",
            "/deploy/": f"{folder}/",
            "@queue:6379": f"@127.0.0.1:{self.queue_port}",
            "proxy:8443": f"127.0.0.1:{self.https_port}",
        }
        for name in (
            "data/exports",
            "data/mail",
            "data/backups",
            "data/status",
            "srv/acme",
            "tls",
            "tmp",
            "queue",
        ):
            (folder / name).mkdir(parents=True)
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {DATABASE} TEMPLATE {shipped_template()}")
            connection.execute(f"DROP ROLE IF EXISTS {SITE_ROLE}")

    def url_of(self, user: str) -> str:
        """The throwaway database by the role that is called `user` in docker-compose.yml."""
        if user == "slogdb":
            return self.database_url
        there = urlsplit(self.database_url)
        account = f"{SITE_ROLE}:{GIVEN['POSTGRES_SITE_PASSWORD']}"
        return there._replace(netloc=f"{account}@{there.netloc.rpartition('@')[2]}").geturl()

    def environment(self, service: str) -> dict[str, str]:
        """What the service is told, with the places of this machine and the servers of the suite."""
        configured = {
            name: self._here(str(value)) for name, value in SERVICES[service]["environment"].items()
        }
        metrics = self.folder / "tmp" / f"metrics-{service}"
        metrics.mkdir(exist_ok=True)
        static = {"SLOGDB_STATIC_ROOT": f"{self.folder}/srv/static"}  # the image's own setting
        databases = {
            name: self.url_of(urlsplit(configured[name]).username or "")
            for name in ("DATABASE_URL", "DATABASE_SITE_URL")
            if name in configured
        }
        overrides = {**databases, **static, "PROMETHEUS_MULTIPROC_DIR": str(metrics)}
        secrets = {name: os.environ[name] for name in ("SLOGDB_SECRET_KEY", "SLOGDB_UNIT_KEY")}
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/sbin:/usr/bin:/bin",
            **configured,
            **overrides,
            **secrets,
        }

    def _here(self, text: str) -> str:
        for place, here in self._places.items():
            text = text.replace(place, here)
        return text

    def run(self, service: str, *changes: tuple[str, str], **more: str) -> subprocess.Popen[bytes]:
        """Start the service's own command; `changes` replace words of it."""
        replaced = dict(changes)
        words = [self._here(replaced.get(word, word)) for word in SERVICES[service]["command"]]
        if words[0] == "python":
            words[0] = sys.executable
        with (self.folder / f"{service}.log").open("ab") as log:
            environment = {**self.environment(service), **more}
            process = subprocess.Popen(
                words, cwd=ROOT, env=environment, stdout=log, stderr=log, start_new_session=True
            )
        self._ending.callback(end, process)
        self._running.append(process)
        return process

    def start_web(self, *, processes: int = 1) -> str:
        """Another one, whose address is in the DNS at once, as with Docker; it is ready seconds later."""
        address = next(self._addresses)
        metrics = self.folder / "tmp" / f"metrics-{address}"
        metrics.mkdir()
        self.names.addresses.append(address)
        self.web[address] = self.run(
            "web",
            ("--port=8000", f"--port={self.web_port}"),
            ("--host=0.0.0.0", f"--host={address}"),
            ("--workers=2", f"--workers={processes}"),
            PROMETHEUS_MULTIPROC_DIR=str(metrics),
        )
        return address

    def wait_for_web(self, *addresses: str) -> None:
        """By the container's own check of its health."""
        for address in addresses:
            change, host = ("127.0.0.1:8000", f"{address}:{self.web_port}"), ("--header", "Host: 127.0.0.1")
            wait_until(lambda change=change, host=host: self.probe("web", change, *host), self.logs)

    def end_web(self, address: str) -> None:
        end(self.web.pop(address))
        self.names.addresses.remove(address)

    def probe(self, service: str, change: tuple[str, str] = ("", ""), *more: str) -> bool:
        """Run the container's own health check, with the one word of it that differs here."""
        kind, *words = (word.replace(*change) for word in SERVICES[service]["healthcheck"]["test"])
        words = ["sh", "-c", words[0].replace("$$", "$")] if kind == "CMD-SHELL" else [*words, *more]
        done = subprocess.run(words, cwd=ROOT, env=self.environment(service), capture_output=True)
        return done.returncode == 0

    def start_queue(self) -> None:
        """By the container's own command and script, with a place and a port of this machine."""
        script = (ROOT / "deploy" / "valkey" / "start.sh").read_text()
        (self.folder / "start.sh").write_text(placed(script, {"/tmp/": f"{self.folder}/tmp/"}))  # noqa: S108
        service = SERVICES["queue"]
        words = [self._here(word) for word in service["command"]]
        here = ["--bind", "127.0.0.1", "--port", str(self.queue_port), "--dir", str(self.folder / "queue")]
        path = f"{Path(valkey_server()).parent}:/usr/bin:/bin"
        with (self.folder / "queue.log").open("ab") as log:
            process = subprocess.Popen(
                [*words, *here],
                env={"PATH": path, **service["environment"]},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._ending.callback(end, process)
        wait_until(lambda: self.queue().ping(), self.logs)

    def queue(self, **others: str) -> Redis:
        """A connection as the site has it, or as somebody else."""
        url = urlsplit(self._here(SERVICES["web"]["environment"]["REDIS_URL"]))
        account = {"username": url.username or "", "password": url.password or ""}
        return Redis(port=self.queue_port, **(account | others))

    def put_static(self) -> None:
        """Where the image has it, and an empty volume for what the setup copies of it."""
        put_static_files(self.folder / "srv" / "static")
        (self.folder / "data" / "static").mkdir()

    def start_proxy(self) -> None:
        tls = self.folder / "tls"
        key, certificate = tls / "privkey.pem", tls / "fullchain.pem"
        subject = ["-subj", f"/CN={DOMAIN}", "-days", "2", "-keyout", str(key), "-out", str(certificate)]
        subprocess.run(
            [shutil.which("openssl") or "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", *subject],
            check=True,
            capture_output=True,
        )
        path = self.folder / "nginx.conf"
        path.write_text(self.proxy_configuration())
        command = [shutil.which("nginx") or "/usr/sbin/nginx", "-c", str(path), "-p", str(self.folder)]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        with (self.folder / "proxy.log").open("ab") as log:
            process = subprocess.Popen(
                [*command, "-g", "daemon off;"], stdout=log, stderr=log, start_new_session=True
            )
        self._ending.callback(end, process)
        wait_until(lambda: self.get("/healthz").status, self.logs)

    def proxy_configuration(self) -> str:
        """The project's own, with this machine's ports and places and nothing else changed."""
        text = (ROOT / "deploy" / "nginx" / "nginx.conf").read_text()
        places = {
            "/etc/nginx/tls/": f"{self.folder}/tls/",
            "/tmp/": f"{self.folder}/tmp/",  # noqa: S108 - the container's own
            "/dev/stdout": f"{self.folder}/access.log",
            "/dev/stderr": f"{self.folder}/error.log",
            "/srv": f"{self.folder}/srv",
            "web:8000": f"web:{self.web_port}",
            "resolver 127.0.0.11": f"resolver 127.0.0.1:{self.names.port}",
            "127.0.0.1:8081": f"127.0.0.1:{self.inside_port}",
            "listen 8080": f"listen 127.0.0.1:{self.http_port}",
            "listen 8443": f"listen 127.0.0.1:{self.https_port}",
            "[::]:8080": f"[::1]:{self.http_port}",
            "[::]:8443": f"[::1]:{self.https_port}",
        }
        text = placed(text, places)
        if not has_ipv6():
            text = re.sub(r"^\s*listen \[::1\].*\n", "", text, flags=re.MULTILINE)
        return f"user root;\n{text}" if os.geteuid() == 0 else text

    def get(
        self,
        path: str,
        *,
        method: str = "GET",
        body: bytes | None = None,
        host: str = "127.0.0.1",
        source: str = "",
        **headers: str,
    ) -> Any:
        """The proxy's answer over TLS to a client at `source`, its body read."""
        address = (source, 0) if source else None
        connection = http.client.HTTPSConnection(
            host, self.https_port, context=TRUSTING, timeout=60, source_address=address
        )
        return _answer(connection, path, method, body, {"Host": DOMAIN, **headers})

    def send(self, body: bytes, **where: str) -> Any:
        """The same for a text that is sent to the API."""
        return self.get("/api/v1/submissions/", method="POST", body=body, Content_Type="text/plain", **where)

    def plain(self, port: int, path: str, host: str = "127.0.0.1", **headers: str) -> Any:
        return _answer(http.client.HTTPConnection(host, port, timeout=60), path, "GET", None, headers)

    def inside(self, path: str, **headers: str) -> Any:
        """What a web server answers to its neighbors."""
        return self.plain(self.web_port, path, next(iter(self.web)), Host="127.0.0.1", **headers)

    def logs(self) -> str:
        return "\n".join(
            f"{path.name}:\n{path.read_text()[-2000:]}" for path in sorted(self.folder.glob("*.log"))
        )

    def end(self) -> None:
        for process in self._running:
            process.terminate()  # all at once; each is waited for below
        self._ending.close()
        self.names.close()
        with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
            connection.execute(f"DROP ROLE IF EXISTS {SITE_ROLE}")
        shutil.rmtree(self.folder, ignore_errors=True)


def _answer(
    connection: http.client.HTTPConnection,
    path: str,
    method: str,
    body: bytes | None,
    headers: dict[str, str],
) -> Any:
    with contextlib.closing(connection):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=named)
        answer = connection.getresponse()
        answer.body = answer.read()
    return answer


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as listener:
            listener.bind(("::1", 0))
    except OSError:
        return False
    return True


def end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def wait_until(is_so: Callable[[], object], logs: Callable[[], str]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            if is_so():
                return
        except (OSError, http.client.HTTPException, RedisError):
            pass
        assert time.monotonic() < deadline, logs()
        time.sleep(0.2)
