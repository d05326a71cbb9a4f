"""What travels, how the key travels, and what is said of the answer."""

import json
import os
import re
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.submitter.machines import SCRIPT, Machine, diskinfo_text, in_turn
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
        arguments = ("--server", f"http://{host}", "--yes", "--no-run", str(saved))
        outcome = linux_machine.run(*arguments, SLOGDB_KEY=KEY)
        assert (outcome.status, "only sent over https" in outcome.err) == (2, True), host
        assert "curl" not in linux_machine.calls
    linux_machine.run(*arguments)
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


@in_turn("status,code", [(400, 7), (401, 7), (413, 7), (422, 7), (302, 5), (429, 9), (500, 8), (503, 8)])
def test_what_is_not_taken_is_kept(
    linux_machine: Machine, server: Server, saved: Path, status: int, code: int
):
    server.status = status
    server.answer = {"detail": "There is no benchmark run.", "notices": [{"message": "Line 4 is cut."}]}
    outcome = send(linux_machine, server, saved)
    assert (outcome.status, len(server.requests)) == (code, 3 if code > 7 else 1)
    assert f"answered {status}" in outcome.err
    assert "There is no benchmark run." in outcome.err
    assert "Line 4 is cut." in outcome.err
    (saved_text,) = linux_machine.temporary.iterdir()
    assert (f"--no-run {saved_text}" in outcome.err) is (status not in {400, 413, 422})
    assert (saved_text.read_text(), saved_text.stat().st_mode & 0o077) == (outcome.sent_text, 0)
    assert outcome.out == ""


def test_a_server_that_is_away_costs_nobody_a_result(machine: Machine):
    outcome = machine.run("--yes-destroy", machine.disk, "--server", "http://127.0.0.1:9")
    assert (outcome.status, machine.calls.count("sleep ")) == (8, 2)
    (saved_text,) = machine.temporary.iterdir()
    assert saved_text.read_text() == outcome.sent_text
    again = machine.run("--dry-run", "--no-run", str(saved_text))
    assert again.sent_text == outcome.sent_text  # masked twice is masked once


@in_turn("header,waits", [({"Retry-After": "7"}, [7, 7]), ({}, [5, 20]), ({"Retry-After": "121"}, [])])
def test_it_tries_again_when_the_site_says_so_and_is_executed_once(
    linux_machine: Machine, server: Server, saved: Path, header: dict[str, str], waits: list[int]
):
    server.header, server.first = header, [503, 429]
    outcome = send(linux_machine, server, saved)
    assert outcome.status == (0 if waits else 8)
    assert re.findall(r"^sleep (\d+)$", linux_machine.calls, re.MULTILINE) == [str(wait) for wait in waits]
    (key,) = {headers["Idempotency-Key"] for _, headers, _ in server.requests}
    assert re.fullmatch("[0-9a-f]{32}", key)
    server.requests.clear()
    send(linux_machine, server, saved)
    assert server.requests[0][1]["Idempotency-Key"] != key


def test_the_result_can_be_one_json_object(linux_machine: Machine, server: Server, saved: Path):
    outcome = send(linux_machine, server, saved, "--json")
    sent = {"exit_status": 0, "http_status": 201, "saved_in": None, "answer": server.answer, "error": None}
    assert (outcome.status, json.loads(outcome.out)) == (0, sent)
    server.status, server.answer = 422, {"detail": "Nothing \x1b in it."}
    refused = send(linux_machine, server, saved, "--json")
    (saved_text,) = linux_machine.temporary.iterdir()
    assert json.loads(refused.out) == {
        "exit_status": 7,
        "http_status": 422,
        "saved_in": str(saved_text),
        "answer": server.answer,
        "error": f"{server.url} answered 422",
    }
    away = linux_machine.run("--yes", "--json", "--server", "http://127.0.0.1:9", "--no-run", str(saved))
    assert json.loads(away.out)["http_status"] == 0


@in_turn(
    "content", [b"", b"<html>", b'{"url": "x', b'{"url": }', b"[1 2]", b'{"a": [1, {"b": []}], "c": "\\x"}']
)
def test_an_answer_that_is_no_json_is_an_error_in_json(
    linux_machine: Machine, server: Server, saved: Path, content: bytes
):
    server.status, server.answer = 200, content
    outcome = send(linux_machine, server, saved, "--json")
    told = json.loads(outcome.out)
    assert (outcome.status, told["exit_status"], told["http_status"], told["answer"]) == (5, 5, 200, None)
    assert "not in JSON" in told["error"]
    assert Path(told["saved_in"]).read_text() == outcome.sent_text


@in_turn(
    "arguments,status",
    [
        (["--nonsense", "--json"], 2),
        (["--json", "--no-run", 'no "such" file'], 2),
        (["--json", "--no-run", "{saved}"], 4),
        (["--json", "/dev/none"], 1),
        (["--json", "--dry-run", "--no-run", "{saved}"], 0),
    ],
)
def test_whatever_happens_json_is_one_object(
    linux_machine: Machine, server: Server, saved: Path, arguments: list[str], status: int
):
    words = [word.format(saved=saved) for word in arguments]
    outcome = linux_machine.run("--server", server.url, *words)
    told = json.loads(outcome.out)
    assert (outcome.status, told["exit_status"], told["http_status"], server.requests) == (
        status,
        status,
        None,
        [],
    )
    assert (told["error"] is None) is (status == 0)
    assert (told["error"] or "") in outcome.err


def test_a_preview_asks_the_site_what_it_would_publish(linux_machine: Machine, server: Server, saved: Path):
    rank = {"device_class": "nvme", "device_count": 9, "first_possible": 2, "last_possible": 2}
    server.status = 200
    server.answer = {"runs": [{"model_name": "S3700", "not_ranked_reason": "", "rank": rank}], "notices": []}
    asked = ("--server", server.url, "--no-run", str(saved))
    for options in (["--dry-run"], ["--dry-run", "--yes"]):  # without a terminal, and without a question
        assert (linux_machine.run(*asked, *options).status, server.requests) == (0, [])
    assert (linux_machine.run(*asked, "--dry-run", types="n\n").status, server.requests) == (0, [])
    outcome = linux_machine.run(*asked, "--preview")
    assert (outcome.status, outcome.out.splitlines()[:2]) == (
        0,
        ["Would be published: a run of S3700", "Rank: 2 of 9 in the class nvme"],
    )
    assert [path for path, _, _ in server.requests] == ["/api/v1/parse/"]
    assert json.loads(linux_machine.run(*asked, "--preview", "--json").out)["answer"] == server.answer
    server.status, server.answer = 422, {"detail": "There is no benchmark run."}
    outcome = linux_machine.run(*asked, "--dry-run", types="y\n")
    assert (outcome.status, "There is no benchmark run." in outcome.err) == (7, True)
    assert list(linux_machine.temporary.iterdir()) == []


@in_turn("status,code,said", [(201, 0, "Published: "), (503, 0, "To send again: "), (422, 7, "")])
def test_the_documented_job_fails_only_if_the_site_refuses(
    linux_machine: Machine, server: Server, tmp_path: Path, status: int, code: int, said: str
):
    document = (SCRIPT.parents[2] / "docs" / "slogdb-submit.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```yaml\n(.*?)```", document, re.DOTALL)
    (step,) = yaml.safe_load(block)["jobs"]["slog"]["steps"]
    text = step["run"].replace("curl -fsS -o slogdb-submit https://slogs.example/slogdb-submit", "")
    text = text.replace("--key-file /etc/slogdb.key --yes-destroy /dev/nvme1n1", "--yes --no-run saved.txt")
    (tmp_path / "saved.txt").write_text(diskinfo_text("/dev/da9"))
    shutil.copy(SCRIPT, tmp_path / "slogdb-submit")
    linux_machine.tool("jq", 'echo "$2 of $3"')
    server.status = status
    environment = {"PATH": f"{linux_machine.bin}:{os.environ['PATH']}", "SLOGDB_SERVER": server.url}
    command = [*linux_machine.shell, "-e", "-c", text]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout.partition(".")[0]) == (code, said), done


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
    assert outcome.status == (0 if is_trusted else 8), outcome
    if is_trusted:
        assert server.text == outcome.sent_text
        assert server.requests[0][1]["Authorization"] == f"Bearer {KEY}"
        assert "Result: https://slogs.example/results/abc/" in outcome.out
    else:
        assert server.requests == []


def test_without_curl_nothing_goes_over_an_open_line(linux_machine: Machine, server: Server, saved: Path):
    outcome = send(linux_machine, server, saved, PATH=without_curl(linux_machine))
    assert (outcome.status, server.requests) == (3, [])
