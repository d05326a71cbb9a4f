"""Made-up products for the made-up devices, so that catalogue features can be tried with them.

Their sources are under .example, which never resolves. The last digit of a model's number determines its product
line; 9 is in no catalogue.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from parsers.base.device_class import DeviceClass
from results.catalogue.files.load import store_line
from results.catalogue.files.products_csv import COLUMNS, CatalogueLine, read_cells
from results.demo.draw import CLASS_RANGES, MAKERS, ClassRange, name_words
from results.models import Product

SOURCE = "https://{}.example/made-up"
DISPUTE = f"yes data_sheet {SOURCE} ;; no board_review https://review.example/made-up"


@dataclass(frozen=True, slots=True)
class DemoLine:
    """A product line: the models of a maker and class whose numbers end in one of these digits."""

    name: str
    digits: str
    segment: str
    plp: str
    interface: str
    form_factors: str
    media: str
    dwpd: str = ""
    statements: str = ""  # of power-loss protection, if there are several


_SATA, _SAS, _PCIE = "SATA 3 (6 Gb/s)", "SAS 12 Gb/s", "PCIe 3.0 x4 NVMe"
_ENTERPRISE_SSD = {"segment": "enterprise", "plp": "yes", "media": "TLC"}
LINES = {
    DeviceClass.OPTANE: (
        DemoLine("Rack", "01234", "enterprise", "yes", _PCIE, "PCIe card, U.2", "3D XPoint", "30"),
        DemoLine("Desk", "5678", "consumer", "by_design", _PCIE, "M.2", "3D XPoint", "10"),
    ),
    DeviceClass.NVDIMM: (DemoLine("Bank", "012345678", "enterprise", "external", "DDR4", "DIMM", "DRAM"),),
    DeviceClass.NVRAM: (DemoLine("Card", "012345678", "enterprise", "yes", _PCIE, "PCIe card", "DRAM"),),
    DeviceClass.NVME: (
        DemoLine("Rack", "0123", **_ENTERPRISE_SSD, interface=_PCIE, form_factors="U.2, M.2", dwpd="1-3"),
        DemoLine("Desk", "4567", "consumer", "no", _PCIE, "M.2", "TLC", "0.3"),
        DemoLine("Shelf", "8", "prosumer", "partial", _PCIE, "M.2", "TLC", "0.6"),
    ),
    DeviceClass.SAS_SSD: (
        DemoLine("Rack", "012345", **_ENTERPRISE_SSD, interface=_SAS, form_factors="2.5-inch", dwpd="3-10"),
        DemoLine("Shelf", "678", "enterprise", "disputed", _SAS, "2.5-inch", "MLC", "3", DISPUTE),
    ),
    DeviceClass.SATA_SSD: (
        DemoLine("Rack", "012", **_ENTERPRISE_SSD, interface=_SATA, form_factors="2.5-inch", dwpd="1-3"),
        DemoLine("Desk", "3456", "consumer", "no", _SATA, "2.5-inch, M.2", "TLC", "0.2"),
        DemoLine("Shelf", "78", "prosumer", "disputed", _SATA, "2.5-inch", "MLC", "0.5", DISPUTE),
    ),
    DeviceClass.HDD: (
        DemoLine("Rack", "01234", "enterprise", "no", _SATA, "3.5-inch", "rotating"),
        DemoLine("Desk", "5678", "consumer", "no", _SATA, "3.5-inch", "rotating"),
    ),
}


def store_products() -> None:
    """Store every maker's product lines; existing ones are left unchanged. Idempotent."""
    stored = set(Product.objects.values_list("slug", flat=True))
    for line in catalogue_lines():
        if line.slug not in stored:
            store_line(line, Product(slug=line.slug), line_digest="")


def catalogue_lines() -> Iterator[CatalogueLine]:
    """The lines in the catalogue's format, with its checks."""
    for maker in MAKERS:
        for drawn in CLASS_RANGES:
            for line in LINES[drawn.device_class]:
                yield read_cells({**dict.fromkeys(COLUMNS, ""), **_cells(maker, drawn, line)})


def _cells(maker: str, drawn: ClassRange, line: DemoLine) -> dict[str, str]:
    source = SOURCE.format(maker.lower())
    evidence = "medium" if line.plp == "by_design" else "data_sheet"
    return {
        "slug": f"made-up-{maker}-{drawn.family}-{line.name}".lower().replace(" ", "-"),
        "vendor": maker,
        "name": f"{drawn.family} {line.name} (made up)",
        "model_patterns": rf"^{name_words(maker, drawn)} \d{{3,}}[{line.digits}]$",
        "device_class": drawn.device_class.value,
        "segment": line.segment,
        "media": line.media,
        "interface": line.interface,
        "form_factors": line.form_factors,
        "plp": line.plp,
        "plp_statements": line.statements.format(maker.lower()) or f"{line.plp} {evidence} {source}",
        "endurance_dwpd": line.dwpd,
        "endurance_years": line.dwpd and "5",
        "endurance_source_url": line.dwpd and source,
        "sources": source,
    }
