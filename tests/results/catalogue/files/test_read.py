"""The file is read completely, or refused with file and line."""

import pytest

from results.catalogue.files.products_csv import read_catalogue
from results.core.lines import CatalogueError
from tests.results.catalogue.catalogue_cells import write_catalogue

OTHER = {"slug": "borealis-b2", "model_patterns": r"^BOREALIS B2-\d+G$", "example_model": "BOREALIS B2-480G"}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "lines.csv"


def test_lines_are_in_the_order_of_the_file(path):
    lines = read_catalogue(write_catalogue(path, [{}, OTHER]))
    assert [line.slug for line in lines] == ["aldera-s1", "borealis-b2"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"device_class": "floppy"}, "device_class: 'floppy'"),
        ({"model_patterns": "^("}, r"model_patterns: '\^\(' does not compile"),
        ({"slug": "aldera-s1"}, "slug: 'aldera-s1' is already on line 2"),
        (
            {"model_patterns": r"^(?:BOREALIS|ALDERA)"},
            "model_patterns: they match 'ALDERA S1-480G', the example of aldera-s1",
        ),
    ],
)
def test_an_error_names_file_and_line(path, change, message):
    with pytest.raises(CatalogueError, match=rf"^lines\.csv, line 3: {message}"):
        read_catalogue(write_catalogue(path, [{}, {**OTHER, **change}]))


def test_example_matched_by_a_later_line_is_refused(path):
    greedy = {"model_patterns": "^(?:ALDERA|BOREALIS)"}
    with pytest.raises(CatalogueError, match=r"line 2: model_patterns: they match 'BOREALIS B2-480G'"):
        read_catalogue(write_catalogue(path, [greedy, OTHER]))


def test_other_columns_are_refused(path):
    path.write_text("slug,price\naldera-s1,3\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"^lines\.csv, line 1: the columns"):
        read_catalogue(path)


@pytest.mark.parametrize("tail", [",more", ""])
def test_line_with_too_many_or_few_cells_is_refused(path, tail):
    text = write_catalogue(path, [{}]).read_text(encoding="utf-8").rstrip("\n")
    path.write_text((text + tail if tail else text.rpartition(",")[0]) + "\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"^lines\.csv, line 2: there are not as many cells"):
        read_catalogue(path)
