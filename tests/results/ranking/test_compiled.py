import re

import pytest
from django.db import connection

from results.models import Device
from results.ranking import firmware, wear
from results.ranking.compiled import Statement, compile_count, compile_rows, fetch
from results.web import firmware as firmware_page
from tests.factories import make_device, make_result

pytestmark = pytest.mark.django_db


def test_a_statement_is_put_together_once_and_asked_about_others():
    for name in ("one", "two"):
        make_device(slug=name, model_name=f"Sample {name}", capacity_bytes=5)
    rows = compile_rows(Device.objects.filter(slug="a slug").values_list("model_name", "capacity_bytes"))
    assert fetch(rows) == []
    assert fetch(rows.about({"a slug": "two"})) == [("Sample two", 5)]
    assert fetch(rows.about({"a slug": "x' OR '1'='1"})) == []


def test_rows_are_counted_without_their_order():
    for name in ("one", "two", "three"):
        make_device(slug=name)
    counting = compile_count(Device.objects.filter(slug__startswith="t").order_by("model_name"))
    assert "ORDER BY" not in counting.sql
    assert fetch(counting) == [(2,)]


def test_four_byte_floats_are_as_short_as_they_can_be_told():
    assert fetch(Statement("SELECT 23.1::real, 9577.354::real, ARRAY[0.1]::real[]", ())) == [
        (23.1, 9577.354, [0.1])
    ]


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_broke_is_made_again():
    fetch(Statement("SELECT 1", ()))
    connection.connection.close()
    assert fetch(Statement("SELECT 1", ())) == [(1,)]


@pytest.mark.django_db(transaction=True)
def test_a_statement_gives_the_same_however_often_it_is_asked():
    make_device(slug="one", model_name="Sample one", capacity_bytes=5)
    rows = compile_rows(Device.objects.filter(slug="one").values_list("model_name", "capacity_bytes"))
    assert [fetch(rows) for _ in range(12)] == [[("Sample one", 5)]] * 12


@pytest.mark.parametrize(
    "asked_of",
    [
        lambda device: firmware_page._published().about({firmware_page._DEVICE: device.pk}),
        lambda device: firmware._runs("diskinfo").about({firmware._DEVICE: device.pk}),
        lambda device: wear._latest("diskinfo").about({wear._DEVICE: device.pk}),
    ],
)
def test_the_results_of_a_device_are_read_by_one_plan_whether_many_or_few(asked_of):
    popular, rare = make_device(slug="popular"), make_device(slug="rare")
    for device, count in ((popular, 30), (rare, 1)):
        for _ in range(count):
            make_result(20, device=device, firmware__version="A1")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE results_result")
        plans = []
        for device in (popular, rare):
            asked = asked_of(device)
            cursor.execute(f"EXPLAIN {asked.sql}", asked.values)
            plans.append(re.sub(r"\d+'?::int", "", "\n".join(line for (line,) in cursor.fetchall())))
    assert plans[0] == plans[1]
