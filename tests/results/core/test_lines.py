"""Files of facts: their lines, what is refused, and how they differ from what is stored."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

import pytest

from results.core.described import checks_of
from results.core.lines import (
    CatalogueError,
    Changes,
    FileLine,
    LineError,
    Stated,
    YesOrNo,
    compare,
    read_line,
    read_lines,
    words,
)
from results.kinds.pool.models import PoolIO


@dataclass(frozen=True, slots=True)
class Fact(FileLine):
    slug: str
    maker_name: Annotated[str, "maker", words(10)]
    size: int | None
    since: date | None
    is_sold: YesOrNo
    parts: tuple[int, ...]

    def check(self):
        if self.size == 0:
            raise LineError("size: nothing is that small")

    def identity(self):
        return (f"slug: {self.slug!r}",)


HEADER = "slug,maker,size,since,is_sold,parts"
LINE = "a,Aldera,5,2024-05-01,yes,1 ;; 2"


@pytest.fixture
def read(tmp_path):
    def write_and_read(*lines):
        path = tmp_path / "facts.csv"
        path.write_text("\n".join(lines) + "\n")
        return read_lines(path, Fact)

    return write_and_read


def test_cells_become_what_the_line_declares(read):
    assert read(HEADER, LINE, "b,Aldera,,,,") == [
        (2, Fact("a", "Aldera", 5, date(2024, 5, 1), True, (1, 2))),
        (3, Fact("b", "Aldera", None, None, None, ())),
    ]


def test_columns_may_be_in_any_order(read):
    assert read("maker,slug,parts,size,since,is_sold", "Aldera,a,,,,")[0][1].slug == "a"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a,,,,,", "maker: missing"),
        ("a, Aldera,,,,", "maker: ' Aldera' is too long, or has spaces around it"),
        ("a,Aldera,five,,,", "size: 'five': Expected `int | null`, got `str`"),
        ("a,Aldera,0,,,", "size: nothing is that small"),
        ("a,Aldera,,May,,", "since: 'May': Invalid RFC3339 encoded date"),
        ("a,Aldera,,,maybe,", "is_sold: 'maybe' is not one of yes, no"),
        ("a,Aldera,,,,1 ;; 1", "parts: the same value twice"),
        ("a,Aldera,,,,1 ;; x", "parts: '1 ;; x': Expected `int`, got `str`"),
        ("a,Aldera,,,", "there are not as many cells as columns"),
        (LINE, "slug: 'a' is already on line 2"),
    ],
)
def test_an_error_names_file_line_and_column(read, line, message):
    with pytest.raises(CatalogueError) as raised:
        read(HEADER, LINE, line if line == LINE else line.replace("a,", "b,", 1))
    assert str(raised.value) == f"facts.csv, line 3: {message}"


def test_lines_are_added_changed_unchanged_or_removed():
    wanted, stored = {"new": 1, "other": 2, "same": 3}, {"other": 1, "same": 3, "gone": 4}
    assert compare(wanted, stored) == Changes(["new"], ["other"], ["same"], ["gone"])


@dataclass(frozen=True, slots=True)
class Run(FileLine):
    seconds: str
    figures: Annotated[Stated, checks_of(PoolIO)]


def test_optional_columns_are_fields_of_a_table(tmp_path):
    path = tmp_path / "runs.csv"
    path.write_text("seconds,direction,iops,is_synced\nmany,write,,no\nfew,,1.5,\n")
    assert [line for _, line in read_lines(path, Run)] == [
        Run("many", {"direction": "write", "is_synced": False}),
        Run("few", {"iops": 1.5}),
    ]
    path.write_text("seconds,sector_size\n")
    with pytest.raises(CatalogueError, match="the columns are not seconds, and any of log, log_device, "):
        read_lines(path, Run)


def test_a_table_checks_its_cells(subtests):
    for column, cell, reason in [
        ("direction", "sideways", "'sideways': Value 'sideways' is not a valid choice."),
        ("block_size", "4k", "'4k': “4k” value must be an integer."),
        ("is_synced", "0", "'0' is not one of yes, no"),
    ]:
        with subtests.test(column), pytest.raises(LineError) as refused:
            read_line({"seconds": "", column: cell}, Run)
        assert str(refused.value) == f"{column}: {reason}"
