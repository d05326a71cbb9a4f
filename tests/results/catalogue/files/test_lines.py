"""Reading a line from cells, and every cell that is refused."""

from decimal import Decimal

import pytest

from results.catalogue.files.products_csv import Endurance, StatementCell, read_cells
from results.core.lines import LineError
from results.models.choices import Plp, PlpEvidence
from tests.results.catalogue.catalogue_cells import CELLS

SHEET = "data_sheet https://a.example/1"
TABLE = "personal_page https://b.example/2"


def read(**changes):
    return read_cells({**CELLS, **changes})


def test_line_contains_its_values():
    line = read(
        endurance_dwpd="1-3",
        endurance_years="5",
        endurance_tbw="480 GB=0.5 PB ;; max=7.64 PB",
        endurance_source_url="https://aldera.example/s1",
        launch_year="2014",
        flags="smr",
    )
    assert line.patterns == (r"^(?:ATA +)?ALDERA S1-\d+G$",)
    assert line.plp_statements == (
        StatementCell(Plp.YES, PlpEvidence.DATA_SHEET, "https://aldera.example/s1"),
    )
    assert line.endurance_dwpd == (Decimal(1), Decimal(3))
    assert line.endurance_tbw == (Endurance(480 * 10**9, 500 * 10**12), Endurance(None, 7_640 * 10**12))
    assert (line.launch_year, line.endurance_years) == (2014, 5)


def test_statement_can_have_a_note():
    statements = "yes data_sheet https://aldera.example/s1 M.2 version; names capacitors"
    (found,) = read(plp_statements=statements).plp_statements
    assert (found.url, found.note) == ("https://aldera.example/s1", "M.2 version; names capacitors")


def test_empty_cell_means_unknown():
    line = read(plp="unknown", plp_statements="", example_model="", model_patterns="")
    assert (line.media, line.launch_year, line.endurance_dwpd, line.plp_statements) == ("", None, None, ())


def test_invalid_cell_is_named(subtests):
    for column, cell in [
        ("slug", "Aldera S1"),
        ("slug", "a" * 61),
        ("vendor", ""),
        ("name", " S1"),
        ("device_class", "floppy"),
        ("device_class", "unknown"),
        ("segment", "hobby"),
        ("plp", "maybe"),
        ("plp_statements", "yes rumour https://a.example/1"),
        ("plp_statements", "disputed data_sheet https://a.example/1"),
        ("plp_statements", "yes data_sheet"),
        ("plp_statements", "yes data_sheet a.example/1"),
        ("plp_statements", "yes data_sheet https://a.example/1 "),
        ("plp_statements", f"yes data_sheet https://a.example/1 {'x' * 201}"),
        ("sources", "ftp://a.example/1"),
        ("sources", "https:///nowhere"),
        ("sources", "https://a.example/1 ;; https://a.example/1"),
        ("endurance_dwpd", "three"),
        ("endurance_dwpd", "3-1"),
        ("endurance_dwpd", "0"),
        ("endurance_tbw", "480 GB 500 TB"),
        ("endurance_tbw", "480 GiB=500 TB"),
        ("launch_year", "1812"),
        ("launch_year", "'14"),
        ("flags", "shiny"),
        ("model_patterns", "ALDERA"),
    ]:
        with subtests.test(column=column), pytest.raises(LineError, match=f"^{column}: "):
            read(**{column: cell})


def test_dependent_cells_are_required_together(subtests):
    for changes, column in [
        ({"sources": ""}, "sources"),
        ({"endurance_dwpd": "3", "endurance_years": "5"}, "endurance_source_url"),
        ({"endurance_tbw": "480 GB=500 TB"}, "endurance_source_url"),
        ({"endurance_dwpd": "3", "endurance_source_url": "https://a.example/1"}, "endurance_years"),
        ({"endurance_years": "5"}, "endurance_years"),
        ({"example_model": "BOREALIS 1"}, "model_patterns"),
    ]:
        with subtests.test(changes=changes), pytest.raises(LineError, match=f"^{column}: "):
            read(**changes)


def test_line_without_a_source_must_be_flagged():
    assert read(sources="", flags="unsourced", plp="unknown", plp_statements="").sources == ()


def test_plp_value_needs_a_supporting_statement(subtests):
    for plp, statements in [
        ("yes", ""),
        ("yes", f"no {SHEET}"),
        ("yes", "yes indirect https://a.example/1"),
        ("yes", "yes unsigned_page https://a.example/1"),
        ("by_design", ""),
        ("disputed", f"yes {SHEET}"),
        ("disputed", f"yes {SHEET} ;; yes {TABLE}"),
        ("disputed", f"yes {SHEET} ;; no general_statement https://b.example/2"),
        ("disputed", f"yes {SHEET} ;; unknown silent https://b.example/2"),
    ]:
        with subtests.test(plp=plp), pytest.raises(LineError, match=r"^plp: "):
            read(plp=plp, plp_statements=statements)


def test_a_line_that_loses_data_is_not_protected():
    statements = f"yes {SHEET} ;; no article https://b.example/2 loses data in a power cut"
    assert read(plp="disputed", plp_statements=statements).plp == "disputed"
    with pytest.raises(LineError, match=r"^plp: yes, but a statement says that it loses data"):
        read(plp="yes", plp_statements=statements)


def test_supported_plp_value_is_accepted(subtests):
    for plp, statements in [
        ("no", "no general_statement https://a.example/1"),
        ("unknown", "yes indirect https://a.example/1"),
        ("external", f"external {TABLE}"),
        ("by_design", "by_design medium https://a.example/1"),
        ("disputed", f"yes {SHEET} ;; no {TABLE}"),
    ]:
        with subtests.test(plp=plp):
            assert read(plp=plp, plp_statements=statements).plp == plp
