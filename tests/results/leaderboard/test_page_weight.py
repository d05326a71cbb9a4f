"""What a phone has to load before it shows the leaderboard: the page with its chart, and the styles."""

import random
import re

import brotli
import pytest
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from results.models.fields import BLOCK_SIZES
from slogdb.page_cache import BROTLI_QUALITY
from slogdb.storage import MergedStyles
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db

LIMIT_BYTES = 18 * 1024
STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')
VENDORS = ["Aldera", "Borealis", "Corvant", "Dunmore", "Estrel", "Fenwick", "Galvin", "Hollis"]


def served_styles(page):
    """As they are once they are collected: whitenoise takes brotli's own quality."""
    for name in STYLE.findall(page):
        folder = FileSystemStorage(finders.find(name).removesuffix(name))
        yield brotli.compress(MergedStyles(folder).open(name).read())


def fill_a_page():
    draw = random.Random(1)  # noqa: S311 - figures that differ, as compression would gain by equal ones
    for number in range(50):
        name = "".join(draw.choices("ABCDEFGHKLMNPRSTUVWXYZ0123456789", k=14))
        device = make_device(
            model_name=f"SAMPLE {name}",
            slug=f"sample-{name.lower()}",
            vendor=VENDORS[number % 8],
            device_class=draw.choice(["optane", "nvme", "sata_ssd"]),
            capacity_bytes=draw.choice([118, 280, 480, 960, 1920]) * 10**9,
        )
        for _ in range(draw.randint(1, 4)):
            floor = draw.uniform(10, 3000)
            make_result([floor + size / draw.uniform(200, 3000) for size in BLOCK_SIZES], device=device)
    rank_everything()


def test_a_full_leaderboard_with_its_styles_is_small(client):
    fill_a_page()
    for query, row in (("", '<li class="drive'), ("?view=table", "<tr role")):
        page = client.get(f"/leaderboard/{query}").text
        assert page.count(row) >= 50
        styles = list(served_styles(page))
        assert len(styles) == (2 if query else 3)  # drawings and cards are the list's alone
        page_bytes = len(brotli.compress(page.encode(), quality=BROTLI_QUALITY))
        sizes = (page_bytes, *map(len, styles))
        assert sum(sizes) <= LIMIT_BYTES, (query, sizes)
