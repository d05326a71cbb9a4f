"""Published results are linked to products by the names people use; tool output is not."""

from decimal import Decimal
from io import StringIO

import pytest
from django.core.management import call_command

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.rematch import rematch_devices
from results.kinds.curve.run import CurveRun
from results.kinds.registry import SYNC_WRITE_METHODS
from results.kinds.shipped import Published, figure_digits
from results.models import Device
from results.models.choices import Method, Quality
from results.models.fields import BLOCK_SIZES
from results.submissions.intake.receive import Sender, preview_text, receive_submission
from results.submissions.intake.shipped import load_survey, read_shipped
from tests import pastes
from tests.factories import make_product, make_result, make_submission

PRODUCTS_BY_HAND = {  # by model name, of any capacity; every other is of none
    "MARVELL SD88SA02": "sun-f20-fmod",
    "Intel 710 Series SSD": "intel-710",
    "Samsung 950 PRO": "samsung-950-pro",
    "Samsung 980": "samsung-980",
    "Intel Optane 900P": "intel-optane-900p",
    "Samsung 970 EVO": "samsung-970-evo",
    "Samsung 970 EVO Plus": "samsung-970-evo",
    "Samsung 980 PRO": "samsung-980-990-pro",
    "Samsung 990 PRO": "samsung-980-990-pro",
    "TEAM T253X2512G": "team-gx2",
    "WD Black SN750": "wd-black-nvme-gen3",
    "WDS200T1X0E-00AFY0": "wd-black-nvme-gen4",
    "Intel SSD 750": "intel-750",
    "SAMSUNG MZQLW960HMJP-00003": "samsung-pm963",
    "Samsung PM1643a": "samsung-pm1643a",
    "Samsung PM863a": "samsung-pm863",
    "Samsung PM883": "samsung-pm883",
    "Samsung 983 DCT": "samsung-pm983",
    "WDC WDS100T2B0A-00SM50": "wd-blue-green-sata",
    "Intel D3-S4510": "intel-d3-s4510",
    "Intel SSD 545s": "intel-540s-545s",
    "Samsung PM961": "samsung-sm951",
    "Samsung SSD 860 PRO": "samsung-860-pro",
    "Samsung SSD 860 EVO": "samsung-860-870-evo",
    "Samsung SSD 970 PRO": "samsung-970-pro",
    "SAMSUNG MZVLB512HAJQ-000L7": "samsung-pm981-pm9a1",
    "Intel DC P3700": "intel-dc-p3700",
    "Intel DC P3600": "intel-dc-p3600",
    "Samsung PM863": "samsung-pm863",
    "Samsung XS1715": "samsung-xs1715",
    "Intel DC S3610": "intel-dc-s3610",
    "Samsung SM863": "samsung-sm863",
    "HGST Ultrastar SSD1600MM": "hgst-ssd1600",
    "Intel DC S3500": "intel-dc-s3500",
    "Intel DC S3700": "intel-dc-s3700",
    "Micron M500DC": "micron-m500dc",
    "Intel DC S3710": "intel-dc-s3710",
    "Micron P400e": "micron-p400",
    "Intel SSD 520": "intel-520-530",
    "Intel SSD 510": "intel-510",
    "Crucial MX200": "crucial-mx100-mx200",
    "Samsung SSD 850 EVO": "samsung-850-evo",
    "Samsung SSD 840 EVO": "samsung-840-evo",
    "Samsung SSD 850 PRO": "samsung-850-pro",
    "Crucial M550": "crucial-m500-m550",
    "INTEL SSDSC2BW240H6": "intel-520-530",
    "NMA1XXD128GPS": "intel-optane-pmem",
    "Samsung PM9A3": "samsung-pm9a3",
    "T-FORCE TM8FPL500G": "team-t-force-tm8fpl",
    "INTEL MEMPEK1J016GAL": "intel-optane-m10",
    "Apacer AS340 480GB": "apacer-as340",
    "TEAM T253480GB": "team-t253",
    "SK hynix HFS960GD0MEE-5410A": "sk-hynix-pe4010",
    "Samsung PM9A1": "samsung-pm981-pm9a1",
    "EDILOCA EN605": "ediloca-en605",
    "PNY CS900": "pny-cs900",
    "SK hynix BC501": "sk-hynix-bc501",
    "WD SN530": "wd-sn530",
    "Intel Optane DC P4800X": "intel-optane-p4800x",
    "Micron_5300_MTFDDAK1T9TDS": "micron-5300",
    "WDC WD140EDFZ-11A0VA0": "wd-white-label",
}

pytestmark = pytest.mark.django_db


def published(model_name, *, vendor="Aldera", device_class=DeviceClass.NVME, survey_id="x1"):
    run = CurveRun(
        model_name=model_name,
        vendor=vendor,
        device_class=device_class,
        method=Method.DISKINFO,
        curve=(Decimal(200),) * len(BLOCK_SIZES),
        is_complete=True,
        is_published=True,
    )
    return Published(survey_id, {"source_url": "https://forum.example/1", "quality": Quality.TABLE}, (run,))


@pytest.mark.parametrize(
    ("figure", "digits"),
    [
        ("6 MB/s at 4 KiB", 1),
        ("0.8 MB/s", 1),
        ("1.0 MB/s", 2),
        ("40 MB/s", 2),
        ("0.80 MB/s", 2),
        ("~60000 iops", 1),
        ("~27000 iops", 2),
        ("4000 IOPS", None),
        ("23,6 MB/s", None),
        ("1,623 IOPS", None),
        ("10.2k IOPS", None),
        ("401 kB/s", None),
        ("0.9 ms", None),
        ("9 usec/IO", None),
        ("", None),
    ],
)
def test_a_published_rate_has_its_significant_digits(figure, digits):
    assert figure_digits(figure) == digits


def with_latencies():
    """The devices of which latencies of sync writes ship."""
    return Device.objects.filter(results__method__in=SYNC_WRITE_METHODS).distinct()


def products(devices=None):
    """By model name, whose capacities are all of one product."""
    found = Device.objects.shown() if devices is None else devices
    pairs = set(found.values_list("model_name", "product__slug"))
    assert len({name for name, _ in pairs}) == len(pairs)
    return dict(pairs)


def known(by_name):
    return {name: slug for name, slug in by_name.items() if slug}


LOGS_BY_HAND = {
    ("INTEL SSDPEK1A118GA", "intel-optane-p1600x"),
    ("Intel DC S3700", "intel-dc-s3700"),
    ("Intel Optane 800p", "intel-optane-800p"),
    ("Intel Optane M10", "intel-optane-m10"),
    ("NMA1XXD128GPS", "intel-optane-pmem"),
    ("Nextorage NVMe SSD", None),
    ("Samsung 980", "samsung-980"),
    ("SOLIDIGM SSDSCKKB480GZ", "intel-d3-s4520-s4620"),
}


def test_loading_the_catalogue_links_existing_results_by_name():
    load_survey(read_shipped())
    assert set(products().values()) == {None}
    call_command("load_catalogue", stdout=StringIO())
    assert known(products(with_latencies())) == PRODUCTS_BY_HAND


@pytest.mark.parametrize("name", ["Aldera V700 Series SSD", "V700", "Aldera One 480GB", "aldera one"])
def test_a_published_name_is_its_product(name):
    make_product(slug="v700", name="V700", aliases=["Aldera One"], patterns=[])
    load_survey([published(name)])
    assert products() == {name: "v700"}


def test_a_name_of_another_class_matches_no_product():
    make_product(name="V700", patterns=[])
    load_survey([published("V700", device_class=DeviceClass.HDD)])
    assert products() == {"V700": None}


def test_a_pattern_takes_precedence_over_a_name():
    make_product(slug="by-name", name="V700", patterns=[])
    make_product(slug="by-pattern", name="V700 OEM", patterns=["^ALDERA V700"])
    load_survey([published("ALDERA V700")])
    assert products() == {"ALDERA V700": "by-pattern"}


def test_tool_output_is_matched_by_pattern_only():
    make_product(name="V700", aliases=["Aldera One"], patterns=[])
    text = pastes.diskinfo(description="Aldera One", media_size=480 * 10**9)
    assert preview_text(text).devices[0].product is None
    receive_submission(text, Sender())
    rematch_devices()
    assert products() == {"Aldera One": None}


def test_names_that_the_catalogue_learns_or_loses_move_published_devices():
    product = make_product(slug="v700", name="V700", patterns=[])
    load_survey([published("Aldera One")])
    assert products() == {"Aldera One": None}
    product.aliases = ["Aldera One"]
    product.save()
    rematch_devices()
    assert products() == {"Aldera One": "v700"}
    product.aliases = []
    product.save()
    rematch_devices()
    assert products() == {"Aldera One": None}


def test_a_paste_with_the_same_name_does_not_unlink_a_published_device():
    make_product(slug="v700", name="V700", aliases=["Aldera One"], patterns=[])
    load_survey([published("Aldera One")])
    make_result(device=Device.objects.get(), submission=make_submission())
    rematch_devices()
    assert products() == {"Aldera One": "v700"}


def test_a_class_known_only_by_name_comes_from_the_product():
    make_product(slug="v700", name="V700", patterns=[], device_class="optane")
    load_survey([published("Aldera V700")])
    assert Device.objects.get().device_class == "optane"
    assert rematch_devices().device_ids == []
