"""The script as the site hands it out."""

import hashlib
import os
import subprocess

import pytest

from results.submissions.submitter import PROBE


def test_the_script_is_served_as_valid_shell_text(client):
    response = client.get("/slogdb-submit")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert subprocess.run(["sh", "-n"], input=response.content).returncode == 0  # noqa: S607 - the system's own
    assert response.content.startswith(b"#!/bin/sh\n")


def test_the_script_sends_to_the_site_that_served_it(client, settings):
    settings.SITE_URL = "https://slogs.example"
    script = client.get("/slogdb-submit").content
    help_text = subprocess.run(["sh", "-s", "--", "--help"], input=script, capture_output=True).stdout  # noqa: S607
    assert b"(else to https://slogs.example)" in help_text


def test_the_script_holds_the_program_that_it_runs(client, tmp_path):
    """A Python that prints the program in place of running it."""
    script = tmp_path / "slogdb-submit"
    script.write_bytes(client.get("/slogdb-submit").content)
    python = tmp_path / "python3"
    python.write_text('#!/bin/sh\ncase $1 in -c) exit 0 ;; *) cat "$1" ;; esac\n')
    python.chmod(0o755)
    environment = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TMPDIR": str(tmp_path)}
    command = ["sh", script, "--file", "/dev/shm/x", "--yes"]  # noqa: S108 - never made: it isn't run
    done = subprocess.run(command, env=environment, capture_output=True)
    assert done.stdout == PROBE.read_bytes(), done.stderr


def test_an_address_is_quoted(client, settings):
    settings.SITE_URL = "https://slogs.example/'; echo run by mistake; '"
    script = client.get("/slogdb-submit").content
    done = subprocess.run(["sh", "-s", "--", "--version"], input=script, capture_output=True)  # noqa: S607
    assert done.stdout.startswith(b"slogdb-submit ")


def test_its_etag_is_its_checksum_and_saves_the_second_download(client):
    first = client.get("/slogdb-submit")
    assert first["ETag"] == f'"{hashlib.sha256(first.content).hexdigest()}"'
    again = client.get("/slogdb-submit", HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.django_db
def test_the_script_allows_only_get_and_head(client):
    assert client.post("/slogdb-submit").status_code == 405
