"""Clients generated from the schema, in Python and TypeScript, work against the site as documented."""

import hashlib
import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings

from results.api.docs import schema_file
from results.api.keys import make_key
from results.models import Submission
from results.models.choices import State
from tests import pastes
from tests.factories import make_device, make_member, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)
PACKAGE = "slogdb_client"
DOCUMENT = Path(settings.BASE_DIR) / "docs" / "api.md"
NPM = Path(__file__).with_name("npm")
CONFIGURATION = "post_hooks: []\n"
# The generator can't send plain text, only JSON.
UNSUPPORTED = "Unsupported content type text/plain"

Module = Callable[[str], ModuleType]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Module]:
    """A function that imports a module of the client."""
    folder: Path = tmp_path_factory.mktemp("client")
    (folder / "schema.json").write_bytes(schema_file()[0])
    (folder / "settings.yml").write_text(CONFIGURATION)
    command = [
        sys.executable,
        "-m",
        "openapi_python_client",
        "generate",
        "--path",
        "schema.json",
        "--meta",
        "none",
    ]
    completed = subprocess.run(
        [*command, "--config", "settings.yml", "--output-path", PACKAGE],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=540,
    )
    output = completed.stdout + completed.stderr
    assert output.count("WARNING") == output.count(UNSUPPORTED) == 4, output
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")


@pytest.fixture
def anonymous(generated: Module, live_server: Any) -> Iterator[Any]:
    with generated("client").Client(base_url=live_server.url) as client:
        yield client


@pytest.fixture
def board() -> None:
    for name, latency_us in {"fast": 20, "slow": 900}.items():
        make_result(latency_us, device=make_device(slug=name, model_name=name), firmware__version="1.0")
    rank_everything()


@pytest.mark.usefixtures("board")
def test_it_reads_the_leaderboard(generated, anonymous):
    api, models = generated("api.leaderboard.leaderboard"), generated("models")
    page = api.sync(client=anonymous, class_=[models.DeviceClassEnum.NVME])
    assert isinstance(page, models.PaginatedLeaderboardRowList)
    assert [(row.rank, row.device.slug, row.zil_latency_us) for row in page.results] == [
        (1, "fast", 20.0),
        (2, "slow", 900.0),
    ]
    ordered = api.sync(client=anonymous, ordering=[models.LeaderboardOrderingItem.LATENCY_4K_US_DESC])
    assert [row.rank for row in ordered.results] == [2, 1]


def documented(language: str, word: str, address: str) -> str:
    """The documented example in which a word occurs, for the site at this address."""
    blocks = re.findall(rf"```{language}\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    [text] = [block for block in blocks if word in block]
    return text.replace("https://slogdb.example", address)


@pytest.fixture
def example(generated: Module, live_server: Any) -> Path:
    """The documented example beside the client, for this site."""
    path = Path(str(generated("models").__file__)).parents[2] / "example.py"
    path.write_text(documented("python", PACKAGE, live_server.url))
    return path


@pytest.mark.usefixtures("board")
def test_the_documented_example_passes_mypy_and_runs(example):
    for command, expected in {
        (
            "mypy",
            "--strict",
            "--config-file=",
            "--no-incremental",
        ): "Success: no issues found in 1 source file\n",
        (): "1 fast 20\n2 slow 900\n",
    }.items():
        module = ["-m", *command] if command else []
        done = subprocess.run(
            [sys.executable, *module, example.name],
            cwd=example.parent,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert (done.stdout, done.stderr) == (expected, "")


@pytest.fixture(scope="module")
def npm_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the schemas and the packages of npm/package-lock.json, installed once per change of them."""
    lock = (NPM / "package-lock.json").read_bytes()
    installed = Path(settings.BASE_DIR) / "var" / "npm" / hashlib.sha256(lock).hexdigest()[:12]
    if not (installed / "node_modules").exists():
        shutil.copytree(NPM, installed, dirs_exist_ok=True)
        run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", folder=installed)
    folder = tmp_path_factory.mktemp("npm")
    for path in installed.iterdir():
        (folder / path.name).symlink_to(path)
    for profile in ("", "all"):
        (folder / f"schema{profile}.json").write_bytes(schema_file(profile)[0])
    return folder


def run(*command: str, folder: Path) -> str:
    """The output of a program that succeeds."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("board")
def test_the_documented_example_in_typescript_is_type_safe_and_runs(npm_folder, live_server):
    (npm_folder / "example.ts").write_text(documented("ts", "openapi-fetch", live_server.url))
    run("npx", "openapi-typescript", "schema.json", "--output", "slogdb.ts", folder=npm_folder)
    options = ("--strict", "--target", "es2022", "--module", "preserve", "--outDir", ".")
    run("npx", "tsc", *options, "example.ts", folder=npm_folder)
    assert run("node", "example.js", folder=npm_folder) == "1 fast 20\n2 slow 900\n"


@pytest.mark.parametrize("profile", ["", "all"])
def test_the_schema_breaks_no_recommended_rule_of_redocly(npm_folder, profile):
    assert run("node", "lint.mjs", f"schema{profile}.json", folder=npm_folder) == "[]\n"


@pytest.mark.usefixtures("board")
def test_it_reads_a_device(generated, anonymous):
    device = generated("api.devices.device").sync("fast", client=anonymous)
    assert isinstance(device, generated("models").DeviceDetail)
    assert (device.firmware_versions, device.rankings[0].points[0].block_size) == (["1.0"], 512)


def test_it_follows_the_cursor_of_the_results(generated, anonymous):
    device = make_device(slug="often")
    for _ in range(51):
        make_result(20, device=device)
    results = generated("api.results.results_list")
    first = results.sync(client=anonymous, device=["often"])
    (cursor,) = parse_qs(urlsplit(first.next_).query)["cursor"]
    second = results.sync(client=anonymous, device=["often"], cursor=cursor)
    assert (len(first.results), len(second.results), second.next_) == (50, 1, None)
    assert len({result.id for result in [*first.results, *second.results]}) == 51


def test_it_previews_a_text_and_sends_it(generated, anonymous):
    text = generated("models").SubmissionRequest(text=pastes.FIRST_PASTE)
    preview = generated("api.parse.parse").sync(client=anonymous, body=text)
    assert (len(preview.runs), Submission.objects.count()) == (1, 0)
    answer = generated("api.submissions.submit").sync_detailed(client=anonymous, body=text)
    assert (answer.status_code, answer.parsed.is_new) == (HTTPStatus.CREATED, True)
    again = generated("api.submissions.submission").sync(answer.parsed.id, client=anonymous)
    assert [result.id for result in again.results] == [result.id for result in answer.parsed.results]


def test_it_withdraws_a_submission_with_its_key(generated, live_server):
    key = make_key(make_member(), name="nas", scopes=["read", "submit"])
    text = generated("models").SubmissionRequest(text=pastes.FIRST_PASTE)
    with generated("client").AuthenticatedClient(base_url=live_server.url, token=key.text) as member:
        sent = generated("api.submissions.submit").sync(client=member, body=text)
        withdrawn = generated("api.submissions.withdraw_submission").sync(sent.id, client=member)
    assert withdrawn.state.value == Submission.objects.get().state == State.WITHDRAWN


def test_a_problem_is_parsed_as_one(generated, anonymous):
    answer = generated("api.leaderboard.leaderboard").sync_detailed(client=anonymous, page=0)
    assert isinstance(answer.parsed, generated("models").Problem)
    assert (answer.status_code, answer.parsed.code) == (HTTPStatus.BAD_REQUEST, "invalid")
    assert answer.parsed.errors.to_dict() == {"page": ["A number from 1 to 1,000,000."]}
    nothing = generated("models").SubmissionRequest(text="no run in here")
    refused = generated("api.submissions.submit").sync(client=anonymous, body=nothing)
    assert (refused.status, [notice.code for notice in refused.notices]) == (422, ["nothing_found"])
