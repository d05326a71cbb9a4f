"""Every address takes as many queries on a site with much of everything as on one with a bit of it, and as stored."""

import re

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext

from results.core.data_version import bump_data_version
from results.models import ApiKey, AuditEntry, ImportBatch, Report, Result, ResultPair
from tests.addresses import member_addresses, moderator_addresses, public_addresses, store_sample
from tests.factories import (
    make_claim,
    make_device,
    make_grid,
    make_member,
    make_moderator,
    make_price,
    make_price_report,
    make_protected_product,
    make_result,
    make_set,
    make_submission,
    rank_everything,
)
from tests.sessions import sign_in_with

pytestmark = pytest.mark.django_db
MORE = """
    /leaderboard/?include=unranked,waiting /api/v1/leaderboard/?include=unranked
    /search/?q=mirror /api/v1/pools/?q=mirror /results/?subject=pool /api/v1/search/?q=mirror
    /guide/how-long-does-it-last/?written=500&product=sample /products/?plp=protected&q=aldera&price=2000&sort=latency
"""
FILES = (".zip", "/metrics", "/slogdb-submit", "/readyz")


@pytest.fixture(scope="module")
def owner(django_db_setup, django_db_blocker):
    """The sample's; all of it is stored once for the module."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield store_sample()
        transaction.set_rollback(True)


def add_much(owner, count):
    """So many more of everything that lists have; half of the products are measured."""
    sample = Result.objects.get(public_id="sample")
    for number in range(count):
        product = make_protected_product()
        make_claim(product, 1000 + number)
        make_price(product, price=50 + number, seen_on="2026-03-01")
        make_price(sample.device.product, price=50 + number, currency="EUR")
        for device_class in ("nvme", "optane", "hdd"):
            device = make_device(product=product if number % 2 else None, device_class=device_class)
            make_result(20 + number, device=device, firmware__version="1.0", submission__is_approved=True)
        of_sample = {"device": sample.device, "firmware__version": f"3.{number}", "submission__owner": owner}
        make_result(20 + number, wear_percent=number, **of_sample)
        waiting = make_result(
            40 + number, submission__needs_review=True, not_ranked_reason="Fast.", **of_sample
        )
        make_grid(f"grid{number}-{count}")
        submission = make_submission(public_id=f"set{number}-{count}")
        make_set(submission, first=1)
        before, after = submission.results.order_by("position")[:2]
        ResultPair.objects.create(before=before, after=after, change="log_device")
        make_price_report(product, owner if number % 2 else make_member())
        Report.objects.create(result=waiting, reason="figures")
        AuditEntry.objects.create(action="approved", submission=waiting.public_id, reason="fine")
        ApiKey.objects.create(
            owner=owner, name=f"{count}-{number}", digest=f"{count}-{number}", scopes=["read"]
        )
        make_submission(batch=ImportBatch.objects.create(title=f"Thread {number}"), forum_handle="ann")
    rank_everything()


def count_queries(clients):
    """The number of queries of each address; `clients` are those who open it."""
    found = {}
    for address, client in clients.items():
        bump_data_version()  # so that nothing is answered from a cache
        with CaptureQueriesContext(connection) as queries:
            client.get(address).getvalue()
        found[address] = len(queries)
    return found


def test_no_address_takes_more_queries_for_more_rows(owner, compare_snapshots):
    readers, members, moderators = (Client() for _ in range(3))
    sign_in_with(members, owner, "code")
    sign_in_with(moderators, make_moderator(), "mfa")
    clients = dict.fromkeys([*public_addresses()[200], *MORE.split()], readers)
    clients |= dict.fromkeys(member_addresses(), members)
    clients |= dict.fromkeys(moderator_addresses(owner), moderators)
    clients = {
        address: clients[address] for address in clients if not address.partition("?")[0].endswith(FILES)
    }
    add_much(owner, 2)
    few = count_queries(clients)
    add_much(owner, 20)
    many = count_queries(clients)
    more = {address: count - few[address] for address, count in many.items() if count > few[address]}
    assert more == {"/api/v1/devices/": 1, "/api/v1/results/": 1}  # the cursor of a next page
    lines = sorted(re.sub(r"/\d+/", "/1/", f"{address} {count}\n") for address, count in many.items())
    compare_snapshots("queries", {"all": "".join(lines)})
