import pytest
from django.forms.models import model_to_dict

from results.models import Device, DeviceRanking
from results.ranking.read_models import compile_instances, read_instances
from tests.factories import make_device, make_product, make_result, rank_everything

pytestmark = pytest.mark.django_db
WITH = ("product", "product__vendor")


def read(queryset, *joined):
    return list(read_instances(queryset.model, compile_instances(queryset, *joined), *joined))


def test_an_instance_has_what_the_orm_reads_and_takes_one_query(django_assert_num_queries):
    statement = {"value": "yes", "evidence": "data_sheet", "url": "https://a.example/s1"}
    product = make_product(
        plp="yes",
        plp_statements=[statement],
        endurance_dwpd_low="1.50",
        endurance_dwpd_high="3",
        endurance_years=5,
    )
    make_device(slug="sample", product=product, capacity_bytes=280_000_000_000)
    (expected,) = Device.objects.select_related("product__vendor")
    with django_assert_num_queries(1):
        (found,) = read(Device.objects.all(), *WITH)
        assert found.product.vendor.name == expected.product.vendor.name
    assert vars(found)["created_at"] == expected.created_at
    for one, other in ((found, expected), (found.product, expected.product)):
        assert model_to_dict(one) == model_to_dict(other)
    assert (found, found.product.plp_statements) == (expected, [statement])


def test_nothing_stands_where_nothing_was_joined(django_assert_num_queries):
    make_device(slug="sample", product=None)
    with django_assert_num_queries(1):
        (found,) = read(Device.objects.all(), *WITH)
        assert found.product is None


def test_arrays_and_four_byte_floats_are_as_the_orm_reads_them():
    make_result(device__slug="sample")
    rank_everything()
    (found,), (expected,) = read(DeviceRanking.objects.all()), DeviceRanking.objects.all()
    assert model_to_dict(found) == model_to_dict(expected)


def test_an_instance_that_was_read_so_can_be_saved():
    make_device(slug="sample")
    (found,) = read(Device.objects.all(), *WITH)
    found.class_overrule, found.class_overrule_reason = "nvme", "It says so."
    found.save()
    assert Device.objects.get().device_class == "nvme"
