"""Which pages are asked for in turn, and that the site knows each under that address."""

import pytest

from slogdb.bench import in_turn
from tests.factories import make_device, make_result, rank_everything


def test_each_address_of_a_leaderboard_is_asked_for_once():
    boards = in_turn.leaderboards(3)
    assert (boards[0], boards[1], len(boards)) == ("/leaderboard/", "/leaderboard/?page=2", 45)
    assert len(set(boards)) == len(boards)


def test_the_same_pages_are_asked_for_at_every_size():
    assert in_turn.leaderboards(8) == in_turn.leaderboards(400)


def test_far_pages_stand_in_the_middle_where_there_are_enough():
    far = in_turn.far_leaderboards(400)
    assert (far[0], far[7], len(far)) == ("/leaderboard/?page=197", "/leaderboard/?page=204", 120)
    assert not set(far) & set(in_turn.leaderboards(400))
    assert in_turn.far_leaderboards(8) == []


@pytest.mark.django_db
def test_none_of_them_is_answered_with_another_address(client):
    make_result(device__slug="sample")
    rank_everything()
    assert {client.get(board).status_code for board in in_turn.leaderboards(1)} == {200}


@pytest.mark.django_db
def test_devices_are_those_that_the_pages_lead_to(client):
    for slug in ("one", "two"):
        make_result(device=make_device(slug=slug, model_name=slug))
    rank_everything()
    found = in_turn.devices(lambda path: client.get(path).content, ["/leaderboard/"])
    assert sorted(found) == ["/devices/one/", "/devices/two/"]


def test_without_a_device_there_is_nothing_to_ask_for():
    with pytest.raises(SystemExit):
        in_turn.devices(lambda _: b"<p>Nothing</p>", ["/leaderboard/"])


def test_the_script_holds_the_addresses_in_their_order(tmp_path):
    script = in_turn.write_script(tmp_path / "turns.lua", ["/a/", "/b/?c=1"]).read_text()
    assert script.index('"/a/"') < script.index('"/b/?c=1"')
    assert "turn % #addresses + 1" in script
