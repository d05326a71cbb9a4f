import json
from pathlib import Path

import pytest
from pyarrow import parquet

from results.exports.files import BATCHES_A_GROUP, write_json_lines, write_parquet
from results.exports.sqlite import write_sqlite
from results.exports.tables import TABLES
from tests.factories import make_result

LINES = 480
FULL = Path("/dev/full")  # every write to it finds the disk full


RESULTS = TABLES[0]


@pytest.fixture
def plain(transactional_db, tmp_path):
    make_result([20.5 + slot for slot in range(15)])
    RESULTS.write_json_lines(tmp_path / "results.plain")
    return tmp_path / "results.plain"


@pytest.mark.parametrize(
    "write",
    [
        lambda _: RESULTS.write_csv(FULL),
        lambda _: RESULTS.write_json_lines(FULL),
        lambda _: write_json_lines([], [{}] * LINES * LINES, FULL),
        lambda plain: write_parquet(plain, FULL, RESULTS.columns),
        lambda plain: write_sqlite({table.name: plain for table in TABLES}, FULL),
    ],
    ids=["csv", "objects", "records", "parquet", "sqlite"],
)
def test_every_writer_raises_oserror_on_a_full_disk(plain, write):
    with pytest.raises(OSError):  # noqa: PT011 - each says it in words of its own
        write(plain)


def test_a_group_of_parquet_holds_several_batches_and_no_row_is_lost(plain, tmp_path):
    line = json.loads(plain.read_text(encoding="utf-8"))
    many = [json.dumps({**line, "id": f"{line['id']}-{number}"}) for number in range(LINES)]
    plain.write_text("\n".join([*many, ""]), encoding="utf-8")
    write_parquet(plain, tmp_path / "results.parquet", RESULTS.columns, batch_rows=10)
    written = parquet.ParquetFile(tmp_path / "results.parquet")
    assert written.metadata.num_row_groups == LINES / (10 * BATCHES_A_GROUP)
    names = written.read(columns=["id"])["id"].to_pylist()
    assert names == [f"{line['id']}-{number}" for number in range(LINES)]
