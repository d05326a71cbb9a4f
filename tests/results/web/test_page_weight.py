"""What a phone has to load before it shows the leaderboard: the page with its chart, and the styles."""

import random
import re
from pathlib import Path

import brotli
import pytest
from django.contrib.staticfiles import finders

from results.models.fields import BLOCK_SIZES
from slogdb.page_cache import BROTLI_QUALITY
from tests.factories import make_device, make_result, rank_everything

pytestmark = pytest.mark.django_db

LIMIT_BYTES = 15 * 1024
STYLE = re.compile(r'<link rel="stylesheet" href="/static/([^"]+)">')


def styles(page):
    return [Path(finders.find(name)).read_bytes() for name in STYLE.findall(page)]


def test_a_full_leaderboard_with_its_chart_and_styles_is_small(client):
    draw = random.Random(1)  # noqa: S311 - figures that differ, as compression would gain by equal ones
    for _ in range(50):
        name = "".join(draw.choices("ABCDEFGHKLMNPRSTUVWXYZ0123456789", k=14))
        device = make_device(model_name=f"SAMPLE {name}", slug=f"sample-{name.lower()}")
        for _ in range(draw.randint(1, 4)):
            floor = draw.uniform(10, 3000)
            make_result([floor + size / draw.uniform(200, 3000) for size in BLOCK_SIZES], device=device)
    rank_everything()
    page = client.get("/leaderboard/").text
    assert page.count("<tr role") == 51
    bodies = [page.encode(), *styles(page)]
    assert len(bodies) == 10
    assert sum(len(brotli.compress(body, quality=BROTLI_QUALITY)) for body in bodies) < LIMIT_BYTES
