"""The page of a pool, and the pages of its log devices; what it shows of its runs is tested with their kind."""

import pytest

from results.models import Device, Pool, Submission
from results.submissions.edit import NotAllowedError, erase_submission, say_same_pool
from tests import pastes
from tests.factories import make_member
from tests.page import Page
from tests.results.kinds.pool_io import texts
from tests.results.publishing import publish, publish_by_form
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
SAME = "The same pool as before?"


def test_a_device_page_lists_the_pools_that_it_is_a_log_device_of(client):
    curve = pastes.FIRST_PASTE.replace("MARVELL SD88SA02", texts.LOG_MODEL)
    publish(client, curve)
    device = Device.objects.get()
    assert "As a log device in pools" not in client.get(device.get_absolute_url()).content.decode()
    publish(
        client,
        texts.dd(),
        told={"all": {"vdev_type": "mirror", "vdev_members": "2", "log_device": device.slug}},
    )
    page = client.get(device.get_absolute_url()).content.decode()
    assert "As a log device in pools" in page
    assert Pool.objects.get().get_absolute_url() in page


def test_a_member_states_that_two_pools_are_one(client):
    owner = make_member()
    first, second, third = (
        publish(client, texts.status() + texts.dd(seconds=seconds))[0]["pool"]
        for seconds in ("20", "21", "22")
    )
    Submission.objects.update(owner=owner)
    sign_in_with(client, owner, "password")
    for pool, other in ((second, first), (third, second)):
        response = client.post(f"/account/results/{pool}/", {"pool": pool, "same": other})
        assert response.status_code == 302
    page = client.get(f"/pools/{first}/").content.decode()
    assert (f"/pools/{second}/" in page, f"/pools/{third}/" in page) == (True, True)
    assert client.get(f"/api/v1/pools/{third}/").json()["same_as"] == first

    erase_submission(Submission.objects.get(public_id=first), reason="")
    assert f"/pools/{third}/" in client.get(f"/pools/{second}/").content.decode()
    client.post(f"/account/results/{third}/", {"pool": third, "same": ""})
    assert f"/pools/{third}/" not in client.get(f"/pools/{second}/").content.decode()


def test_nobody_connects_pools_of_others(client):
    publish(client, texts.status() + texts.dd())
    publish(client, texts.status() + texts.dd(seconds="21"))
    Submission.objects.filter(pk=Submission.objects.first().pk).update(owner=make_member())
    with pytest.raises(NotAllowedError):
        say_same_pool(*Pool.objects.select_related("submission"))


WITHOUT, WITH = texts.status(logs="") + texts.dd(seconds="40"), texts.status() + texts.dd(seconds="10")


def test_a_member_s_second_paste_of_a_pool_becomes_a_set_with_the_first(client):
    owner = make_member()
    sign_in_with(client, owner, "password")
    assert SAME not in publish_by_form(client, WITHOUT).text
    response = publish_by_form(client, WITH)
    first, second = Pool.objects.order_by("pk")
    assert first.get_absolute_url() in Page(response).section("same-pool").links.values()
    path = f"/account/results/{second.submission.public_id}/"
    for page in (response.text, client.get(path).text):
        assert SAME in page
        assert f'action="{path}"' in page
    sent = {"pool": second.public_id, "same": first.public_id, "compare": "yes"}
    answer = client.post(path, sent, follow=True)
    assert answer.redirect_chain[0][0].startswith("/compare/sets/chosen/?results=")
    assert "a ratio across two pools" not in answer.text
    assert "with and without a log device" in answer.text
    assert "The same pool as before?" not in client.get(path).text
    assert "Compare all its runs side by side" in client.get(first.get_absolute_url()).text


def test_a_sender_without_an_account_learns_how_to_connect_two_pastes(client):
    publish_by_form(client, WITHOUT)
    assert "add both to an account" in publish_by_form(client, WITH).text


@pytest.mark.parametrize(
    "other",
    [
        texts.status(logs="").replace("mirror-1", "raidz1-1") + texts.dd(seconds="40"),  # another layout
        texts.dd(seconds="40"),  # an unknown layout
        texts.status(logs="") + texts.fio(),  # another tool
    ],
)
def test_pools_that_do_not_look_alike_are_not_offered(client, other):
    sign_in_with(client, make_member(), "password")
    publish_by_form(client, other)
    assert SAME not in publish_by_form(client, WITH).text


def test_pools_of_other_people_are_not_offered(client):
    publish_by_form(client, WITHOUT)
    sign_in_with(client, make_member(), "password")
    assert SAME not in publish_by_form(client, WITH).text
