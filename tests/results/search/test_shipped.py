"""Names as people type them find the right product of the shipped catalogue."""

import pytest
from django.core.management import call_command
from django.db import transaction

from results.models import Product
from results.search.products import find_products

pytestmark = pytest.mark.django_db

NAMES = """
    P4800X=intel-optane-p4800x, optane dc p4800x=intel-optane-p4800x, intel optane p4800x=intel-optane-p4800x
    P4800X 375GB=intel-optane-p4800x, P1600X=intel-optane-p1600x, s3700=intel-dc-s3700
    Intel SSD DC S3700 400GB=intel-dc-s3700, 900p=intel-optane-900p, Intel Optane 905P=intel-optane-905p
    zeusram=stec-zeusram, Zeus RAM=stec-zeusram, hgst zeusram=stec-zeusram, sm863a=samsung-sm863
    pm1725=samsung-pm1725, PM1725b=samsung-pm1725, dc1500m=kingston-dc1500m, kingston dc500m=kingston-dc500
    optane m10 16gb=intel-optane-m10, p5801x=intel-optane-p5800x, logzilla=stec-zeusiops, i-ram=gigabyte-i-ram
    RMS200=radian-rms-200, x25-e=intel-x25-e, Intel 710 series=intel-710, lyndonville=intel-710
    micron 5300=micron-5300, 5300 max=micron-5300, 970 evo plus=samsung-970-evo, wd_black sn850x=wd-black-nvme-gen4
    SN700=wd-red-sn700, wd sn640=wd-sn640, wd hc550=ultrastar-dc-hc550, toshiba cd6=kioxia-cd6, px05s=toshiba-px05s
    samsung 980=samsung-980, 980=samsung-980, nvvault=netlist-nvdimm, ironwolf 525=seagate-ironwolf-nvme
    NV1604=pmc-flashtec-nvram, arbordale plus=solidigm-d7-p5500-p5600, pm9a3=samsung-pm9a3
"""
PART_NUMBERS = """
    SSDPED1D280GA=intel-optane-900p, ssdped1d280ga=intel-optane-900p, INTEL SSDPED1D280GA=intel-optane-900p
    SSDPED1D480GASX=intel-optane-900p, SSDPEK1A058GA01=intel-optane-p1600x, SSDSC2BA400G3=intel-dc-s3700
    KXG60ZNV256G=toshiba-xg6, SEDC1500M960G=kingston-dc1500m, SEDC500R/480G=kingston-dc500
    4XB7A17062=samsung-pm1643a, 4ZC7A15110=intel-optane-pmem, 0TS1305=hgst-sn200, MZ-V7E500BW=samsung-970-evo
    mz7km480=samsung-sm863, CT1000MX500SSD1=crucial-mx500, MEMPEK1J032GAXT=intel-optane-m10
"""
LEFT_OUT = """
    p480x=intel-optane-p4800x, p160x=intel-optane-p1600x, zeusrm=stec-zeusram, sm83a=samsung-sm863
    pm125=samsung-pm1725, dc150m=kingston-dc1500m, iron wlf=seagate-ironwolf, samsung pm83a=samsung-pm863
    90p=intel-optane-900p
"""
DOUBLED = """
    p48000x=intel-optane-p4800x, p1600xx=intel-optane-p1600x, s33700=intel-dc-s3700, 9900p=intel-optane-900p
    zeussram=stec-zeusram, sm8633a=samsung-sm863, pm17725=samsung-pm1725, dc15000m=kingston-dc1500m
    optane optane m100=intel-optane-m10, wd goold=wd-gold
"""
SWAPPED = """
    p4080x=intel-optane-p4800x, p1060x=intel-optane-p1600x, s7300=intel-dc-s3700, 09 0p=intel-optane-900p
    zuesram=stec-zeusram, zues ram=stec-zeusram, sm836a=samsung-sm863, pm1275=samsung-pm1725
    dc1050m=kingston-dc1500m, optnae 905p=intel-optane-905p, inetl p4800x=intel-optane-p4800x
"""
REPLACED = """
    p480ox=intel-optane-p4800x, p16o0x=intel-optane-p1600x, s37oo=intel-dc-s3700, 9o0p=intel-optane-900p
    zeuzram=stec-zeusram, sn863a=samsung-sm863, pn1725=samsung-pm1725, dc1500n=kingston-dc1500m
    micrun 5300=micron-5300, optabe 900p=intel-optane-900p
"""


def cases(block):
    return [tuple(part.strip().split("=")) for part in block.replace("\n", ",").split(",") if part.strip()]


@pytest.fixture(scope="module", autouse=True)
def _catalogue(django_db_setup, django_db_blocker):
    """The shipped catalogue, for all tests of this module."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_catalogue", verbosity=0)
        yield
        transaction.set_rollback(True)


def found_slugs(text):
    slugs = dict(Product.objects.values_list("id", "slug"))
    return [slugs[pk] for pk in find_products(text).ids]


def test_a_name_finds_its_product_first(subtests):
    for text, slug in cases(NAMES + PART_NUMBERS):
        with subtests.test(text=text):
            assert found_slugs(text)[0] == slug


def test_a_misspelled_name_finds_its_product_among_the_first():
    """How many are the very first is counted in test_typed_names."""
    typed = cases(LEFT_OUT + DOUBLED + SWAPPED + REPLACED)
    misses = [text for text, slug in typed if slug not in found_slugs(text)[:5]]
    assert len(misses) <= 0.1 * len(typed), misses


def test_part_number_finds_its_product_with_any_customer_suffix(subtests):
    for part, slug in [
        ("MZVLB512HAJQ", "samsung-pm981-pm9a1"),
        ("MZ7KM480HMHQ", "samsung-sm863"),
        ("samsung MZQLB960HAJR", "samsung-pm983"),
        ("MZHPV512HDGL", "samsung-sm951-ahci"),
        ("MZPLL3T2HMLS", "samsung-pm1725"),
        ("MTFDHBG1T9TDF", "micron-7300"),
    ]:
        for made_for in ["", "-00000", "-000L7", "-000h1", "-0BW07", "-1AW1ZABYY"]:
            with subtests.test(part=part, made_for=made_for):
                found = find_products(f"{part}{made_for}")
                assert found.match == Product.objects.get(slug=slug).pk


@pytest.mark.parametrize("text", ["MZ7LN256HAJQ-000H1", "MZNLN256HMHQ-000H1", "kingston-0dc50", "P300-000L7"])
def test_customer_suffix_of_an_unknown_part_finds_nothing(text):
    assert find_products(text).match is None


@pytest.mark.parametrize(
    ("text", "slugs"),
    [
        ("P300", {"micron-p300", "toshiba-desktop"}),
        ("wd red", {"wd-red-plus", "wd-red-smr"}),
        ("p3000", {"micron-p300", "toshiba-desktop"}),
        ("optane 16gb", {"intel-optane-m10", "intel-optane-memory"}),
        ("optane 58gb", {"intel-optane-800p", "intel-optane-p1600x"}),
    ],
)
def test_shared_name_lists_all_its_products_first(text, slugs):
    assert set(found_slugs(text)[:2]) == slugs


@pytest.mark.parametrize("text", ["zfs slog", "%", "_", "qqqqqqqq", "'; DROP TABLE x; --", "\\", "—"])
def test_unknown_text_finds_nothing(text):
    assert found_slugs(text) == []


def test_alias_finds_its_product_or_all_that_share_it():
    lost = []
    for slug, name, aliases in Product.objects.values_list("slug", "name", "aliases"):
        for text in (name, *aliases):
            found = find_products(text)
            slugs = found_slugs(text) if found.is_shared else found_slugs(text)[:1]
            if slug not in slugs:
                lost.append((text, slug, slugs))
    assert lost == []


@pytest.mark.parametrize("text", ["p4800x", "SSDPED1D280GA", "micron 5300"])
def test_full_name_matches_its_product(client, text):
    response = client.get("/search/", {"q": text})
    assert (response.status_code, response["Location"]) == (302, f"/products/{found_slugs(text)[0]}/")


def test_shared_name_is_listed_without_a_redirect(client):
    response = client.get("/search/", {"q": "optane 16gb"})
    assert (response.status_code, response.context["is_shared"]) == (200, True)
    assert {row["url"] for row in response.context["products"]} == {
        "/products/intel-optane-m10/",
        "/products/intel-optane-memory/",
    }
