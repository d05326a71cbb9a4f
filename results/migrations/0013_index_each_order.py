"""Indexes for the orders that a list of devices can be in."""

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


def indexes() -> Iterator[models.Index]:
    for column, name in (SOMETIMES_NULL | COUNTS).items():
        nulls_last = column in SOMETIMES_NULL or None
        up, down = F(column).asc(nulls_last=nulls_last), F(column).desc(nulls_last=nulls_last)
        yield models.Index("method", up, "high_us", name=f"ranking_by_{name}_up")
        yield models.Index("method", down, "high_us", name=f"ranking_by_{name}_down")
    yield models.Index("method", F("high_us") / F("low_us"), name="ranking_by_interval")


class Migration(migrations.Migration):
    dependencies = [("results", "0012_taken_batches")]

    operations = [migrations.AddIndex("deviceranking", index) for index in indexes()]
