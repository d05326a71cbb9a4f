"""`bin/bench file_sync`: pages and API with 10,000 results of sync writes through a file system.

`bench.run` runs this in a Django process of the data set, which it leaves as it was.
"""

from collections import defaultdict
from collections.abc import Iterator
from copy import copy
from itertools import count as count_from
from itertools import cycle, islice
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.db.models.functions import Abs

from bench.bars import Row
from bench.prices import MEDIAN_MS, median_ms
from bench.site import RESULTS_PER_DEVICE
from results.kinds.layers import LAYERS, METHODS
from results.kinds.registry import KINDS
from results.models import Device, Result
from results.models.result import public_id_of

POSITION = 100  # in their submissions: higher than those of the results that are there
FILE_SYNC = KINDS["file_sync"]
PAYLOADS: Any = FILE_SYNC.table
SYNCS = ("open_datasync", "fdatasync", "fsync", "open_sync")


def measure(count: int) -> list[Row]:
    """The median of each page in ms."""
    with transaction.atomic():
        added = _add_results(count)
        heavy, light = (Device.objects.get(results=added[number]) for number in (0, -1))
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE results_result, results_filesync")
        first, second = (added[-number].public_id for number in (1, 2))
        pages = {
            "list of results": "/results/",
            "list of results of the kind": "/results/?kind=file_sync",
            "list of results of the kind in a class": f"/results/?kind=file_sync&class={light.device_class}",
            "result": f"/results/{first}/",
            "device": light.get_absolute_url(),
            f"device with {heaviest_count(count):,} results of the kind": heavy.get_absolute_url(),
            "pair of results": f"/compare/results/?a={first}&b={second}",
            "API, 50 results of the kind": "/api/v1/results/?kind=file_sync",
        }
        rows = [
            Row(f"{name}, {count:,} of file_sync, median alone", median_ms(path), "ms", MEDIAN_MS)
            for name, path in pages.items()
        ]
        transaction.set_rollback(True)
    return rows


def heaviest_count(count: int) -> int:
    """The number of results of one device: a tenth of them."""
    return count // 10


def _add_results(count: int) -> list[Result]:
    """Copy the envelopes of existing results: a tenth of them for one device, the others for one each."""
    published = Result.objects.published().select_related("submission", "device")
    usual = published.alias(distance=Abs(F("device__result_count") - RESULTS_PER_DEVICE)).order_by(
        "distance", "id"
    )
    heavy = list(usual.filter(device=usual[0].device))
    others = usual.exclude(device=heavy[0].device)[: count - heaviest_count(count)]
    envelopes = [*islice(cycle(heavy), heaviest_count(count)), *reversed(others)]
    positions: defaultdict[int, Iterator[int]] = defaultdict(lambda: count_from(POSITION))
    copies = (
        _copy(number, result, next(positions[result.submission_id]))
        for number, result in enumerate(envelopes)
    )
    added = Result.objects.bulk_create(copies, batch_size=1000)
    PAYLOADS.objects.bulk_create(
        (
            PAYLOADS(result=result, layer=tuple(LAYERS)[number % len(LAYERS)], rows=_rows(number))
            for number, result in enumerate(added)
        ),
        batch_size=1000,
    )
    return added


def _copy(number: int, result: Result, position: int) -> Result:
    made = copy(result)
    made.pk = None
    made.position = position
    made.public_id = public_id_of(result.submission.public_id, made.position)
    made.method = tuple(METHODS)[number % len(METHODS)]
    made.latency_us = made.tails = None
    made.is_ranked, made.not_ranked_reason = False, FILE_SYNC.meaning
    made.metrics = FILE_SYNC.compute({"layer": "", "rows": _rows(number), "writers": None})
    return made


def _rows(number: int) -> list[dict[str, object]]:
    """One write by each way of syncing, as pg_test_fsync has them."""
    return [
        {
            "section": "one_write",
            "method": sync,
            "block_size": 8192,
            "writes": 1,
            "latency_us": 50.0 + (number * 7 + place * 13) % 5000,
            "p99_us": None,
        }
        for place, sync in enumerate(SYNCS)
    ]
