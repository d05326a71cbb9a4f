"""The three verdicts of the audit, from advisory services that say what the test wants; and the bill of materials."""

import csv
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from cyclonedx.validation.json import JsonStrictValidator

from tests.audit import (
    CLEAN,
    HOLES,
    NOT_AUDITED,
    OLDEST,
    Part,
    audit_images,
    audit_packages,
    audit_scripts,
    judge_packages,
    verdict_on,
)
from tests.components import ROOT, Component, images, packages, scripts
from tests.sbom import SCHEMA
from tests.serving import Handler, serving

HOLE = {
    "id": "PYSEC-2030-1", "summary": "x", "details": "x", "modified": "2030-01-01T00:00:00Z",
    "affected": [{"package": {"name": "django", "ecosystem": "PyPI"}, "ranges": [], "versions": ["5.2.0"]}],
}  # fmt: skip


@contextmanager
def service(holes: dict[str, dict[str, object]]) -> Iterator[str]:
    """The address of one that speaks OSV and knows of these holes, by package."""

    class Answers(Handler):
        def respond(self, sent: bytes) -> None:
            hole = holes.get(json.loads(sent)["package"]["name"])
            self.answer(json.dumps({"vulns": [hole]} if hole else {}).encode())

    with serving(Answers) as port:
        yield f"http://127.0.0.1:{port}/"


def test_known_vulnerabilities_determine_the_verdict():
    expected = {CLEAN: "AUDITED: no hole is known of ", HOLES: "HOLES: django 5.2."}
    for code, holes in {CLEAN: {}, HOLES: {"django": HOLE}}.items():
        with service(holes) as address:
            found, verdict = verdict_on(audit_packages("--vulnerability-service=osv", f"--osv-url={address}"))
        assert (found, verdict[: len(expected[code])]) == (code, expected[code])


def test_an_unreachable_service_is_not_a_pass():
    part = audit_packages("--vulnerability-service=osv", "--osv-url=http://127.0.0.1:9/", "--timeout=2")
    code, verdict = verdict_on(part, Part("1 image"))
    assert (code, verdict[:12]) == (NOT_AUDITED, "NOT AUDITED:")


def test_unknown_packages_are_not_a_pass():
    known = {"name": "django", "version": "5.2.1", "vulns": []}
    skipped = {"name": "celery", "skip_reason": "Dependency not found on PyPI"}
    code, verdict = verdict_on(judge_packages([known, skipped]))
    assert (code, "1 packages that the service does not know (celery)" in verdict) == (NOT_AUDITED, True)
    assert verdict_on(judge_packages([]))[0] == NOT_AUDITED


def test_vendored_scripts_are_looked_up_by_name_and_version(tmp_path):
    """The answers are those of npm 11, with an advisory service and without one."""
    npm = tmp_path / "npm"
    hole = {"via": [{"url": "https://github.com/advisories/GHSA-x", "severity": "high"}]}
    behind = {"via": ["swagger-ui-dist"]}
    answers = [
        ({"vulnerabilities": {}}, CLEAN, "AUDITED: no hole is known of 4 vendored scripts"),
        (
            {"vulnerabilities": {"swagger-ui-dist": hole, "chart.js": behind}},
            HOLES,
            "HOLES: swagger-ui-dist 5.",
        ),
        ({"message": "405 Method Not Allowed", "error": {}}, NOT_AUDITED, "NOT AUDITED: "),
        ([], NOT_AUDITED, "NOT AUDITED: "),
    ]
    for answer, code, expected in answers:
        answered = f"[ $1 = install ] || {{ echo '{json.dumps(answer)}'; exit 1; }}"
        npm.write_text(f"#!/bin/sh\ncp package.json {tmp_path}/asked\n{answered}\n")
        npm.chmod(0o755)
        found, verdict = verdict_on(audit_scripts(scripts(), str(npm)))
        assert (found, verdict[: len(expected)]) == (code, expected)
    sent = json.loads((tmp_path / "asked").read_text())["dependencies"]
    assert sent.keys() == {"chart.js", "@kurkle/color", "swagger-ui-dist", "inter-ui"}
    assert verdict_on(audit_scripts(scripts(), str(tmp_path / "none")))[0] == NOT_AUDITED


def test_a_script_of_unknown_origin_is_an_error():
    with pytest.raises(ValueError, match=r"which npm package x/x\.js is of"):
        scripts(f"| x/x.js | copied from a forum | {'0' * 64} |")


def test_images_older_than_the_oldest_acceptable_are_holes(tmp_path):
    oldest = tmp_path / "oldest.csv"
    oldest.write_text("image,oldest,reason\nv/v,8.1.9,a\nv/v,9.0.5,b\npostgres,18.6,c\n")
    judged = {
        ("v/v", "8.1.8-bookworm"): HOLES,
        ("v/v", "8.1.9-bookworm"): CLEAN,
        ("v/v", "v8.1.10"): CLEAN,
        ("v/v", "8.0.99"): HOLES,
        ("v/v", "9.0.4"): HOLES,
        ("v/v", "9.1.0"): CLEAN,
        ("postgres", "17.99"): HOLES,
        ("postgres", "18.6-bookworm"): CLEAN,
        ("postgres", "19.1"): CLEAN,
        ("postgres", "18"): HOLES,
        ("postgres", "latest"): HOLES,
        ("other", ""): HOLES,
        ("other", "1.0"): CLEAN,
    }
    found = {tag: verdict_on(audit_images([Component("docker", *tag)], oldest)) for tag in judged}
    assert {tag: code for tag, (code, _) in found.items()} == judged
    assert found["postgres", "17.99"][1] == "HOLES: postgres:17.99 is older than 18.6: c"
    assert found["other", "1.0"][1].endswith("; not checked: images without a row in oldest.csv (other:1.0)")


def test_images_are_found_in_compose_files_and_the_dockerfile(tmp_path):
    compose, dockerfile = tmp_path / "compose.yml", tmp_path / "Dockerfile"
    compose.write_text(
        "x-a: &a {image: 'a/b:1.2@sha256:0'}\nservices: {a: {<<: *a}, b: {image: 'c:${X:-3.4}'}, "
        "c: {image: own, build: .}, d: {image: 'localhost:5000/d'}}"
    )
    dockerfile.write_text(
        "ARG BASE=p:1.0-slim\nFROM ${BASE} AS one\nFROM one AS two\nFROM q:2.0\nFROM ${BASE}\n"
    )
    found = [(image.name, image.version) for image in images([compose], dockerfile)]
    assert found == [("a/b", "1.2"), ("c", "3.4"), ("localhost:5000/d", ""), ("p", "1.0-slim"), ("q", "2.0")]


def test_every_oldest_image_is_one_of_the_site():
    with OLDEST.open(newline="", encoding="utf-8") as file:
        assert {row["image"] for row in csv.DictReader(file)} <= {image.name for image in images()}


def test_the_bill_of_materials_is_cyclonedx_and_complete():
    done = subprocess.run(
        [sys.executable, "-m", "tests.audit", "--sbom=-"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert JsonStrictValidator(SCHEMA).validate_str(done.stdout) is None
    listed = {load["purl"] for load in json.loads(done.stdout)["components"]}
    parts = [*packages(), *scripts(), *images()]
    assert len(listed) == len(parts) > 60
    kinds = {"pkg:pypi/django@", "pkg:npm/%40kurkle/color@", "pkg:docker/postgres@", "pkg:docker/python@"}
    assert {kind for kind in kinds if any(listing.startswith(kind) for listing in listed)} == kinds
