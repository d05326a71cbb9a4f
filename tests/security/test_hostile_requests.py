"""Payloads at every address: in its path, its parameters, its forms, its JSON and its headers."""

import re
from collections.abc import Iterator
from contextlib import nullcontext
from io import BytesIO
from itertools import islice
from typing import Any
from urllib.parse import quote, unquote, urlencode

import orjson
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.forms import Form
from django.http import HttpResponse
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.urls import Resolver404, resolve
from rest_framework.serializers import Serializer

from results.core.security.bodies import MAX_FORM_SIZE
from results.submissions.api.serializers import StrictSerializer
from slogdb import urls
from tests.addresses import Route, declared_parameters, differing_routes, every_route
from tests.security.answers import body_of, faults
from tests.security.matrix import API
from tests.security.payloads import EVERY, SHORT, rounds
from tests.security.world import World

# That libraries read
PARAMETER_NAMES = ["next", "token", "process", "o", "e", "all", "_popup", "csrfmiddlewaretoken", "q", "page"]
DOORS = ("HTTP_HOST", "HTTP_TRANSFER_ENCODING", "CONTENT_TYPE", "CONTENT_LENGTH")
OTHER_HEADERS = (
    "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_PORT",
    "HTTP_FORWARDED", "HTTP_RANGE",
    "HTTP_IF_RANGE", "HTTP_IF_NONE_MATCH", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_MATCH", "HTTP_IDEMPOTENCY_KEY",
    "HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING", "HTTP_ACCEPT_LANGUAGE", "HTTP_AUTHORIZATION", "HTTP_COOKIE",
    "HTTP_REFERER", "HTTP_ORIGIN", "HTTP_USER_AGENT", "HTTP_X_HTTP_METHOD_OVERRIDE", "HTTP_X_REQUESTED_WITH",
    "HTTP_CONTENT_ENCODING", "REMOTE_ADDR",
)  # fmt: skip
READERS = (
    "/leaderboard/", "/compare/", "/api/v1/devices/", "/api/v1/results/", "/api/v1/leaderboard/",
    "/oembed", "/survey/",
    "/submit/commands/", "/guide/how-big/", "/guide/how-long-does-it-last/",
    "/api/v1/compare/", "/shortlist/", "/search/", "/products/",
)  # fmt: skip
FIELD = re.compile(r"<(?:input|textarea|select|button)\b[^>]*?\bname=\"([^\"]+)\"")
EXTRA_FIELDS = {"confirm", "token", "next", "action", "code", "_save", "credential", "reason"}
FILLED = re.compile(r"<")


def faults_of_request(client: Client, method: str, path: str, **sent: Any) -> list[str]:
    """The faults of the answer; what it changed is undone."""
    client.raise_request_exception = False
    cookies = client.cookies.copy()
    with transaction.atomic() if method != "GET" else nullcontext():
        response = client.generic(method, path, **sent)
        found = list(faults(response, f"{method} {path[:150]} {str(sent)[:300]}"))
        if method != "GET":
            transaction.set_rollback(True)
    client.cookies = cookies
    return found


def client_for(world: World, route: Route) -> Client:
    """Who may read it; the operator's page, which shows versions and paths, refuses a visitor."""
    is_for_staff = route.area in {"admin", "moderation"}
    return world.clients["admin" if is_for_staff else "owner" if route.area else "anonymous"]


def test_there_are_three_hundred_of_them_and_no_two_alike():
    assert len(EVERY) == len(set(EVERY)) >= 300


def reaches_a_view(path: str) -> bool:
    """Whether the URL table lets such a path through; what it refuses is the same 404 wherever it is refused."""
    try:
        resolve(unquote(path))
    except Resolver404:
        return False
    return True


def test_nothing_in_a_path_breaks_anything(world, settings, monkeypatch):
    """Each at every twelfth address; one of those that no pattern takes goes all the way, too, from each address.

    Most addresses look a name up in the same way: whichever payload it is, they don't find it.
    """
    settings.USERSESSIONS_TRACK_ACTIVITY = False
    monkeypatch.setattr(urls, "handler404", lambda *_, **__: HttpResponse(status=404))  # its page comes last
    with_places = [
        other
        for other in differing_routes()
        if FILLED.search(other.pattern) and "sitemap" not in other.pattern
    ]
    assert len(with_places) > 20
    found: list[str] = []
    reached = 0
    for number, route in enumerate(with_places):
        values = world.values(route)
        payloads = SHORT[number % 12 :: 12]
        paths = [route.path({name: quote(payload, safe="") for name in values}) for payload in payloads]
        views = [path for path in paths if reaches_a_view(path)]
        reached += len(views)
        for path in [*views, paths[number % len(paths)]]:
            found += faults_of_request(client_for(world, route), "GET", path)
    monkeypatch.undo()
    for payload in SHORT:
        found += faults_of_request(world.clients["anonymous"], "GET", f"/{quote(payload, safe='')}")
    assert found == []
    assert reached > 250


def test_nothing_in_a_parameter_breaks_anything(world, settings):
    """Each at every twelfth address that takes parameters, and all parameters at each; fewer where there are none."""
    settings.USERSESSIONS_TRACK_ACTIVITY = False
    found: list[str] = []
    for number, route in enumerate(differing_routes()):
        path = route.path(world.values(route))
        names, every = (route.parameters, 12) if route.parameters else (PARAMETER_NAMES, 30)
        for payloads in rounds(len(names), steps=1, payloads=SHORT[number % every :: every]):
            query = urlencode(list(zip(names, payloads, strict=True)), errors="replace")
            found += faults_of_request(
                client_for(world, route), "GET", f"{path}?{query}", **world.keys["none"]
            )
    assert found == []


def test_no_parameter_alone_breaks_a_page_that_reads_it(world):
    """Beside others one may never be looked at: the page refuses the first. Each payload comes to several."""
    found: list[str] = []
    read = [(path, name) for path in READERS for name in declared_parameters(resolve(path).func)]
    assert len(read) > 150
    for place, (path, name) in enumerate(read):
        for payload in [*SHORT[place % 120 :: 120], "a\0b"]:  # PostgreSQL compares no null character
            query = urlencode({name: payload}, errors="replace")
            found += faults_of_request(world.clients["anonymous"], "GET", f"{path}?{query}")
    assert found == []


def fields_of(world: World, route: Route) -> set[str]:
    """The names of what the page's forms send, as the page says."""
    page = client_for(world, route).get(route.path(world.values(route)))
    return {*FIELD.findall(body_of(page)), *EXTRA_FIELDS}


def test_nothing_in_a_form_breaks_anything(world, settings):
    """Each in every twelfth form."""
    settings.USERSESSIONS_TRACK_ACTIVITY = False  # four queries a request, none of a form
    with_forms = [
        other
        for other in differing_routes()
        if other.area in {"account", "moderation", "admin"} or other.name == "submit"
    ]
    found: list[str] = []
    for number, route in enumerate(with_forms):
        fields, path = sorted(fields_of(world, route)), route.path(world.values(route))
        for payloads in rounds(len(fields), steps=1, payloads=SHORT[number % 12 :: 12]):
            body = urlencode(list(zip(fields, payloads, strict=True)), errors="replace").encode()
            kind = "application/x-www-form-urlencoded"
            found += faults_of_request(client_for(world, route), "POST", path, data=body, content_type=kind)
    assert found == []


def json_fields() -> list[str]:
    """The names of what the API takes."""
    return sorted({name for shape in shapes(StrictSerializer) for name in shape().get_fields()})


def shapes(of: type[Serializer]) -> Iterator[type[Serializer]]:
    for serializer in of.__subclasses__():
        yield serializer
        yield from shapes(serializer)


def bodies(fields: list[str]) -> Iterator[Any]:
    """All payloads as texts, then as what is no text at all."""
    for payloads in rounds(len(fields), steps=1, payloads=EVERY):
        yield dict(zip(fields, payloads, strict=True))
    for odd in (None, True, 0, -1, 2**53, 1e300, [], {}, [[]], {"a": {}}, ["\x00"], {"\x00": "\x00"}):
        yield dict.fromkeys(fields, odd)
        yield odd


def test_nothing_in_json_breaks_anything(world):
    found: list[str] = []
    for route in (other for other in every_route() if other.name in API):
        for method in set(API[route.name]) - {"GET"}:
            path = route.path(world.values(route))
            reads_none = method == "DELETE" or route.name in {"api-withdraw", "api-restore"}
            for body in islice(bodies(json_fields()), 2 if reads_none else None):
                sent = {
                    "data": orjson.dumps(body),
                    "content_type": "application/json",
                    **world.keys["submits"],
                }
                found += faults_of_request(world.clients["anonymous"], method, path, **sent)
    assert found == []


def test_nothing_in_a_header_breaks_anything(world, settings):
    """Each in two of those that shut the door, alone, and in some of all others side by side."""
    settings.TRUSTED_PROXY_COUNT = settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    result_path = f"/results/{world.submission.public_id}/"
    paths = (
        "/guide/how-big/", "/submit/", "/api/v1/devices/", "/account/login/", result_path, "/exports/x", "/account/",
    )  # fmt: skip
    found: list[str] = []
    written = [payload.encode("utf-8", "replace").decode("latin-1") for payload in SHORT]
    for number, value in enumerate(written):
        path = paths[number % len(paths)]
        for name in DOORS[number % 2 :: 2]:
            method = "POST" if name.startswith("CONTENT") else "GET"
            # As a server gives it: the test client's own stream fails where less came than was announced.
            found += faults_of_request(Client(), method, path, **{name: value, "wsgi.input": BytesIO()})
        if number % 6:
            continue  # the others come in the names beside
        beside = {
            name: written[(number + place * 7) % len(written)] for place, name in enumerate(OTHER_HEADERS)
        }
        client = world.clients["owner"] if path == "/account/" else Client()
        found += faults_of_request(client, ("GET", "POST")[number % 5 == 0], path, **beside)
    assert found == []


FORM, MAX_BYTES = "application/x-www-form-urlencoded", 64 * 1024
MANY = {
    "1,000 unknown fields": (FORM, urlencode({str(number): "" for number in range(1001)}).encode()),
    "a field 100,000 times": (FORM, b"&".join([b"a=1"] * 100_000)),
    "many long fields": (FORM, urlencode({str(number): "x" * 1000 for number in range(500)}).encode()),
    "1,000 unknown parts": (
        MULTIPART_CONTENT,
        encode_multipart(BOUNDARY, {str(number): "" for number in range(1001)}),
    ),
    "21 files": (
        MULTIPART_CONTENT,
        encode_multipart(BOUNDARY, {"files": [SimpleUploadedFile("a", b"a") for _ in range(21)]}),
    ),
    "a JSON array": ("application/json", b"[" + b"1," * 100_000 + b"1]"),
    "fields that are much longer as HTML": (FORM, urlencode(dict.fromkeys("abc", "'" * 10000)).encode()),
    "a field that is much longer as HTML": (FORM, urlencode({"note": "'" * 10_000}).encode()),
}


def test_no_form_takes_more_than_it_has_and_each_refusal_is_short(world: World):
    """Each of them at every fourth address."""
    for number, route in enumerate(other for other in differing_routes() if other.area != "api"):
        client, path = client_for(world, route), route.path(world.values(route))
        client.handler.enforce_csrf_checks = True  # as a browser's request, its form is read in any case
        client.raise_request_exception = False
        client.cookies["csrftoken"] = "a" * 32
        for name, (kind, body) in list(MANY.items())[number % 4 :: 4]:
            answer = client.generic("POST", path, body, kind)
            assert 400 <= answer.status_code < 500, (name, path, answer.status_code)
            assert len(b"".join(answer)) <= MAX_BYTES, (name, path)
        client.handler.enforce_csrf_checks = False


def fields_of_forms() -> list[str]:
    """The names of all fields of the site's forms, but those of texts, which a refusal gives back whole."""
    forms, names = [Form], {"login", "password", "email", "code", "told"}
    while forms:
        form = forms.pop()
        names |= form.base_fields.keys()
        forms += form.__subclasses__()
    return sorted(names - {"text", "found"})


def test_a_refused_form_that_gives_its_fields_back_is_short(world: World):
    """The site's own page around them included, whichever fields they are."""
    names = fields_of_forms()
    for route in differing_routes():
        if route.area == "api":
            continue
        client = client_for(world, route)
        for chosen in (names, ["timings"], ["login"]):
            values = {name: "'" * (MAX_FORM_SIZE // len("&#x27;") // len(chosen)) for name in chosen}
            answer = client.post(route.path(world.values(route)), values)
            assert len(b"".join(answer)) <= MAX_BYTES, (route, chosen[0])
