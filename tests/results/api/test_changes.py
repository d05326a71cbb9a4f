"""Keeping a mirror in sync: what changed since a time, and cursors of rows that leave."""

import random
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Barrier
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.parse import parse_qsl

import pytest
from django.core.signing import Signer
from django.db import connection, transaction
from django.utils.http import urlencode

from results.api import paging
from results.catalogue.matching.merge import merge_devices, overrule_class
from results.models import (
    Device,
    Firmware,
    Installation,
    PriceSighting,
    Product,
    Result,
    ResultPair,
    Submission,
    Tombstone,
)
from results.models.choices import State
from results.submissions.edit import change_state, describe, erase_submission
from results.submissions.intake.receive import Sender, receive_submission
from tests import pastes
from tests.concurrency import threads
from tests.factories import (
    make_claim,
    make_device,
    make_grid,
    make_price,
    make_product,
    make_result,
    make_submission,
    rank_everything,
)

PAGE = (Path(__file__).resolve().parents[3] / "docs/api.md").read_text(encoding="utf-8")
START = "2000-01-01T00:00:00Z"
LISTS = ("results", "devices", "products", "prices", "pools", "compare/pairs")
DERIVED = {"is_recommended", "facts"}  # they follow the ranking
pytestmark = pytest.mark.django_db


class Mirror:
    """The client of docs/api.md, which reads from the test client instead of a server."""

    def __init__(self, client) -> None:
        (code,) = [
            block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "def mirror" in block
        ]
        self.example = SimpleNamespace(code={"__name__": "example"})
        exec(code, self.example.code)  # noqa: S102 - the page's own example
        self.example.code |= {"fetch": self.fetch, "PAUSE_S": 0}
        self.client, self.fetched = client, {}
        self.lists, self.urls = {name: {} for name in LISTS}, dict.fromkeys(LISTS)

    def fetch(self, url: str):
        response = self.client.get(url.removeprefix("https://slogdb.example"))
        if response.status_code >= 300:
            raise HTTPError(url, response.status_code, "", None, None)
        page = response.json()
        self.fetched.setdefault(self.name, []).extend(
            [str(row["id"] if "id" in row else row["slug"]) for row in [*page["results"], *page["removed"]]]
        )
        return page

    def poll(self) -> dict[str, list[str]]:
        """The ids that were fetched, by list."""
        self.fetched = {}
        for self.name in LISTS:
            self.urls[self.name] = self.example.code["update"](
                self.lists[self.name], self.name, self.urls[self.name]
            )
        return {name: sorted(ids) for name, ids in self.fetched.items() if ids}


def all_rows(client, name: str) -> dict[str, dict]:
    """All rows of a list."""
    rows, url = {}, f"/api/v1/{name}/?page_size=500"
    while url:
        page = client.get(url).json()
        rows |= {str(row["id"] if "id" in row else row["slug"]): row for row in page["results"]}
        url = page["next"]
    return rows


def without_derived(rows: dict[str, dict]) -> dict[str, dict]:
    return {key: {name: row[name] for name in row if name not in DERIVED} for key, row in rows.items()}


def changes(client, name: str = "results", **parameters: str) -> dict:
    return client.get(f"/api/v1/{name}/?{urlencode({'changed_after': START, **parameters})}").json()


def paste(number: int):
    text = pastes.diskinfo(media_size=(100 + number % 7) << 30, ident=f"UNIT{number}")
    return receive_submission(text, Sender(sender_digest=f"sender {number}")).submission


@pytest.mark.django_db(transaction=True)
def test_a_mirror_equals_a_download_after_random_changes(client):  # noqa: C901 - one action after the other
    draw = random.Random(7)  # noqa: S311 - the same changes in each run
    products = [make_product() for _ in range(5)]
    grids = [make_grid(name) for name in ("gbcd", "gcde")]
    for number in range(12):
        paste(number)
    ResultPair.objects.create(before=grids[0], after=grids[1], change="firmware")
    mirror = Mirror(client)
    mirror.poll()

    def published():
        found = Submission.objects.filter(state=State.PUBLISHED).exclude(text="").order_by("pk")
        return draw.choice(found)

    def merge() -> None:
        device, other = draw.sample(list(Device.objects.filter(product=None).order_by("pk")), 2)
        merge_devices([other], device, reason="The same.")

    def restore() -> None:
        if (
            hidden := Submission.objects.filter(state__in=[State.HELD, State.WITHDRAWN])
            .exclude(text="")
            .first()
        ):
            change_state(hidden, State.PUBLISHED, reason="")

    def turn_off(grid: Result) -> None:
        state = State.PUBLISHED if grid.submission.state == State.HELD else State.HELD
        grid.submission.state = state
        grid.submission.save()

    actions = {
        lambda: paste(draw.randrange(10_000)): 6,
        lambda: change_state(published(), draw.choice([State.WITHDRAWN, State.HELD]), reason="Odd."): 2,
        restore: 2,
        lambda: erase_submission(published(), reason="Mine."): 1,
        lambda: describe(
            draw.choice(Result.objects.published()), notes=f"{draw.random()}", told_conditions={}
        ): 2,
        lambda: Submission.objects.filter(pk=published().pk).update(forum_handle=f"{draw.random()}"): 1,
        lambda: overrule_class(
            draw.choice(Device.objects.all()), draw.choice(["nvme", "hdd"]), reason="It is."
        ): 1,
        lambda: make_price(draw.choice(products), price=draw.randrange(1, 900)): 2,
        lambda: PriceSighting.objects.filter(
            pk=draw.choice([0, *PriceSighting.objects.values_list("pk", flat=True)])
        ).delete(): 1,
        lambda: make_claim(draw.choice(products), draw.randrange(1, 9000)): 1,
        lambda: Product.objects.filter(pk=draw.choice(products).pk).update(media=f"{draw.random()}"): 1,
        lambda: turn_off(draw.choice(grids)): 1,
        lambda: rank_everything(): 1,
        merge: 1,
    }
    for _ in range(100):
        draw.choices([*actions], [*actions.values()])[0]()
        if draw.random() < 0.2:
            mirror.poll()
    mirror.poll()
    assert mirror.poll() == {}
    for name in LISTS:
        assert without_derived(mirror.lists[name]) == without_derived(all_rows(client, name)), name
    states = set(Tombstone.objects.values_list("state", flat=True))
    assert states >= {"held", "withdrawn", "erased", "merged", "removed"}


@pytest.mark.django_db(transaction=True)
def test_only_what_changed_is_fetched(client, subtests):
    product, other = make_product(), make_product()
    device = make_device(slug="one", product=product)
    result = make_result(device=device, submission__public_id="bcd", firmware__version="1")
    make_result(device__slug="two", submission__public_id="cdf")
    price = make_price(product)
    grids = [make_grid(name) for name in ("gbcd", "gcde", "gdef")]
    pair = ResultPair.objects.create(before=grids[0], after=grids[1], change="firmware")
    shown_pair = ResultPair.objects.create(before=grids[1], after=grids[2], change="firmware")
    mirror = Mirror(client)
    mirror.poll()
    submission = Submission.objects.filter(pk=result.submission_id)
    change = {
        "nothing": (lambda: Result.objects.update(notes=""), {}),
        "a ranking": (rank_everything, {}),
        "the time alone": (lambda: Result.objects.update(changed_at=datetime.now(UTC)), {}),
        "notes": (lambda: Result.objects.filter(pk=result.pk).update(notes="x"), {"results": ["bcd"]}),
        "a handle": (lambda: submission.update(forum_handle="x"), {"results": ["bcd"]}),
        "who reviews": (lambda: submission.update(needs_review=True), {}),
        "held": (lambda: submission.update(state="held"), {"results": ["bcd"]}),
        "back": (lambda: submission.update(state="published"), {"results": ["bcd"]}),
        "a class": (
            lambda: overrule_class(device, "hdd", reason="It is."),
            {"results": ["bcd"], "devices": [str(device.pk)]},
        ),
        "no results": (
            lambda: Device.objects.filter(pk=device.pk).update(result_count=0),
            {"devices": [str(device.pk)]},
        ),
        "some again": (
            lambda: Device.objects.filter(pk=device.pk).update(result_count=1),
            {"devices": [str(device.pk)]},
        ),
        "more": (lambda: Device.objects.filter(pk=device.pk).update(result_count=2), {}),
        "a price": (
            lambda: PriceSighting.objects.filter(pk=price.pk).update(price=2),
            {"prices": [str(price.pk)], "products": [product.slug]},
        ),
        "a claim": (lambda: make_claim(other, 5), {"products": [other.slug]}),
        "a vendor": (
            lambda: type(product.vendor).objects.update(name="Other"),
            {"products": sorted([product.slug, other.slug]), "devices": [str(device.pk)]},
        ),
        "a product’s name": (
            lambda: Product.objects.filter(pk=product.pk).update(name="Other"),
            {"products": [product.slug], "devices": [str(device.pk)]},
        ),
        "a statement on its protection": (
            lambda: Product.objects.filter(pk=product.pk).update(
                plp_statements=[{"value": "yes", "evidence": "review"}]
            ),
            {"products": [product.slug], "devices": [str(device.pk)]},
        ),
        "another pool": (
            lambda: Result.objects.filter(pk=grids[1].pk).update(pool=grids[2].pool),
            {"results": ["gcde"], "pools": ["gcde", "gdef"]},
        ),
        "a firmware": (lambda: Firmware.objects.update(version="9"), {"results": ["bcd"]}),
        "a pool": (
            lambda: Submission.objects.filter(public_id="gbcd").update(state="rejected"),
            {"results": ["gbcd"], "pools": ["gbcd"], "compare/pairs": [str(pair.pk)]},
        ),
        "pairs, one hidden": (
            lambda: ResultPair.objects.all().delete(),
            {"compare/pairs": [str(shown_pair.pk)]},
        ),
    }
    for name, (make, expected) in change.items():
        with subtests.test(change=name):
            make()
            assert mirror.poll() == expected


def test_what_is_gone_leaves_only_its_id_and_never_what_was_not_public(client):
    shown, hidden = (
        paste(1),
        make_result(submission__state="held", submission__public_id="dfg", device__slug="hidden"),
    )
    make_result(submission=make_submission(public_id="dgh"))
    erase_submission(shown, reason="Mine.")
    Submission.objects.filter(public_id="dgh").update(state="withdrawn")
    Submission.objects.filter(pk=hidden.submission_id).update(state="rejected")
    page = changes(client)
    assert page["results"] == []
    assert [(row["id"], row["state"]) for row in page["removed"]] == [
        (shown.public_id, "erased"),
        ("dgh", "withdrawn"),
    ]
    assert set(page["removed"][0]) == {"id", "state", "changed_at"}
    assert "removed" not in client.get("/api/v1/results/").json()
    merge_devices([hidden.device], make_device(slug="other"), reason="The same.")
    assert [row["state"] for row in changes(client, "devices")["removed"]] == ["removed"]  # that of the paste


def test_what_a_reread_dropped_meanwhile_stays_gone(client):
    shown = make_result(submission__public_id="bcd")
    dropped = make_result(submission=shown.submission, public_id="bcd-2", position=2)
    Submission.objects.update(state="held")
    dropped.delete()
    Submission.objects.update(state="published")
    page = changes(client)
    assert [row["id"] for row in page["results"]] == ["bcd"]
    assert [(row["id"], row["state"]) for row in page["removed"]] == [("bcd-2", "removed")]


def test_what_is_not_public_changes_no_address(client):
    make_result(submission__state="held")
    held_at = Result.objects.get().changed_at
    page = changes(client, changed_after="2020-01-01T12:00:00+02:00")
    assert (page["results"], page["next"]) == ([], None)
    assert datetime.fromisoformat(dict(parse_qsl(page["later"].partition("?")[2]))["changed_after"]) > held_at


def test_a_time_of_another_zone_continues_at_the_same_time(client, monkeypatch):
    monkeypatch.setattr(paging, "settled_until", lambda: datetime(2019, 1, 1, tzinfo=UTC))
    page = changes(client, changed_after="2020-01-01T12:00:00+02:00")
    assert "changed_after=2020-01-01T10%3A00%3A00.000000Z" in page["later"]


def test_pages_of_changes_are_in_order_and_continue(client, django_assert_num_queries):
    made = [make_result(submission__public_id=name) for name in ("bcd", "cdf", "dfg", "fgh")]
    Submission.objects.filter(public_id="cdf").update(state="withdrawn")
    Result.objects.filter(pk=made[0].pk).update(notes="newest")
    with django_assert_num_queries(7):
        page = changes(client, page_size="2", changed_after="2000-01-02T00:00:00Z")
    assert (page["count"], page["previous"], page["later"]) == (3, None, None)
    assert [row["id"] for row in page["results"]] == ["dfg"]  # it may have fewer rows, and still a next page
    gone = client.get(page["next"]).json()
    assert [row["id"] for row in [*gone["results"], *gone["removed"]]] == ["fgh", "cdf"]
    last = client.get(gone["next"]).json()
    assert ([row["id"] for row in last["results"]], last["removed"]) == (["bcd"], [])
    assert last["next"] is None
    nothing = client.get(last["later"]).json()
    assert (nothing["results"], nothing["removed"], nothing["next"]) == ([], [], None)
    make_result(submission__public_id="ghj")
    assert [row["id"] for row in client.get(nothing["later"]).json()["results"]] == ["ghj"]
    after = changes(client, changed_after=last["results"][0]["changed_at"])
    assert [row["id"] for row in after["results"]] == ["ghj"]


def test_an_address_that_is_a_hundred_days_old_still_has_what_changed_since(client, monkeypatch):
    old = datetime.now(UTC) - timedelta(days=100)
    monkeypatch.setattr(paging, "settled_until", lambda: old)
    later = changes(client)["later"]
    monkeypatch.undo()
    assert f"{old:%Y-%m-%d}" in later
    made = paste(1)
    assert [row["submission"] for row in client.get(later).json()["results"]] == [made.public_id]


def test_a_cursor_of_another_query_is_refused(client):
    for number in range(2):
        paste(number)
    cursor = dict(parse_qsl(changes(client, page_size="1")["next"].partition("?")[2]))["cursor"]
    for url in (f"/api/v1/devices/?changed_after={START}", "/api/v1/results/?"):
        response = client.get(f"{url}&cursor={cursor}")
        assert (response.status_code, response.json()["errors"]) == (400, {"cursor": [paging.OTHER_CURSOR]})


def test_a_client_that_never_pauses_is_told_when_to_continue_and_misses_nothing(client, settings):
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "anonymous-read": (2, 60)}
    made = [paste(number) for number in range(3)]
    found, url = [], f"/api/v1/results/?changed_after={START}&page_size=1"
    for _ in range(2):
        page = client.get(url).json()
        found += page["results"]
        url = page["next"]
    refused = client.get(url)
    assert (refused.status_code, refused.json()["code"]) == (429, "throttled")
    assert 0 < int(refused["Retry-After"]) <= 30
    found += client.get(url, REMOTE_ADDR="198.51.100.1").json()["results"]  # as if it had waited
    assert [row["submission"] for row in found] == [each.public_id for each in made]


def test_a_cursor_has_no_more_of_a_row_that_is_not_public_than_a_time_and_a_number(client):
    hidden = make_result(submission__state="held", notes="secret")
    paste(1)
    page = changes(client, page_size="1")
    assert (page["results"], page["removed"]) == ([], [])  # the page ends with the hidden row
    cursor = dict(parse_qsl(page["next"].partition("?")[2]))["cursor"]
    *_, place = Signer(salt=paging.SIGNER_SALT).unsign_object(cursor)
    assert place == [hidden.changed_at.isoformat(), True, hidden.pk]


@pytest.mark.django_db(transaction=True)
def test_what_is_committed_late_is_not_missed(client):
    """The first to change a row is the last to commit: what changed after it waits for it."""
    early, late = make_result(), make_result()
    url = changes(client)["later"]
    steps = Barrier(2, timeout=60)

    def change_slowly() -> None:
        with transaction.atomic():
            Result.objects.filter(pk=early.pk).update(notes="first")
            steps.wait()
            steps.wait()

    with threads(1) as start:
        slow = start(change_slowly)
        steps.wait()
        Result.objects.filter(pk=late.pk).update(notes="second")
        page = client.get(url)
        assert (page.json()["results"], page["Cache-Control"]) == ([], "no-store")
        steps.wait()
        slow.result()
    found = client.get(page.json()["later"]).json()["results"]
    assert [row["id"] for row in found] == [early.public_id, late.public_id]


@pytest.mark.parametrize(
    "query",
    [
        "changed_after=",
        "changed_after=yesterday",
        "changed_after=2024-05-01",
        "changed_after=2024-05-01T00:00:00",
        "changed_after=2024-13-01T00:00:00Z",
        "changed_after=1999-12-31T23:59:59Z",
        "changed_after=2999-01-01T00:00:00Z",
        f"changed_after={START}&ordering=-changed_at",
        f"changed_after={START}&class=nvme",
        f"changed_after={START}&format=csv",
        f"changed_after={START}&cursor=nonsense",
    ],
)
def test_what_cannot_be_answered_is_refused(client, query):
    response = client.get(f"/api/v1/results/?{query}")
    assert (response.status_code, response.json()["code"]) == (400, "invalid")
    assert client.get(f"/api/v1/devices/?changed_after={START}&page=2").status_code == 400


@pytest.mark.parametrize("ordering", ["latency_4k_us", "-latency_4k_us", "measured_on", "changed_at", ""])
def test_a_row_that_leaves_makes_no_other_vanish(client, ordering):
    device = make_device()
    for number, day in enumerate(("2024-01-01", None, "2024-01-01", None, "2023-01-01")):
        make_result(10 * (number % 3 + 1), device=device, measured_on=day)
    query = f"/api/v1/results/?ordering={ordering}"
    expected = [row["id"] for row in client.get(query).json()["results"]]
    seen, url = [], f"{query}&page_size=1"
    while url:
        page = client.get(url).json()
        seen += [row["id"] for row in page["results"]]
        Submission.objects.filter(public_id=seen[-1]).update(state="withdrawn")
        url = page["next"]
    assert seen == expected
    Submission.objects.update(state="published")
    back, url = [], page["previous"]
    while url:
        page = client.get(url).json()
        back += [row["id"] for row in page["results"]]
        url = page["previous"]
    assert back == expected[-2::-1]


def test_what_changed_at_the_very_end_is_among_later_changes(client, monkeypatch):
    row = make_result()
    row.refresh_from_db()
    monkeypatch.setattr(paging, "settled_until", lambda: row.changed_at)
    page = changes(client)
    monkeypatch.undo()
    assert page["results"] == []
    assert [found["id"] for found in client.get(page["later"]).json()["results"]] == [row.public_id]


def test_lists_with_page_numbers_continue_by_key(client):
    for number in range(5):
        make_result(device__model_name=f"S{number}", device__capacity_bytes=None if number % 2 else 10**12)
    for name in ("devices", "products", "pools", "compare/pairs"):
        assert client.get(f"/api/v1/{name}/?page=1").status_code == 200
    page = client.get("/api/v1/devices/?page=2&page_size=2&ordering=capacity_bytes").json()
    assert [row["model_name"] for row in page["results"]] == ["S4", "S1"]
    at_once = [client.get(f"/api/v1/devices/?page={number}&page_size=5").status_code for number in (1, 2)]
    assert at_once == [200, 404]
    Device.objects.filter(model_name="S0").update(result_count=0)
    assert [row["model_name"] for row in client.get(page["next"]).json()["results"]] == ["S3"]
    assert [row["model_name"] for row in client.get(page["previous"]).json()["results"]] == ["S2"]
    assert client.get("/api/v1/devices/?page=9").status_code == 404
    assert client.get(page["next"].replace("cursor", "page=2&cursor")).status_code == 400


def test_a_cursor_ends_with_the_restore_of_a_backup(client):
    for _ in range(2):
        make_result()
    onward = client.get("/api/v1/results/?page_size=1").json()["next"]
    assert client.get(onward).status_code == 200
    Installation.objects.update_or_create(id=1, defaults={"restored_at": datetime.now(UTC)})
    for old in (onward, changes(client)["later"].partition("cursor=")[0] + "cursor=on.0123456789ab.7"):
        response = client.get(old)
        assert (response.status_code, response.json()["code"]) == (410, "old_cursor")
        assert "start over" in response.json()["detail"]


def test_every_column_is_shown_or_named_here(subtests):
    """A new column of a stamped table either counts as a change, or is one of these."""
    apart = {
        Result: "id public_id submission_id position has_unit ranking_unit first_line last_line parser_version "
        "changed_at",
        Device: "id page class_overrule_reason device_class searched result_count conditions condition_values "
        "dirty_since created_at changed_at",
        Product: "id line_digest changed_at",
        PriceSighting: "id is_added newest_as is_line_price is_offer_price changed_at",
        ResultPair: "id before_id after_id survey_id created_at changed_at",
        Submission: "id public_id text_digest unit_digests parser_version is_approved needs_review owner_id "
        "claim_digest keeps_unit batch_id measured_on told sender_digest figure_digits",
    }
    for model, names in apart.items():
        table = model._meta.db_table
        with subtests.test(table=table), connection.cursor() as cursor:
            trigger = "results_show" if model is Submission else "results_stamp"
            cursor.execute(
                "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE tgrelid = %s::regclass AND tgname = %s",
                [table, trigger],
            )
            seen = set(re.findall(r"new\.(\w+)", cursor.fetchone()[0], re.IGNORECASE))
            columns = {column.column for column in model._meta.concrete_fields}
            assert columns - seen == set(names.split()) - seen
