"""What the numbers mean, how to run the test, and how places are made: with an example from the ranking itself."""

import math
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from results.addresses import address
from results.core.public import public_page
from results.ingest.flags import FLAG_KINDS
from results.presentation import format_date, format_number, format_places, format_range
from results.ranking.example import Example, ranking_example
from results.ranking.intervals import FEWEST_DEVICES, GUESSED_SPREAD, PRIOR_WEIGHT
from results.ranking.recommend import SLOWEST_FACTOR
from results.ranking.score import FORMULA_CHANGES, FORMULA_VERSION
from results.web.flags import EFFECTS
from results.web.social import page_social

ABOUT_SAYS = "How SLOG devices are measured and ranked here, and what the numbers leave out."
SPREAD_SOURCES = {
    "class": "of its class",
    "all": "of all classes, as its own has too few devices with several units",
    "guess": "that stands in until there are enough devices with several units",
}


@require_GET
@public_page
def about(request: HttpRequest) -> HttpResponse:
    example = ranking_example()
    context = {
        "nav": "about",
        "formula": _formula(),
        "flag_effects": [
            {**words, "kinds": [kind for kind in FLAG_KINDS if kind.effect is effect]}
            for effect, words in EFFECTS.items()
        ],
        "recommendations": {"slowest_factor": SLOWEST_FACTOR},
        "example": _example(example) if example else None,
        **page_social("What the numbers mean", ABOUT_SAYS, address("about")),
    }
    return render(request, "results/about.html", context)


def _formula() -> dict[str, Any]:
    changes = [
        {"version": change.version, "date": format_date(change.made_on), "text": change.text}
        for change in reversed(FORMULA_CHANGES)
    ]
    return {
        "version": FORMULA_VERSION,
        "changes": changes,
        "prior_weight": PRIOR_WEIGHT,
        "fewest_devices": FEWEST_DEVICES,
        "guessed_spread": f"{GUESSED_SPREAD:g}",
        "guessed_percent": _percent(GUESSED_SPREAD),
    }


def _example(example: Example) -> dict[str, Any]:
    ranking = example.ranking
    return {
        "model_name": ranking.device.model_name,
        "url": ranking.device.get_absolute_url(),
        "class_label": ranking.get_device_class_display(),
        "units": [
            {"number": number, "n_results": unit.result_count, "latency": format_number(unit.latency_us)}
            for number, unit in enumerate(example.units, start=1)
        ],
        "n_units": ranking.unit_count,
        "median": format_number(ranking.score_us),
        "board_spread": f"{example.board_spread:.3f}",
        "spread_source": SPREAD_SOURCES[example.spread_source],
        "own_spread": "" if example.own_spread is None else f"{example.own_spread:.3f}",
        "spread": f"{example.spread:.3f}",
        "spread_percent": _percent(example.spread),
        "half_width": f"{example.half_width:.3f}",
        "factor": f"{math.exp(example.half_width):.3f}",
        "low": format_number(example.interval.low),
        "high": format_number(example.interval.high),
        "range": format_range(example.interval.low, example.interval.high),
        "places": format_places(example.place),
        "device_count": f"{example.device_count:,}",
    }


def _percent(spread: float) -> str:
    """A spread on the log scale as what it is upwards: 0.3 is 35 %."""
    return f"{math.expm1(spread) * 100:.0f} %"
