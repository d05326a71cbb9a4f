"""Sending a text to be published."""

from typing import Any

from django.http import HttpResponse
from django.test import Client

from tests import pastes


def publish_by_form(client: Client, text: str = pastes.FIRST_PASTE, **fields: Any) -> HttpResponse:
    """The page after publishing a text."""
    return client.post("/submit/", {"text": text, "action": "publish", **fields})


def publish_text(client: Client, text: str, status: int = 201, **fields: Any) -> dict[str, Any]:
    """What the API answers to a text that is sent to be published."""
    response = client.post("/api/v1/submissions/", {"text": text, **fields}, content_type="application/json")
    assert response.status_code == status, response.content[:800]
    return response.json()


def publish(client: Client, text: str, **fields: Any) -> list[dict[str, Any]]:
    """The results of a text that is published."""
    return publish_text(client, text, **fields)["results"]
