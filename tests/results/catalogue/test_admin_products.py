"""Products edited in the admin follow the rules of the file."""

import pytest
from django.db import transaction

from results.catalogue.files.load import load_catalogue
from results.catalogue.files.products_csv import read_catalogue
from results.core.data_version import bump_data_version, stored_version
from results.core.lines import SEPARATOR
from results.models import Product, Submission
from results.submissions.intake.receive import Sender, receive_submission
from results.submissions.intake.reread import texts_to_read
from tests import pastes
from tests.concurrency import threads, wait_until_queueing
from tests.factories import make_device, make_facts, make_product
from tests.page import Page
from tests.results.catalogue.catalogue_cells import CELLS

pytestmark = pytest.mark.django_db
ADD = "/admin/results/product/add/"


def post(client, url=ADD, **changes):
    cells = {name: cell.replace(SEPARATOR, "\n") for name, cell in {**CELLS, **changes}.items()}
    return client.post(url, cells)


def test_manually_added_product_gets_its_devices(admin_client):
    device = make_device(model_name="ALDERA S1-480G")
    assert post(admin_client).status_code == 302
    device.refresh_from_db()
    assert device.product == Product.objects.get(slug="aldera-s1")


def test_admin_refuses_what_the_file_format_refuses(admin_client, subtests):
    make_product(slug="taken", patterns=["^BOREALIS"], example_model="BOREALIS B2")
    for changes, message in [
        ({"plp_statements": ""}, "plp: yes, but no statement"),
        ({"model_patterns": "ALDERA"}, "model_patterns: "),
        ({"slug": "taken"}, "belongs to another product"),
        ({"model_patterns": "^(?:ALDERA|BOREALIS)"}, "the example of taken"),
        ({"example_model": "BOREALIS B2", "model_patterns": "^BOREALIS B2$"}, "the example of taken"),
    ]:
        with subtests.test(changes=changes):
            page = post(admin_client, **changes).content.decode()
            assert message in page
            assert Product.objects.count() == 1


def test_example_that_matches_another_product_is_refused(admin_client):
    make_product(slug="greedy", patterns=["^ALDERA"])
    assert "greedy matches it, too" in post(admin_client).content.decode()


def test_saving_a_loaded_product_unchanged_changes_nothing(admin_client):
    load_catalogue([line for line in read_catalogue() if line.slug == "micron-9200"])
    product = Product.objects.get()
    url = f"/admin/results/product/{product.pk}/change/"
    fields = Page(admin_client.get(url), "body").fields
    shown = {name: field.value for name, field in fields.items() if name in CELLS or field.value == "on"}
    assert admin_client.post(url, shown).status_code == 302
    stored = Product.objects.values().get()
    before = {name: value for name, value in vars(product).items() if name in stored}
    assert {**stored, "changed_at": None} == {**before, "changed_at": None}
    assert load_catalogue([line for line in read_catalogue() if line.slug == "micron-9200"]).changed == []


@pytest.mark.django_db(transaction=True)
def test_saving_a_product_waits_for_rereads_without_a_deadlock(admin_client):
    post(admin_client)
    url = f"/admin/results/product/{Product.objects.get().pk}/change/"
    submission = receive_submission(pastes.diskinfo(description="ALDERA S1-480G"), Sender()).submission
    with threads() as start:
        with transaction.atomic():
            Submission.objects.select_for_update().get(pk=submission.pk)
            saving = start(lambda: post(admin_client, url, media="MLC"))
            wait_until_queueing(1)
            bump_data_version()
        assert saving.result().status_code == 302
    assert list(texts_to_read(only_outdated=True)) == [submission]


def test_renaming_a_vendor_invalidates_every_page(admin_client):
    vendor = make_product(vendor="Aldera").vendor
    before = stored_version()
    admin_client.post(f"/admin/results/vendor/{vendor.pk}/change/", {"name": "Aldera Storage"})
    vendor.refresh_from_db()
    assert (vendor.name, stored_version() > before) == ("Aldera Storage", True)


def test_facts_are_read_only(admin_client, subtests):
    make_facts(make_product(slug="aldera-s1", name="S1"))
    for table in ["caveat", "claim", "lifecycle", "pricesighting"]:
        with subtests.test(table=table):
            page = admin_client.get(f"/admin/results/{table}/?q=aldera-s1").content.decode()
            assert "Aldera S1: " in page
            assert admin_client.get(f"/admin/results/{table}/add/").status_code == 403
