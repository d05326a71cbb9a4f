"""Indexes of orders that hold the device too: a page is found in them alone, whatever it passes over."""

from collections.abc import Iterator

from django.db import migrations, models
from django.db.models import F

SOMETIMES_NULL = {
    "zil_latency_us": "zil",
    "latency_4k_us": "4k",
    "throughput_128k_mib_s": "128k",
    "peak_throughput_mib_s": "peak",
    "last_measured_on": "day",
}
COUNTS = {"unit_count": "units", "result_count": "results"}
_LAST = ("high_us", "device_id")


def indexes() -> Iterator[models.Index]:
    for column, name in (SOMETIMES_NULL | COUNTS).items():
        nulls_last = column in SOMETIMES_NULL or None
        up, down = F(column).asc(nulls_last=nulls_last), F(column).desc(nulls_last=nulls_last)
        yield models.Index("method", up, *_LAST, name=f"ranking_by_{name}_up")
        yield models.Index("method", down, *_LAST, name=f"ranking_by_{name}_down")
    width = F("high_us") / F("low_us")
    yield models.Index("method", width, *_LAST, include=["low_us"], name="ranking_by_interval")
    yield models.Index("method", *_LAST, include=["low_us"], name="ranking_overall_high")
    yield models.Index("method", "device_class", *_LAST, include=["low_us"], name="ranking_class_high")


class Migration(migrations.Migration):
    dependencies = [("results", "0014_known_class")]

    operations = [
        operation
        for index in indexes()
        for operation in (
            migrations.RemoveIndex("deviceranking", index.name),
            migrations.AddIndex("deviceranking", index),
        )
    ]
