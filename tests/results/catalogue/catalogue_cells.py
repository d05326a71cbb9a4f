"""The cells of a valid line, which tests modify."""

from collections.abc import Iterable
from pathlib import Path

from results.catalogue.files.products_csv import COLUMNS

CELLS = {
    **dict.fromkeys(COLUMNS, ""),
    "slug": "aldera-s1",
    "vendor": "Aldera",
    "name": "S1",
    "model_patterns": r"^(?:ATA +)?ALDERA S1-\d+G$",
    "example_model": "ALDERA S1-480G",
    "device_class": "sata_ssd",
    "segment": "enterprise",
    "plp": "yes",
    "plp_statements": "yes data_sheet https://aldera.example/s1",
    "sources": "https://aldera.example/s1",
}


def write_catalogue(path: Path, lines: Iterable[dict[str, str]]) -> Path:
    """Write a file of lines, each CELLS with changes."""
    rows = [",".join(COLUMNS)]
    rows += [
        ",".join('"' + {**CELLS, **line}[column].replace('"', '""') + '"' for column in COLUMNS)
        for line in lines
    ]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
