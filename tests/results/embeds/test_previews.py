"""The pictures of link previews, as other sites fetch them."""

import re

import pytest

from results.embeds import previews
from results.kinds.file_sync.models import FileSync
from results.models import Result
from tests.factories import (
    make_device,
    make_product,
    make_protected_product,
    make_result,
    make_submission,
    rank_everything,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def _devices():
    for slug, latency_us in (("sample", 20), ("other", 90)):
        device = make_device(slug=slug, model_name=f"The {slug} one")
        make_result(latency_us, device=device, submission=make_submission(public_id=slug))
    rank_everything()


@pytest.fixture
def drawn(monkeypatch):
    """The pictures as they are before they become PNG."""
    found = []
    monkeypatch.setattr(previews, "png", lambda svg: found.append(svg) or b"")
    return found


@pytest.mark.usefixtures("_devices")
@pytest.mark.parametrize(
    "url",
    [
        "/devices/sample/preview.png",
        "/results/sample/preview.png",
        "/leaderboard/preview.png",
        "/leaderboard/preview.png?class=nvme",
        "/compare/preview.png?devices=sample,other",
    ],
)
def test_a_preview_is_a_picture(client, url):
    response = client.get(url)
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    assert response.content.startswith(b"\x89PNG")


def test_the_preview_of_a_protected_device_states_what_a_recommendation_lacks(client, drawn):
    device = make_device(slug="sample", product=make_protected_product())
    make_result(20, device=device)
    rank_everything()
    client.get("/devices/sample/preview.png")
    for _ in range(2):
        make_result(20, device=device, submission__is_approved=True)
    rank_everything()
    client.get("/devices/sample/preview.png")
    assert all(">Protected</tspan>" in svg for svg in drawn)
    assert ">NVMe SSD · rank 1 of 1 · too few results to judge speed</tspan>" in drawn[0]
    assert ">NVMe SSD · rank 1 of 1</tspan>" in drawn[1]


def test_the_picture_of_a_class_follows_the_filters(client, drawn):
    make_result(20, device__model_name="Disk by fio", device__device_class="hdd", method="fio")
    rank_everything()
    client.get("/leaderboard/preview.png?class=hdd")
    client.get("/leaderboard/preview.png?class=hdd&method=diskinfo")
    assert ">1 measured device, by 4 KiB latency</tspan>" in drawn[0]
    assert "Disk by fio" in drawn[0]
    assert ">No measured device yet, by 4 KiB latency</tspan>" in drawn[1]
    assert "Disk by fio" not in drawn[1]


def test_the_picture_of_a_comparison_names_every_device_with_its_figure_or_why_there_is_none(client, drawn):
    make_product(slug="birch-p1600x", vendor="Birch", name="P1600X", plp="unknown")
    make_result(20, device__slug="sample", device__model_name="Sample")
    through = make_result(device__slug="fs", device__model_name="Through", not_ranked_reason="Layers differ.")
    Result.objects.filter(pk=through.pk).update(
        method="fio_file", latency_us=None, metrics={"file_sync_us": 1117.3}
    )
    FileSync.objects.create(result=through, layer="ext4", rows=[])
    rank_everything()
    client.get("/compare/preview.png?devices=sample,fs,birch-p1600x")
    client.get("/compare/preview.png?devices=birch-p1600x,gone")
    for text in ("Sample 480 GB<", ">20.0 µs<", "Through 480 GB<", ">1,117 µs<", "through ext4, not ranked<"):
        assert text in drawn[0], text
    assert sorted(re.findall('class="ring-name"[^>]*>(.)<', drawn[0])) == ["A"]
    assert "Birch P1600X<" in drawn[1]
    assert "Not measured yet<" in drawn[1]
    assert 'class="ring"' not in drawn[1]
    assert 'class="diskinfo"' in drawn[1]  # the others are still there


@pytest.mark.parametrize("how", ["diskinfo", "fio"])
def test_the_card_of_a_drive_rings_it_alone_among_the_others(client, drawn, how):
    make_result(90, device__model_name="Another one")
    make_result(20, device__slug="sample", method=how)
    rank_everything()
    client.get("/devices/sample/preview.png")
    assert drawn[0].count('class="ring"') == 1
    assert re.search(f'class="ring"[^>]*/><circle[^>]*class="{how}"', drawn[0])
    assert "Another one</tspan>" not in drawn[0]


def test_the_card_of_a_drive_has_no_figure_that_is_not_ranked(client, drawn):
    make_result(90, device__model_name="Another one")
    make_result(20, device__slug="sample", not_ranked_reason="Too fast.")
    rank_everything()
    client.get("/devices/sample/preview.png")
    assert ("20.0" in drawn[0], 'class="ring"' in drawn[0], ">Not ranked" in drawn[0]) == (False, False, True)


def test_a_product_has_the_picture_of_its_device_once_that_is_measured(client, drawn):
    product = make_product(slug="birch-p1600x", vendor="Birch", name="P1600X")
    make_result(20, device__model_name="BP1600X-1", device__product=product)
    rank_everything()
    client.get("/compare/preview.png?devices=birch-p1600x")
    assert "Birch P1600X 480 GB<" in drawn[0]
    assert ">20.0 µs<" in drawn[0]


def test_unknown_pages_have_no_preview(client):
    for url in (
        "/devices/nobody/preview.png",
        "/results/nobody/preview.png",
        "/compare/preview.png?devices=nobody,none",
        "/leaderboard/preview.png?page=99",
    ):
        assert client.get(url).status_code == 404, url
    assert client.get("/leaderboard/preview.png?class=nonsense").status_code == 400


@pytest.mark.usefixtures("_devices")
def test_more_names_than_fit_are_not_drawn(client):
    slugs = ",".join(["sample"] * 400 + ["other"])
    assert client.get(f"/compare/preview.png?devices={slugs}").status_code == 200
