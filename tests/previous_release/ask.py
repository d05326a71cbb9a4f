"""Ask a release for every kind of page and list, and send what its forms and its API take.

Run with the release's own Python, in its folder: `python - < ask.py`. Prints a line per request that fails and, last,
the number of requests; exits with 1 if any failed. It uses what releases have in common: names of models and of the
parts of URLs, forms, and the helpers `tests.sessions` and `tests.pastes` of that release.
"""

import os
import re
import sys
import traceback
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "slogdb.settings"
django.setup()

from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from results.models import Caveat, Claim, Device, Member, Product, Result, Submission
from tests.pastes import diskinfo
from tests.sessions import sign_in_with

EACH = 3  # rows of each method of results that are asked for
OF_SUBMISSIONS = ("account-", "moderation-", "api-withdraw", "api-restore")
GUIDE = ("what-is-a-slog", "what-makes-a-good-one", "how-the-test-works")
# Their rows are of this check's making: forms name the key, and no provider is configured.
UNNAMED = {"account-key-revoke", "openid_connect_login", "openid_connect_callback"}

# They list all results of a member, and all that wait. 1.0.0 fails at those without a device: see the change log.
LISTS_OF_UNKNOWN = {"/account/results/", "/moderation/"}

# What the forms are filled with; other fields have the values that the page gives them.
ANSWERS = {
    "text": diskinfo(ident="NEVER-SEEN-1"),
    "action": "publish",
    "reason": "figures",
    "comment": "Written by the check.",
    "notes": "Written by the check.",
    "name": "check",
    "scopes": "submit",
    "display_name": "Somebody",
    "decision": "hold",
}
UNSENT = {"account_logout", "account_email", "account-data", "moderation-import"}


# The newest results by each method, and whether this release knows the method: else its column `method` differs.
CHOSEN = """
    SELECT id, public_id, is_known FROM (
        SELECT result.id, result.public_id, measured_by = method AS is_known,
               row_number() OVER (PARTITION BY measured_by ORDER BY result.id DESC) AS place
        FROM results_result AS result JOIN results_submission AS sent ON sent.id = submission_id
        WHERE state = 'published' AND (%(owner)s::integer IS NULL OR owner_id = %(owner)s)
    ) AS placed WHERE place <= %(each)s ORDER BY id
"""
UNKNOWN = """
    SELECT unnest(ARRAY[result.public_id, sent.public_id]) FROM results_result AS result
    JOIN results_submission AS sent ON sent.id = submission_id WHERE measured_by <> method
"""


def rows(statement: str, **values: Any) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return cursor.fetchall()


def chosen(owner: int | None = None) -> list[Result]:
    ids = [row[0] for row in rows(CHOSEN, owner=owner, each=EACH)]
    return [*Result.objects.filter(pk__in=ids)]


def chosen_products() -> Iterator[QuerySet[Product]]:
    """Products with each kind of fact that a source states, and the newest."""
    yield Product.objects.order_by("-pk")
    for quantity in Claim.objects.order_by().values_list("quantity", flat=True).distinct():
        yield Product.objects.filter(claims__quantity=quantity).distinct()
    for kind in Caveat.objects.order_by().values_list("kind", flat=True).distinct():
        yield Product.objects.filter(caveats__kind=kind).distinct()


class Asker:
    """Requests of a visitor, of the member who owns results, and of a moderator who is that member, too."""

    def __init__(self) -> None:
        self.failed: dict[str, str] = {}
        self.asked: set[str] = set()
        self.count = 0
        self.visitor = Client(raise_request_exception=False, HTTP_HOST="127.0.0.1")
        self.member = Client(raise_request_exception=False, HTTP_HOST="127.0.0.1")
        moderator = Member.objects.filter(is_staff=True).first()
        if moderator is None or not Submission.objects.exclude(owner=None).update(owner=moderator):
            sys.exit("no moderator, or no submission of a member")
        self.owner = moderator
        sign_in_with(self.member, moderator, "mfa")
        self.results, self.own = chosen(), chosen(moderator.pk)
        self.unknown = {public_id for (public_id,) in rows(UNKNOWN)}

    def ask(self, client: Client, address: str, form: dict[str, Any] | None = None, **extra: Any) -> Any:
        self.count += 1
        response = client.get(address, **extra) if form is None else client.post(address, form, **extra)
        error = response.exc_info[1] if getattr(response, "exc_info", None) else None
        try:
            response.getvalue()
        except Exception as broken:  # noqa: BLE001 - a stream that breaks off is a failure like any other
            error = broken
        if (error or response.status_code >= 500) and not self.is_of_unknown(address):
            what = "GET" if form is None else "POST"
            self.failed[f"{what} {address}"] = f"{response.status_code} {error!r}"[:300]
            if error:
                traceback.print_exception(error)
        return response

    def is_of_unknown(self, address: str) -> bool:
        """Whether the address names a result, or a submission of one, that this release can't show, or lists it."""
        return address in LISTS_OF_UNKNOWN or not self.unknown.isdisjoint(re.split(r"[/?=,&]", address))


def patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in resolver.url_patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield path, pattern
        elif str(pattern.pattern) not in {"admin/", "account/"}:  # libraries' own
            yield from patterns(pattern, path)


def values(asker: Asker, name: str, part: str) -> list[Any]:
    """What stands for a part of the URLs of this name: rows of each kind."""
    if part == "slug":
        return slugs(asker, name)
    if part == "public_id":
        shown = asker.own if name.startswith("account-") else asker.results
        is_of_submission = "submission" in name or name.startswith(OF_SUBMISSIONS)
        return [result.submission.public_id if is_of_submission else result.public_id for result in shown]
    return {"member_id": [asker.owner.pk], "kind": ["csv", "md", "bbcode"], "name": ["none.csv"]}.get(
        part, []
    )


def slugs(asker: Asker, name: str) -> list[str]:
    if "device" in name:
        return [*Device.objects.filter(results__in=asker.results).distinct().values_list("slug", flat=True)]
    if "product" in name:
        found = (fact for facts in chosen_products() for fact in facts.values_list("slug", flat=True)[:EACH])
        return sorted({*found})
    return [*GUIDE]


def addresses(asker: Asker) -> Iterator[tuple[str, str]]:
    """Every URL of the release by name, with the rows to ask for in its place."""
    for path, pattern in patterns(get_resolver()):
        name = pattern.name or path
        found = re.findall(r"<(?:\w+:)?(\w+)>", path)
        if "(" in path.replace("(?", ""):  # the sitemap's slices
            yield from ((name, f"/sitemap-{of}-1.xml") for of in ("devices", "results"))
        elif not found:
            yield name, "/" + path
        elif name not in UNNAMED:
            stands = values(asker, name, found[0])
            if not stands:
                sys.exit(f"nothing stands for {found[0]} in {name}: {path}")
            yield from ((name, "/" + re.sub(r"<[^>]+>", str(stand), path)) for stand in stands)


def combined(asker: Asker) -> Iterator[str]:
    """Lists with filters and orders, and pages of several rows."""
    slugs = ",".join(result.device.slug for result in asker.results if result.device_id)[:400].rpartition(
        ","
    )[0]
    ids = [result.public_id for result in asker.results if result.device_id]
    yield f"/compare/?devices={','.join(slugs.split(',')[:4])}"
    yield f"/api/v1/compare/?devices={','.join(slugs.split(',')[:4])}"
    yield from (
        f"{page}?a={ids[0]}&b={other}"
        for page in ("/compare/results/", "/api/v1/compare/results/")
        for other in ids[1:]
    )
    for path in ("results", "devices", "products", "leaderboard"):
        for form in ("json", "csv", "ndjson"):
            yield f"/api/v1/{path}/?format={form}"
        yield f"/api/v1/{path}/?page_size=500"
    yield "/api/v1/search/?q=samsung"
    yield from (
        "/search/?q=samsung",
        "/search/?q=raidz2+P3700",
        "/leaderboard/?view=table",
        "/leaderboard/?sort=-latency_4k",
    )
    yield from (
        "/products/?sort=price",
        "/products/?price=300",
        "/products/?measured=yes",
        "/shortlist/?link_gbit=10&budget=300",
    )
    yield from (f"/results/?page={number}" for number in range(1, 8))
    yield from (f"/feeds/results.atom?class={device_class}" for device_class in ("nvme", "sata_ssd", "hdd"))


class Forms(HTMLParser):
    """The POST forms of a page: (action, fields)."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[tuple[str, dict[str, Any]]] = []
        self._is_open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self._is_open = (given.get("method") or "").lower() == "post"
            if self._is_open:
                self.forms.append((given.get("action") or "", {}))
        elif self._is_open and (name := given.get("name")):
            fields = self.forms[-1][1]
            kind = given.get("type")
            if (
                name == "csrfmiddlewaretoken"
                or kind == "file"
                or tag not in {"input", "select", "textarea", "button"}
            ):
                return
            if kind in {"radio", "checkbox"}:
                if "checked" in given or (kind == "radio" and name not in fields):
                    fields[name] = given.get("value") or "on"
            else:
                fields[name] = given.get("value") or ""

    def handle_endtag(self, tag: str) -> None:
        self._is_open = self._is_open and tag != "form"


def forms_of(html: str, page: str) -> list[tuple[str, dict[str, Any]]]:
    parser = Forms()
    parser.feed(html)
    return [(action or page, fields) for action, fields in parser.forms]


def ask_pages(asker: Asker) -> dict[str, tuple[str, dict[str, Any]]]:
    """Ask for all; return a form for each URL that takes one, by the URL's name."""
    forms: dict[str, tuple[str, dict[str, Any]]] = {}
    for _name, address in addresses(asker):
        for client in (asker.visitor, asker.member):
            response = asker.ask(client, address)
            if "html" in response.get("Content-Type", "") and response.status_code == 200:
                for action, fields in forms_of(response.content.decode(), address):
                    name = resolve(action.partition("?")[0]).url_name
                    if name not in UNSENT and not asker.is_of_unknown(action):
                        forms.setdefault(name, (action, fields))
    for address in combined(asker):
        asker.ask(asker.visitor, address)
    return forms


def send_forms(asker: Asker, forms: dict[str, tuple[str, dict[str, Any]]]) -> None:
    """Send each form once, the erasure last."""
    for name in sorted(forms, key=lambda name: ("erase" in name, name)):
        action, fields = forms[name]
        asker.ask(asker.member, action, {key: ANSWERS.get(key, value) for key, value in fields.items()})


def send_to_api(asker: Asker) -> None:
    """A POST of each kind: parse, submit, the same again, report, claim, withdraw, restore, erase."""
    key = make_key(asker)
    header = {"HTTP_AUTHORIZATION": f"Bearer {key}"}
    json = {"content_type": "application/json"}

    def send(path: str, record: dict[str, Any], *, expected: set[int], **extra: Any) -> Any:
        address = f"/api/v1/{path}"
        response = asker.ask(asker.visitor, address, record, **json, **extra)
        if response.status_code not in expected:
            asker.failed.setdefault(
                f"POST {address}", f"{response.status_code} {response.content.decode()[:300]}"
            )
        return response.json() if response.content else {}

    text = diskinfo(ident="NEVER-SEEN-2")
    send("parse/", {"text": text}, expected={200})
    sent = send("submissions/", {"text": text}, expected={201})
    send("submissions/", {"text": text}, expected={200})
    send("claims/", {"token": sent.get("claim_token")}, expected={200, 201}, **header)
    for path in ("withdraw", "restore"):
        send(f"submissions/{sent.get('id')}/{path}/", {}, expected={200}, **header)
    # the forms above may have held or withdrawn some
    known = (result for result in chosen() if result.public_id not in asker.unknown)
    reported = next(result.public_id for result in known if result.submission.owner_id != asker.owner.pk)
    send(
        f"results/{reported}/reports/",
        {"reason": "figures", "text": "By the check."},
        expected={200, 201},
        **header,
    )
    for erased in [sent.get("id"), *{result.submission.public_id for result in asker.own}]:
        address = f"/api/v1/submissions/{erased}/"
        response = asker.visitor.delete(address, **header)
        if response.status_code not in {204, 404}:
            asker.failed[f"DELETE {address}"] = f"{response.status_code} {response.content.decode()[:300]}"


def make_key(asker: Asker) -> str:
    sign_in_with(
        asker.member, asker.owner, "mfa"
    )  # again: on a slow machine, the first sign-in is too old by now
    page = asker.ask(asker.member, "/account/keys/").content.decode()
    for action, fields in forms_of(page, "/account/keys/"):
        if resolve(action).url_name == "account-keys":
            made = asker.ask(
                asker.member, action, {**fields, "name": "check", "scopes": ["read", "submit"]}, follow=True
            )
            found = re.search(r"slogdb_\w+", made.content.decode())
            if found:
                return found[0]
    sys.exit("no API key was made")


def main() -> int:
    asker = Asker()
    forms = ask_pages(asker)
    send_forms(asker, forms)
    send_to_api(asker)
    for what, error in asker.failed.items():
        sys.stdout.write(f"{what}: {error}\n")
    sys.stdout.write(
        f"{asker.count} requests, forms of {', '.join(sorted(forms))}; {len(asker.failed)} failed\n"
    )
    return 1 if asker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
