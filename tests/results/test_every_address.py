"""Every address of the site and its status: links from elsewhere go on working when code moves."""

from contextlib import suppress

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from results.models import ImportBatch, Product, Submission
from tests.factories import (
    make_device,
    make_grid,
    make_member,
    make_moderator,
    make_price_report,
    make_product,
    make_result,
    make_set,
    make_submission,
    rank_everything,
)
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
LIBRARIES = ("admin/", "account/")  # included: their addresses are their own
CHART = "?chart=throughput&scale=linear&sizes=ranked&hide=sample"

PUBLIC = {
    200: """
        / /leaderboard/ /leaderboard/?class=nvme /leaderboard/?class=nvme&method=fio
        /leaderboard/?sort=-latency_4k /leaderboard/?sort=n_units&view=table&scale=linear /leaderboard/?plp=protected
        /leaderboard/?min_units=2&capacity=256gb-1tb&interface=pcie&form=card&plp=protected&segment=enterprise
        /search/ /search/?q=nothing-like-it /shortlist/
        /shortlist/?link_gbit=10&gb_per_day=500&years=7&mirror=1&budget=300&currency=EUR&condition=used&platform=linux
        /shortlist/?mib_s=500&form_factor=m2-2280&plp=any
        /preview.png /leaderboard.csv /leaderboard.md /leaderboard.bbcode /leaderboard/preview.png
        /devices/other/ /products/sample/480-gb/ /products/sample/480-gb/part/
        /devices/sample/chart.svg /devices/sample/badge.svg /devices/sample/preview.png
        /compare/grids/ /compare/grids/?results=grid&operation=read
        /api/v1/compare/grids/?results=grid /api/v1/grid-remarks/
        /compare/results/ /compare/results/?a=sample&b=other /compare/results/preview.png?a=sample&b=other
        /api/v1/compare/results/?a=sample&b=other
        /compare/sets/ /compare/sets/sample/ /compare/sets/sdc-2018/ /compare/sets/chosen/
        /compare/sets/chosen/?results=sample-2,sample-4 /compare/sets/sample/chart.png
        /compare/sets/sample/preview.png
        /api/v1/compare/sets/ /api/v1/compare/sets/sample/ /api/v1/compare/sets/chosen/?results=sample-2,sample-4
        /api/v1/compare/pairs/ /api/v1/compare/pairs/?change=log_device
        /results/ /results/?kind=latency_curve&method=fio&class=nvme&before=sample
        /products/ /products/?class=nvme&plp=protected&evidence=data_sheet&interface=pcie&form=m2&measured=yes
        /products/?q=sample&dwpd=0.3&price=99.5&currency=EUR&end_of_sale=none&sort=price /products/?sort=name
        /products/sample/ /results/sample/ /results/sample/report/ /results/sample/chart.svg
        /results/sample/chart.png
        /results/sample/preview.png /compare/ /compare/?devices=sample,other
        /compare/?devices=sample,other&baseline=other /compare/chart.svg?devices=sample,other
        /compare/preview.png?devices=sample,other
        /submit/ /used-drive/ /submit/commands/ /slogdb-submit /survey/ /survey/chart.svg /about/
        /sustained/ /workload/ /workload/?mix=4k%3A1 /traits/ /traits/?products=sample
        /guide/ /guide/do-i-need-one/ /guide/how-big/ /guide/how-long-does-it-last/ /guide/what-is-a-slog/
        /guide/what-makes-a-good-one/ /guide/how-the-test-works/ /exports/
        /feeds/pairs.atom /feeds/sets.atom
        /feeds/results.atom /feeds/results.atom?class=nvme /feeds/results.atom?device=sample
        /oembed?url=http://127.0.0.1:8000/devices/sample/ /oembed?url=http://127.0.0.1:8000/results/sample/&format=json
        /robots.txt /sitemap.xml /sitemap-pages.xml /sitemap-devices-1.xml /sitemap-results-1.xml
        /sitemap-pools-1.xml /pools/sample/ /api/v1/pools/ /api/v1/pools/sample/
        /.well-known/security.txt /healthz /readyz /metrics /account/login/ /account/signup/
        /api/v1/ /api/v1/docs/ /api/v1/schema/ /api/v1/compare/?devices=sample,other /api/v1/devices/
        /api/v1/devices/sample/ /api/v1/devices/sample/firmware/ /api/v1/products/ /api/v1/products/sample/
        /api/v1/leaderboard/ /api/v1/leaderboard/?class=nvme&ordering=-latency_4k_us /api/v1/search/?q=sample
        /api/v1/sustained/ /api/v1/workload/?mix=4k%3A1 /api/v1/traits/
        /api/v1/traits/?products=sample
        /api/v1/shortlist/ /api/v1/shortlist/?link_gbit=10&budget=300&fields=count,on_paper
        /api/v1/access-patterns/ /guide/access-patterns/
        /api/v1/classes/ /api/v1/bands/ /api/v1/results/ /api/v1/results/?device=sample&fields=id,latency_curve
        /api/v1/results/sample/ /api/v1/submissions/sample/
    """,
    301: "/devices/sample/ /devices/part/ /products/sample/1-tb/sample/",
    302: """
        /account/ /account/results/ /account/results/sample/ /account/claim/ /account/keys/ /account/data/
        /account/data/slogdb-my-data.zip /account/2fa/ /account/sessions/ /account/email/ /account/password/change/
        /account/password/set/
        /moderation/ /moderation/import/ /moderation/imports/ /moderation/log/ /moderation/sample/ /operator/ /admin/
        /account/results/sample/withdraw/ /account/results/sample/restore/ /account/results/sample/erase/
        /account/results/sample/forget-unit/ /account/results/sample/name/ /account/claim/here/
        /account/keys/1/revoke/ /account/prices/ /account/prices/1/delete/ /products/sample/price/
        /leaderboard/?protected=1 /leaderboard/?q=sample&page=1 /products/?q=&class= /products/?sort=protected
        /shortlist/?budget=&plp=protected
    """,
    400: """
        /leaderboard/?class=none /leaderboard/?page=0 /devices/other/?chart=none /products/sample/?chart=none
        /oembed /api/v1/leaderboard/?none=1
        /products/?class=none /products/?price=0 /products/?dwpd=much /api/v1/compare/ /api/v1/search/
        /search/?q=%00 /shortlist/?link_gbit=9 /shortlist/?budget=much /shortlist/?link_gbit=10&mib_s=5
        /api/v1/shortlist/?link_gbit=9 /api/v1/shortlist/?budgets=300 /api/v1/shortlist/?years= /api/v1/workload/
    """,
    401: "/api/v1/me/ /api/v1/me/submissions/",
    404: """
        /compare/sets/none/ /compare/sets/none/chart.png /compare/sets/none/preview.png /api/v1/compare/sets/none/
        /nowhere/ /devices/none/ /results/none/ /pools/none/ /api/v1/pools/none/
        /products/none/ /products/none/480-gb/ /products/sample/1-tb/ /products/sample/480-gb/none/
        /guide/none/ /exports/none.csv /leaderboard.pdf
        /leaderboard/?page=99 /sitemap-devices-9.xml /feeds/results.atom?device=none /api/v1/nowhere/
        /account/oidc/none/login/
        /products/?page=99 /api/v1/devices/none/ /api/v1/results/none/ /api/v1/submissions/none/
        /api/v1/products/none/ /devices/none/badge.svg
    """,
    405: """
        /api/v1/submissions/ /api/v1/parse/ /api/v1/claims/ /api/v1/results/sample/reports/
        /api/v1/submissions/sample/withdraw/ /api/v1/submissions/sample/restore/
    """,
}
OF_MODERATORS = (
    "/moderation/ /moderation/import/ /moderation/imports/ /moderation/imports/{batch}/ /moderation/log/ "
    "/moderation/sample/ /moderation/members/{member}/ /moderation/prices/{price}/"
)
OF_MEMBERS = """
    /account/ /account/results/ /account/results/sample/ /account/keys/ /account/data/
    /account/data/slogdb-my-data.zip /account/reauthenticate/code/ /account/prices/ /products/sample/price/
"""


@pytest.fixture(scope="module", autouse=True)
def sample(django_db_setup, django_db_blocker):
    """Stored once for the module: each test's own transaction is nested in this one. The owner of the result."""
    with django_db_blocker.unblock(), transaction.atomic():
        owner = make_member()
        make_result(
            device=make_device(slug="other", capacity_bytes=960_000_000_000), submission__public_id="other"
        )
        make_result(
            device=make_device(slug="sample", product=(product := make_product(slug="sample"))),
            submission=make_submission(public_id="sample", owner=owner),
        )
        make_result(device=make_device(slug="part", product=product), submission__public_id="part")
        make_set(Submission.objects.get(public_id="sample"))
        make_price_report(Product.objects.get(slug="sample"), owner)
        make_grid("grid")
        rank_everything()
        yield owner
        transaction.set_rollback(True)


def statuses(client: Client, addresses: str) -> dict[str, int]:
    found = {}
    for address in addresses.split():
        response = client.get(address)
        response.getvalue()  # of a stream: it is closed at its end
        found[address] = response.status_code
    return found


@pytest.mark.parametrize("status", PUBLIC)
def test_an_address_has_its_status(client, status):
    assert {
        address: found for address, found in statuses(client, PUBLIC[status]).items() if found != status
    } == {}


def test_a_chart_has_the_same_parameters_everywhere(client, subtests):
    for page in [
        "/devices/other/",
        "/products/sample/",
        "/products/sample/480-gb/",
        "/results/sample/",
        "/survey/",
        "/devices/sample/chart.svg",
    ]:
        with subtests.test(page=page):
            assert client.get(page + CHART).status_code == 200


def test_members_have_their_addresses(client, sample):
    sign_in_with(client, sample, "code")
    assert {address: found for address, found in statuses(client, OF_MEMBERS).items() if found != 200} == {}


def test_moderators_have_their_addresses(client, sample):
    sign_in_with(client, make_moderator(), "mfa")
    batch = ImportBatch.objects.create(title="An old thread")
    named = {"member": sample.pk, "price": sample.price_reports.get().pk, "batch": batch.pk}
    assert set(statuses(client, OF_MODERATORS.format(**named)).values()) == {200}


def names(patterns):
    for one in patterns:
        if not isinstance(one, URLResolver):
            yield one.name
        elif str(one.pattern) not in LIBRARIES:
            yield from names(one.url_patterns)


def test_every_url_of_the_site_is_tested_here():
    blocks = (*PUBLIC.values(), OF_MEMBERS, OF_MODERATORS.format(member=1, price=1, batch=1))
    paths = {address.split("?")[0] for block in blocks for address in block.split()}
    listed = set()
    for path in paths:
        with suppress(Resolver404):
            listed.add(resolve(path).url_name)
    assert {*names(get_resolver().url_patterns)} - listed == set()
