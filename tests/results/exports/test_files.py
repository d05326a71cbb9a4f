from pathlib import Path

import pytest

from results.exports.columns import select_result_objects, select_results
from results.exports.files import copy_csv, copy_json_lines, write_parquet, write_sqlite
from tests.factories import make_result

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
        lambda plain: write_parquet(plain, FULL),
        lambda plain: write_sqlite(plain, FULL),
    ],
    ids=["csv", "ndjson", "parquet", "sqlite"],
)
def test_every_writer_says_of_a_full_disk_that_it_is_an_os_error(plain, write):
    with pytest.raises(OSError):  # noqa: PT011 - each says it in words of its own
        write(plain)
