"""Serial numbers that nothing names are masked; names of products and versions are not."""

import csv
from pathlib import Path

import pytest

from parsers.privacy.mask import redact

DATA = Path(__file__).parents[3] / "results" / "data"


def masked(text):
    return redact(text, unit_key=b"key", unit_digests={}).text


def names_of_products():
    """Every name and model in the catalogue."""
    for file, columns in (("aliases.csv", ["alias"]), ("catalogue.csv", ["name", "example_model"])):
        with (DATA / file).open(encoding="utf-8") as table:
            yield from {row[column] for row in csv.DictReader(table) for column in columns}


def test_names_of_products_are_not_masked():
    names = sorted(
        set(names_of_products()) - {"MARVELL SD88SA024BA0 SUN24G 0902M0054V"}
    )  # the last word is a unit's
    lines = [
        f"I have two {name} here\n<{name} 0102>  at scbus0 target 8 lun 0 (pass0,da0)\n" for name in names
    ]
    assert len(names) > 1500
    assert [name for name, line in zip(names, lines, strict=True) if masked(line) != line] == []


@pytest.mark.parametrize(
    "text",
    [
        "firmware went from 2B2QEXM7 to 4B2QEXM7, EXM01B6Q, 8DV10171, XCV10132, G201DL2B, 620361WD and X31200RL",
        "Product: FOOBAR7788XYZ",
        "about FOOBAR7788XYZ again\nDevice Model:     FOOBAR7788XYZ",
        "\tFOOBAR7788XYZ\t# Disk descr.",
        "reads of 103891KB at 20240302T041502Z, 0000003C0000 in the dump",
        "nvme-TEAM_TM8FP6512G01_",
    ],
)
def test_versions_quantities_and_stated_models_are_not_masked(text):
    assert masked(f"{text}\n") == f"{text}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I sent VGH3K0ZG back", "I sent [serial-1] back"),
        ("replaced by PHMB742301AB280CGN (spare)", "replaced by [serial-1] (spare)"),
        ("ST4000NM0023 Z1Z80123 failed", "ST4000NM0023 [serial-1] failed"),
        ("Part Number : CN0G2G54SGW0085B00LQA02", "Part Number : [serial-1]"),
        ("a VGH3K0ZG, and vgh3k0zg again", "a [serial-1], and [serial-1] again"),
    ],
)
def test_a_serial_number_without_a_label_is_masked(text, expected):
    assert masked(f"{text}\n") == f"{expected}\n"
