"""Names matched by the stored catalogue."""

from datetime import timedelta

import pytest

from parsers.base.device_class import DeviceClass
from results.catalogue.matching.match import class_catalogue, match_product
from results.models import Product
from tests.factories import make_product

pytestmark = pytest.mark.django_db


def test_name_matches_its_product_with_or_without_vendor():
    product = make_product(patterns=["^PX04"])
    assert match_product("PX0400") == product.pk
    assert match_product("ALDERA PX0400", vendor="ALDERA") == product.pk
    assert match_product("ALDERA PX0400") is None


def test_change_applies_at_once():
    product = make_product(patterns=["^PX04"])
    assert match_product("PX0400") == product.pk
    product.patterns = ["^PX05"]
    product.save()
    assert match_product("PX0400") is None
    Product.objects.all().delete()
    assert match_product("PX0500") is None


def test_change_that_commits_after_a_later_one_applies():
    product, other = make_product(patterns=["^PX04"]), make_product(patterns=["^QX"])
    assert match_product("PX0500") is None
    earlier = other.changed_at - timedelta(seconds=1)
    Product.objects.filter(pk=product.pk).update(patterns=["^PX05"], changed_at=earlier)
    assert match_product("PX0500") == product.pk


def test_patterns_are_cached_until_a_change(django_assert_num_queries):
    make_product(patterns=["^PX04"])
    match_product("PX0400")
    with django_assert_num_queries(1):
        match_product("PX0500")


def test_parsers_get_the_class_of_a_name():
    make_product(patterns=["^PX04"], device_class="optane")
    class_of = class_catalogue()
    assert class_of("PX0400") is DeviceClass.OPTANE
    assert class_of("PX0500") is None
