"""Every place where what strangers wrote is read, and what would be wrong there."""

import csv
import io
import json
import re
from collections.abc import Container, Iterator
from xml.etree import ElementTree

from django.apps import apps
from django.http import HttpResponseBase

from results.core.middleware import OPENID
from results.core.read_only import read_only_reason
from results.exports.build import build_exports, current_manifest
from results.models import Device, Product, Result, Submission
from tests.addresses import Route, every_route
from tests.factories import rank_everything
from tests.security.answers import body_of, faults, running
from tests.security.payloads import CALL
from tests.security.world import World

SLUGGED = {"device": Device, "api-device": Device, "product": Product, "api-product": Product}
SOME = 12
KINDS = ("csv", "md", "bbcode")
FORMULA_STARTS = ("=", "+", "@", "\t", "\r", "＝", "＋", "－", "＠")
MARKDOWN = re.compile(r"(?<!\\)<(?:script|img|svg)|(?<!\\)\]\((?:javascript|//)")
BBCODE = re.compile(r"\[(?:url=|img\])\s*(?:javascript|//)", re.IGNORECASE)


def addresses(world: World) -> Iterator[tuple[str, str]]:
    """Every address that can be read, with who may read it."""
    result = Result.objects.all()[0].public_id
    for number, route in enumerate(every_route()):
        actor = "admin" if route.is_for_staff else "owner"
        if "logout" in route.name:
            continue
        values = {**world.values(route), "object_id": _first_key(route)}
        for named in _named(route, number):
            for kind in KINDS if "<slug:kind>" in route.pattern else ("csv",):
                yield actor, route.path({**values, **named, "kind": kind})
    manifest = current_manifest()
    for file in manifest.files if manifest else ():
        yield "anonymous", f"/exports/{file.name}"
    for path in (f"/devices/{world.device.slug}/", f"/results/{result}/"):
        yield "anonymous", f"/oembed?url=http://127.0.0.1:8000{path}"
    yield "anonymous", f"/compare/?device={world.device.slug}"
    yield "anonymous", "/leaderboard/?q=script"
    yield "anonymous", "/api/v1/search/?q=script"


def _named(route: Route, number: int) -> Iterator[dict[str, str]]:
    """The places of its address that name something strangers sent, for such things; else as the world has it.

    Of many things each address names some, and the next address others; pictures of pixels are of one alone.
    """
    if "public_id>" in route.pattern:
        place, model = "public_id", Result if "result" in route.name else Submission
    elif route.name in SLUGGED:
        place, model = "slug", SLUGGED[route.name]
    else:
        yield {}
        return
    names = list(model.objects.order_by("pk").values_list(place, flat=True))
    step = len(names) if route.pattern.endswith(".png") else 1 + len(names) // SOME
    yield from ({place: name} for name in names[number % step :: step])


def _first_key(route: Route) -> int:
    model = route.name.removeprefix("admin:results_").rpartition("_")[0]
    if not route.name.startswith("admin:results_") or model not in apps.all_models["results"]:
        return 1
    found = apps.get_model("results", model)._default_manager.values_list("pk", flat=True).first()
    return found or 1


def wrong(response: HttpResponseBase, text: str, path: str) -> Iterator[str]:
    """What of the planted text is not text here."""
    kind = response.get("Content-Type", "").partition(";")[0]
    if (
        kind not in {"text/html", "application/json", "application/problem+json"}
        and response.get("X-Content-Type-Options") != "nosniff"
    ):
        yield f"{path}: a browser may take {kind} for another kind"
    if CALL not in text:
        return
    if kind in {"text/html", "image/svg+xml"} or kind.endswith("xml"):
        yield from (f"{path} runs {line}" for line in running(text))
    if kind.endswith("xml"):
        tags = {part.tag.rpartition("}")[2].lower() for part in ElementTree.fromstring(text).iter()}  # noqa: S314 - ours
        yield from (
            f"{path} has <{tag}>" for tag in tags & {"script", "iframe", "object", "img", "foreignobject"}
        )
    if kind.endswith("json"):
        for line in filter(None, text.split("\n") if "ndjson" in kind else [text]):
            json.loads(line)
    yield from as_text(text, kind, path)


def as_text(text: str, kind: str, path: str) -> Iterator[str]:
    """The same for what is no markup of a browser's."""
    if kind == "text/csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        cells += [
            cell.strip(' "') for line in text.splitlines() for cell in line.split(";")
        ]  # with semicolons
        yield from (
            f"{path} has the formula {cell[:40]}" for cell in cells if cell.startswith(FORMULA_STARTS)
        )
    if path.endswith(".md"):
        yield from (f"{path} has {markup}" for markup in MARKDOWN.findall(text))
    if path.endswith(".bbcode"):
        yield from (f"{path} has {markup}" for markup in BBCODE.findall(text))


def _is_refused(path: str) -> bool:
    """Whether a page is one that writes, which a read-only site refuses: words are in its reason to be so, too."""
    return path.startswith(OPENID) and bool(read_only_reason())


def read_everything(world: World, only: Container[str] | None = None) -> tuple[list[str], dict[str, bool]]:
    """What is wrong anywhere, and of each address that answers whether the planted text stands there.

    Of all addresses, or `only` of these; exports are always read, as each build gives them new names.
    """
    rank_everything()
    build_exports()
    found, read = [], {}
    for actor, path in addresses(world):
        if only is not None and path not in only and not path.startswith("/exports/"):
            continue
        response = world.clients[actor].get(path)
        if response.status_code in {301, 302, 404}:
            continue
        text = body_of(response)
        if not response.streaming and path != "/operator/":  # which names versions
            found += (
                fault for fault in faults(response, path) if fault != f"503: {path}" or not _is_refused(path)
            )
        read[path] = CALL in text
        found += wrong(response, text, path)
    return found, read
