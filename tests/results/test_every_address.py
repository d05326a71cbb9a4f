"""Every address of the site and its status: links from elsewhere go on working when code moves."""

from itertools import chain

import pytest
from django.db import transaction
from django.test import Client

from tests.addresses import (
    EXAMPLES,
    every_route,
    public_addresses,
    store_sample,
    url_names,
)
from tests.security.matrix import is_library_page

pytestmark = pytest.mark.django_db
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


@pytest.mark.parametrize("status", EXAMPLES)
def test_an_address_has_its_status(client, status):
    found = statuses(client, public_addresses()[status])
    assert found == dict.fromkeys(found, status)


def test_a_chart_has_the_same_parameters_everywhere(client, subtests):
    drives = ["/devices/other/", "/products/sample/", "/products/sample/480-gb/", "/devices/sample/chart.svg"]
    for page in [*drives, "/results/sample/", "/survey/"]:
        with subtests.test(page=page):
            assert client.get(page + CHART).status_code == 200


def test_every_url_of_the_site_is_tested_here():
    """Pages of libraries are not: their addresses are their own."""
    listed = url_names(chain(*public_addresses().values()))
    own = {route.name for route in every_route() if route.area != "admin" and not is_library_page(route)}
    assert own - listed == set()
