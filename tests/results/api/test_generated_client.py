"""A client that openapi-python-client makes of the schema works against the site."""

import importlib
import subprocess
import sys
from collections.abc import Callable, Iterator
from http import HTTPStatus
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import orjson
import pytest
from drf_spectacular.generators import SchemaGenerator

from results.api.keys import make_key
from results.models import Submission
from results.models.choices import State
from tests import pastes
from tests.factories import make_device, make_member, make_result, rank_everything

pytestmark = pytest.mark.django_db(transaction=True)
PACKAGE = "client_of_slogdb"
SETTINGS = "post_hooks: []\n"
# A text by itself is nothing that the generator knows how to send; in JSON it does.
NOT_SENT_BY_IT = "Unsupported content type text/plain"

Module = Callable[[str], ModuleType]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Module]:
    """What imports a module of the client."""
    folder: Path = tmp_path_factory.mktemp("client")
    schema = SchemaGenerator().get_schema(public=True)
    (folder / "schema.json").write_bytes(orjson.dumps(schema, default=str))
    (folder / "settings.yml").write_text(SETTINGS)
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
    made = subprocess.run(
        [*command, "--config", "settings.yml", "--output-path", PACKAGE],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=540,
    )
    said = made.stdout + made.stderr
    assert said.count("WARNING") == said.count(NOT_SENT_BY_IT) == 2, said
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield lambda name: importlib.import_module(f"{PACKAGE}.{name}")


@pytest.fixture
def anybody(generated: Module, live_server: Any) -> Iterator[Any]:
    with generated("client").Client(base_url=live_server.url) as client:
        yield client


@pytest.fixture
def board() -> None:
    for name, latency_us in {"fast": 20, "slow": 900}.items():
        make_result(latency_us, device=make_device(slug=name, model_name=name), firmware__version="1.0")
    rank_everything()


@pytest.mark.usefixtures("board")
def test_it_reads_the_leaderboard(generated, anybody):
    api, models = generated("api.leaderboard.leaderboard"), generated("models")
    page = api.sync(client=anybody, class_=[models.LeaderboardClassItem.NVME])
    assert isinstance(page, models.PaginatedLeaderboardRowList)
    assert [(row.rank, row.device.slug, row.zil_latency_us) for row in page.results] == [
        (1, "fast", 20.0),
        (2, "slow", 900.0),
    ]
    fields = models.LeaderboardFieldsItem
    part = api.sync(client=anybody, fields=[fields.RANK, fields.UNIT_COUNT])
    assert part.results[0].to_dict() == {"rank": 1, "unit_count": 1}


@pytest.mark.usefixtures("board")
def test_it_reads_a_device(generated, anybody):
    device = generated("api.devices.device").sync("fast", client=anybody)
    assert isinstance(device, generated("models").DeviceDetail)
    assert (device.firmware_versions, device.rankings[0].points[0].block_size) == (["1.0"], 512)


def test_it_follows_the_cursor_of_the_results(generated, anybody):
    device = make_device(slug="often")
    for _ in range(51):
        make_result(20, device=device)
    results = generated("api.results.results_list")
    first = results.sync(client=anybody, device=["often"])
    (cursor,) = parse_qs(urlsplit(first.next_).query)["cursor"]
    second = results.sync(client=anybody, device=["often"], cursor=cursor)
    assert (len(first.results), len(second.results), second.next_) == (50, 1, None)
    assert len({one.id for one in [*first.results, *second.results]}) == 51


def test_it_previews_a_text_and_sends_it(generated, anybody):
    text = generated("models").SubmissionRequest(text=pastes.FIRST_PASTE)
    preview = generated("api.parse.parse").sync(client=anybody, body=text)
    assert (len(preview.runs), Submission.objects.count()) == (1, 0)
    answer = generated("api.submissions.submit").sync_detailed(client=anybody, body=text)
    assert (answer.status_code, answer.parsed.is_new) == (HTTPStatus.CREATED, True)
    again = generated("api.submissions.submission").sync(answer.parsed.id, client=anybody)
    assert [one.id for one in again.results] == [one.id for one in answer.parsed.results]


def test_it_withdraws_what_its_key_may(generated, live_server):
    key = make_key(make_member(), name="nas", scopes=["read", "submit"])
    text = generated("models").SubmissionRequest(text=pastes.FIRST_PASTE)
    with generated("client").AuthenticatedClient(base_url=live_server.url, token=key.text) as member:
        sent = generated("api.submissions.submit").sync(client=member, body=text)
        withdrawn = generated("api.submissions.withdraw_submission").sync(sent.id, client=member)
    assert withdrawn.state.value == Submission.objects.get().state == State.WITHDRAWN


def test_a_problem_comes_as_one(generated, anybody):
    answer = generated("api.leaderboard.leaderboard").sync_detailed(client=anybody, page=0)
    assert isinstance(answer.parsed, generated("models").Problem)
    assert (answer.status_code, answer.parsed.code) == (HTTPStatus.BAD_REQUEST, "invalid")
    assert list(answer.parsed.errors.to_dict()) == ["page"]
    nothing = generated("models").SubmissionRequest(text="no run in here")
    refused = generated("api.submissions.submit").sync(client=anybody, body=nothing)
    assert (refused.status, [notice.code for notice in refused.notices]) == (422, ["nothing_found"])
