"""Every command of docs/api.md does what the page says, run by a shell against a live server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from results.api.keys import make_key
from results.api_urls import urlpatterns
from results.models import Report, Submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.factories import make_device, make_member, make_protected_product, make_result, rank_everything
from tests.live_logs import Machine

PAGE = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text(encoding="utf-8")
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)
NODE = ["node", "--input-type=module", "--eval"]
BLOCK = re.compile(r"```sh\n(.*?)```", re.DOTALL)
COMMANDS = [
    command for block in BLOCK.findall(PAGE) for command in re.split(r"\n(?=curl |\(cat )", block.strip())
]


def test_the_page_has_every_address():
    beginnings = {f"/api/v1/{str(pattern.pattern).partition('<')[0]}" for pattern in urlpatterns}
    assert [beginning for beginning in sorted(beginnings) if beginning not in PAGE] == []


def text_of(media_size: int) -> str:
    return pastes.diskinfo(media_size=media_size, ident=f"UNIT{media_size}")


@pytest.fixture
def shell(live_server, tmp_path):
    """A shell in a folder with a run, beside a site on which somebody has sent something."""
    member = make_member()
    owned = receive_submission(text_of(1 << 40), Sender(owner=member)).submission
    other = receive_submission(text_of(2 << 40), Sender(sender_digest="somebody")).submission
    waiting = receive_submission(text_of(3 << 40), Sender(sender_digest="somebody"))
    Submission.objects.update(state="published")
    smart = {"smartctl": {"version": [7, 4]}, "model_name": "ALDERA S1-480"}
    (tmp_path / "smart.json").write_text(json.dumps(smart))
    (tmp_path / "smart.txt").write_text(pastes.smartctl())
    (tmp_path / "slog-check.txt").write_text(Machine().text())
    (tmp_path / "id-ctrl.json").write_text(json.dumps({"mn": "ALDERA S1-480", "sn": "X", "fr": "1"}))
    (tmp_path / "smart-log.json").write_text(json.dumps({"percent_used": 1, "avail_spare": 100}))
    (tmp_path / "run.txt").write_text(pastes.FIRST_PASTE)
    (tmp_path / "with-handle.json").write_text(json.dumps({"text": text_of(4 << 40), "forum_handle": "jo"}))
    return {
        "cwd": tmp_path,
        "env": {
            "PATH": os.environ["PATH"],
            "SITE": live_server.url,
            "KEY": make_key(member, name="nas", scopes=["read", "submit"]).text,
            "TOKEN": waiting.claim_token,
            "ID": owned.public_id,
            "OTHER": other.public_id,
        },
    }


def run(command: str, shell: dict) -> tuple[int, bytes]:
    ended = subprocess.run(
        ["/bin/sh", "-c", f"{command} -w '\\n%{{http_code}}'"],
        capture_output=True,
        check=True,
        timeout=240,
        **shell,
    )
    body, _, status = ended.stdout.rpartition(b"\n")
    return int(status), body


@pytest.mark.django_db(transaction=True)
def test_every_command_of_the_page_works(shell):
    assert len(COMMANDS) >= 12
    answers = {command: run(command, shell) for command in COMMANDS}
    assert {command: status for command, (status, _) in answers.items() if status >= 300} == {}
    assert all(json.loads(body) for status, body in answers.values() if status != 204)
    assert Report.objects.count() == 1
    assert Submission.objects.get(public_id=shell["env"]["ID"]).state == "erased"
    assert Submission.objects.filter(forum_handle="jo").exists()


@pytest.mark.django_db(transaction=True)
def test_the_quick_start_says_the_same_in_each_language(live_server):
    for slug, latency_us in (("fast", 20), ("slow", 900)):
        product = make_protected_product(name=slug.title())
        make_result(latency_us, device=make_device(slug=slug, model_name=slug, product=product))
    rank_everything()
    quick_start = PAGE.partition("## Quick start")[2].partition("### Generated clients")[0]
    for language, command in {"python": [sys.executable, "-c"], "js": NODE}.items():
        (text,) = re.findall(rf"```{language}\n(.*?)```", quick_start, re.DOTALL)
        code = text.replace("https://slogdb.example", live_server.url)
        done = subprocess.run([*command, code], capture_output=True, text=True, timeout=240)
        assert (done.stdout, done.stderr) == ("1 fast 20\n2 slow 900\n", ""), language


@pytest.mark.django_db(transaction=True)
def test_the_example_of_a_lookup_runs(live_server):
    (text,) = [block for block in PYTHON.findall(PAGE) if "def look_up" in block]
    code = text.replace("https://slogdb.example", live_server.url)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=240
    )
    assert done.stdout == "SSDPEDMD400G4 unknown unknown protection_unknown\n"
