"""Copies of a run, and models that only one sender has measured, as everyone sees them."""

import pytest

from results.models import Result
from results.models.choices import Action, State
from results.moderation.decide import decide
from results.ranking.standing import main_rows
from results.submissions.edit import change_state, erase_submission
from results.submissions.intake.other_results import flag_related
from results.submissions.intake.receive import Sender, preview_text, receive_submission
from tests import pastes
from tests.factories import (
    make_device,
    make_member,
    make_moderator,
    make_product,
    make_result,
    make_submission,
    rank_everything,
)

pytestmark = pytest.mark.django_db
TRUSTED = pytest.mark.usefixtures("everyone_is_trusted")
FIO = """\
fio --name=slog --filename=/dev/sda --rw=randwrite --bs=4k --ioengine=psync --direct=1 --fsync=1
slog: (g=0): rw=randwrite, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, ioengine=psync, iodepth=1
fio-3.33
slog: (groupid=0, jobs=1): err= 0: pid=1: Sun Mar  3 10:00:00 2024
  write: IOPS=6656, BW=26.0MiB/s (27.3MB/s)(1560MiB/60001msec); 0 zone resets
"""


def receive(text, **sender):
    return receive_submission(text, Sender(**sender)).submission.results.get()


def codes(result):
    result.refresh_from_db()
    return [flag["code"] for flag in result.flags]


@TRUSTED
def test_a_run_that_is_posted_again_counts_once_and_both_pages_link_each_other(client):
    first = receive(pastes.FIRST_PASTE, source_url="https://forum.example/threads/1")
    again = receive("Posted elsewhere, too:\n" + pastes.FIRST_PASTE)
    assert (again.copy_of, again.is_ranked, codes(again)) == (first, False, ["copy"])
    assert main_rows().get().result_count == 1
    page = client.get(again.get_absolute_url()).content.decode()
    assert "Also posted at" in page
    assert f'<a href="{first.get_absolute_url()}">forum.example</a>' in page
    assert again.get_absolute_url() in client.get(first.get_absolute_url()).content.decode()
    (posted,) = client.get(f"/api/v1/results/{first.public_id}/").json()["also_posted"]
    assert posted["id"] == again.public_id


@TRUSTED
def test_the_same_figures_under_another_serial_number_wait_for_a_moderator(client):
    receive(pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALAAA1"))
    again = receive(pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALBBB2"))
    assert (codes(again), again.is_ranked) == (["copy_other_serial"], False)
    assert again.submission.needs_review
    assert "Waiting for a moderator" in client.get(again.get_absolute_url()).content.decode()
    decide(again.submission, Action.APPROVED, moderator=make_moderator(), reason="Two units, I saw both.")
    again.refresh_from_db()
    assert again.is_ranked
    assert main_rows().get().result_count == 1  # the other one isn't vouched for


def test_a_trusted_members_copy_under_another_serial_number_reaches_the_queue():
    receive(pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALAAA1"))
    again = receive(pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALBBB2"), owner=make_moderator())
    assert codes(again) == ["copy_other_serial"]
    assert again.submission.needs_review  # its sender alone is no reason to


@TRUSTED
def test_a_run_of_four_equal_sizes_is_a_copy_of_a_longer_one():
    first = receive(pastes.diskinfo(ident=""))
    short = receive(pastes.diskinfo(pastes.FIRST_CURVE[:4], ident=""))
    assert short.copy_of == first


@TRUSTED
def test_three_equal_sizes_are_no_copy():
    receive(pastes.diskinfo(ident=""))
    assert receive(pastes.diskinfo(pastes.FIRST_CURVE[:3], ident="")).copy_of is None


@TRUSTED
def test_two_owners_of_the_same_published_figure_are_no_copies():
    first, second = FIO.replace("pid=1", "pid=11"), FIO.replace("pid=1", "pid=22")
    described = pastes.smartctl(model="SAMPLE SSD", serial="OWNERONE01")
    assert receive(first + described, forum_handle="ann").is_ranked
    other = receive(second + described.replace("OWNERONE01", "OWNERTWO02"), forum_handle="bob")
    assert (other.copy_of, other.is_ranked, codes(other)) == (None, True, [])


@TRUSTED
def test_one_figure_is_a_copy_where_the_text_or_the_source_is_the_same():
    described = pastes.smartctl(model="SAMPLE SSD")
    first = receive(FIO + described, source_url="https://forum.example/posts/7")
    assert receive(f"Once more\n{FIO}{described}").copy_of == first
    edited = FIO.replace("pid=1", "pid=2") + described
    assert receive(edited, source_url="https://forum.example/posts/7").copy_of == first


@TRUSTED
def test_nearly_the_same_figures_of_another_unit_are_noted():
    receive(pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALAAA1"))
    near = receive(pastes.diskinfo([point * 1.004 for point in pastes.FIRST_CURVE], ident="SERIALBBB2"))
    assert (codes(near), near.is_ranked) == (["near_copy"], True)
    again = receive(pastes.diskinfo([point * 0.997 for point in pastes.FIRST_CURVE], ident="SERIALAAA1"))
    assert codes(again) == []  # its own first run is as near


@TRUSTED
@pytest.mark.parametrize("idents", [("", "SERIALBBB2"), ("SERIALAAA1", ""), ("", "")])
def test_nearly_the_same_figures_are_noted_unless_both_state_one_unit(idents):
    first, second = idents
    receive(pastes.diskinfo(pastes.FIRST_CURVE, ident=first))
    near = receive(pastes.diskinfo([point * 1.004 for point in pastes.FIRST_CURVE], ident=second))
    assert [code for code in codes(near) if code != "no_serial"] == ["near_copy"]


@TRUSTED
@pytest.mark.parametrize(("sizes", "expected"), [(7, []), (8, ["near_copy"])])
def test_figures_are_nearly_the_same_if_at_least_eight_agree(sizes, expected):
    receive(pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALAAA1"))
    few = [point * 1.004 for point in pastes.FIRST_CURVE[:sizes]]
    assert codes(receive(pastes.diskinfo(few, ident="SERIALBBB2"))) == expected


@TRUSTED
def test_a_copy_is_noted_once_and_instead_of_a_near_one():
    receive(pastes.diskinfo([point * 1.004 for point in pastes.FIRST_CURVE], ident="SERIALBBB2"))
    text = pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALAAA1")
    results = [codes(receive(f"{number}\n{text}")) for number in range(3)]
    assert results == [["near_copy"], ["copy"], ["copy"]]


@TRUSTED
@pytest.mark.parametrize(
    ("handles", "is_copy"), [(("ann", "ann"), True), (("ann", ""), True), (("ann", "bob"), False)]
)
def test_one_figure_of_one_page_is_a_copy_unless_two_people_posted_it(handles, is_copy):
    described = pastes.smartctl(model="SAMPLE SSD")
    for handle, pid in zip(handles, ("pid=11", "pid=22"), strict=True):
        text = FIO.replace("pid=1", pid) + described
        result = receive(text, forum_handle=handle, source_url="https://forum.example/posts/7")
    assert (result.copy_of is not None) is is_copy


@TRUSTED
@pytest.mark.parametrize("path", ["/dev/sda", "/tank/test"])
def test_a_copy_of_a_copy_is_one_of_the_first(path):
    text = FIO.replace("/dev/sda", path) + pastes.smartctl(model="SAMPLE SSD")
    edited, source = text.replace("pid=1", "pid=22"), {"source_url": "https://forum.example/posts/7"}
    first, second = receive(text, **source), receive(edited, **source)
    assert receive(f"Again\n{edited}").copy_of == second.copy_of == first


@TRUSTED
@pytest.mark.parametrize(
    ("change", "sender", "expected"),
    [
        (("OWNERONE01", "OWNERONE01"), {}, ["copy"]),
        (("OWNERONE01", "OWNERTWO02"), {}, ["copy_other_serial"]),
        (("SAMPLE SSD", "EXAMPLE SSD"), {}, []),
        (("IOPS=6656", "IOPS=6600"), {"source_url": "https://forum.example/posts/7"}, []),
        (("pid=1", "pid=22"), {}, []),
        (("pid=1", "pid=22"), {"source_url": "https://forum.example/posts/7"}, ["copy"]),
    ],
)
def test_one_figure_of_a_file_is_a_copy_where_the_lines_or_the_source_are_the_same(change, sender, expected):
    text = FIO.replace("/dev/sda", "/tank/test") + pastes.smartctl(model="SAMPLE SSD", serial="OWNERONE01")
    assert codes(receive(text, **sender)) == []
    receive(text.replace("SAMPLE SSD", "EXAMPLE SSD").replace("IOPS=6656", "IOPS=6000"))
    again = receive(f"Again\n{text.replace(*change)}", **sender)
    assert (again.method, codes(again)) == ("fio_file", expected)


@TRUSTED
def test_a_copy_counts_while_the_original_is_withdrawn():
    first, again = receive(pastes.FIRST_PASTE), receive("Again\n" + pastes.FIRST_PASTE)
    change_state(first.submission, State.WITHDRAWN, reason="")
    again.refresh_from_db()
    assert (again.is_ranked, again.copy_of, codes(again)) == (True, None, [])
    change_state(first.submission, State.PUBLISHED, reason="")
    again.refresh_from_db()
    assert (again.is_ranked, again.copy_of) == (False, first)
    erase_submission(first.submission, reason="")
    again.refresh_from_db()
    assert (again.is_ranked, again.copy_of) == (True, None)
    assert main_rows().get().result_count == 1


@TRUSTED
def test_a_copy_is_compared_with_the_others_again_once_its_original_is_withdrawn():
    receive(pastes.diskinfo([point * 1.004 for point in pastes.FIRST_CURVE], ident="SERIALBBB2"))
    text = pastes.diskinfo(pastes.FIRST_CURVE, ident="SERIALAAA1")
    first, again = receive(text), receive(f"Again\n{text}")
    assert codes(again) == ["copy"]
    change_state(first.submission, State.WITHDRAWN, reason="")
    assert codes(again) == ["near_copy"]


def test_an_unknown_model_is_ranked_once_a_second_sender_has_measured_it(client):
    first = receive(pastes.diskinfo(ident="SERIALAAA1"), sender_digest="a" * 32)
    assert (codes(first), first.is_ranked) == (["unknown_model"], False)
    assert "We don’t know this model yet" in client.get(first.get_absolute_url()).content.decode().replace(
        "&#x27;", "’"
    )
    same = receive(pastes.diskinfo(ident="SERIALBBB2"), sender_digest="a" * 32)
    assert codes(same) == ["unknown_model"]
    second = receive(pastes.diskinfo(ident="SERIALCCC3"), sender_digest="b" * 32)
    assert [codes(result) for result in (first, same, second)] == [[], [], []]
    assert main_rows().get().result_count == 3
    erase_submission(second.submission, reason="")
    assert codes(first) == ["unknown_model"]
    assert not main_rows().exists()


@pytest.mark.parametrize(
    ("owners", "networks"),
    [((None, 0), "aa"), ((0, 1), "aa"), ((0, 0), "ab")],
    ids=["visitor", "other", "same"],
)
def test_an_account_of_the_same_network_or_person_makes_no_model_known(owners, networks):
    members = [make_member(), make_member()]
    for number, (owner, network) in enumerate(zip(owners, networks, strict=True)):
        sender = {"owner": None if owner is None else members[owner], "sender_digest": network * 32}
        result = receive(pastes.diskinfo(ident=f"SERIALAAA{number}"), **sender)
        assert "unknown_model" in codes(result)


def test_two_units_of_an_unknown_model_in_one_paste_stay_unknown():
    runs = [
        pastes.diskinfo([point * factor for point in pastes.FIRST_CURVE], ident=f"SERIAL{factor}AA")
        for factor in (1, 2)
    ]
    results = list(receive_submission("".join(runs), Sender(sender_digest="a" * 32)).submission.results.all())
    assert [codes(result) for result in results] == [["unknown_model"]] * 2


def test_a_copy_by_a_second_sender_makes_no_model_known():
    first = receive(pastes.FIRST_PASTE, sender_digest="a" * 32)
    receive("Again\n" + pastes.FIRST_PASTE, sender_digest="b" * 32)
    assert codes(first) == ["unknown_model"]


def test_a_catalogued_model_a_trusted_member_and_a_moderator_make_a_model_known():
    make_product(patterns=["^KNOWN"])
    assert codes(receive(pastes.diskinfo(description="KNOWN 1"))) == []
    member = make_member()
    for _ in range(3):
        make_submission(owner=member, is_approved=True)
    assert codes(receive(pastes.diskinfo(description="OTHER 1"), owner=member)) == []
    looked_at = receive(pastes.diskinfo(description="THIRD 1"))
    decide(looked_at.submission, Action.APPROVED, moderator=make_moderator(), reason="It exists.")
    assert (codes(looked_at), Result.objects.get(pk=looked_at.pk).is_ranked) == ([], True)


def test_the_preview_shows_unknown_models_and_existing_runs():
    (run,) = preview_text(pastes.FIRST_PASTE).found.runs
    assert [flag.code for flag in run.flags] == ["unknown_model"]
    make_product(patterns=["^MARVELL"])
    first = receive(pastes.FIRST_PASTE)
    (run,) = preview_text("Again\n" + pastes.FIRST_PASTE).found.runs
    assert [(flag.code, first.public_id in flag.message) for flag in run.flags] == [("copy", True)]
    assert not run.is_ranked


CURVE = [float(latency_us) for latency_us in range(20, 35)]
WITHOUT_4K = [*CURVE[:3], None, *CURVE[4:]]


@pytest.mark.parametrize("first", [CURVE, WITHOUT_4K], ids=["4k", "no 4k"])
@pytest.mark.parametrize("second", [CURVE, WITHOUT_4K], ids=["4k", "no 4k"])
def test_equal_figures_are_copies_if_they_are_of_one_device_by_one_method(first, second):
    devices = make_device(), make_device()
    unranked = {"not_ranked_reason": "Without 4 KiB, none is."}
    origin = make_result(first, device=devices[0], **unranked)
    for device, method, expected in (
        (devices[1], "diskinfo", None),
        (devices[0], "fio", None),
        (devices[0], "diskinfo", origin),
    ):
        result = make_result(second, device=device, method=method, **unranked)
        flag_related([result.submission_id], devices=[])
        result.refresh_from_db()
        assert result.copy_of == expected, (device, method)


def table_row(number, latency_us, device, *, page="https://a.example/table", quality="b"):
    source = {"survey_id": f"t{number}", "source_url": f"{page}#row-{number}", "quality": quality}
    submission = make_submission(**source)
    make_result(latency_us, device=device, submission=submission)
    flag_related([submission.pk], devices=[])
    return submission.results.get()


@pytest.mark.parametrize(
    ("latency_us", "other", "is_same"),
    [
        (51.0, {"page": "https://b.example/table"}, True),
        (51.1, {"page": "https://b.example/table"}, False),
        (50.9, {}, False),  # two readers in one table
        (50.9, {"page": "https://b.example/log", "quality": "a"}, False),
    ],
)
def test_figures_that_two_tables_share_count_once(latency_us, other, is_same):
    device = make_device()
    first = table_row(1, [None] * 3 + [50.0] + [None] * 11, device)
    second = table_row(2, [None] * 3 + [latency_us] + [None] * 11, device, **other)
    assert (second.copy_of == first, second.is_ranked) == (is_same, not is_same)


def test_a_table_that_is_posted_twice_under_two_addresses_counts_once():
    devices = [make_device() for _ in range(3)]
    for number, page in enumerate(("https://a.example/table", "https://b.example/copy")):
        for at, device in enumerate(devices):
            table_row(10 * number + at, [None] * 3 + [20.0 + at] + [None] * 11, device, page=page)
    rank_everything()
    assert set(main_rows().values_list("unit_count", flat=True)) == {1}
