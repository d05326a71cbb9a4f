"""A member links two of their own results as before and after one change."""

import json
import zipfile
from html import escape
from io import BytesIO
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from results.accounts.data import write_archive
from results.models import DataVersion, ResultPair
from results.submissions.edit import clear_notes
from tests.factories import make_device, make_member, make_result, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner():
    return make_member()


@pytest.fixture
def results(owner):
    device = make_device()
    return [make_result(figure, device=device, submission__owner=owner) for figure in (100, 50)]


def link(client, results, **values):
    before, after = (result.public_id for result in results)
    sent = {
        "before": before,
        "after": after,
        "change": "hba_firmware",
        "before_value": "P19",
        "after_value": "P20",
    }
    path = f"/account/results/{results[0].public_id}/"
    return client.post(path, {f"pair-{name}": value for name, value in {**sent, **values}.items()})


def test_a_linked_pair_says_on_its_page_and_in_the_api_what_changed(client, owner, results):
    client.force_login(owner)
    sentence = "Twice as fast, serial: S3XYZ123456 of admin@example.org."
    assert link(client, results, sentence=sentence).status_code == 302
    a, b = (result.public_id for result in results)
    page = client.get(f"/compare/results/?a={a}&b={b}").content.decode()
    assert "HBA firmware, first P19, then P20" in page
    assert "Twice as fast" in page
    assert "example.org" not in page
    turned = client.get(f"/compare/results/?a={b}&b={a}").content.decode()
    assert "A is the later result." in turned
    (row,) = client.get("/api/v1/compare/pairs/?change=hba_firmware").json()["results"]
    assert (row["before"], row["after"], row["before_value"], row["quality"]) == (a, b, "P19", None)
    feed = client.get("/feeds/pairs.atom").content.decode()
    assert "<title>HBA firmware: P19, then P20</title>" in feed
    record = client.get(f"/api/v1/compare/results/?a={b}&b={a}").json()
    assert record["change"]["before"] == a
    assert {"condition": "hba_firmware", "a": "P20", "b": "P19", "differs": True} in record["conditions"]
    file = BytesIO()
    write_archive(owner, file)
    archive = zipfile.ZipFile(file)
    assert json.loads(archive.read("slogdb.json"))["pairs"][0]["after_value"] == "P20"


def test_a_pair_is_corrected_turned_and_unlinked(client, owner, results):
    client.force_login(owner)
    link(client, results)
    link(client, results, after_value="P20.07")
    assert ResultPair.objects.get().after_value == "P20.07"
    link(client, results[::-1])
    pair = ResultPair.objects.get()
    assert pair.before == results[1]
    client.post(f"/account/results/{results[0].public_id}/", {"unlink": "x"})
    assert ResultPair.objects.exists()
    client.post(f"/account/results/{results[0].public_id}/", {"unlink": pair.pk})
    assert not ResultPair.objects.exists()


def test_wrong_pairs_are_refused_with_the_reason_and_keep_what_was_typed(client, owner, results):
    client.force_login(owner)
    strange = make_result(submission=make_submission())
    cases = (
        ({"before": strange.public_id}, "None of your results has this id."),
        ({"before": results[1].public_id}, "Both ids are the same result."),
        ({"before": "NOT AN ID"}, "Not a result’s id"),
        ({"change": "moon"}, "Select a valid choice"),
    )
    for values, message in cases:
        response = link(client, results, sentence="kept words", **values)
        assert response.status_code == 422, values
        shown = response.content.decode()
        assert message in shown, values
        assert "kept words" in shown
    assert not ResultPair.objects.exists()


def test_a_withdrawn_half_hides_the_pair_and_moderators_remove_its_words(client, owner, results):
    client.force_login(owner)
    link(client, results, sentence="words")
    clear_notes(results[1].submission)
    assert ResultPair.objects.get().sentence == ""
    type(results[1].submission).objects.filter(pk=results[1].submission_id).update(state="withdrawn")
    assert client.get("/api/v1/compare/pairs/").json()["count"] == 0


def test_a_banned_member_writes_nothing_more_that_is_public(client, owner, results):
    client.force_login(owner)
    owner.banned_at, owner.ban_reason = timezone.now(), "spam"
    owner.save()
    answer = link(client, results, sentence="Buy at https://spam.example")
    assert (answer.status_code, "You can no longer link results: spam" in answer.text) == (422, True)
    assert not ResultPair.objects.exists()
    name = results[0].public_id
    answer = client.post(
        f"/account/results/{name}/", {"result": name, f"{name}-notes": "Buy", f"{name}-write_cache": ""}
    )
    assert (answer.status_code, "You can no longer describe results: spam" in answer.text) == (422, True)
    results[0].refresh_from_db()
    assert results[0].notes == ""


def test_a_sentence_is_text_in_the_feed_whatever_is_written_in_it(client, owner, results):
    client.force_login(owner)
    link(client, results, sentence='<a href="https://spam.example">R&D</a> ]]>')
    feed = ElementTree.fromstring(client.get("/feeds/pairs.atom").content)  # noqa: S314 - ours
    (summary,) = feed.iter("{http://www.w3.org/2005/Atom}summary")
    assert summary.get("type") == "html"
    assert summary.text == escape('<a href="https://spam.example">R&D</a> ]]>', quote=False)


def test_unlinking_nothing_leaves_the_page_cache_alone(client, owner, results):
    client.force_login(owner)
    before = DataVersion.objects.values_list("value", flat=True).first()
    client.post(f"/account/results/{results[0].public_id}/", {"unlink": "7"})
    assert DataVersion.objects.values_list("value", flat=True).first() == before
