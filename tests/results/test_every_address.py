"""Every address of the site and its status: links from elsewhere go on working when code moves."""

from contextlib import suppress

import pytest
from django.db import transaction
from django.test import Client
from django.urls import Resolver404, URLResolver, get_resolver, resolve

from tests.addresses import OF_MEMBERS, OF_MODERATORS, PUBLIC, named_of_moderators, store_sample
from tests.factories import make_moderator
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
LIBRARIES = ("admin/", "account/")  # included: their addresses are their own
CHART = "?chart=throughput&scale=linear&sizes=ranked&hide=sample"


@pytest.fixture(scope="module", autouse=True)
def sample(django_db_setup, django_db_blocker):
    """Stored once for the module: each test's own transaction is nested in this one. The owner of the result."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield store_sample()
        transaction.set_rollback(True)


def statuses(client: Client, addresses: list[str]) -> dict[str, int]:
    found = {}
    for address in addresses:
        response = client.get(address)
        response.getvalue()  # of a stream: it is closed at its end
        found[address] = response.status_code
    return found


@pytest.mark.parametrize("status", PUBLIC)
def test_an_address_has_its_status(client, status):
    assert {
        address: found
        for address, found in statuses(client, PUBLIC[status].split()).items()
        if found != status
    } == {}


def test_a_chart_has_the_same_parameters_everywhere(client, subtests):
    drives = ["/devices/other/", "/products/sample/", "/products/sample/480-gb/", "/devices/sample/chart.svg"]
    for page in [*drives, "/results/sample/", "/survey/"]:
        with subtests.test(page=page):
            assert client.get(page + CHART).status_code == 200


def test_members_have_their_addresses(client, sample):
    sign_in_with(client, sample, "code")
    assert {
        address: found for address, found in statuses(client, OF_MEMBERS.split()).items() if found != 200
    } == {}


def test_moderators_have_their_addresses(client, sample):
    sign_in_with(client, make_moderator(), "mfa")
    assert set(statuses(client, named_of_moderators(sample)).values()) == {200}


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
