"""Every way in reads hostile text in time that grows with its size alone: form, upload, API, bulk import.

What the parsers make of it is held in tests/parsers/test_growth.py, saved pages in test_thread_html.py.
"""

import contextlib
import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from tests import pastes
from tests.growth import SIZE, is_linear, repeated
from tests.hostile import NUMBERED, numbered

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
PIECES = ("<!--", "\0", "x", " ", '"', "\\u0041", '{"a":', "[quote]", "a\u00a0", "> a\n", "%", "\x01")
FEW = ("x", "\0", "\\u0041", '{"a":')  # of each encoding: letters, what no text holds, escapes, and brackets
API = "/api/v1/parse/"


def form(client, text):
    return client.post("/submit/", {"text": text, "action": "preview"})


def upload(client, text):
    file = SimpleUploadedFile("a.txt", text.encode())
    return client.post("/submit/", {"text": "", "action": "preview", "files": file})


def api_upload(client, text):
    return client.post(API, {"text": "", "file": SimpleUploadedFile("a.txt", text.encode())})


def api_text(client, text):
    return client.post(API, text.encode(), content_type="text/plain")


def api_json(client, text):
    return client.post(API, json.dumps({"text": text}), content_type="application/json")


def api_raw_json(client, text):
    """The text as the body itself."""
    return client.post(API, text.encode(), content_type="application/json")


WAYS = (form, upload, api_upload, api_text, api_json, api_raw_json)


@pytest.mark.parametrize("way", WAYS[:-1])
def test_every_entry_point_reaches_the_parsers(client, way):
    """The others here would pass, too, where a text is refused before it is read."""
    response = way(client, pastes.FIRST_PASTE)
    assert (response.status_code, "MARVELL SD88SA02" in response.text) == (200, True)


def small_and_large(unit):
    made = numbered if unit in NUMBERED.values() else repeated
    return made(unit, SIZE // 4), made(unit, SIZE)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("unit", FEW)
def test_handling_a_request_is_linear(client, way, unit):
    assert is_linear(lambda text: way(client, text), *small_and_large(unit))


@pytest.mark.parametrize(
    "unit",
    [*(piece for piece in PIECES if piece not in FEW), NUMBERED["prompts"], NUMBERED["bare names by id"]],
)
def test_a_preview_of_any_piece_is_linear(client, unit):
    """FEW are among the uploads of test_handling_a_request_is_linear."""
    assert is_linear(lambda text: upload(client, text), *small_and_large(unit))


@pytest.mark.parametrize("unit", PIECES)
def test_parsing_text_below_a_run_is_linear(client, unit):
    small, large = (pastes.FIRST_PASTE + text for text in small_and_large(unit))
    assert is_linear(lambda text: form(client, text), small, large)


@pytest.mark.parametrize("unit", [*FEW, NUMBERED["prompts"]])
@pytest.mark.parametrize("kind", ["a.txt", "text.ndjson", "raw.ndjson", "lines.ndjson"])
def test_a_bulk_import_is_linear(tmp_path, unit, kind):
    folders = []
    for number, text in enumerate(small_and_large(unit)):
        folders.append(tmp_path / str(number))
        folders[-1].mkdir()
        (folders[-1] / kind).write_bytes(_file(kind, text).encode())

    def bring_in(folder):
        with contextlib.suppress(CommandError):
            call_command("import_texts", str(folder), verbosity=0)

    assert is_linear(bring_in, *folders)


def _file(kind, text):
    if kind == "text.ndjson":
        return json.dumps({"text": text}) + "\n"
    if kind == "lines.ndjson":
        return "".join(json.dumps({"text": text[at : at + 1024]}) + "\n" for at in range(0, len(text), 1024))
    return text
