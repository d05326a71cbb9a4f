import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from results.models import Submission
from tests import threads

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("moderator")]


def look(client, html=threads.THREAD):
    return client.post("/moderation/import/", {"pages": SimpleUploadedFile("thread.html", html.encode())})


def test_one_result_is_called_one(client):
    assert "Import 1 result</button>" in look(client, threads.older_page()).text
    assert "Import 2 results</button>" in look(client).text


def test_a_thread_is_looked_at_first_and_then_brought_in(client):
    page = look(client).text
    assert "3 posts, 2 with a result that is not known yet" in page
    assert "cy &lt;c&gt;" in page
    assert not Submission.objects.exists()
    found = re.search(r'name="found" value="([^"]+)"', page)[1]
    done = client.post("/moderation/import/", {"found": found}, follow=True).text
    assert "Brought in 2 results from" in done
    assert Submission.objects.count() == 2
    assert "0 with a result that is not known yet" in look(client).text


@pytest.mark.parametrize("found", ["made up", "e30:1a:x"])
def test_what_was_not_found_here_is_not_brought_in(client, found):
    response = client.post("/moderation/import/", {"found": found})
    assert (response.status_code, Submission.objects.exists()) == (422, False)
    assert "choose the pages again" in response.text


@pytest.mark.parametrize("html", ["", "<p>no thread</p>"])
def test_what_is_no_thread_is_said(client, html):
    response = look(client, html)
    assert response.status_code == 422
    assert 'role="alert"' in response.text


def test_no_pages_at_all(client):
    assert "Choose the saved pages first" in client.post("/moderation/import/").text
