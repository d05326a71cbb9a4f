from pathlib import Path

import pytest
from pyarrow import parquet

from results.exports import files
from results.exports.columns import result_columns, select_result_objects, select_results
from results.exports.files import copy_csv, copy_json_lines, write_parquet, write_sqlite
from tests.factories import make_result

LINES = 400
FULL = Path("/dev/full")  # every write to it finds the disk full


@pytest.fixture
def plain(transactional_db, tmp_path):
    make_result([20.5 + slot for slot in range(15)])
    copy_csv(select_results(), tmp_path / "plain.csv")
    return tmp_path / "plain.csv"


@pytest.mark.parametrize(
    "write",
    [
        lambda _: copy_csv(select_results(), FULL),
        lambda _: copy_json_lines(select_result_objects(), FULL),
        lambda plain: write_parquet(plain, FULL, result_columns()),
        lambda plain: write_sqlite(plain, plain, FULL),
    ],
    ids=["csv", "ndjson", "parquet", "sqlite"],
)
def test_every_writer_raises_oserror_on_a_full_disk(plain, write):
    with pytest.raises(OSError):  # noqa: PT011 - each says it in words of its own
        write(plain)


def test_a_group_of_parquet_holds_several_batches_and_no_row_is_lost(plain, tmp_path, monkeypatch):
    head, line = plain.read_text(encoding="utf-8").splitlines()
    name, rest = line.split(",", 1)
    many = [f"{name}-{number},{rest}" for number in range(LINES)]
    plain.write_text("\n".join([head, *many, ""]), encoding="utf-8")
    monkeypatch.setattr(files, "PARQUET_BATCH", 50)
    monkeypatch.setattr(files, "PARQUET_GROUP", 200)
    write_parquet(plain, tmp_path / "results.parquet", result_columns())
    written = parquet.ParquetFile(tmp_path / "results.parquet")
    assert written.metadata.num_row_groups == LINES / 200
    names = written.read(columns=["id"])["id"].to_pylist()
    assert names == [f"{name}-{number}" for number in range(LINES)]
