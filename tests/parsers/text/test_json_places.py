"""Every JSON document of a paste is read, whatever is around it; one that can't be read is named."""

import html
import json

import pytest

from tests.parsers.samples import SMARTCTL_JSON, identified, parse, read


def drive(model, serial):
    return json.loads(identified(SMARTCTL_JSON, serial=serial)) | {"model_name": model}


def run(name):
    job = {"jobname": name, "job options": {"filename": "/dev/da1"}, "write": {"iops": 7.5, "total_ios": 75}}
    return {"fio version": "fio-3.36", "jobs": [job]}


PAIRS = [
    (drive("EXAMPLE SATA 200", "EXA1B2C3D4E5"), drive("OTHER SATA 400", "EXZ9Y8X7W6V5")),
    (run("one"), run("two")),
    (run("one"), drive("OTHER SATA 400", "EXZ9Y8X7W6V5")),
]
AROUND = {
    "fences": "```json\n{0}\n```\n\nand the other one:\n\n```json\n{1}\n```\n",
    "nothing": "{0}{1}",
    "labels": "first: {0}\nsecond: {1}\n",
    "prose": "I pasted {0} and then {1} as it was (with {{braces}}).\n",
    "log": "2025-01-02 03:04:05 INFO output: {0}\n{{}}\n2025-01-02 03:04:07 INFO output: {1}\n",
    "array": "[{0},\n{1}]",
    "object": '{{"a": {0}, "b": {1}}}',
    "script": "const a = {0};\nconst b = {1};\n",
    "quotes": "'{0}'\n'{1}'\n",
}


def named(reading):
    return reading.model_name if reading.kind == "smartctl" else reading.jobs[0].name


def name_of(document):
    return document.get("model_name") or document["jobs"][0]["jobname"]


def printed(document):
    return [json.dumps(document), json.dumps(document, separators=(",", ":")), json.dumps(document, indent=2)]


@pytest.mark.parametrize("pair", PAIRS)
def test_both_documents_are_read_whatever_is_around_them(pair):
    wrong = []
    for first, second in zip(*map(printed, pair), strict=True):
        texts = {name: around.format(first, second) for name, around in AROUND.items()}
        texts["HTML"] = f"<pre>{html.escape(first)}</pre><p>and</p><code>{html.escape(second)}</code>"
        texts["strings"] = f"{json.dumps(first)}\n{json.dumps(second)}\n"
        texts["JSON log"] = "\n".join(
            json.dumps({"level": "info", "msg": document}) for document in (first, second)
        )
        wrong += [
            (name, text[:80])
            for name, text in texts.items()
            if [named(reading) for reading in read(text).readings] != list(map(name_of, pair))
        ]
    assert wrong == []


@pytest.mark.parametrize("pair", PAIRS[:2])
def test_a_document_below_a_broken_one_is_read_and_the_broken_one_named(pair):
    first, second = (json.dumps(document, indent=2) for document in pair)
    lines = first.split("\n")
    broken = [
        "\n".join(lines[:-4]),
        first.replace('name": ', 'name" ', 1),
        "\n".join([*lines[:5], "some words", *lines[5:]]),
    ]
    for text in broken:
        paste = read(f"{text}\n\nnext one\n\n{second}\n")
        assert named(paste.readings[-1]) == name_of(pair[1]), text
        sent = [paste.sent_line(warning.line) for warning in paste.warnings if warning.code != "no_benchmark"]
        assert [line for line in sent if line is not None and line <= len(lines) + 3], text


def test_braces_without_a_document_are_none():
    for text in ('{"level": "info"} {"smart": 1}', '"json_format_version" is a key', "{{{ fio version }}}"):
        assert parse(text).readings == (), text


def test_options_of_a_client_are_those_of_its_rows():
    clients = [
        {"hostname": f"node-{port}", "port": port, "filename": f"/dev/da{port}", "sync": "1"}
        for port in (1, 2)
    ]
    rows = [{"jobname": "a", "hostname": "node-2", "port": 2, "write": {"iops": 7.5}}]
    for stated, path in (
        (clients, "/dev/da2"),
        (clients[1], "/dev/da2"),
        (clients[1:], "/dev/da2"),
        ([], None),
    ):
        document = {"fio version": "fio-3.41", "global options": stated, "client_stats": rows}
        (reading,) = read(json.dumps(document)).readings
        assert reading.path == path
