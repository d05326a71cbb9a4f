"""Every address of the site: those of the URL configuration, examples by status, and a small site that has them."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.urls import Resolver404, URLResolver, get_resolver, resolve

from results.core.parameters import DECLARED
from results.core.security.members import AUDIENCE, POSTED_FROM, Audience
from results.models import ImportBatch, Member
from tests import pastes
from tests.factories import (
    make_device,
    make_facts,
    make_grid,
    make_member,
    make_price_report,
    make_result,
    make_set,
    make_stated_product,
    make_submission,
    rank_everything,
)

_PLACE = re.compile(r"<(?:\w+:)?(\w+)>|\(\?P<(\w+)>[^()]*\)")
_ADMIN_TABLES = ("index", "submission", "product", "device")
_AREAS = {"api", "admin", "account", "moderation"}


@dataclass(frozen=True, slots=True)
class Route:
    """A pattern of the URL configuration; `name` is the pattern itself where it has none."""

    name: str
    pattern: str
    view: Any

    @property
    def parameters(self) -> list[str]:
        return declared_parameters(self.view)

    @property
    def area(self) -> str:
        """The first part of the address: "api", "admin", "account", "moderation", or "" for the rest."""
        first = self.pattern.partition("/")[0]
        return first if first in _AREAS else ""

    @property
    def audience(self) -> Audience | None:
        """The audience that the view declares; None for everyone, and for views of libraries."""
        return getattr(self.view, AUDIENCE, None)

    @property
    def is_open(self) -> bool:
        """Whether everyone may read it, or anyone with a key."""
        return self.audience is None and self.area in {"", "api"}

    @property
    def is_for_staff(self) -> bool:
        """Whether it is for moderators or administrators."""
        return self.area == "admin" or self.audience in {Audience.MODERATORS, Audience.ADMINISTRATORS}

    @property
    def is_endpoint(self) -> bool:
        """Whether it's an API endpoint; the API's reference is a page."""
        return hasattr(self.view, "cls")

    @property
    def has_arguments(self) -> bool:
        return bool(_PLACE.search(self.pattern)) or "(" in self.pattern

    def path(self, values: dict[str, Any]) -> str:
        """An address of this route; raises KeyError for a part that `values` lack."""
        filled = _PLACE.sub(lambda match: str(values[match[1] or match[2]]), self.pattern)
        if "sitemap-(" in filled:
            return "/sitemap-results-1.xml"
        return "/" + filled.replace("^", "").replace("$", "").replace("\\", "")


def declared_parameters(view: Any) -> list[str]:
    """The GET parameters that a page or an endpoint of the API says it takes; none where it says nothing."""
    if hasattr(view, DECLARED):
        return sorted(getattr(view, DECLARED).names)
    known = getattr(getattr(view, "cls", None), "known_parameters", None)
    return sorted(known(view.cls())) if known else []


def every_route() -> list[Route]:
    return list(_walk(get_resolver(), "", ""))


def differing_routes() -> list[Route]:
    """Every address but most of the admin's tables, which are Django's own and alike."""
    return [
        route
        for route in every_route()
        if route.area != "admin" or any(table in route.name for table in _ADMIN_TABLES)
    ]


def _walk(resolver: Any, prefix: str, namespace: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            inner = f"{namespace}{entry.namespace}:" if entry.namespace else namespace
            yield from _walk(entry, pattern, inner)
        else:
            name = f"{namespace}{entry.name}" if entry.name else pattern
            yield Route(name, pattern, entry.callback)


def url_names(addresses: Iterable[str]) -> set[str | None]:
    """The URL names these addresses resolve to, skipping unresolvable ones."""
    names = set()
    for address in addresses:
        with suppress(Resolver404):
            names.add(resolve(address.partition("?")[0]).url_name)
    return names


# Addresses with arguments or parameters, and others that don't answer with 200, by their status
EXAMPLES = {
    200: """
        /?all=1&q=sample /leaderboard/?class=nvme /leaderboard/?class=nvme&method=fio /leaderboard/?sort=-latency_4k
        /leaderboard/?sort=n_units&view=table&scale=linear /leaderboard/?plp=protected
        /leaderboard/?min_units=2&capacity=256gb-1tb&interface=pcie&form=card&plp=protected&segment=enterprise
        /search/?q=nothing-like-it
        /shortlist/?link_gbit=10&gb_per_day=500&years=7&mirror=1&budget=300&currency=EUR&condition=used&platform=linux
        /shortlist/?mib_s=500&form_factor=m2-2280&plp=any /leaderboard.md /leaderboard.bbcode /devices/other/
        /products/sample/480-gb/ /devices/sample/chart.svg /devices/sample/badge.svg /devices/sample/preview.png
        /devices/sample/badge.json /products/sample/badge.svg /products/sample/badge.json
        /compare/results/badge.svg?a=sample&b=other /compare/results/badge.json?a=sample&b=other
        /oembed?url=http://127.0.0.1:8000/compare/results/?a=sample%26b=other
        /api/v1/results/?product=sample&vendor=aldera&origin=submitted_here&measured_after=2020-01-01
        /results/?origin=published_elsewhere
        /compare/grids/?results=grid&operation=read /api/v1/compare/grids/?results=grid
        /compare/results/?a=sample&b=other /compare/results/preview.png?a=sample&b=other
        /api/v1/compare/results/?a=sample&b=other /compare/sets/sample/ /compare/sets/sdc-2018/ /compare/sets/chosen/
        /compare/sets/chosen/?results=sample-2,sample-4 /compare/sets/sample/chart.png
        /compare/sets/sample/preview.png /api/v1/compare/sets/sample/
        /api/v1/compare/sets/chosen/?results=sample-2,sample-4 /api/v1/compare/pairs/?change=log_device
        /results/?kind=latency_curve&method=fio&class=nvme&before=sample
        /products/?class=nvme&plp=protected&evidence=data_sheet&interface=pcie&form=m2&measured=yes
        /products/?q=sample&dwpd=0.3&price=99.5&currency=EUR&end_of_sale=none&sort=price /products/?sort=name
        /products/sample/ /results/sample/ /results/sample/report/ /results/sample/chart.svg /results/sample/chart.png
        /results/sample/preview.png /compare/?devices=sample,other /compare/?devices=sample,other&baseline=other
        /compare/chart.svg?devices=sample,other /compare/preview.png?devices=sample,other /workload/?mix=4k%3A1
        /traits/?products=sample /guide/what-is-a-slog/ /guide/what-makes-a-good-one/ /guide/how-the-test-works/
        /feeds/results.atom?class=nvme /feeds/results.atom?device=sample
        /oembed?url=http://127.0.0.1:8000/devices/sample/
        /oembed?url=http://127.0.0.1:8000/results/sample/&format=json /sitemap-devices-1.xml /sitemap-results-1.xml
        /sitemap-pools-1.xml /pools/sample/ /api/v1/pools/sample/ /metrics /account/login/ /account/signup/
        /api/v1/compare/?devices=sample,other /api/v1/devices/sample/ /api/v1/devices/sample/firmware/
        /api/v1/products/sample/ /api/v1/leaderboard/?class=nvme&ordering=-latency_4k_us /api/v1/search/?q=sample
        /api/v1/lookup/?model=ALDERA+S1-480 /api/v1/lookup/?model=nobody+knows+1
        /api/v1/workload/?mix=4k%3A1 /workload.csv?mix=4k%3A1 /api/v1/traits/?products=sample
        /api/v1/shortlist/?link_gbit=10&budget=300&fields=count,on_paper /guide/access-patterns/
        /api/v1/results/?device=sample&fields=id,latency_curve /api/v1/results/sample/ /api/v1/submissions/sample/
        /leaderboard/?class=nvme&q=sample&sort=-n_units /leaderboard/?capacity=256gb-1tb&view=table /search/?q=sample
        /shortlist/?link_gbit=10&budget=300 /compare/grids/?results=grid /results/grid/
        /api/v1/shortlist/?link_gbit=10&budget=300
    """,
    301: "/devices/sample/ /products/sample/1-tb/sample/",
    302: """
        /account/2fa/ /account/sessions/ /account/email/ /account/password/change/ /account/password/set/ /admin/
        /leaderboard/?protected=1 /leaderboard/?q=sample&page=1 /products/?q=&class= /products/?sort=protected
        /shortlist/?budget=&plp=protected /search/?q=%00 /workload/?mix=4k:1&class=
        /leaderboard/?min_units=1&q=+sample /guide/do-i-need-one/?sync= /guide/how-big/?link=
        /guide/how-long-does-it-last/?written=
    """,
    400: """
        /leaderboard/?class=none /leaderboard/?page=0 /devices/other/?chart=none /products/sample/?chart=none /oembed
        /api/v1/leaderboard/?none=1 /products/?class=none /products/?price=0 /products/?dwpd=much /api/v1/compare/
        /api/v1/search/ /api/v1/compare/grids/ /api/v1/compare/results/ /compare/results/preview.png
        /compare/results/badge.svg /compare/results/badge.json /api/v1/schema/?profile=none
        /shortlist/?link_gbit=9 /shortlist/?budget=much /shortlist/?link_gbit=10&mib_s=5
        /api/v1/lookup/
        /api/v1/shortlist/?link_gbit=9 /api/v1/shortlist/?budgets=300 /api/v1/shortlist/?years= /api/v1/workload/
        /workload.csv
    """,
    401: "/api/v1/me/ /api/v1/me/submissions/",
    404: """
        /compare/chart.svg /compare/preview.png
        /compare/sets/none/ /compare/sets/none/chart.png /compare/sets/none/preview.png /api/v1/compare/sets/none/
        /nowhere/ /devices/none/ /results/none/ /pools/none/ /api/v1/pools/none/ /products/none/
        /products/none/480-gb/ /products/sample/1-tb/ /products/sample/480-gb/none/ /guide/none/ /exports/none.csv
        /leaderboard.pdf /leaderboard/?page=99 /sitemap-devices-9.xml /feeds/results.atom?device=none /api/v1/nowhere/
        /account/oidc/none/login/ /products/?page=99 /api/v1/devices/none/ /api/v1/results/none/
        /api/v1/submissions/none/ /api/v1/products/none/ /devices/none/badge.svg
        /devices/none/badge.json /products/none/badge.svg /products/none/badge.json /api/v1/results/?product=none
    """,
    405: """
        /api/v1/submissions/ /api/v1/parse/ /api/v1/drives/check/ /api/v1/check/ /api/v1/claims/
        /api/v1/results/sample/reports/ /api/v1/submissions/sample/withdraw/ /api/v1/submissions/sample/restore/
    """,
}
OF_ACCOUNTS = """
    /account/logout/ /account/email/ /account/password/change/ /account/2fa/ /account/2fa/webauthn/ /account/sessions/
    /account/3rdparty/ /account/password/reset/ /account/password/reset/done/
"""


@cache
def public_addresses() -> dict[int, list[str]]:
    """EXAMPLES, each address without arguments, and redirects from what isn't for everyone, by status."""
    found = {status: addresses.split() for status, addresses in EXAMPLES.items()}
    others = {address for status in found if status != 200 for address in found[status]}
    plain = [route.path({}) for route in every_route() if route.is_open and not route.has_arguments]
    found[200] += [address for address in plain if address not in others]
    found[302] += [
        _path(route) for audience in Audience for route in every_route() if route.audience == audience
    ]
    return found


def _path(route: Route, **ids: int) -> str:
    values = {"slug": "sample", "public_id": "sample"}
    return route.path(values | dict.fromkeys(("key_id", "member_id", "price_id", "batch_id"), 1) | ids)


def member_addresses() -> list[str]:
    """The pages of members, all of which the sample's owner may open."""
    return [
        _path(route)
        for route in every_route()
        if route.audience == Audience.MEMBERS and not hasattr(route.view, POSTED_FROM)
    ]


def moderator_addresses(owner: Member) -> list[str]:
    """The pages of moderators, about the member, price and import that the sample has."""
    price, batch = owner.price_reports.get(), ImportBatch.objects.get()
    return [
        _path(route, member_id=owner.pk, price_id=price.pk, batch_id=batch.pk)
        for route in every_route()
        if route.audience == Audience.MODERATORS
    ]


def store_sample() -> Member:
    """What the addresses name, ranked; returns the owner of the submission `sample`."""
    owner = make_member()
    make_result(
        90,
        device=make_device(
            slug="other", model_name="Other disk", capacity_bytes=960_000_000_000, device_class="hdd"
        ),
        submission__public_id="other",
    )
    product = make_stated_product("yes", slug="sample", name="S1", patterns=["^ALDERA S1-"])
    make_facts(product)
    sample = make_result(
        device=make_device(slug="sample", model_name="ALDERA S1-480", product=product),
        submission=make_submission(public_id="sample", owner=owner, text=pastes.FIRST_PASTE),
        first_line=2,
        last_line=25,
        firmware__version="1.0",
        flags=[{"code": "cached_disk", "effect": "noted", "message": "Not the disk alone."}],
    )
    make_result(30, device=sample.device, firmware__version="2.0", not_ranked_reason="Too fast.")
    make_result(21, device__slug="close", device__model_name="Close SSD")
    make_submission(public_id="withdrawn", state="withdrawn", state_reason="By mistake.")
    make_set(sample.submission)
    make_price_report(product, owner)
    make_grid("grid")
    make_submission(batch=ImportBatch.objects.create(title="An old thread"), forum_handle="ann")
    rank_everything()
    return owner
