"""`manage.py reread`: a better parser improves what is stored."""

import gzip

import pytest
from django.core.management import call_command

from parsers.paste import PARSER_VERSION
from results.exports.build import build_exports
from results.kinds.curve.metrics import zil_latency_us
from results.models import Result, Submission
from results.models.choices import State, SubjectKind
from results.ranking.standing import main_rows
from results.submissions.edit import change_state, erase_submission, forget_unit
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.reread import reread_all
from results.submissions.intake.shipped import load_pools, load_survey, read_shipped
from tests import pastes

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]


@pytest.fixture(autouse=True)
def exports_folder(settings, tmp_path):
    settings.EXPORT_FOLDER = tmp_path
    return tmp_path


def rows(*, but=()):
    fields = [field.name for field in Result._meta.concrete_fields if field.name not in {"id", *but}]
    return list(Result.objects.order_by("public_id").values(*fields))


def test_rereading_with_the_same_parsers_changes_nothing():
    receive_submission(pastes.FIRST_PASTE, Sender())
    receive_submission(
        pastes.diskinfo(description="SAMPLE SSD") + pastes.smartctl(model="SAMPLE SSD"), Sender()
    )
    before = rows()
    call_command("reread", "--all")
    assert rows() == before


def test_boards_are_never_empty_while_texts_are_reread():
    for number in range(3):
        curve = [(number + 1) * point for point in pastes.FIRST_CURVE]
        receive_submission(
            pastes.diskinfo(curve, description=f"SAMPLE {number}", ident=f"AA0000000{number}"), Sender()
        )
    ranked = set(main_rows().values_list("device", "score"))
    Submission.objects.update(parser_version="0.1")
    for _reread in reread_all(only_outdated=True):
        assert set(main_rows().values_list("device", "score")) == ranked
    assert len(ranked) == 3


def test_only_texts_read_by_another_version_are_reread(capsys):
    old = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    receive_submission(pastes.diskinfo(description="SAMPLE SSD"), Sender())
    Submission.objects.filter(pk=old.pk).update(parser_version="0.1", notices=[])
    old.results.update(metrics={})
    call_command("reread")
    assert capsys.readouterr().out.endswith("\n1 text read again, 1 result changed\n  metrics: 1\n")
    old.refresh_from_db()
    assert old.parser_version == PARSER_VERSION
    assert old.results.get().metrics["zil_latency_us"] == pytest.approx(zil_latency_us(pastes.FIRST_CURVE))


@pytest.mark.parametrize(
    ("family", "figures"),
    [
        ("Samsung based SSDs", (3, "Wear_Leveling_Count 97", None, 512_000_000)),
        (None, (None, None, "Wear_Leveling_Count 97, raw 50; Total_LBAs_Written 99, raw 1000000", None)),
    ],
)
def test_rereading_fills_in_wear_and_raw_attributes(family, figures):
    described = f"Model Family:     {family}\n" if family else ""
    text = pastes.diskinfo(description="SAMPLE SSD") + pastes.smartctl(model="SAMPLE SSD").replace(
        "Device Model:", f"{described}Device Model:"
    )
    text += """Sector Size:      512 bytes logical/physical
177 Wear_Leveling_Count     0x0013   097   097   000    Pre-fail  Always       -       50
241 Total_LBAs_Written      0x0032   099   099   000    Old_age   Always       -       1000000
"""
    receive_submission(text, Sender())
    new = rows(but=["changed_at"])
    blank = {"wear_percent": None, "wear_source": None, "raw_wear": None, "host_bytes_written": None}
    Result.objects.update(**blank)
    call_command("reread", "--all")
    (found,) = Result.objects.values_list("wear_percent", "wear_source", "raw_wear", "host_bytes_written")
    assert found == figures
    assert rows(but=["changed_at"]) == new
    call_command("reread", "--all")
    assert rows(but=["changed_at"]) == new


def test_published_figures_are_judged_again_by_their_file(capsys):
    shipped = read_shipped()
    some = {"d001", *(line.survey_id for line in shipped[::10])}
    load_survey([line for line in shipped if line.survey_id in some])
    load_pools(read_shipped(SubjectKind.POOL)[:2])
    before = rows()
    call_command("reread", "--all")
    assert rows() == before
    before = rows(but=["changed_at"])
    card = Result.objects.get(device__model_name="MARVELL SD88SA02")
    Result.objects.filter(pk=card.pk).update(is_ranked=True, not_ranked_reason="", flags=[])
    call_command("reread", "--all", "--diff")
    assert rows(but=["changed_at"]) == before
    assert "+ not ranked: timer_tick" in capsys.readouterr().out


@pytest.fixture
def second_of_two():
    receive_submission(pastes.diskinfo(description="SAMPLE SSD"), Sender())
    return receive_submission(pastes.FIRST_PASTE, Sender()).submission


def reread_while(change, submission):
    """Read all again, with `change` made to the submission when the one before it has been read."""
    rereading = reread_all(only_outdated=False)
    next(rereading)
    change(submission)
    list(rereading)


def test_a_text_erased_during_a_reread_stays_erased(second_of_two):
    reread_while(lambda submission: erase_submission(submission, reason="asked for"), second_of_two)
    assert not second_of_two.results.exists()
    assert main_rows().count() == 1


def test_a_text_held_during_a_reread_stays_out_of_the_ranking(second_of_two):
    reread_while(lambda submission: change_state(submission, State.HELD, reason="looked at"), second_of_two)
    assert second_of_two.results.get().not_ranked_reason == "looked at"


def test_a_unit_forgotten_during_a_reread_stays_forgotten(second_of_two):
    reread_while(forget_unit, second_of_two)
    assert not second_of_two.results.get().has_unit


def test_changes_are_printed_as_a_diff(capsys):
    old = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    same = receive_submission(pastes.diskinfo(description="SAMPLE SSD"), Sender()).submission
    old.results.update(flags=[{"code": "exceeds_link", "effect": "waits", "message": "Too fast."}])
    call_command("reread", "--all", "--diff")
    printed = capsys.readouterr().out.splitlines()
    heading = printed.index(f"{old.public_id}  MARVELL SD88SA02")
    assert printed[heading + 1] == "- waits: exceeds_link"
    assert not any(line.startswith(same.public_id) for line in printed)


def test_an_identifier_that_was_missed_is_masked_for_good():
    submission = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    Submission.objects.filter(pk=submission.pk).update(text=submission.text + "Serial Number: MISSED123456\n")
    call_command("reread", "--all")
    submission.refresh_from_db()
    assert "MISSED123456" not in submission.text
    (unit,) = {result.unit for result in submission.results.all()}
    assert unit


def test_a_late_found_serial_number_does_not_link_unlinked_units():
    submission = receive_submission(pastes.FIRST_PASTE, Sender(keeps_unit=False)).submission
    Submission.objects.filter(pk=submission.pk).update(
        text=submission.text.replace("[serial-1]", "MISSED123456")
    )
    call_command("reread", "--all")
    submission.refresh_from_db()
    assert ("MISSED123456" in submission.text, submission.unit_digests) == (False, {})
    assert submission.results.get().unit == ""


@pytest.mark.django_db(transaction=True)
def test_exports_are_rebuilt_after_a_complete_reread(exports_folder):
    submission = receive_submission(pastes.FIRST_PASTE, Sender()).submission
    Submission.objects.filter(pk=submission.pk).update(text=submission.text + "Serial Number: MISSED123456\n")
    build_exports()
    assert "MISSED123456" in (exports_folder / "current" / "texts.ndjson").read_text()
    call_command("reread", "--all")
    assert "MISSED123456" not in (exports_folder / "current" / "texts.ndjson").read_text()


# As an earlier version stored them: what was behind the columns, and numbers of JSON that identify a device
HISTOGRAM = """tank  total_wait  disk_wait  syncq_wait  asyncq_wait
latency  read  write  read  write  read  write  read  write  scrub  trim
1ns  0 0 0 0 0 0 0 0 0 0   host=wombat.example 203.0.113.9 SN:WD-QZC7K1234567 quokka
3us  0 0 0 0 0 0 0 7 0 0
"""
NUMBERS = """{"json_format_version": [1, 0], "smartctl": {"version": [7, 3]}, "model_name": "SAMPLE SSD",
"serial_number": 201403120047, "logical_unit_id": 5764611469514216599, "eui64": 11223344556677,
"device": {"name": "/dev/nvme0", "type": "nvme", "protocol": "NVMe"}}
"""
LEAKED = ("wombat", "203.0.113.9", "QZC7K", "quokka", "201403120047", "5764611469514216599", "11223344556677")


@pytest.mark.django_db(transaction=True)
def test_stored_texts_and_exports_lose_what_is_no_longer_kept(client, exports_folder):
    """After an upgrade, without `--all`: the text, what was read of it, its page, and the files of the exports."""
    submission = receive_submission(pastes.FIRST_PASTE + HISTOGRAM + NUMBERS, Sender()).submission
    assert [leaked for leaked in LEAKED if leaked in submission.text] == []
    Submission.objects.filter(pk=submission.pk).update(
        text=pastes.FIRST_PASTE.replace("CD12345678", "[serial-1]") + HISTOGRAM + NUMBERS,
        parser_version="2.0",
    )
    build_exports()
    assert any("quokka" in everything_in(path) for path in exports_folder.rglob("*") if path.is_file())
    call_command("reread")
    submission.refresh_from_db()
    page = client.get(f"/results/{submission.public_id}/").content.decode()
    exported = "".join(everything_in(path) for path in exports_folder.rglob("*") if path.is_file())
    everything = submission.text + str(rows()) + page + exported
    assert [leaked for leaked in LEAKED if leaked in everything] == []
    assert "1ns  0  0  0  0  0  0  0  0  0  0" in submission.text
    assert submission.parser_version == PARSER_VERSION


def everything_in(path):
    content = path.read_bytes()
    return (gzip.decompress(content) if path.suffix == ".gz" else content).decode(errors="replace")
