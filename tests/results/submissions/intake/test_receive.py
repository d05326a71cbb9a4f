import pytest
from django.db import connection

from parsers.paste import parse_paste
from results.core.data_version import stored_version
from results.kinds.latency_curve.read import WITHOUT_4K
from results.kinds.registry import find_runs
from results.models import Device, DeviceRanking, Firmware, Result, Submission
from results.ranking.boards import ALL_CLASSES, ClassBoard, dirty_boards
from results.ranking.standing import main_rows
from results.submissions.edit import erase_submission
from results.submissions.intake.receive import (
    PasteTooLongError,
    Sender,
    SubmissionRefusedError,
    join_parts,
    parts_of_files,
    preview_text,
    receive_submission,
)
from results.submissions.intake.store import insert_new
from results.submissions.text.sent_lines import sent_notices
from tests import pastes
from tests.factories import rank_everything

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
NOBODY = Sender()


def receive(raw, sender=NOBODY):
    return receive_submission(raw, sender)


def refusal(raw):
    with pytest.raises(SubmissionRefusedError) as refused:
        receive(raw)
    assert not Submission.objects.exists()
    return [(notice.code, notice.line) for notice in refused.value.notices]


def everything_stored():
    """All text of all tables, as the database holds it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        rows = []
        for name in tables:
            cursor.execute(f'SELECT table_row::text FROM "{name}" AS table_row')  # noqa: S608 - catalog names
            rows += [row for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def test_the_first_result_ever_published_is_read_with_all_its_points():
    received = receive(pastes.FIRST_PASTE)
    result = Result.objects.select_related("device", "submission").get()
    assert received.is_new
    assert received.submission == result.submission
    assert dirty_boards() == [
        *(ClassBoard(board, "sata_ssd") for board in ("sync_write", "zil")),
        *(ClassBoard(board, ALL_CLASSES) for board in ("sync_write", "zil")),
    ]
    assert result.latency_us == list(pastes.FIRST_CURVE)
    assert (result.device.model_name, result.device.capacity_bytes) == ("MARVELL SD88SA02", 24_575_868_928)
    assert (result.is_complete, result.is_ranked, result.first_line, result.last_line) == (True, True, 2, 25)
    assert (result.path, result.sector_size) == ("/dev/da24", 512)
    assert main_rows().get().device == result.device


def test_the_serial_number_is_nowhere_in_the_database():
    receive(pastes.FIRST_PASTE + pastes.smartctl())
    stored = everything_stored()
    assert pastes.SERIAL not in stored.upper()
    assert "root@freenas" not in stored
    assert "[serial-1]" in Submission.objects.get().text


def test_the_same_unit_is_recognized_in_another_paste():
    receive(pastes.diskinfo())
    receive(pastes.diskinfo([90.0] * 15))
    receive(pastes.diskinfo(ident="ANOTHER0001"), Sender(sender_digest="another network"))
    units = list(Result.objects.order_by("id").values_list("ranking_unit", flat=True))
    assert units[0] == units[1] != units[2]
    assert main_rows().get().unit_count == 2


def test_the_same_text_is_the_same_submission(subtests):
    first = receive(pastes.FIRST_PASTE, Sender(forum_handle="first"))
    version = stored_version()
    for again in [
        pastes.FIRST_PASTE.replace("\n", "\r\n"),
        pastes.FIRST_PASTE.replace("\n", "\r"),
        pastes.FIRST_PASTE.replace("\n", " \t\n"),
        f"\n\n{pastes.FIRST_PASTE}\n\n",
        pastes.FIRST_PASTE.encode(),
        pastes.FIRST_PASTE.encode("utf-8-sig"),
        pastes.FIRST_PASTE.encode("utf-16"),
    ]:
        with subtests.test(again=again):
            second = receive(again, Sender(forum_handle="second"))
            assert (second.submission, second.is_new) == (first.submission, False)
            assert (Submission.objects.get().forum_handle, Result.objects.count()) == ("first", 1)
            assert stored_version() == version


def test_a_text_that_is_erased_while_it_comes_again_is_a_new_one(monkeypatch):
    first = receive(pastes.FIRST_PASTE).submission

    def erased_when_it_was_found(rows):
        monkeypatch.undo()
        new = insert_new(rows)
        erase_submission(first, reason="asked for")
        return new

    monkeypatch.setattr("results.submissions.intake.receive.insert_new", erased_when_it_was_found)
    again = receive(pastes.FIRST_PASTE)
    assert again.is_new
    assert again.submission.pk != first.pk
    assert Result.objects.get().submission == again.submission


def test_texts_that_differ_in_their_serial_number_are_two():
    """Masked they are alike, but two units were measured."""
    receive(pastes.diskinfo(ident="SAMPLE0001"))
    receive(pastes.diskinfo(ident="SAMPLE0002"))
    assert Submission.objects.count() == 2


def test_two_devices_in_one_paste_are_two_results_of_one_submission():
    other = pastes.diskinfo([20.0] * 15, description="SAMPLE SSD", ident="SAMPLE0001", path="/dev/da25")
    received = receive(pastes.FIRST_PASTE + pastes.prompted(other, "diskinfo -wS /dev/da25"))
    results = list(received.submission.results.order_by("position").select_related("device"))
    assert [result.device.model_name for result in results] == ["MARVELL SD88SA02", "SAMPLE SSD"]
    public_id = received.submission.public_id
    assert [result.public_id for result in results] == [public_id, f"{public_id}-2"]
    assert [(result.position, result.latency_us[0]) for result in results] == [(1, 138.4), (2, 20.0)]


def test_two_runs_of_one_device_are_two_results():
    receive(pastes.diskinfo() + pastes.diskinfo([90.0] * 15))
    assert list(Result.objects.order_by("position").values_list("latency_us__0", flat=True)) == [138.4, 90.0]
    assert (Device.objects.count(), main_rows().get().unit_count) == (1, 1)


def test_firmware_and_wear_come_from_smartctl_output():
    receive(pastes.diskinfo() + pastes.smartctl())
    result = Result.objects.get()
    assert (result.firmware.version, result.platform) == ("D20Y", "FreeBSD 12.2-RELEASE-p11 amd64")


def test_a_truncated_table_is_on_the_boards_whose_figure_it_has():
    received = receive(pastes.diskinfo(pastes.FIRST_CURVE[:8]))
    result = Result.objects.get()
    assert result.latency_us == [*pastes.FIRST_CURVE[:8], *[None] * 7]
    assert (result.is_complete, result.is_ranked) == (False, True)
    assert ("truncated", 17) in [(notice["code"], notice["line"]) for notice in received.submission.notices]
    assert [(row.board, row.score) for row in DeviceRanking.objects.all()] == [
        ("sync_write", pytest.approx(pastes.FIRST_CURVE[3]))
    ]


def test_a_table_cut_before_4_kib_is_stored_but_not_ranked():
    receive(pastes.diskinfo(pastes.FIRST_CURVE[:3]))
    result = Result.objects.get()
    assert (result.is_ranked, result.not_ranked_reason) == (False, WITHOUT_4K)
    assert not DeviceRanking.objects.exists()


def test_a_class_that_becomes_known_later_marks_both_boards():
    receive(pastes.diskinfo(description="SAMPLE 9000"))
    assert dirty_boards()[0] == ClassBoard("sync_write", "unknown")
    rank_everything()
    described = pastes.smartctl(model="SAMPLE 9000", serial="SAMPLE0002")
    receive(pastes.diskinfo(description="SAMPLE 9000", ident="SAMPLE0002") + described)
    assert list(dict.fromkeys(board.device_class for board in dirty_boards())) == [
        "unknown",
        "sata_ssd",
        ALL_CLASSES,
    ]
    assert main_rows().get().device_class == "sata_ssd"


def test_a_text_without_a_run_is_refused_with_a_code_and_a_line(subtests):
    for raw, expected in [
        ("", [("empty", None)]),
        (" \n\t\n", [("empty", None)]),
        ("hello\nworld", [("nothing_found", None)]),
        (pastes.smartctl(), [("no_benchmark", None)]),
        (b"\x00\x01\x02\x03" * 100, [("binary", None)]),
        ("a\x00b", [("binary", None)]),
        ("diskinfo: /dev/da0: Permission denied\n", [("needs_root", 1)]),
        (pastes.diskinfo().replace("# Disk descr.", "# Disk nothing"), [("no_device", 1)]),
        (pastes.diskinfo(description="SAMPLE 9000 " * 9), [("model_name_too_long", 1)]),
        (pastes.diskinfo(description="ATA MARVELL [serial-1]"), [("model_name_masked", 1)]),
        (pastes.diskinfo([0.1] * 15).replace("0.1 usec", "0.0 usec"), [("impossible_latency", 10)]),
    ]:
        with subtests.test(raw=raw):
            assert set(refusal(raw)) >= set(expected)


def test_an_overlong_text_is_refused_before_it_is_parsed(settings):
    for raw in ("x" * (settings.PASTE_LIMIT_BYTES + 1), "é" * (settings.PASTE_LIMIT_BYTES // 2 + 1)):
        with pytest.raises(PasteTooLongError):
            preview_text(raw)
        with pytest.raises(PasteTooLongError):
            receive(raw.encode())


def test_a_preview_stores_nothing():
    stored = everything_stored()
    preview = preview_text(pastes.FIRST_PASTE)
    assert everything_stored() == stored
    assert [run.model_name for run in preview.found.runs] == ["MARVELL SD88SA02"]


def test_several_parts_are_joined_and_a_single_one_is_unchanged(subtests):
    for parts, expected in [
        ([], ""),
        (["", b" \n"], ""),
        (["", "\ufeffé".encode("utf-16")], "\ufeffé".encode("utf-16")),
        (["text", b"file", "é".encode("utf-16")], "text\nfile\né"),
    ]:
        with subtests.test(parts=parts):
            assert join_parts(parts) == expected


def test_a_failed_submission_stores_nothing(monkeypatch):
    monkeypatch.setattr("results.submissions.intake.store.rerank_devices", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        receive(pastes.FIRST_PASTE)
    assert not Submission.objects.exists()
    assert not Device.objects.exists()
    assert not Firmware.objects.exists()


def test_a_log_among_files_is_what_its_name_says():
    rows = b"500, 26, 1, 4096\n1000, 27, 1, 4096\n1500, 28, 1, 4096\n"
    files = [("slog_iops.1.log", rows), ("x.txt", b"fio\n"), (None, b"dd\n"), ("a/quist_lat.12.log", rows)]
    paste = parse_paste(join_parts(parts_of_files(files)), unit_key=b"key")
    assert [(reading.metric, reading.job, reading.rows) for reading in paste.readings] == [
        ("iops", 1, 3),
        ("lat", 12, 3),
    ]
    assert "quist" not in paste.text
    pasted = b"==> slog_iops.1.log <==\n" + rows + b"\n==> x_lat.12.log <==\n" + rows
    assert parse_paste(pasted, unit_key=b"key").readings[1].metric == "lat"
    assert parts_of_files([("run.txt", b"a"), ("b.log", b"c"), ("empty_iops.1.log", b"\n")]) == [b"a", b"c"]


def test_notices_count_the_lines_of_each_file():
    rows = "500, 26, 1, 4096\n1000, 27, 1, 4096\n1500, 28, 1, 4096\n"
    files = [("a_iops.1.log", rows.encode()), ("a_lat.1.log", f"{rows}1600, -inf, 1, 4096\n".encode())]
    paste = parse_paste(join_parts(parts_of_files(files)), unit_key=b"key")
    (notice,) = [
        other for other in sent_notices(paste, find_runs(paste)) if other.code == "impossible_figure"
    ]
    assert notice.message.endswith("(line 4 of file 2)")
    assert notice.line == 10
