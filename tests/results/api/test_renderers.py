"""What the API writes of values that are hard to write."""

import json
from datetime import date

from results.api.renderers import to_json


def test_an_integer_of_more_than_64_bits_does_not_make_other_rows_unreadable():
    rows = [{"count": 2**70, "on": date(2026, 11, 26)}, {"count": 1, "name": "µ"}]
    assert json.loads(to_json(rows)) == [{"count": 2**70, "on": "2026-11-26"}, {"count": 1, "name": "µ"}]
