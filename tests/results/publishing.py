"""Sending a text to be published."""

from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests import pastes


def send_by_form(client: Client, text: str, action: str = "preview", **fields: Any) -> HttpResponse:
    """The page after looking at a text, or publishing it."""
    return client.post("/submit/", {"text": text, "action": action, **fields})


def publish_by_form(client: Client, text: str = pastes.FIRST_PASTE, **fields: Any) -> HttpResponse:
    """The page after publishing a text."""
    return send_by_form(client, text, "publish", **fields)


def publish_text(client: Client, text: str, status: int = 201, **fields: Any) -> dict[str, Any]:
    """What the API answers to a text that is sent to be published."""
    response = client.post("/api/v1/submissions/", {"text": text, **fields}, content_type="application/json")
    assert response.status_code == status, response.content[:800]
    return response.json()


def publish(client: Client, text: str, **fields: Any) -> list[dict[str, Any]]:
    """The results of a text that is published."""
    return publish_text(client, text, **fields)["results"]


def parsed_run(client: Client, text: str) -> dict[str, Any]:
    """The one run of a text that is only looked at, as the API answers it."""
    response = client.post("/api/v1/parse/", text, content_type="text/plain")
    assert response.status_code == 200, response.content[:800]
    (run,) = response.json()["runs"]
    return run
