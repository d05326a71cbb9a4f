"""What pages and the API answer, compared with stored texts: whoever changes an answer reads the difference."""

import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import count

import pytest
from django.conf import settings
from django.db import connection
from django.http import HttpResponse
from django.test import Client, override_settings
from django.urls import resolve
from lxml import etree

from results.api.keys import make_key
from results.exports.build import build_exports
from results.kinds.registry import KINDS
from results.models import Member, Result, Submission
from tests import addresses, factories, pastes
from tests.factories import make_moderator
from tests.live_logs import Machine
from tests.outline import frame, outline, svg_outline
from tests.page import Page
from tests.plugins.snapshots import FOLDER
from tests.results.kinds.pool_io import texts as pools
from tests.results.kinds.test_every_kind import ANSWERS, PASTES
from tests.results.used_drive.test_page import drive
from tests.sessions import sign_in_with
from tests.stored_order import store_in_reverse

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("everyone_is_trusted")]
NOW = datetime(2024, 6, 30, 12, tzinfo=UTC)
RESTART = """
    SELECT format('ALTER SEQUENCE %I RESTART', sequencename) FROM pg_sequences
    WHERE starts_with(sequencename, 'results_')
"""
JSON = "application/json"
SENT = {
    kind: {"text": PASTES[kind], **{f"told-all-{key}": value for key, value in ANSWERS.get(kind, {}).items()}}
    for kind in KINDS
}
UNUSUAL = {
    "nothing": "",
    "words": "Is this one fast?\n",
    "no_device": pools.fio(),
    "cut": pastes.diskinfo(pastes.FIRST_CURVE[:3]),
    "two_runs": pastes.FIRST_PASTE + pastes.FIRST_PASTE.replace(pastes.SERIAL, "ZX81SPECTRUM49"),
}
# What differs from run to run although `owner` sets numbers, ids and the time.
VOLATILE = {
    r"slogdb_claim_[\w-]{20,}": "(token)",
    r"slogdb_[0-9a-f]{5,}": "(key)",
    r"\{seen hidden: [0-9a-f]{64}\}": "{seen hidden: (digest)}",
    r"(?<=available in )[0-9]+": "(some)",
    r"(?<=Member since )[0-9-]{10}": "(day)",
    r"[0-9-]{10} [0-9:]{5}(?= \| 2024-06-30 12:00 \|)": "(time)",  # of signing in
    r"(?<=This build is from )[0-9-]{10}": "(day)",
    # By the database's clock: of a change
    r"20[0-9-]{8}T[0-9:]{8}\.(?!000000)[0-9]{1,6}\+00:00": "(time)",
    r"(/products/[\w-]+/</loc>\s*<lastmod>)[0-9-]{10}": r"\1(day)",
}
Answers = dict[str, str]


@pytest.fixture
def owner(db: None, monkeypatch: pytest.MonkeyPatch) -> Member:
    """The owner of a sample in which numbers, ids and times are the same in each run, stored in reverse order."""
    drawn = count(1)
    monkeypatch.setattr(factories, "drawn_numbers", count(1))
    monkeypatch.setattr("results.models.submission.secrets.randbelow", lambda _: next(drawn))
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)
    with connection.cursor() as cursor:
        cursor.execute(RESTART)
        cursor.execute("; ".join(statement for (statement,) in cursor.fetchall()))
    found = addresses.store_sample()
    store_in_reverse()
    return found


def stable(text: str) -> str:
    for pattern, name in VOLATILE.items():
        text = re.sub(pattern, name, text)
    return text if text.endswith("\n") else f"{text}\n"


def shown(response: HttpResponse) -> str:
    """The status, and the body in the form in which differences are read best."""
    kind = response["Content-Type"].partition(";")[0]
    lines = f"{response.status_code} {kind}\n"
    if response.status_code in {301, 302}:
        return f"{response.status_code} to {response['Location']}"
    if kind.endswith("json"):
        return lines + json.dumps(json.loads(response.getvalue()), indent=1, ensure_ascii=False)
    if kind == "text/html":
        return lines + outline(response)
    if kind == "image/svg+xml":
        return lines + svg_outline(response)
    if kind.endswith("xml"):
        root = etree.fromstring(response.getvalue())
        etree.indent(root, " ")
        return lines + etree.tostring(root, encoding="unicode")
    return lines + response.getvalue().decode()


def named(address: str) -> str:
    return re.sub(r"[^\w.,=+-]+", "_", address).strip("_") or "home"


def answers(client: Client, listed: Sequence[str]) -> Answers:
    found = {named(address): shown(client.get(address)) for address in listed}
    assert len(found) == len(listed), "two addresses have one name"
    return found


def listed(*statuses: int) -> list[str]:
    return [address for status in statuses for address in addresses.public_addresses()[status]]


def is_text(address: str) -> bool:
    path = address.partition("?")[0]
    return not path.endswith((".png", ".zip", "/slogdb-submit", "/metrics"))


def is_api(address: str) -> bool:
    return address.startswith("/api/v1/") and address != "/api/v1/docs/"


def pages(client: Client, owner: Member) -> Answers:
    public = [listing for listing in listed(200, 400, 404) if is_text(listing) and not is_api(listing)]
    return {
        "frame": frame(client.get("/")),
        **answers(client, [*public, "/results/withdrawn/"]),
    }


def refused(client: Client, owner: Member) -> Answers:
    """What each view says of a word that makes no sense or, where it takes any, of a long one."""
    found = {}
    paths = [listing.partition("?")[0] for listing in listed(200) if is_text(listing)]
    for view, path in {resolve(path).func: path for path in paths}.items():
        for name in addresses.declared_parameters(view):
            for value in ("much", "x" * 300):
                response = client.get(path, {name: value})
                if response.status_code in {400, 404}:
                    said = re.sub("x{9,}", "xxx", problem_of(response))
                    line = f"{name}={value[:4]}: {response.status_code} {said}\n"
                    found[named(path)] = found.get(named(path), "") + line
                    break
    return found


def problem_of(response: HttpResponse) -> str:
    if response["Content-Type"].startswith("application/problem"):
        return json.dumps(response.json().get("errors", response.json()["detail"]), ensure_ascii=False)
    if response["Content-Type"].startswith("text/html"):
        page = Page(response)
        return " | ".join(page.errors) or page.text[:240]
    return response.text.strip()


def redirects(client: Client, owner: Member) -> Answers:
    return {
        "all": "".join(
            f"{listing} {shown(client.get(listing))}\n" for listing in [*listed(301), *listed(302)]
        )
    }


def api(client: Client, owner: Member) -> Answers:
    return answers(client, [listing for listing in listed(200, 400, 401, 404, 405) if is_api(listing)])


def api_tables(client: Client, owner: Member) -> Answers:
    """The columns of each list, with its first rows."""
    lists = [listing for listing in listed(200) if is_api(listing) and "?" not in listing]
    found = {erasure_list: client.get(erasure_list, HTTP_ACCEPT="text/csv") for erasure_list in lists}
    tables = {
        named(listing): shown(table) for listing, table in found.items() if "csv" in table["Content-Type"]
    }
    return {name: "".join(text.splitlines(keepends=True)[:4]) for name, text in tables.items()}


def api_sent(client: Client, owner: Member) -> Answers:
    """What is answered to what is sent to the API, most of it errors."""
    key = {"HTTP_AUTHORIZATION": f"Bearer {make_key(owner, name='nas', scopes=['read', 'submit']).text}"}

    def post(path: str, body: str = "{}", content_type: str = JSON, **headers: str) -> str:
        return shown(client.post(f"/api/v1/{path}/", body, content_type=content_type, **headers))

    sent = client.post("/api/v1/submissions/", pastes.FIRST_PASTE, content_type="text/plain", **key)
    public_id = sent.json()["id"]
    found = {
        "published": shown(sent),
        "published_again": post("submissions", pastes.FIRST_PASTE, "text/plain", **key),
        "parsed": post("parse", json.dumps({"text": PASTES["latency_curve"]})),
        "looked_up": post(
            "lookup", json.dumps({"drives": [{"model": "ALDERA S1-480"}, {"model": "sampel"}]})
        ),
        "checked": post("drives/check", drive(), "text/plain"),
        "checked_log": post("check", Machine().text(), "text/plain"),
        "checked_nothing": post("drives/check", UNUSUAL["words"], "text/plain"),
        "400_lookup": post("lookup", json.dumps({"drives": [{"model": "x" * 300}, {"capacity": 4}]})),
        "me": shown(client.get("/api/v1/me/", **key)),
        "me_submissions": shown(client.get("/api/v1/me/submissions/", **key)),
        "withdrawn": post(f"submissions/{public_id}/withdraw", **key),
        "410": shown(client.get(f"/api/v1/results/{public_id}/")),
        "restored": post(f"submissions/{public_id}/restore", **key),
        "reported": post("results/sample/reports", json.dumps({"reason": "figures"})),
        "400_body": post("submissions", json.dumps({"devices": []})),
        "400_no_json": post("submissions", "{"),
        "401_key": shown(client.get("/api/v1/me/", HTTP_AUTHORIZATION="Bearer slogdb_0")),
        "400_format": shown(client.get("/api/v1/devices/?format=xml")),
        "405": shown(client.delete("/api/v1/devices/")),
        "accepts_no_json": shown(client.get("/api/v1/me/", HTTP_ACCEPT="text/html", **key)),
        "415": post("submissions", "a=b", "application/x-www-form-urlencoded"),
        "422_words": post("submissions", UNUSUAL["words"], "text/plain"),
    }
    with override_settings(RATE_LIMITS={**settings.RATE_LIMITS, "anonymous-read": (1, 60)}):
        client.get("/api/v1/bands/")
        return {**found, "429": shown(client.get("/api/v1/bands/"))}


def previews(client: Client, owner: Member) -> Answers:
    return {
        name: shown(client.post("/submit/", {**sent, "action": "preview"}))
        for name, sent in {**SENT, **{name: {"text": text} for name, text in UNUSUAL.items()}}.items()
    }


def published(client: Client, owner: Member) -> Answers:
    """The page after publishing, where it leads, and the results in the API."""
    found = {}
    for name, sent in SENT.items():
        response = client.post("/submit/", {**sent, "action": "publish", "handle": "somebody"})
        found[name] = shown(response)
        found[f"{name}_result"] = shown(client.get(response["Location"]))
        ids = Result.objects.filter(submission=Submission.objects.latest("pk")).values_list(
            "public_id", flat=True
        )
        found[f"{name}_records"] = shown(client.get(f"/api/v1/results/?id={','.join(ids)}"))
    return found


def used_drives(client: Client, owner: Member) -> Answers:
    typed = "model=aldera+s1&wear=12&price=40", "wear=140", "model=nobody+knows+1"
    return {
        **answers(client, [f"/used-drive/?{query}" for query in typed]),
        "smartctl": shown(client.post("/used-drive/", {"text": drive(), "gb_per_day": "100"})),
        "unknown": shown(client.post("/used-drive/", {"text": drive("NOBODY KNOWS 1")})),
        "words": shown(client.post("/used-drive/", {"text": UNUSUAL["words"]})),
        "log": shown(client.post("/check/", {"text": Machine(queued=9, left_out=("status",)).text()})),
    }


def of_members(client: Client, owner: Member) -> Answers:
    sign_in_with(client, owner, "code")
    listed = [*addresses.member_addresses(), *addresses.OF_ACCOUNTS.split()]
    found = answers(client, [listing for listing in listed if is_text(listing)])

    def post(path: str, **fields: str) -> str:
        return shown(client.post(f"/account/{path}/", fields, follow=True))

    notes = {"result": "sample", "sample-notes": "in a rear bay"}
    return {
        **found,
        "edit_refused": post("results/sample", **notes, **{"sample-write_cache": "sideways"}),
        "edited": post("results/sample", **notes, **{"sample-write_cache": "off"}),
        "erase_refused": post("results/sample/erase"),
        "key_refused": post("keys"),
        "key_made": post("keys", name="nas", scopes="read", days=""),
        "withdrawn": post("results/sample/withdraw"),
    }


def of_moderators(client: Client, owner: Member) -> Answers:
    sign_in_with(client, make_moderator(), "mfa")
    found = answers(client, addresses.moderator_addresses(owner))

    def post(path: str, **fields: str) -> str:
        return shown(client.post(f"/moderation/{path}/", fields, follow=True))

    return {
        **found,
        "refused": post("sample", action="held"),
        "held": post("sample", action="held", reason="Odd figures."),
        "log_after": shown(client.get("/moderation/log/")),
    }


def of_operators(client: Client, owner: Member) -> Answers:
    """The names of its rows: their values are those of this machine."""
    operator = make_moderator()
    Member.objects.filter(pk=operator.pk).update(is_superuser=True)
    sign_in_with(client, operator, "mfa")
    text = shown(client.get("/operator/"))
    rows = re.sub(r"(?m)^(\| [^|]+ \|) .*", r"\1 … |", text)
    # A process has a page cache if something in it has made the site's WSGI application
    return {"operator": re.sub(r"(?s)(## This process's page cache\n).*?(?=\| Replica)", r"\1", rows)}


GROUPS: dict[str, Callable[[Client, Member], Answers]] = {
    group.__name__: group
    for group in (
        pages,
        refused,
        redirects,
        api,
        api_tables,
        api_sent,
        previews,
        published,
        used_drives,
        of_members,
        of_moderators,
        of_operators,
    )
}


@pytest.mark.parametrize("group", GROUPS)
def test_answers_are_as_stored(client, owner, compare_snapshots, group):
    found = GROUPS[group](client, owner)
    compare_snapshots(group, {name: stable(text) for name, text in found.items()})


def in_order(table: str) -> str:
    """Its columns and its rows, which come in any order."""
    columns, *rows = table.splitlines()
    return "\n".join([columns, *sorted(rows)])


@pytest.mark.django_db(transaction=True)
def test_exports_are_as_stored(client, owner, compare_snapshots, settings, tmp_path):
    """The page, and each table."""
    settings.EXPORT_FOLDER = str(tmp_path)
    names = [file.name for file in build_exports().files if file.name.endswith(".csv")]
    tables = {name: client.get(f"/exports/{name}").getvalue().decode() for name in names}
    found = {"page": shown(client.get("/exports/"))}
    found |= {name: in_order(text) for name, text in tables.items()}
    compare_snapshots("exports", {name: stable(text) for name, text in found.items()})


def test_every_stored_group_is_compared():
    assert {path.name for path in FOLDER.iterdir()} == {*GROUPS, "exports", "queries"}
