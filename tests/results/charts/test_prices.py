"""Prices over time: years along, amounts up, and labels that stay apart."""

import re
from datetime import date
from itertools import pairwise

from results.charts.dots import PriceDot, price_chart
from results.charts.plot import LABEL_GAP


def draw(*dots):
    made = [PriceDot(date.fromisoformat(day), price, 1, False, day) for day, price in dots]
    return price_chart(made, currency="USD", title="Prices", description="A few.")


def test_the_axis_has_whole_years_with_a_line_each_and_amounts_their_currency():
    svg = draw(("2019-03-01", 90), ("2021-07-01", 400))
    assert re.findall(r'y="100%"[^>]*>(\d{4})<', svg) == ["2019", "2020", "2021", "2022"]
    assert len(re.findall(r'<line class="grid" x1="([\d.]+%)" x2="\1" y2="100%"/>', svg)) == 4
    amounts = re.findall(r'text-anchor="end">([^<]+)<', svg)
    assert amounts
    assert all(amount.startswith("$") for amount in amounts)


def test_labels_of_many_years_are_thinned_out():
    svg = draw(("2009-03-01", 90), ("2026-07-01", 400))
    places = [float(place) for place in re.findall(r'x="([\d.]+)%" y="100%"', svg)]
    assert len(places) > 3
    assert all(after - before >= 100 * LABEL_GAP for before, after in pairwise(places))


def test_dots_of_one_day_are_no_chart():
    assert draw(("2020-01-01", 90), ("2020-01-01", 100)) == ""
