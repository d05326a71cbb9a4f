import pytest
from django.conf import settings

from parsers.paste import parse_paste
from results.core.data_version import stored_version
from results.kinds.registry import KINDS
from results.models import Result
from results.ranking.boards import ALL_CLASSES, ClassBoard, dirty_boards, place_board
from results.ranking.standing import main_rows
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.store import read_submission
from tests import pastes
from tests.results.kinds.file_sync.test_pages import ON_A_FILE
from tests.results.kinds.sustained import texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
TWO_RUNS = pastes.FIRST_PASTE + pastes.diskinfo([20.0] * 15, description="SAMPLE SSD", ident="SAMPLE0001")


def receive(text):
    return receive_submission(text, Sender()).submission


def parsed(text, submission):
    return parse_paste(text, unit_key=settings.UNIT_KEY.encode(), unit_digests=submission.unit_digests)


def test_a_reread_run_keeps_its_row():
    """Lists of the newest results go by the rows' ids."""
    first, _ = receive(pastes.FIRST_PASTE), receive(pastes.diskinfo([20.0] * 15))
    newest = list(Result.objects.order_by("-id").values_list("public_id", flat=True))
    read_submission(first, parsed(first.text, first))
    assert list(Result.objects.order_by("-id").values_list("public_id", flat=True)) == newest


def test_a_run_that_is_no_longer_found_is_removed_from_the_ranking():
    submission = receive(TWO_RUNS)
    assert main_rows().count() == 2
    read_submission(submission, parsed(pastes.FIRST_PASTE, submission))
    assert [result.device.model_name for result in Result.objects.all()] == ["MARVELL SD88SA02"]
    assert [row.device.model_name for row in main_rows().all()] == ["MARVELL SD88SA02"]


@pytest.mark.parametrize("text", [ON_A_FILE, texts.device() + texts.fio() + texts.log(texts.FALLING)])
def test_a_run_that_is_now_of_another_kind_has_no_payload_of_the_old_one(text):
    submission = receive(text)
    read_submission(submission, parsed(pastes.FIRST_PASTE, submission))
    assert Result.objects.get().method == "diskinfo"
    tables = [table for kind in KINDS.values() for table in (kind.table, kind.bulk_table) if table]
    assert [table for table in tables if table.objects.exists()] == []


def test_a_text_that_can_no_longer_be_read_states_why():
    submission = receive(pastes.FIRST_PASTE)
    read_submission(submission, parsed("nothing", submission))
    submission.refresh_from_db()
    assert dirty_boards() == [
        *(ClassBoard(board, "sata_ssd") for board in ("sync_write", "zil")),
        *(ClassBoard(board, ALL_CLASSES) for board in ("sync_write", "zil")),
    ]
    assert [notice["code"] for notice in submission.notices] == ["nothing_found"]
    assert not Result.objects.exists()
    assert not main_rows().exists()


def test_a_result_that_moves_to_another_device_marks_the_boards_of_both():
    submission = receive(pastes.FIRST_PASTE)
    moved = pastes.diskinfo([19_300.0] * 15, description="SAMPLE HDD") + pastes.smartctl(
        model="SAMPLE HDD", rotation="7200 rpm"
    )
    read_submission(submission, parsed(moved, submission))
    assert list(dict.fromkeys(board.device_class for board in dirty_boards())) == [
        "sata_ssd",
        "hdd",
        ALL_CLASSES,
    ]
    assert [row.device.model_name for row in main_rows().all()] == ["SAMPLE HDD"]


def test_a_reading_leaves_the_boards_dirty_that_it_changes_and_no_others():
    submission = receive(pastes.FIRST_PASTE)
    for board in dirty_boards():
        place_board(board)
    assert dirty_boards() == []
    version = stored_version()
    read_submission(submission, parsed(submission.text, submission))
    assert dirty_boards() == []
    assert stored_version() > version
    read_submission(submission, parsed(pastes.diskinfo([9300.0] * 15), submission))
    assert dirty_boards() == [
        *(ClassBoard(board, "sata_ssd") for board in ("sync_write", "zil")),
        *(ClassBoard(board, ALL_CLASSES) for board in ("sync_write", "zil")),
    ]


def test_results_without_a_serial_number_belong_to_their_sender():
    def ranking_unit(text, network):
        submission = receive_submission(text, Sender(sender_digest=network)).submission
        return submission, submission.results.get().ranking_unit

    nameless = pastes.diskinfo(ident="")
    _, unit = ranking_unit(nameless, "")
    assert unit == "unknown"
    _, unit = ranking_unit(nameless.replace("da24", "da25").replace("138.4", "139.4"), "a network")
    assert unit == "network a network"
    submission, unit = ranking_unit(pastes.diskinfo(), "a network")
    assert unit == submission.results.get().unit != ""
