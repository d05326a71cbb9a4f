"""What shoppers ask, and the first answer that the shipped data give."""

from datetime import date

import pytest

from results.models import Device, DeviceRanking, Result
from results.models.choices import Method
from tests.page import Page

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped")]


@pytest.fixture(autouse=True)
def _today(monkeypatch):
    monkeypatch.setattr("results.core.today.utc_day", lambda: date(2026, 11, 29))


def test_a_sata_drive_for_60_dollars_used(client):
    query = "link_gbit=1&form_factor=2.5-sata&budget=60&condition=used&gb_per_day=40&years=5"
    found = client.get(f"/api/v1/shortlist/?{query}").json()
    first, second = found["measured"]["to_check"][:2]
    assert [first["name"], second["name"]] == ["Intel DC S3500 80 GB", "Intel DC S3700 100 GB"]
    price = first["findings"][-1]["sentence"]
    assert price.startswith("No known used price in USD; $78.83 new")
    assert price.endswith("Used ones usually sell below that: search eBay")


def test_an_optane_m10(client):
    page = Page(client.get("/products/intel-optane-m10/")).text
    assert "Fast flushes Unknown" in page
    assert "names Safe by design Optane" in page
    used = client.get("/used-drive/?model=INTEL+MEMPEK1J016GA&price=6").text
    assert "97.19" not in used  # the price of the 32 GB


def test_twins_are_equally_protected(client):
    twins = [client.get(f"/api/v1/products/intel-optane-{name}/").json()["plp"] for name in ("memory", "m10")]
    assert twins == ["by_design", "by_design"]


def test_a_zeusram(client):
    text = client.get("/products/stec-zeusram/").text
    assert all(word in text for word in ("ZeusRAM (8 GB)", "DRAM", "dual-port SAS"))


def test_two_drives_in_one_question_are_compared(client):
    assert client.get("/search/?q=990+Pro+vs+P3700")["Location"].startswith("/compare/?add=990")
    questions = Page(client.get("/search/?q=990+pro+against+p3700")).section("questions")
    (url,) = questions.links.values()
    assert url.startswith("/compare/?add=990")
    page = client.get("/compare/?add=990+Pro+vs+P3700", follow=True).text
    assert "Only Intel DC P3700 400 GB is protected against power loss." in page


def test_at_least_75_devices_have_a_ranked_figure_or_one_of_a_file_system():
    """A figure of a file is never that of a device: it has no rank."""
    files = [Method.FIO.value, Method.DISKINFO.value]
    ranked = set(DeviceRanking.objects.values_list("device", flat=True))
    of_files = Result.objects.published().filter(file_sync__isnull=False, device__isnull=False)
    assert not of_files.filter(method__in=files).exists()
    assert len(ranked | set(of_files.values_list("device", flat=True))) >= 75


def test_both_flush_regimes_of_a_drive_are_shown():
    drive = Device.objects.get(model_name="Samsung 970 EVO", capacity_bytes=500 * 10**9)
    figures = {
        entry.metrics["file_sync_us"]
        for entry in Result.objects.published().filter(device=drive, method="fsync_script")
    }
    assert {900, 3000} <= figures
    assert not DeviceRanking.objects.filter(device=drive).exists()
