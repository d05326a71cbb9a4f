import re

import pytest

from results.kinds.curve.metrics import CONFIDENCE_PERCENT
from results.kinds.file_sync.models import FileSync
from results.models import Device, DeviceAlias, Result
from tests.factories import (
    make_claim,
    make_device,
    make_facts,
    make_price,
    make_product,
    make_protected_product,
    make_result,
    make_stated_product,
    rank_everything,
)
from tests.page import Page, text_of

INTERVAL = f"{CONFIDENCE_PERCENT} interval"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _devices():
    """A fast and protected device, a slow one, a similar one, and an unmeasured one."""
    protected = make_protected_product(
        vendor="Sample",
        name="FAST",
        endurance_dwpd_low=30,
        endurance_dwpd_high=30,
        endurance_years=5,
        endurance_source_url="https://maker.example/sheet.pdf",
    )
    fast = make_device(slug="fast", model_name="Sample FAST", product=protected)
    make_result(10, device=fast, write_cache_enabled=True, platform="FreeBSD 13.1-RELEASE amd64")
    for slug, latency_us in (("slow", 1000), ("like", 1010)):
        make_result(latency_us, device=make_device(slug=slug, model_name=f"Sample {slug.upper()}"))
    make_result(device__slug="bare", device__model_name="Sample BARE", not_ranked_reason="cached")
    rank_everything()


def rows(response):
    """The cells of each row by its label; one cell if all are the same."""
    return {
        text_of(label).removesuffix(", µs"): [text_of(cell) for cell in label.getnext()]
        for label in Page(response).root.xpath(".//tr[@class='label']")
    }


def test_each_latency_is_a_bar_on_the_axis_of_all(client):
    product = make_stated_product("by_design", slug="paper", name="PAPER")
    make_claim(product, 20, quantity="write_latency_us", unit="us")
    make_product(slug="rumour", vendor="Sample", name="RUMOUR")
    response = client.get("/compare/?devices=fast,slow,paper,rumour")
    (drives,) = Page(response).root.find_class("compare-bars")
    assert [text_of(figure) for figure in drives.find_class("figure")] == ["10.0 µs", "1,000 µs", "20 µs"]
    assert [bar.get("class") for bar in drives.find_class("bar")] == [
        "bar good",
        "bar muted",
        "bar good is-loose",
    ]
    assert "C Aldera PAPER 20 µs claimed, not measured" in text_of(drives)
    assert "D Sample RUMOUR not measured yet" in text_of(drives)


def test_what_nobody_measured_has_no_empty_axis(client):
    for slug in ("one", "two"):
        make_product(slug=slug, vendor="Sample", name=slug)
    response = client.get("/compare/?devices=one,two")
    assert not Page(response).root.find_class("compare-bars")


def test_the_verdict_and_the_cards_say_who_is_faster(client, subtests):
    make_result(0.5, device__slug="unsafe", device__model_name="Sample UNSAFE")
    rank_everything()
    for slugs, badges, said in [
        (
            "fast,slow",
            ["Probably faster", ""],
            "Sample FAST 480 GB is probably faster than Sample SLOW 480 GB.",
        ),
        ("slow,fast,like", ["", "Probably fastest", ""], "Sample FAST 480 GB is probably the fastest."),
        ("slow,like", ["", ""], "Too close to call."),
        (  # perhaps the third is faster
            "fast,slow,bare",
            ["", "", ""],
            "Sample FAST 480 GB is probably faster than Sample SLOW 480 GB. Sample BARE 480 GB isn’t ranked.",
        ),
        (
            "slow,bare",
            ["", ""],
            "Can’t say which is faster: there is no sync-write figure for Sample BARE 480 GB.",
        ),
        ("fast,unsafe", ["", ""], "Sample UNSAFE 480 GB is probably faster than Sample FAST 480 GB."),
    ]:
        with subtests.test(slugs=slugs):
            response = client.get(f"/compare/?devices={slugs}")
            assert f" {said}</strong>" in response.text
            cards = Page(response).root.iterfind(".//li[@data-slug]")
            assert [
                re.findall("(?:Probably|Clearly) fast(?:er|est)|$", text_of(card))[0] for card in cards
            ] == badges


def test_no_claim_stands_in_for_a_figure_that_is_withheld(client):
    product = make_protected_product()
    make_claim(product, 10, quantity="write_latency_us", unit="us", capacity_bytes=None)
    make_result(25, device__slug="held", device__product=product, not_ranked_reason="Too fast.")
    response = client.get("/compare/?devices=held,fast")
    assert rows(response)["Write latency"][0].startswith("Claim 10 µs")
    (drives,) = Page(response).root.find_class("compare-bars")
    assert [text_of(figure) for figure in drives.find_class("figure")] == ["10.0 µs"]


def test_points_have_the_quantity_of_the_chart(client):
    assert "4 KiB" in rows(client.get("/compare/?devices=slow,fast"))  # µs
    shown = rows(client.get("/compare/?devices=slow,fast&chart=throughput"))["4 KiB, MiB/s"]
    assert shown == ["3.91", "391 best"]


def test_other_devices_are_shown_as_multiples_of_the_baseline(client):
    response = client.get("/compare/?devices=slow,fast&baseline=fast")
    assert rows(response)["ZIL latency"] == ["100×", "10.0 best"]
    assert "Shown as multiples of Sample FAST 480 GB." in response.text


def test_equal_rows_can_be_hidden(client):
    every = rows(client.get("/compare/?devices=slow,like"))
    different = rows(client.get("/compare/?devices=slow,like&only=differences"))
    assert {"ZIL latency", "Units"} <= set(every)
    assert not {"ZIL latency", "Units"} & set(different)
    assert INTERVAL in different


def test_endurance_and_conditions_have_a_row(client):
    shown = rows(client.get("/compare/?devices=fast,slow"))
    assert shown["Rated endurance"][0].startswith("30 a day for 5 years ")
    assert shown["Write cache"] == ["enabled", "not stated"]
    assert shown["Operating system"] == ["FreeBSD", "not stated"]


def test_two_methods_cause_a_warning_and_only_what_exceeds_the_factor_is_marked(client):
    make_result(20, device=make_device(slug="fio", model_name="Sample FIO"), method="fio")
    rank_everything()
    response = client.get("/compare/?devices=fast,fio")
    assert "Not measured the same way" in response.text
    assert rows(response)["4 KiB latency"] == ["10.0 tied for best", "20.0 tied for best"]
    assert rows(client.get("/compare/?devices=fast,fio&method=diskinfo"))["Place"][1].startswith("not ranked")


def test_a_place_belongs_to_the_main_row(client):
    device = make_device(slug="both", model_name="Sample both")
    make_result(20, device=device)
    make_result(20, device=device, method="fio")
    rank_everything()
    places = {
        method: rows(client.get(f"/compare/?devices=fast,both&method={method}"))["Place"][-1]
        for method in ("diskinfo", "fio")
    }
    assert places == {"diskinfo": "1–2 in NVMe SSD", "fio": "ranked by its other tool"}


def test_a_device_that_isnt_ranked_has_its_figure_in_one_row_with_the_reason(client):
    response = client.get("/compare/?devices=fast,bare")
    shown = rows(response)
    assert shown["ZIL latency"] == ["10.0", "–"]
    assert shown["Place"][1] == "not ranked cached"
    assert shown["Measured, but not ranked"] == ["–", "21.0 µs cached"]
    assert "Not ranked: cached" in Page(response).text


def test_a_product_that_nobody_has_measured_has_a_column_with_its_claims(client):
    product = make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X", device_class="optane")
    make_facts(product)
    response = client.get("/compare/?devices=fast,birch-p1600x")
    shown = rows(response)
    assert response.status_code == 200
    assert "| Class | NVMe SSD | Optane |" in response.text
    assert shown["Write latency"][1] == "Claim under 10 µs the whole line, typical maker: claims.example"
    assert Page(response).links["claims.example"] == "https://claims.example/s1"
    assert shown["4 KiB latency"][1] == "–"
    assert 'href="/products/birch-p1600x/"' in response.text
    assert "Can’t say which is faster: there is no sync-write figure for Birch P1600X." in response.text


def test_a_product_of_other_claims_lends_them_to_no_capacity(client):
    product = make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    for capacity_bytes, value in ((58_000_000_000, 10), (480_000_000_000, 20)):
        make_claim(product, value, quantity="write_latency_us", unit="us", capacity_bytes=capacity_bytes)
    make_result(device__slug="of-line", device__product=product)
    rank_everything()
    shown = rows(client.get("/compare/?devices=of-line,fast"))
    assert shown["Write latency"] == ["Claim 20 µs 480 GB maker: claims.example", "–"]


def test_names_as_people_type_them_are_compared(client):
    for name in ("P1600X", "DC P4801X", "DC1000B / DC2000B"):
        slug = name.split()[-1].lower()
        make_product(slug=slug, vendor="Birch", name=name, aliases=[slug.upper()])
    several = client.get("/compare/?add=P1600X or p4801x or DC2000B?")
    assert several["Location"] == "/compare/?devices=P1600X,p4801x,DC2000B"
    resolved = client.get(several["Location"])
    assert (resolved.status_code, resolved["Location"]) == (302, "/compare/?devices=p1600x,p4801x,dc2000b")
    response = client.get(resolved["Location"])
    assert Page(response).headings[0] == "Birch P1600X and 2 others"
    assert "there is no sync-write figure for any of them" in response.text


def test_a_part_number_is_called_what_people_call_it(client):
    product = make_product(vendor="Birch", name="SSD P3700")
    make_result(30, device__slug="bird", device__model_name="BSSDPEDMD400G4", device__product=product)
    rank_everything()
    response = client.get("/compare/?devices=fast,bird")
    assert Page(response).headings[0] == "Sample FAST 480 GB vs. Birch P3700 480 GB"
    assert "NVMe SSD · BSSDPEDMD400G4<" in response.text


def test_a_name_that_isnt_known_has_suggestions(client):
    make_product(slug="birch-p1600x", vendor="Birch", name="SSD P1600X")
    response = client.get("/compare/?devices=fast,P160X")
    assert response.status_code == 400
    assert "No device or product is called “P160X”. Did you mean one of these?" in response.text
    assert 'href="/compare/?devices=fast,birch-p1600x"' in response.text


def test_what_was_measured_through_a_file_system_is_shown_with_its_meaning(client):
    through = make_result(device__slug="fs", not_ranked_reason="Layers differ.")
    Result.objects.filter(pk=through.pk).update(
        method="fio_file", latency_us=None, metrics={"file_sync_us": 1117.3}
    )
    FileSync.objects.create(result=through, layer="ext4", rows=[])
    response = client.get("/compare/?devices=fast,fs")
    shown = rows(response)
    assert shown["Through a file system"] == [
        "–",
        "1,117 µs through ext4 (fio on a file or volume, 1 result)",
    ]
    assert shown["Place"][1] == "not ranked Layers differ."
    assert "The path of the writes differs. A: to the device itself, B: through ext4." in response.text
    assert (
        "Only Sample FAST 480 GB is known to be protected against power loss. It is almost certainly much faster "
        "too: 10.0 µs against about 1,100 µs through ext4 (different tests)." in response.text
    )
    response = client.get("/compare/?devices=slow,fs")  # within a factor of ten
    assert "Can’t say which is faster: they weren’t measured the same way." in response.text
    response = client.get("/compare/?devices=fast,fs")
    assert re.search(
        r'name="description" content="[^"]*FAST 480 GB: 10.0 µs to the device itself \(diskinfo\). [^"]*'
        r"1,117 µs through ext4, not ranked",
        response.text,
    )


@pytest.mark.parametrize(
    ("plps", "said"),
    [
        (["yes", "no"], "Only ONE is protected against power loss."),
        (["yes", "unknown"], "Only ONE is known to be protected against power loss."),
        (["yes", "by_design"], "Both are protected against power loss."),
        (["no", "partial"], "Neither of them is protected against power loss."),
        (["no", "unknown", "disputed"], "None of them is known to be protected against power loss."),
        (["yes", "by_design", "no"], "Only ONE and TWO are protected against power loss."),
    ],
)
def test_who_is_protected_comes_before_who_is_faster(client, plps, said):
    for name, plp in zip(("one", "two", "three"), plps, strict=False):
        product = make_stated_product(plp, slug=name, name=name.upper())
        make_result(device=make_device(slug=f"d{name}", model_name=name.upper(), product=product))
    slugs = ",".join(f"d{name}" for name in ("one", "two", "three")[: len(plps)])
    page = client.get(f"/compare/?devices={slugs}").text
    assert f"<strong>{said} " in page.replace("Aldera ", "").replace(" 480 GB", "")


def test_the_other_devices_of_a_name_are_offered(client):
    product = make_product(name="Line")
    for slug, units in (("one", 1), ("two", 2)):
        device = make_device(slug=slug, model_name=f"Line {slug}", product=product)
        for _ in range(units):
            make_result(30, device=device)
    rank_everything()
    page = client.get("/compare/?devices=fast,two&baseline=fast").text
    assert "The most measured of 2 devices of this name." in page
    assert 'href="/compare/?devices=fast,one&amp;baseline=fast"' in page
    assert "The most measured of" not in client.get("/compare/?devices=fast,one").text


def test_the_number_of_devices_does_not_change_the_number_of_queries(client, django_assert_num_queries):
    with django_assert_num_queries(14):
        client.get("/compare/?devices=fast,slow")
    with django_assert_num_queries(14):
        client.get("/compare/?devices=fast,slow,like,bare")


def test_invalid_input_is_named_with_a_link_back(client, subtests):
    for url, status, message in [
        ("/compare/?devices=fast", 200, "Add a second device"),
        ("/compare/?devices=fast,nowhere", 400, "There is no device or product “nowhere”."),
        ("/compare/?devices=no,fast,never", 400, "There are no devices or products “no” and “never”."),
        (
            "/compare/?devices=no,never,none",
            400,
            "There are no devices or products “no”, “never” and “none”.",
        ),
        ("/compare/?devices=a,b,c,d,e,f,g", 400, "7 devices are too many"),
    ]:
        with subtests.test(url=url):
            response = client.get(url)
            assert response.status_code == status
            assert message in response.text


def test_the_valid_url_keeps_what_makes_sense(client, subtests):
    for url, valid_url in [
        ("/compare/?devices=fast,nowhere,slow", "/compare/?devices=fast,slow"),
        ("/compare/?devices=nowhere", "/compare/"),
        ("/compare/?devices=a,b,c,d,e,f,g", "/compare/?devices=a,b,c,d,e,f"),
        (
            "/compare/?devices=fast,slow&baseline=like&only=differences",
            "/compare/?devices=fast,slow&only=differences",
        ),
        ("/compare/?devices=fast,slow&method=guess", "/compare/?devices=fast,slow"),
    ]:
        with subtests.test(url=url):
            page = client.get(url).text.replace("&amp;", "&")
            assert f'href="{valid_url}"' in page


def test_one_comparison_has_one_address(client, subtests):
    DeviceAlias.objects.create(
        slug="old", model_name="old", device=Device.objects.get(slug="slow"), reason="the same"
    )
    for query, target in [
        ("devices=fast,fast,slow", "/compare/?devices=fast,slow"),
        ("devices=fast,,slow,", "/compare/?devices=fast,slow"),
        ("devices=old,fast&baseline=fast", "/compare/?devices=slow,fast&baseline=fast"),
    ]:
        with subtests.test(query=query):
            response = client.get(f"/compare/?{query}")
            assert (response.status_code, response["Location"]) == (301, target)


def test_a_device_is_added_by_name_without_a_script(client):
    response = client.get("/compare/", {"devices": "fast", "add": "SLO", "chart": "throughput"})
    assert response["Location"] == "/compare/?devices=fast,slow&chart=throughput"


def test_ambiguous_name_lists_its_devices(client):
    response = client.get("/compare/?devices=fast&add=sample")
    assert Page(response).part("found").links == {
        f"Sample {slug.upper()} 480 GB": f"/compare/?devices=fast,{slug}" for slug in ("bare", "like", "slow")
    }


def test_what_a_name_means_takes_its_place(client):
    links = Page(client.get("/compare/?devices=sample,fast")).links
    assert links["Sample SLOW 480 GB"] == "/compare/?devices=slow,fast"


def test_unknown_name_is_reported(client):
    page = client.get("/compare/?devices=fast&add=<b>no such</b>").text
    assert "No other device or product is called “&lt;b&gt;no such&lt;/b&gt;”" in page


def test_full_comparison_has_no_form_to_add_devices(client):
    for slug in "abcdef":
        make_result(device__slug=slug)
    page = client.get("/compare/?devices=a,b,c,d,e,f").text
    assert "remove one to add another" in page
    assert 'name="add"' not in page


def test_removing_a_device_removes_its_parameters(client):
    response = client.get("/compare/?devices=fast,slow,like&baseline=slow&hide=slow,like")
    links = Page(response).links
    assert links["Remove Sample SLOW"] == "/compare/?devices=fast,like&hide=like"
    assert links["Remove Sample FAST"] == "/compare/?devices=slow,like&baseline=slow&hide=slow,like"


def test_shared_table_escapes_names(client):
    make_result(device__slug="odd", device__model_name="[b]odd|`name`", not_ranked_reason="cached")
    page = Page(client.get("/compare/?devices=fast,odd&only=differences"))
    share = {text_of(way[0]): way.findtext(".//code") for way in page.root.find_class("ways")[0]}
    assert share["Link"].endswith("/compare/?devices=fast,odd&only=differences")
    assert "[th]Sample FAST 480 GB[/th][th](b)odd|`name` 480 GB[/th]" in share["Table, BBCode"]
    assert r"| \[b\]odd\|\`name\` 480 GB |" in share["Table, Markdown"]


def test_different_hbas_stated_by_owners_cause_a_warning(client):
    for slug, hba in (("mine", "LSI 9300-8i"), ("yours", "LSI 9211-8i")):
        device = make_device(slug=slug, model_name=slug)
        make_result(20, device=device, attachment="mps0", told_conditions={"attachment": hba})
    rank_everything()
    response = client.get("/compare/?devices=mine,yours")
    assert "Not measured the same way" in response.text
    assert "The HBA differs. A: LSI 9300-8i, B: LSI 9211-8i." in response.text
    assert rows(response)["HBA, according to owners"] == ["LSI 9300-8i", "LSI 9211-8i"]


def test_product_facts_are_rows_of_the_table(client, today):
    product = make_product(form_factors="U.2")
    make_price(product, price=48, seen_on="2023-03")
    for slug, of in (("one", product), ("two", None)):
        make_result(device__slug=slug, device__product=of)
    rank_everything()
    response = client.get("/compare/?devices=one,two")
    shown = rows(response)
    assert "| Price | $48 | not stated |" in response.text
    assert shown["Form factors"] == ["U.2", "not stated"]
    assert "Launched" not in shown


def test_the_head_of_an_unmeasured_product_has_its_claim_and_price(client):
    product = make_product(slug="paper", vendor="Sample", name="PAPER")
    make_claim(
        product,
        224_000,
        quantity="random_write_4k_iops",
        unit="IOPS",
        capacity_bytes=58_000_000_000,
    )
    make_price(product, price=32, capacity_bytes=58_000_000_000)
    page = Page(client.get("/compare/?devices=paper,fast"))
    paper, fast = (text_of(page.root.find(f".//li[@data-slug='{slug}']")) for slug in ("paper", "fast"))
    for text in ("Claimed: 224,000 IOPS random writes, 4 kB (58 GB)", "$32"):
        assert text in paper
        assert text not in fast


@pytest.mark.parametrize("name", ["baseline", "chart", "scale", "method", "only", "devices"])
def test_a_long_refused_value_is_repeated_in_part(client, name):
    long = "y" * 3000
    response = client.get(
        "/compare/", {"devices": "slow,fast", name: f"slow,{long}" if name == "devices" else long}
    )
    shown = Page(response).text
    assert response.status_code == 400
    assert f"“{long[:60]}…”" in shown
    assert long[:61] not in shown
