"""What no case of the corpus says: other languages and versions, lost lines, several runs, impossible figures."""

from decimal import Decimal

import pytest

from parsers.base.target import Target
from parsers.paste import MAX_READINGS_OF_BLOCK
from tests.parsers.samples import only, parse, places

HEAD = "5 seconds per test\nO_DIRECT supported on this platform for open_datasync and open_sync.\n\n"
ONE_WRITE = "Compare file sync methods using one 8kB write:\n"
ROW = "        fdatasync                          2500.000 ops/sec     400 usecs/op\n"
OTHER = "        open_sync                          1250.000 ops/sec     800 usecs/op\n"


def sections(text):
    return [
        [(row.section and row.section.value, row.method, row.writes) for row in reading.rows]
        for reading in parse(text).readings
    ]


# the duration, the five titles, a row with figures, one without, a row of sizes
LANGUAGES = {
    "Japanese": (
        "テスト１件あたり 5 秒",
        "１個の 8kB write を使ってファイル同期メソッドを比較します:",
        "２個の 8kB write を使ってファイル同期メソッドを比較します:",
        "open_sync を異なった write サイズで比較します:",
        "書き込みなしのファイルディスクリプタ上の fsync の方が優れているかをテストします:", "8kB の sync なし write:",
        "2500.000 操作/秒     400 マイクロ秒/操作", "利用不可", "2 *  8kB open_sync writes",
    ),
    "German": (
        "5 Sekunden pro Test", "Vergleich von Datei-Sync-Methoden bei einem Schreibvorgang aus 8kB:",
        "Vergleich von Datei-Sync-Methoden bei zwei Schreibvorgängen aus je 8kB:",
        "Vergleich von open_sync mit verschiedenen Schreibgrößen:",
        "Probe ob fsync auf einem anderen Dateideskriptor funktioniert:", "Nicht gesynctes Schreiben von 8kB:",
        "2500,000 Op./s     400 µs/Op.", "entf.", "2 *  8kB open_sync schreiben",
    ),
    "French": (
        "5 secondes par test",
        "Comparer les méthodes de synchronisation de fichier en utilisant une écriture de 8 Ko :",
        "Comparer les méthodes de synchronisation de fichier sur disque en utilisant deux écritures de 8 Ko :",
        "Comparer open_sync avec différentes tailles d'écriture :",
        "Teste si fsync est honoré sur un descripteur de fichiers sans écriture :",
        "8 Ko d'écritures non synchronisées :", "2500,000 ops/sec     400 usecs/op", "n/a*",
        "2 * 8 Ko, écriture avec open_sync",
    ),
    "Russian": (
        "на тест отводится 5 сек.", "Сравнение методов синхронизации файлов при однократной записи 8 КБ:",
        "Сравнение методов синхронизации файлов при двухкратной записи 8 КБ:",
        "Сравнение open_sync при различных объёмах записываемых данных:",
        "Проверка, производится ли fsync с указателем файла, открытого не для записи:",
        "Несинхронизированная запись 8 КБ:",
        "2500,000 оп/с        400 мкс/оп", "н/д", "запись с open_sync  2 *  8 КБ",
    ),
    "Chinese": (
        "5 每次测试的秒数", "使用一个8kB写操作比较文件同步方法:",
        "使用两个8kB写操作比较文件同步方法:",
        "在不同的写入大小的情况下比较open_sync:", "测试是否支持非写文件描述符上的fsync:", "不同步的写入 8kB :",
        "2500.000 ops/sec     400 usecs/op", "n/a", "2 *  8kB open_sync写入",
    ),
    "Portuguese": (
        "5 segundos por teste", "Compara métodos de sincronização de arquivos utilizando uma escrita de 8kB:",
        "Compara métodos de sincronização de arquivos utilizando duas escritas de 8kB:",
        "Compara open_sync com diferentes tamanhos de escrita:",
        "Testar se o fsync em um descritor de arquivo sem escrita é respeitado:",
        "Escritas de 8kB não sincronizadas:", "2500,000 ops/seg     400 usecs/op", "n/a",
        "2 *  escritas de 8kB open_sync",
    ),
    # Languages that PostgreSQL doesn't have, as a translated page shows them
    "Vietnamese": (
        "", "So sánh các phương thức đồng bộ tệp bằng một lần ghi 8kB:",
        "So sánh các phương thức đồng bộ tệp bằng hai lần ghi 8kB:",
        "So sánh open_sync với các kích thước ghi khác nhau:",
        "Kiểm tra fsync trên bộ mô tả tệp không ghi:", "Ghi 8kB không đồng bộ:",
        "2500,000 tác vụ/giây     400 micro giây/tác vụ", "không có", "2 *  8kB ghi open_sync",
    ),
    "Swedish": (
        "5 sekunder per test", "Jämför filsynkroniseringsmetoder med en skrivning på 8kB:",
        "Jämför filsynkroniseringsmetoder med två skrivningar på 8kB:",
        "Jämför open_sync med olika skrivstorlekar:", "Testa om fsync på filbeskrivare som ej skriver hedras:",
        "Icke-synkade 8kB-skrivningar:", "2500,000 oper/s     400 µs/oper", "ej tillämpbar",
        "2 *  8kB open_sync-skrivningar",
    ),
    "Hebrew": (
        "", "השווה שיטות סנכרון קבצים באמצעות כתיבה אחת של 8kB:",
        "השווה שיטות סנכרון קבצים באמצעות שתי כתיבות של 8kB:", "השווה open_sync עם גדלי כתיבה שונים:",
        "בדוק אם fsync במתאר קובץ שאינו לכתיבה מכובד:", "כתיבות 8kB לא מסונכרנות:",
        "2500.000 פעולות/שנייה     400 מיקרושניות/פעולה", "לא זמין", "2 *  8kB open_sync כתיבות",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_in_another_language_is_read_like_an_english_one(language):
    head, one_write, two_writes, sizes, descriptor, unsynced, figures, none, sized = LANGUAGES[language]
    reading = only(
        f"{head}\n\n{one_write}\n        open_datasync            {none}\n        fsync          {figures}\n\n"
        f"{two_writes}\n        fsync          {figures}\n\n{sizes}\n        {sized}   {figures}\n\n"
        f"{descriptor}\n        write, fsync, close     {figures}\n\n{unsynced}\n        write     {figures}\n"
    )
    assert reading.seconds_per_test == (5 if head else None)
    assert [(row.section.value, row.method, row.write_size, row.writes) for row in reading.rows] == [
        ("one_write", "open_datasync", 8192, 1),
        ("one_write", "fsync", 8192, 1),
        ("two_writes", "fsync", 8192, 2),
        ("open_sync_sizes", "open_sync", 8192, 2),
        ("different_descriptor", "write, fsync, close", None, None),
        ("non_synced", "write", 8192, None),
    ]
    assert {(row.ops_s, row.usecs_per_op) for row in reading.rows} == {
        (None, None),
        (Decimal("2500.000"), 400),
    }


def test_units_of_another_language_are_read_only_if_the_figures_agree():
    for figures, read in (
        ("2500,000 тиз/сек     400 мкс/тиз", (Decimal("2500.000"), 400)),
        ("2500.000 blah/foo     400 bar/blah", (Decimal("2500.000"), 400)),
        ("2500.000 blah/foo     500 bar/blah", (None, None)),
        ("2500.000 ops/min     400 usecs/op", (None, None)),
    ):
        found = parse(f"{HEAD}{ONE_WRITE}        fdatasync     {figures}\n{OTHER}").readings[0].rows
        assert (found[0].ops_s, found[0].usecs_per_op) == read or (read[0] is None and len(found) == 1), (
            figures
        )


def test_a_sentence_above_a_row_is_no_title():
    for line in ("I set it to 8kB:", "My fsync is slow here:", "Look, 8kB:"):
        text = f"{HEAD}{ONE_WRITE}{ROW}{line}\n\nHello\n{OTHER}"
        found = {row[0] for run in sections(text) for row in run}
        assert found <= {"one_write", None}, line


def test_version_9_0_states_the_size_in_each_row_and_no_microseconds():
    reading = only(
        "Loops = 10000\n\nSimple write:\n\t8k write                      88476.784/second\n"
        "Compare file sync methods using two writes:\n\t2 open_datasync 8k writes        41.105/second\n"
        "\t8k write, 8k write, fdatasync    81.342/second\n"
        "Compare open_sync with different sizes:\n\topen_sync 16k write      80.000/second\n"
        "\t2 open_sync 8k writes    40.000/second\n"
    )
    assert [
        (row.section.value, row.method, row.write_size, row.writes, row.usecs_per_op) for row in reading.rows
    ] == [
        ("non_synced", "write", None, None, None),
        ("two_writes", "open_datasync", 8192, 2, None),
        ("two_writes", "fdatasync", 8192, 2, None),
        ("open_sync_sizes", "open_sync", 16384, 1, None),
        ("open_sync_sizes", "open_sync", 8192, 2, None),
    ]


def test_rows_whose_section_is_lost_have_none():
    assert sections(HEAD + ONE_WRITE + ROW + OTHER + ROW) == [
        [("one_write", "fdatasync", 1), ("one_write", "open_sync", 1), (None, "fdatasync", None)]
    ]
    assert places(parse(ROW + OTHER)) == [("sections_unknown", 1)]


def test_a_run_begins_where_its_head_or_a_section_comes_again():
    run = ONE_WRITE + ROW
    unsynced = "Non-Sync'ed 8kB writes:\n        write    5000.000 ops/sec   200 usecs/op\n"
    for text in (HEAD + run + HEAD + run, run + run, run + unsynced + ROW):
        assert len(parse(text).readings) == 2


def test_a_run_has_the_path_of_its_command_only():
    command = "$ pg_test_fsync --filename=/dev/zvol/tank/x\n"
    first, second = parse(command + HEAD + ONE_WRITE + ROW + HEAD + ONE_WRITE + ROW).readings
    assert (first.path, first.target, second.path, second.target) == (
        "/dev/zvol/tank/x", Target.ZVOL, None, Target.FILE,
    )  # fmt: skip


def test_the_command_may_be_surrounded_by_other_text():
    for command in (
        "docker exec -it pg pg_test_fsync -f /srv/x",
        "root@box# cd /srv && sudo -u postgres /usr/lib/postgresql/17/bin/pg_test_fsync -s 5 -f /srv/x | tee out",
        "I ran `pg_test_fsync -f /srv/x`:",
        "pg_test_fsync -f/srv/x",
    ):
        reading = only(f"{command}\n{HEAD}{ONE_WRITE}{ROW}")
        assert reading.path == "/srv/x", command


def test_an_impossible_row_is_reported_and_the_others_are_read():
    for row, figures in (
        ("        fsync       0.000 ops/sec       0 usecs/op", (None, None)),
        ("        fsync       -12.500 ops/sec     400 usecs/op", (None, None)),
        ("        fsync       inf ops/sec     0 usecs/op", (None, None)),
        ("        fsync       2500.000 ops/min     400 usecs/op", (None, None)),
        ("        fsync       2500.000 ops/sec     400 msecs/op", (Decimal(2500), None)),
        ("        fsync       2500.000 ops/sec     4000 usecs/op", (Decimal(2500), 4000)),
    ):
        text = HEAD + ONE_WRITE + ROW + row + "\n"
        reading = only(text)
        assert (reading.rows[1].ops_s, reading.rows[1].usecs_per_op) == figures, row
        assert reading.complete is False, row
        assert ("impossible_figure", 6) in places(parse(text)), row


def test_a_partial_row_is_reported():
    text = HEAD + ONE_WRITE + ROW + "        fsync                              18\n" + OTHER
    assert ("unreadable_row", 6) in places(parse(text))
    assert [row.method for row in parse(text).readings[0].rows] == ["fdatasync", "open_sync"]


def test_a_table_of_markdown_is_read():
    reading = only(
        "| method | ops/sec | usecs/op |\n|---|---|---|\n| fsync | 2,500.000 | 400 |\n| open_sync | n/a | |\n"
    )
    assert [(row.method, row.ops_s, row.usecs_per_op) for row in reading.rows] == [
        ("fsync", Decimal(2500), 400), ("open_sync", None, None),
    ]  # fmt: skip


def test_a_row_that_was_wrapped_is_kept_as_one():
    wrapped = ROW.replace("/sec ", "/sec\n ")
    assert wrapped != ROW
    assert parse(HEAD + ONE_WRITE + wrapped + OTHER).text == parse(HEAD + ONE_WRITE + ROW + OTHER).text


def test_prose_is_not_read_as_a_run():
    for prose in (
        "fsync is slow here, 5 of 8 writes take a second.\n",
        "Which of fdatasync, fsync and open_sync is best?\nopen_sync 15 times\n",
        "I compare one 8kB write:\nThe test took 5 seconds:\n",
        "  fsync/fdatasync/sync_file_range:\n",
    ):
        assert places(parse(prose)) == [("nothing_found", None)], prose


def test_too_many_runs_are_refused():
    text = (HEAD + ONE_WRITE + ROW) * (MAX_READINGS_OF_BLOCK + 1)
    assert (parse(text).readings, places(parse(text))) == (
        (),
        [("too_many_devices", 5 * MAX_READINGS_OF_BLOCK + 1)],
    )
