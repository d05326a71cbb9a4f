"""Files of facts: their lines, what is refused, and how they differ from what is stored."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated

import pytest

from results.core.lines import CatalogueError, Compared, Line, LineError, YesOrNo, compare, read_lines, words


@dataclass(frozen=True, slots=True)
class Fact(Line):
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
    assert compare(wanted, stored) == Compared(["new"], ["other"], ["same"], ["gone"])
