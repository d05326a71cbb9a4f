import json
import math
from base64 import b64decode

import pytest
from celery import current_app
from django.core.files.uploadedfile import SimpleUploadedFile

from results.core.redis import key, link
from results.models import Submission
from tests import pastes, threads
from tests.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("moderator")]


def look(client, html=threads.THREAD):
    return client.post("/moderation/import/", {"pages": SimpleUploadedFile("thread.html", html.encode())})


def test_a_single_result_is_in_the_singular(client):
    assert "Import 1 result</button>" in look(client, threads.older_page()).text
    assert "Import 2 results</button>" in look(client).text


def confirm(client, page):
    found = Page(page).fields["found"].value
    return client.post("/moderation/import/", {"found": found}, follow=True).text


def test_a_thread_is_previewed_and_then_imported_even_without_redis(client, monkeypatch):
    monkeypatch.setattr(link, "open_until", math.inf)
    page = look(client).text
    assert "3 posts, 2 with a new result" in page
    assert "cy &lt;c&gt;" in page
    assert not Submission.objects.exists()
    assert "Importing 2 results from" in confirm(client, page)
    assert Submission.objects.count() == 2
    assert "0 with a new result" in look(client).text


def test_a_worker_imports_what_is_kept_of_the_posts(client, redis):
    assert "Importing 2 results from" in confirm(client, look(client).text)
    assert not Submission.objects.exists()
    (message,) = [json.loads(raw) for raw in redis.lrange(key("celery"), 0, -1)]
    (arguments, named, _), body = json.loads(b64decode(message["body"])), str(message)
    assert pastes.SERIAL not in body + str(arguments)
    current_app.tasks[message["headers"]["task"]].apply(arguments, named, throw=True)
    first, second = Submission.objects.order_by("pk")
    assert (first.forum_handle, str(first.posted_on)) == ("ann", "2019-03-04")
    assert first.results.get().has_unit
    assert first.batch == second.batch


@pytest.mark.parametrize("found", ["made up", "e30:1a:x"])
def test_unsigned_posts_are_not_imported(client, found):
    response = client.post("/moderation/import/", {"found": found})
    assert (response.status_code, Submission.objects.exists()) == (422, False)
    assert "Choose the pages again" in response.text


@pytest.mark.parametrize("html", ["", "<p>no thread</p>"])
def test_a_page_that_is_not_a_thread_is_refused_with_the_reason(client, html):
    response = look(client, html)
    assert response.status_code == 422
    assert 'role="alert"' in response.text


def test_no_pages_at_all(client):
    assert "Choose the saved pages first" in client.post("/moderation/import/").text
