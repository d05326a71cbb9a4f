"""The cells of valid lines, which tests modify."""

import csv
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from results.catalogue.files.products_csv import COLUMNS
from results.catalogue.files.statements_csv import CAVEATS, CLAIMS, LIFE_CYCLES, PRICES

SOURCE = "https://aldera.example/s1"
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
    "sources": SOURCE,
}
FACT_CELLS = {
    CLAIMS: {
        "slug": "aldera-s1",
        "capacity_bytes": "480000000000",
        "variant": "",
        "quantity": "write_latency_us",
        "value": "52.5",
        "unit": "us",
        "stated_by": "maker",
        "source_url": SOURCE,
        "note": "typical random write",
    },
    PRICES: {
        "slug": "aldera-s1",
        "capacity_bytes": "480000000000",
        "price": "99.90",
        "currency": "EUR",
        "condition": "used",
        "seller_kind": "marketplace",
        "seen_on": "2024-05-14",
        "source_url": SOURCE,
    },
    LIFE_CYCLES: {
        "slug": "aldera-s1",
        "launched_on": "2018-03",
        "end_of_sale": "last orders 2023-05-30",
        "successor": "aldera-s2",
        "source_url": SOURCE,
        "note": "announced",
    },
    CAVEATS: {
        "slug": "aldera-s1",
        "kind": "firmware_bug",
        "summary": "Hangs after 5184 hours.",
        "fixed_in_firmware": "0309",
        "source_url": SOURCE,
    },
}


def write_catalogue(path: Path, lines: Iterable[dict[str, str]]) -> Path:
    """Write a file of lines, each CELLS with changes."""
    return write_lines(path, COLUMNS, ({**CELLS, **line} for line in lines))


def write_facts(folder: Path, kind: Any, *lines: dict[str, str]) -> Path:
    """Write the kind's file of lines, each its FACT_CELLS with changes."""
    return write_lines(
        folder / kind.file_name, kind.columns, ({**FACT_CELLS[kind], **line} for line in lines)
    )


def write_lines(path: Path, columns: Collection[str], lines: Iterable[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    return path
