"""What the address of a comparison asks for, and the addresses of others."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import HttpRequest

from results.addresses import address
from results.models.choices import Method
from results.ranking.compare import MOST_DEVICES
from results.web.chart_view import AskedChart, BadParameterError, asked_chart

ONLY_DIFFERENCES = "differences"
LONGEST_SEARCH = 100


def compare_url(slugs: Iterable[str]) -> str:
    """The page that sets these devices side by side; the first MOST_DEVICES of them."""
    chosen = ",".join(list(slugs)[:MOST_DEVICES])
    return AskedChart(address("compare"), {"devices": chosen}).url()


@dataclass(frozen=True, slots=True)
class AskedComparison:
    """A comparison as an address names it; `given` as it stands there, `slugs` each once and none empty."""

    given: str
    slugs: tuple[str, ...]
    chart: AskedChart
    method: str = ""
    baseline: str = ""
    added: str = ""
    is_differences_only: bool = False

    def url(self, **changes: str) -> str:
        """The address of the same comparison with these parameters changed; what was searched for is left out."""
        return self.chart.url(**{"add": "", **changes})

    def url_of(self, slugs: Iterable[str]) -> str:
        """The same of other devices, without a baseline or hidden curves that are not among them."""
        kept = list(dict.fromkeys(slugs))
        hidden = [slug for slug in self.chart.hidden if slug in kept]
        baseline = self.baseline if self.baseline in kept else ""
        return self.url(devices=",".join(kept), baseline=baseline, hide=",".join(hidden))


def asked_comparison(request: HttpRequest) -> AskedComparison:
    """What a request asks for; raises BadParameterError for a method or a view that there is not."""
    asked = request.GET
    _refuse_unknown("method", asked.get("method", ""), Method.values)
    _refuse_unknown("only", asked.get("only", ""), [ONLY_DIFFERENCES])
    given = asked.get("devices", "").replace("\0", "")  # which PostgreSQL takes in no text
    return AskedComparison(
        given=given,
        slugs=tuple(dict.fromkeys(slug for slug in given.split(",") if slug)),
        chart=asked_chart(request),
        method=asked.get("method", ""),
        baseline=asked.get("baseline", ""),
        added=asked.get("add", "").replace("\0", "").strip()[:LONGEST_SEARCH],
        is_differences_only=asked.get("only", "") == ONLY_DIFFERENCES,
    )


def _refuse_unknown(name: str, value: str, known: Iterable[str]) -> None:
    if value and value not in known:
        raise BadParameterError(name, f"“{value}” is not one of: {', '.join(known)}.")
