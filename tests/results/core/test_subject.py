"""Devices by the names that people use, wherever results name what they are about."""

import pytest

from results.core.subject import SUBJECT_FIELDS, subject_of, subject_of_row
from results.models import Result
from tests import pastes
from tests.factories import make_device, make_product, make_result
from tests.page import Page

pytestmark = pytest.mark.django_db
NAME = "Aldera Falcon 480 GB"


def make_falcon(**values):
    product = make_product(name="Falcon SSD", patterns=["^MARVELL "])
    return make_result(device=make_device(model_name="ALDERA FALC480", product=product), **values)


def test_a_device_has_the_name_of_its_product(django_assert_num_queries):
    plain = make_result(device__model_name="PLAIN 1")
    falcon = make_falcon()
    assert subject_of(plain).name == "PLAIN 1 480 GB"
    with django_assert_num_queries(2):
        found = Result.objects.select_related("device__product__vendor", "pool").get(pk=falcon.pk)
        rows = [subject_of(found), subject_of_row(Result.objects.values(*SUBJECT_FIELDS).get(pk=falcon.pk))]
    assert [(row.name, row.short_name) for row in rows] == [(NAME, "Aldera Falcon")] * 2


@pytest.mark.usefixtures("everyone_is_trusted")
def test_pages_name_it_so_with_its_part_number_beside(client, subtests):
    result = make_falcon()
    for url in (result.get_absolute_url(), "/search/?q=falc4", f"/compare/?devices={result.device.slug}"):
        with subtests.test(url=url):
            text = client.get(url).text
            assert "Aldera Falcon" in text
            assert text.index("Aldera Falcon") < text.index("ALDERA FALC480")
    assert f"Markdown [{NAME}](" in Page(client.get(result.get_absolute_url())).text
    preview = Page(client.post("/submit/", {"text": pastes.FIRST_PASTE, "action": "preview"}))
    assert preview.text.index("Aldera Falcon") < preview.text.index("MARVELL SD88SA02")
