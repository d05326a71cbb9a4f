"""`bin/bench prices`: pages with 2,000 product lines and 100,000 price sightings, rendered by Django alone.

`bench.run` runs this in a Django process of the data set, which it leaves as it was.
"""

import csv
import random
import statistics
import tempfile
import time
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

from django.db import connection, transaction
from django.test import Client

from bench.bars import BenchmarkError, Row
from results.catalogue.files.added_prices import add_prices
from results.catalogue.files.statements_csv import PRICES
from results.core.today import today
from results.models import Product, Vendor

MEDIAN_MS = 100.0
REQUESTS = 15
HEAVIEST_PRICES = 2000  # of one product
YEARS = 8
GIGABYTES = (118, 240, 480, 960, 1920)
_ASSIGN = """
    UPDATE results_device SET product_id = made.id FROM (
        SELECT id, row_number() OVER (ORDER BY id) - 1 AS number FROM results_product WHERE slug LIKE 'bench-%'
    ) AS made WHERE results_device.id % (SELECT count(*) FROM results_product WHERE slug LIKE 'bench-%') = made.number
"""


def measure(products: int, prices: int) -> list[Row]:
    """The median of each page in ms, and the seconds that loading the prices takes."""
    with transaction.atomic():
        slugs = _make_products(products)
        load_s = _load_prices(slugs, prices)
        with connection.cursor() as cursor:
            cursor.execute(_ASSIGN)
            cursor.execute("ANALYZE results_product, results_pricesighting, results_device")
            cursor.execute(
                "SELECT slug FROM results_device WHERE page = '' ORDER BY abs(result_count - 25), id LIMIT 1"
            )
            (device,) = cursor.fetchone()
        pages = {
            "list of products": "/products/",
            "list of products by price": "/products/?sort=price",
            "list of products under $100": "/products/?price=100",
            "list of products with every column": "/products/?columns=endurance_tbw,latest_price,carries_gbe",
            "product": f"/products/{slugs[1]}/",
            f"product with {HEAVIEST_PRICES:,} prices": f"/products/{slugs[0]}/",
            "device": f"/devices/{device}/",
            "leaderboard": "/leaderboard/",
            "leaderboard with prices": "/leaderboard/?columns=latest_price,price_per_gb",
        }
        unjudged = {
            "leaderboard by price": "/leaderboard/?sort=latest_price",
            "leaderboard under $100": "/leaderboard/?price=100",
            "leaderboard of 10 GbE and faster": "/leaderboard/?link_gbit=10",
        }
        rows = [
            *(Row(f"{name}, median alone", median_ms(path), "ms", MEDIAN_MS) for name, path in pages.items()),
            *(Row(f"{name}, median alone", median_ms(path), "ms") for name, path in unjudged.items()),
        ]
        transaction.set_rollback(True)
    return [*rows, Row(f"load_prices of {prices:,} lines", load_s, "s")]


def _make_products(count: int) -> list[str]:
    vendor, _ = Vendor.objects.get_or_create(name="Bench")
    slugs = [f"bench-{number}" for number in range(count)]
    Product.objects.bulk_create(
        Product(slug=slug, vendor=vendor, name=slug.upper(), device_class="nvme", segment="enterprise")
        for slug in slugs
    )
    return slugs


def _load_prices(slugs: list[str], count: int) -> float:
    """Seconds that `manage.py load_prices` takes, without process startup."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "prices.csv"
        with path.open("w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow(PRICES.columns)
            writer.writerows(_lines(slugs, count, today()))
        began = time.perf_counter()
        added = add_prices(path, _refuse)
    if added.new != count:
        raise BenchmarkError(f"{added.new:,} of {count:,} prices were stored")
    return time.perf_counter() - began


def _refuse(number: int, reason: str) -> None:
    raise BenchmarkError(f"line {number}: {reason}")


def _lines(slugs: list[str], count: int, last: date) -> Iterable[list[object]]:
    draw = random.Random(1)  # noqa: S311 - made-up prices  # nosec B311
    for number in range(count):
        gigabytes = draw.choice(GIGABYTES)
        yield [
            slugs[0] if number < HEAVIEST_PRICES else slugs[number % len(slugs)],
            gigabytes * 10**9,
            f"{gigabytes * draw.uniform(0.05, 0.9):.2f}",
            draw.choice(["USD", "USD", "USD", "EUR"]),
            draw.choice(["new", "used", ""]),
            draw.choice(["shop", "marketplace"]),
            last - timedelta(days=draw.randrange(365 * YEARS)),
            f"https://shop.example/{number}",
        ]


def median_ms(path: str) -> float:
    """The median of REQUESTS requests for a page, by Django's test client."""
    client, took = Client(SERVER_NAME="127.0.0.1"), []
    for _ in range(REQUESTS + 1):  # the first is a cold start
        began = time.perf_counter()
        response = client.get(path)
        took.append(1000 * (time.perf_counter() - began))
        if response.status_code != 200:
            raise BenchmarkError(f"{path} was answered with {response.status_code}")
    return statistics.median(took[1:])
