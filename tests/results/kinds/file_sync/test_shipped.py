"""Published figures for writes to files."""

import pytest

from results.core.lines import CatalogueError
from results.kinds.file_sync.shipped import FILE_SYNC_FILE, FileSyncLine
from results.kinds.shipped import read_published

HEADER = FILE_SYNC_FILE.read_text(encoding="utf-8").splitlines()[0]
LINE = (
    "x1,SAMPLE,Aldera,480000000000,,nvme,Linux,pg_test_fsync,https://forum.example/1,,2019-01-18,b,,,8192,"
    "5000 ops/sec,200,ext4,one_write,fdatasync,1,,"
)
OTHER_METHOD = LINE.replace("5000 ops/sec,200", "2500 ops/sec,400").replace("fdatasync", "fsync")


@pytest.fixture
def published(tmp_path):
    """Reads a file of these lines."""

    def read(*lines):
        path = tmp_path / "file_sync.csv"
        path.write_text("\n".join([HEADER, *lines]))
        return read_published(path, FileSyncLine)

    return read


def test_lines_of_one_id_are_the_figures_of_one_run(published):
    (source,) = published(LINE, OTHER_METHOD)
    (run,) = source.runs
    assert [(row["method"], row["latency_us"]) for row in run.payload["rows"]] == [
        ("fdatasync", 200),
        ("fsync", 400),
    ]
    assert (run.layer, run.sync_method, run.is_ranked, source.columns["figure"]) == ("ext4", None, False, "")


def test_a_single_figure_is_stated_with_its_block_size(published):
    (source,) = published(LINE)
    assert source.columns["figure"] == "5000 ops/sec at 8 KiB"


def test_what_a_run_cannot_be_made_of_is_refused(published):
    for lines, message in [
        ([LINE.replace("pg_test_fsync", "fio")], "method: 'fio' is not one of pg_test_fsync"),
        ([LINE.replace("fdatasync,1,", "fdatasync,,")], "writes: missing"),
        ([LINE.replace("fdatasync,1,", "fdatasync,2,")], "no figure for one write with its sync"),
        ([LINE, OTHER_METHOD.replace("ext4", "xfs")], "its lines differ"),
    ]:
        with pytest.raises(CatalogueError, match=message):
            published(*lines)
