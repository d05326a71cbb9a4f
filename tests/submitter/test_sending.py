"""What travels, how the key travels, and what is said of the answer."""

import os
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest

from tests.submitter.machines import Machine, diskinfo_text, in_turn
from tests.submitter.servers import ANSWER, Server

KEY = "slogdb_Abc-123.xyz"


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "saved output.txt"
    path.write_text(diskinfo_text("/dev/da9"))
    return path


def send(machine: Machine, server: Server, saved: Path, *options: str, **settings: str):
    return machine.run("--server", server.url, "--yes", *options, "--no-run", str(saved), **settings)


def test_without_a_terminal_nothing_is_sent_unasked(linux_machine: Machine, server: Server, saved: Path):
    outcome = linux_machine.run("--server", server.url, "--no-run", str(saved))
    assert (outcome.status, server.requests) == (4, [])
    assert "--yes sends without asking" in outcome.err


def test_without_a_key_it_is_sent_anonymously(linux_machine: Machine, server: Server, saved: Path):
    assert send(linux_machine, server, saved).status == 0
    ((path, headers, _text),) = server.requests
    assert path == "/api/v1/submissions/"
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "Authorization" not in headers
    assert not linux_machine.wrote_to_a_disk


def test_the_key_goes_as_a_bearer_and_never_onto_a_command_line(
    linux_machine: Machine, server: Server, saved: Path
):
    linux_machine.tool("curl", f'env >"{linux_machine.folder}/env"\nexec {shutil.which("curl")} "$@"')
    outcome = send(linux_machine, server, saved, SLOGDB_KEY=KEY)
    assert outcome.status == 0, outcome
    assert server.requests[0][1]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in linux_machine.calls + outcome.out + outcome.err
    assert KEY not in (linux_machine.folder / "env").read_text()
    assert "curl" in linux_machine.calls


def test_the_key_can_stand_in_a_file(linux_machine: Machine, server: Server, saved: Path, tmp_path: Path):
    (tmp_path / "key").write_text(f"{KEY}\n")
    assert send(linux_machine, server, saved, "--key-file", str(tmp_path / "key")).status == 0
    assert server.requests[0][1]["Authorization"] == f"Bearer {KEY}"


@in_turn("key", ["a b", 'a"b', "a\nX-Other: 1", "a\\b"])
def test_a_key_can_add_no_header(linux_machine: Machine, server: Server, saved: Path, key: str):
    assert send(linux_machine, server, saved, SLOGDB_KEY=key).status == 2
    assert server.requests == []


def test_a_key_goes_over_no_open_line(linux_machine: Machine, saved: Path):
    linux_machine.tool("curl", "printf 000")
    for host in (
        "slogs.example",
        "127.0.0.1.slogs.example",
        "localhost.slogs.example:80",
        "127.slogs.example",
    ):
        asked = ("--server", f"http://{host}", "--yes", "--no-run", str(saved))
        outcome = linux_machine.run(*asked, SLOGDB_KEY=KEY)
        assert (outcome.status, "only sent over https" in outcome.err) == (2, True), host
        assert "curl" not in linux_machine.calls
    linux_machine.run(*asked)
    assert "curl" in linux_machine.calls


def test_several_files_are_one_text(linux_machine: Machine, server: Server, saved: Path, tmp_path: Path):
    (tmp_path / "more").write_text("Device Model:     INTEL SSDSC2BA400G3\nwithout an end of line")
    outcome = linux_machine.run(
        "--server", server.url, "--yes", "--no-run", str(saved), str(tmp_path / "more")
    )
    assert outcome.status == 0
    assert "Synchronous random writes" in server.text
    assert server.text.endswith("without an end of line\n")


@in_turn("types", ["n\n", "\n", "nonsense\n"])
def test_at_a_terminal_it_asks_before_it_sends(
    linux_machine: Machine, server: Server, saved: Path, types: str
):
    outcome = linux_machine.run("--server", server.url, "--no-run", str(saved), types=types)
    assert (outcome.status, server.requests) == (4, [])


@in_turn("last,place", [(4, "4 of 210"), (6, "4 to 6 of 210")])
def test_a_rank_is_told_in_words(linux_machine: Machine, server: Server, saved: Path, last: int, place: str):
    rank = {
        "device_class": "nvme",
        "board": "sync_write",
        "device_count": 210,
        "rank": 4,
        "first_possible": 4,
        "last_possible": last,
        "leaderboard_url": "https://slogs.example/leaderboard/?class=nvme",
    }
    server.answer = {**ANSWER, "results": [{**ANSWER["results"][0], "rank": rank}]}
    outcome = send(linux_machine, server, saved).out
    assert f"Rank: {place} in the class nvme\n  https://slogs.example/leaderboard/?class=nvme\n" in outcome


def test_more_than_a_site_takes_is_refused_before_anything_else(
    linux_machine: Machine, server: Server, saved: Path
):
    saved.write_text("a\n" * 2_200_000)
    outcome = linux_machine.run("--server", server.url, "--yes", "--no-run", str(saved))
    assert (outcome.status, server.requests) == (2, [])
    assert "512 KiB" in outcome.err


def test_an_answer_without_rank_and_token_is_no_fault(linux_machine: Machine, server: Server, saved: Path):
    server.status, server.answer = (
        200,
        {"url": "https://slogs.example/results/abc/", "claim_token": None, "rank": None},
    )
    outcome = send(linux_machine, server, saved)
    assert outcome.status == 0
    assert "already submitted" in outcome.out
    assert "token" not in outcome.out
    assert "Rank" not in outcome.out


def test_what_waits_is_said_to_wait(linux_machine: Machine, server: Server, saved: Path):
    server.status, server.answer = 201, {**ANSWER, "state": "held", "results": []}
    outcome = send(linux_machine, server, saved)
    assert outcome.status == 0
    assert "State: held\n" in outcome.out


def test_what_a_server_answers_can_not_steer_the_terminal(
    linux_machine: Machine, server: Server, saved: Path
):
    notice = {"message": 'a "quoted" \\ word\x1b[2J\u001b]0;x\x07 {[,:]} \u00b5s'}
    server.answer = {**ANSWER, "notices": [notice]}
    outcome = send(linux_machine, server, saved)
    assert "\x1b" not in outcome.out
    assert 'Note: a "quoted" \\ word' in outcome.out


@in_turn("status", [400, 401, 413, 422, 429, 500, 302])
def test_what_is_not_taken_is_kept(linux_machine: Machine, server: Server, saved: Path, status: int):
    server.status = status
    server.answer = {"detail": "There is no benchmark run.", "notices": [{"message": "Line 4 is cut."}]}
    outcome = send(linux_machine, server, saved)
    assert outcome.status == 5
    assert f"answered {status}" in outcome.err
    assert "There is no benchmark run." in outcome.err
    assert "Line 4 is cut." in outcome.err
    (kept,) = linux_machine.temporary.iterdir()
    assert (f"--no-run {kept}" in outcome.err) is (status not in {400, 413, 422})
    assert (kept.read_text(), kept.stat().st_mode & 0o077) == (outcome.sent_text, 0)
    assert outcome.out.count("Claim token") == 0


def test_a_server_that_is_away_costs_nobody_a_result(machine: Machine):
    outcome = machine.run("--yes-destroy", machine.disk, "--server", "http://127.0.0.1:9")
    assert outcome.status == 5
    (kept,) = machine.temporary.iterdir()
    assert kept.read_text() == outcome.sent_text
    again = machine.run("--dry-run", "--no-run", str(kept))
    assert again.sent_text == outcome.sent_text  # masked twice is masked once


@pytest.fixture
def encrypted(tmp_path: Path) -> ssl.SSLContext:
    """A certificate for localhost, made by the openssl that the script uses as well."""
    command = (
        "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout key.pem -out cert.pem"
    )
    name = ["-addext", "subjectAltName=DNS:localhost"]
    subprocess.run([*command.split(), *name], cwd=tmp_path, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    return context


def without_curl(machine: Machine) -> str:
    """A PATH with all that the machine has but curl."""
    folder = machine.folder / "no-curl"
    folder.mkdir()
    for tools in os.environ["PATH"].split(":"):
        for tool in Path(tools).glob("*"):
            if tool.name != "curl" and not (folder / tool.name).is_symlink():
                (folder / tool.name).symlink_to(tool)
    return f"{machine.bin}:{folder}"


@pytest.mark.parametrize("is_trusted", [True, False])
def test_without_curl_openssl_sends_to_whom_it_can_verify(
    linux_machine: Machine, saved: Path, encrypted: ssl.SSLContext, tmp_path: Path, is_trusted: bool
):
    trust = {"SSL_CERT_FILE": str(tmp_path / "cert.pem")} if is_trusted else {}
    with Server(encrypted) as server:
        outcome = send(
            linux_machine, server, saved, SLOGDB_KEY=KEY, PATH=without_curl(linux_machine), **trust
        )
    assert outcome.status == (0 if is_trusted else 5), outcome
    if is_trusted:
        assert server.text == outcome.sent_text
        assert server.requests[0][1]["Authorization"] == f"Bearer {KEY}"
        assert "Result: https://slogs.example/results/abc/" in outcome.out
    else:
        assert server.requests == []


def test_without_curl_nothing_goes_over_an_open_line(linux_machine: Machine, server: Server, saved: Path):
    outcome = send(linux_machine, server, saved, PATH=without_curl(linux_machine))
    assert (outcome.status, server.requests) == (3, [])
