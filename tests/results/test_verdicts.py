"""Drives by hand, each with what an expert says of it: as a used offer, at the head of its page, on a shortlist.

The base is a good drive: protected, U.2, 400 GB, rated for 7,300 TB, 1,000 MB/s, $100 used and $300 new a month ago.
The need is half of 10 GbE (596 MiB/s), 100 GB a day for 5 years, U.2, and $200.
"""

from dataclasses import dataclass, field

import pytest

from tests.factories import make_claim, make_device, make_price, make_product, make_result, rank_everything
from tests.page import Page
from tests.results.used_drive.shown import only, verdict

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("today")]
GB, TB = 10**9, 10**12
NEED = {"link_gbit": "10", "gb_per_day": "100", "form_factor": "u2", "budget": "200", "plp": "any"}
NO = "Not a good SLOG: slow if it obeys flushes, and it can lose writes if it doesn’t"
ENOUGH = "Safe for ZFS, but slow: it keeps what was flushed, and each flush waits for the flash"
DISPUTED = "Sources disagree about power-loss protection: treat as unprotected until checked"
UNSAFE = "Unsafe: known to lose data in a power cut, unless its firmware was updated"
BATTERY = "Good SLOG only as long as its battery or a UPS lasts"
UNKNOWN = "Don’t trust it as a SLOG yet: we don’t know if it is protected"
UNMEASURED = "Protected, but no result counts yet, so we can’t judge speed"
FIT = "Good SLOG, based on the data we have"
GOOD, FITS = "Good buy: no red flags, protected against power loss", "fits"
LOOKS_GOOD = "Looks good: no red flags, protected against power loss"
LEFT = "Protected against power loss with about 6.93 PB of writes left"
FIND_OUT = "No source says whether it is protected against power loss: find out before you use it as a SLOG."
SMART = """smartctl 7.3 2022-02-28 r5338 [x86_64-linux-6.1.0] (local build)
=== START OF INFORMATION SECTION ===
Model Number:                       {model}
Serial Number:                      ZX81SPECTRUM1
Firmware Version:                   {firmware}
Namespace 1 Size/Capacity:          {size:,} [{size}]
Namespace 1 Formatted LBA Size:     {sector}
=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: {health}
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   {warning}
Available Spare:                    {spare}%
Available Spare Threshold:          10%
Percentage Used:                    {wear}%
Data Units Written:                 {units:,} [x TB]
Power Cycles:                       20
Power On Hours:                     {hours:,}
Self-test Log (NVMe Log 0x06)
Num  Test_Description  Status                       Power_on_Hours  Failing_LBA  NSID Seg SCT Code
 0   Extended          {self_test}              {tested_at}            -     -   -   -    -
"""
HEALTHY = {
    "firmware": "F1", "size": 400 * GB, "sector": 512, "health": "PASSED", "warning": "0x00", "spare": 100, "wear": 5,
    "units": 100_000, "hours": 9_000, "self_test": "Completed without error", "tested_at": 100,
}  # fmt: skip


def stated(plp, evidence="data_sheet", **others):
    statement = {"value": plp, "evidence": evidence, "url": "https://a.example/", **others}
    return {"plp": plp, "plp_statements": [statement]}


@dataclass(frozen=True)
class Drive:
    """What differs from the base, and the three verdicts; "" where a verdict isn't asked for.

    `used` are the tone and how the sentence begins; `listed` is "fits", "check", or the criterion it fails.
    """

    name: str
    used: tuple[str, str] = ("info", GOOD)
    head: str = UNMEASURED
    listed: str = FITS
    product: dict = field(default_factory=dict)
    smart: dict = field(default_factory=dict)
    offer: dict = field(default_factory=dict)
    mb_s: int | None = 1000
    prices: tuple = ((100, "used", 400), (300, "new", 400))
    tbw: int | None = 7300
    latency_us: float | None = None

    @property
    def slug(self):
        return self.name.replace(" ", "-")


def offer(name, tone, words, *, price="90", **values):
    """A case about the piece that is offered, not about its product."""
    smart = {key: value for key, value in values.items() if key in HEALTHY}
    others = {key: value for key, value in values.items() if key not in HEALTHY}
    return Drive(name, (tone, words), head="", listed="", smart=smart, offer={"price": price}, **others)


def line(name, listed, **values):
    """A case about the product on a shortlist."""
    return Drive(name, ("", ""), head="", listed=listed, **values)


DRIVES = [
    # Protection
    Drive("good"),
    Drive("measured", head=FIT, latency_us=20),
    Drive("by design", product=stated("by_design", "medium"),
          used=("info", "Good buy: no red flags, safe from power loss by design")),
    Drive("none", ("warn", NO), NO, "protection", stated("no")),
    Drive("fast without", ("warn", NO), NO, "protection", stated("no"), latency_us=20),
    Drive("honest", ("warn", ENOUGH), ENOUGH, "protection", stated("partial", "openzfs_list")),
    Drive("at rest only", ("warn", NO), NO, "protection", stated("partial", "board_review")),
    Drive("battery", ("warn", BATTERY), BATTERY, "protection", stated("external")),
    Drive("disputed", ("warn", DISPUTED), DISPUTED, "protection", stated("disputed")),
    Drive("unknown", ("warn", FIND_OUT), UNKNOWN, "protection", {"plp": "unknown"}),
    Drive("hearsay", ("warn", "Probably protected against power loss, but no source says so of this very model"),
          UNKNOWN, "protection", {**stated("yes", "indirect"), "plp": "unknown"}),
    Drive("loses data", ("bad", UNSAFE), UNSAFE, "protection", stated("disputed", note="loses data in a power cut")),
    # The piece that is offered: what rules it out comes before protection and price
    offer("worn", "bad", "Too worn for a log: 80 % of its rated life is used up.", wear=80),
    offer("very worn", "bad", "Too worn for a log: 97 % of its rated life is used up.", wear=97, price="12"),
    offer("used up", "bad", "Don’t buy it: its rated life is used up.", wear=100),
    offer("beyond its life", "bad", "Don’t buy it: its rated life is used up.", wear=140),
    offer("nearly worn", "info", GOOD, wear=79),
    offer("worn without", "bad", "Too worn for a log: 85 % of its rated life is used up.", wear=85,
          product=stated("no")),
    offer("written off", "bad", "Don’t buy it: its rating is used up.", units=15_000_000_000, wear=1),
    offer("much written", "bad", "Too worn for a log: 85 % of its rated writes are used up.", units=12_000_000_000,
          wear=1),
    offer("failed self-test", "bad", "Don’t buy it: its last self-test failed.",
          self_test="Completed: failed segments"),
    offer("failed capacitor", "bad", "Don’t buy it: its protection against power loss has failed.", warning="0x10"),
    offer("spare at its limit", "bad", "Don’t buy it: its spare blocks are nearly used up.", spare=10),
    offer("spare below it", "bad", "Don’t buy it: its spare blocks are nearly used up.", spare=3),
    offer("spare above it", "info", GOOD, spare=11),
    offer("failing", "bad", "Don’t buy it: it is failing.", health="FAILED!"),
    offer("reset hours", "bad", "Don’t trust it: the power-on hours look reset.", hours=10, tested_at=21_000),
    offer("storage array", "bad", "Buy it only if it can be reformatted", sector=520),
    offer("failed and unprotected", "bad", "Don’t buy it: its last self-test failed.", product=stated("no"),
          self_test="Completed: failed segments"),
    # Its price
    offer("bargain", "info", f"{GOOD} with about 6.93 PB of writes left, and $50 is 50 % less than a used one cost "
          "($100, seen 29 days ago).", price="50"),
    offer("dear", "warn", f"{LEFT}, but $130 is 30 % more than a used one cost", price="130"),
    offer("price of a new one", "warn", f"{LEFT}, but $290 is close to the last new price ($300, seen 29 days ago).",
          price="290", prices=((300, "new", 400),)),
    offer("far below a new one", "info", f"{LOOKS_GOOD} with about 6.93 PB of writes left.",
          prices=((300, "new", 400),)),
    offer("price of another size", "info", f"{LOOKS_GOOD} with about 6.93 PB of writes left.",
          prices=((30, "used", 100),)),
    offer("cheap and unprotected", "warn", NO, price="5", product=stated("no")),
    offer("little life for much writing", "warn", "Protected against power loss, but we don’t know how much life is "
          "left.", tbw=None, wear=1, prices=()),
    # On a shortlist
    line("too slow", "speed", mb_s=300),
    line("speed unknown", "check", mb_s=None),
    line("just enough as shown", FITS, mb_s=625),
    line("too small", "size", product={"endurance_tbw": [{"capacity_bytes": 4 * GB, "written_bytes": 900 * TB}]},
         prices=((100, "used", 4),)),
    line("too weak", "life", tbw=100),
    line("weak line", "life", product={"endurance_tbw": [{"capacity_bytes": None, "written_bytes": 127 * TB}]}),
    line("endurance unknown", "check", tbw=None),
    line("wrong slot", "form_factor", product={"form_factors": "M.2 2280"}),
    line("wrong bus", "speed", product={"interface": "SATA 6 Gb/s", "form_factors": "2.5-inch"}),
    line("in one of two forms", FITS, product={"form_factors": "PCIe card, U.2"}),
    line("form unknown", "check", product={"form_factors": ""}),
    line("too dear", "price", prices=((300, "new", 400),)),
    line("price unknown", "check", prices=()),
]  # fmt: skip


@pytest.fixture
def make():
    def make_drive(drive):
        rated = [] if drive.tbw is None else [{"capacity_bytes": 400 * GB, "written_bytes": drive.tbw * TB}]
        values = {
            "interface": "PCIe 3.0 x4 NVMe",
            "form_factors": "U.2",
            "endurance_tbw": rated,
            "endurance_source_url": "https://a.example/"
            if rated or drive.product.get("endurance_tbw")
            else "",
            **stated("yes"),
            **drive.product,
        }
        product = make_product(
            name=drive.slug, slug=drive.slug, patterns=[f"^ALDERA {drive.slug}$"], **values
        )
        capacity = values["endurance_tbw"][0]["capacity_bytes"] if values["endurance_tbw"] else None
        if drive.mb_s:
            make_claim(product, drive.mb_s, capacity_bytes=capacity or 400 * GB)
        for price, condition, size in drive.prices:
            make_price(
                product, price=price, condition=condition, capacity_bytes=size * GB, seen_on="2024-06-01"
            )
        if drive.latency_us:
            device = make_device(model_name=f"ALDERA {drive.slug}", capacity_bytes=400 * GB, product=product)
            make_result(drive.latency_us, device=device, submission__is_approved=True)
            rank_everything()
        return product

    return make_drive


def check_used(client, drive):
    text = SMART.format(**{"model": f"ALDERA {drive.slug}", **HEALTHY, **drive.smart})
    entry = only(client.post("/used-drive/", {"text": text, "price": "90", **drive.offer}))
    assert f"Aldera {drive.slug}" in entry.links
    return entry


@pytest.mark.parametrize("drive", [other for other in DRIVES if other.used[0]], ids=lambda drive: drive.slug)
def test_a_used_drive_gets_the_verdict_of_an_expert(client, make, drive):
    make(drive)
    entry = check_used(client, drive)
    tone, words = drive.used
    shown_tone, text = verdict(entry)
    assert (shown_tone, text[: len(words)]) == (tone, words)
    assert ("What to buy instead" in entry.links) == (tone != "info")


@pytest.mark.parametrize("drive", [other for other in DRIVES if other.head], ids=lambda drive: drive.slug)
def test_a_product_begins_with_the_verdict_of_an_expert(client, make, drive):
    make(drive)
    page = Page(client.get(f"/products/{drive.slug}/"))
    assert page.part("verdict").text == drive.head
    is_good = drive.head in {FIT, UNMEASURED}
    assert ("What to buy instead" in page.links) != is_good
    assert bool(page.root.find_class("is-on-paper")) <= is_good


@pytest.mark.parametrize("drive", [other for other in DRIVES if other.listed], ids=lambda drive: drive.slug)
def test_a_shortlist_says_what_an_expert_says(client, make, drive):
    make(drive)
    need = {**NEED, "plp": "protected"}
    found = client.get("/api/v1/shortlist/", need).json()
    sections = (found["measured"], found["on_paper"])
    if drive.listed in {"fits", "check"}:
        counts = (
            sum(section["count"] for section in sections),
            sum(section["to_check_count"] for section in sections),
        )
        assert counts == ((1, 0) if drive.listed == "fits" else (0, 1))
        return
    assert not any(section["count"] or section["to_check_count"] for section in sections)
    if drive.listed == "protection":
        listed = client.get("/api/v1/shortlist/", {"plp": "any"}).json()
        (entry,) = (other for key in ("measured", "on_paper") for other in listed[key]["entries"])
        (finding,) = (other for other in entry["findings"] if other["criterion"] == "protection")
        assert finding["fit"] != "yes"


def test_there_are_enough_drives():
    assert len({drive.slug for drive in DRIVES}) == len(DRIVES) >= 40
