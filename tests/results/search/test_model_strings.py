"""Model strings as smartctl prints them: the product, its protection, and the rating of that capacity.

Each string leads to its product or to an honest "not known": never to another maker's, and never to a protected drive
that it isn't.
"""

import pytest

from parsers.base.units import TERABYTE
from results.catalogue.endurance import find_endurance
from results.models import Product
from results.search.products import find_products
from results.used_drive.drives import Listing, find_drive
from results.used_drive.part_numbers import capacities_in_name, capacities_of_part_number

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]

PROBABLY = "unknown, probably yes"
# The string, its product, whether it is protected, and the TB that this capacity may write (None: not stated)
KNOWN = [
    ("INTEL SSDSC2BA200G3", "intel-dc-s3700", "yes", 3650),
    ("INTEL SSDSC2BA400G4", "intel-dc-s3710", "yes", 8300),
    ("INTEL SSDSC2BB480G6", "intel-dc-s3510", "yes", 262.8),
    ("INTEL SSDSC2KG480G8", "intel-d3-s4610", "yes", None),
    ("INTEL SSDPE21K375GA", "intel-optane-p4800x", "by_design", 20531.25),
    ("INTEL SSDPED1D280GA", "intel-optane-900p", "by_design", 5000),
    ("INTEL SSDPEL1K100GA", "intel-optane-p4801x", "by_design", 10900),
    ("INTEL MEMPEK1W016GA", "intel-optane-memory", "by_design", 200),
    ("INTEL SSDPEDMD400G4", "intel-dc-p3700", "yes", 7300),
    ("INTEL SSDPE2MD800G4", "intel-dc-p3700", "yes", 14600),
    ("INTEL SSDPF21Q400GB", "intel-optane-p5800x", "by_design", 73000),
    ("SAMSUNG MZ7LH480HAHQ-00005", "samsung-pm883", PROBABLY, 683.28),
    ("SAMSUNG MZ7KM480HMHQ-00005", "samsung-sm863", "yes", 3066),
    ("SAMSUNG MZ7LM480HCHP-00003", "samsung-pm863", "yes", 683.28),
    ("SAMSUNG MZVLB512HAJQ-00000", "samsung-pm981-pm9a1", "no", None),
    ("SAMSUNG MZQL2960HCJR-00A07", "samsung-pm9a3", PROBABLY, 1752),
    ("SAMSUNG MZ1LB960HAJQ-00007", "samsung-pm983", PROBABLY, 1366.56),
    ("Samsung SSD 970 EVO Plus 1TB", "samsung-970-evo", "no", 600),
    ("Samsung SSD 860 EVO 500GB", "samsung-860-870-evo", "no", 300),
    ("Samsung SSD 980 PRO 1TB", "samsung-980-990-pro", "no", 600),
    ("Samsung SSD 840 PRO Series", "samsung-840-pro", "no", None),
    ("MTFDHBE960TDF", "micron-7300", "yes", 1927.2),
    ("MTFDDAK480TDS", "micron-5300", PROBABLY, None),
    ("Micron_5300_MTFDDAK960TDT", "micron-5300-max", PROBABLY, 8760),
    ("Micron_5100_MTFDDAK480TCC", "micron-5100", "yes", 876),
    ("Micron_7450_MTFDKCC960TFR", "micron-7450", "yes", 1752),
    ("Micron_7300_MTFDHBE960TDF", "micron-7300", "yes", 1927.2),
    ("CT500MX500SSD1", "crucial-mx500", "partial", 180),
    ("CT1000P5PSSD8", "crucial-p5-t500-t700", "no", None),
    ("KINGSTON SEDC500M480G", "kingston-dc500", "yes", 438),
    ("KINGSTON SEDC1500M960G", "kingston-dc1500m", PROBABLY, None),
    ("KINGSTON SKC2500M8500G", "kingston-kc2500", "no", None),
    ("WDC WDS500G2B0A", "wd-blue-green-sata", "no", 200),
    ("WD_BLACK SN850X 1000GB", "wd-black-nvme-gen4", "no", 600),
    ("WUS4BA119DSP3X1", "wd-sn840", PROBABLY, 3504),
    ("HUSMM1680ASS204", "hgst-ssd1600", "unknown", None),
    ("ST400FM0053", "seagate-pulsar", "unknown", None),
    ("PX05SMB040", "toshiba-px05s", "yes", None),
    ("KXG60ZNV256G TOSHIBA", "toshiba-xg6", "no", None),
    ("ZeusRAM", "stec-zeusram", "unknown", None),
    ("RMS-200", "radian-rms-200", "unknown", None),
    ("INTEL SSDPE21D280GA", "intel-optane-900p", "by_design", 5000),
    ("INTEL SSDPE21K015TA", "intel-optane-p4800x", "by_design", 82125),
    ("HUSMH8010BSS204", "hgst-ssd1600", "unknown", None),
    ("Micron_P400e-MTFDDAK400MAR", "micron-p400", "unknown", None),
    ("Micron_5200_MTFDDAK480TDN", "micron-5200", PROBABLY, None),
]
UNKNOWN = (
    "SNV2S1000G", "SKC3000S1024G", "SA400S37240G", "PNY CS3030", "TM8FP6512G", "Lexar NM790", "VK000480GWSRR",
    "MK000480GWCEV",
)  # fmt: skip


@pytest.mark.parametrize(("text", "slug", "protection", "terabytes"), KNOWN)
def test_a_model_string_leads_to_its_product(text, slug, protection, terabytes):
    found = Product.objects.get(pk=find_products(text).match)
    assert found.slug == slug
    assert find_drive(text, Listing()).drive.product_id == found.pk
    assert (PROBABLY if found.is_probably_protected else found.plp) == protection
    assert found.plp_statements, "no source is named, not even one that is silent"
    endurance = find_endurance(found, found.claims.all())
    sizes = capacities_in_name(text, endurance.capacities) or capacities_of_part_number(text)
    rated = endurance.of(sizes[0]) if sizes else None
    assert (rated and rated.bytes / TERABYTE) == (terabytes and pytest.approx(terabytes))


@pytest.mark.parametrize("text", UNKNOWN)
def test_an_unknown_model_string_leads_to_no_product(text):
    found, drive = find_products(text), find_drive(text, Listing()).drive
    assert (found.match, drive.product_id) == (None, None)
    assert found.is_similar or not found.ids


def test_no_string_gives_a_false_protection_on_page_or_api(client):
    """A search hit or a lookup that says "yes" is of the product that the string names, and no other's."""
    expected = {text: slug if plp == "yes" else "" for text, slug, plp, _ in KNOWN}
    expected |= dict.fromkeys(UNKNOWN, "")
    for text, slug in expected.items():
        rows = client.get("/api/v1/search/", {"q": text}).json()["results"]
        protected = {row["slug"] for row in rows if row["type"] == "product" and row["plp"] == "yes"}
        assert protected == ({slug} if slug else set()), text
        found = client.get("/api/v1/lookup/", {"model": text}).json()
        assert (found["plp"] == "yes", found["product"] or "") == (bool(slug), found["product"] or ""), text
        page = client.get("/used-drive/", {"model": text})
        drives = page.context["checked"].drives
        assert [bool(drive.product) and drive.product.plp == "yes" for drive in drives] == [bool(slug)], text
