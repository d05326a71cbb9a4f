"""What a reader can ask of the leaderboard: the metrics, and the parameters of its URL."""

from dataclasses import dataclass
from typing import Any

from django import forms

from results.models.choices import DeviceClassChoice, Method

QUERY_LIMIT = 100


@dataclass(frozen=True, slots=True)
class Metric:
    """A column that the leaderboard can be ordered by."""

    key: str  # as it stands in a URL and in the API
    column: str
    label: str
    unit: str
    is_lower_better: bool


METRICS: dict[str, Metric] = {
    metric.key: metric
    for metric in (
        Metric("zil_latency", "zil_latency_us", "ZIL latency", "µs", is_lower_better=True),
        Metric("latency_4k", "latency_4k_us", "4 KiB latency", "µs", is_lower_better=True),
        Metric("throughput_128k", "throughput_128k_mib_s", "128 KiB", "MiB/s", is_lower_better=False),
        Metric("peak_throughput", "peak_throughput_mib_s", "Peak", "MiB/s", is_lower_better=False),
        Metric("n_units", "unit_count", "Units", "measured", is_lower_better=False),
        Metric("n_results", "result_count", "Results", "in all", is_lower_better=False),
        Metric("last_measured", "last_measured_on", "Latest", "date", is_lower_better=False),
    )
}
DEFAULT_METRIC = {Method.DISKINFO: "zil_latency", Method.FIO: "latency_4k"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardFilter:
    """What a reader asked for; `sort` names a metric, `is_reversed` puts its worst end first."""

    device_class: str = ""
    method: str = Method.DISKINFO
    sort: str = ""
    is_reversed: bool = False
    query: str = ""
    is_protected_only: bool = False
    page: int = 1

    @property
    def metric(self) -> Metric:
        return METRICS[self.sort or DEFAULT_METRIC[Method(self.method)]]

    @property
    def is_by_rank(self) -> bool:
        """Whether the order is that of the ranking, forwards or backwards."""
        return self.metric.key == DEFAULT_METRIC[Method(self.method)]


class LeaderboardForm(forms.Form):
    """What a leaderboard URL can ask for; every part may be left out."""

    q = forms.CharField(max_length=QUERY_LIMIT, required=False)
    method = forms.ChoiceField(choices=Method.choices, required=False)
    sort = forms.ChoiceField(
        choices=[(sign + key, key) for key in METRICS for sign in ("", "-")], required=False
    )
    protected = forms.ChoiceField(choices=[("1", "protected only")], required=False)
    page = forms.IntegerField(min_value=1, max_value=1_000_000, required=False)

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.fields["class"] = forms.ChoiceField(choices=DeviceClassChoice.choices, required=False)

    def filters(self) -> LeaderboardFilter:
        asked = self.cleaned_data
        return LeaderboardFilter(
            device_class=asked["class"],
            method=asked["method"] or Method.DISKINFO,
            sort=asked["sort"].removeprefix("-"),
            is_reversed=asked["sort"].startswith("-"),
            query=asked["q"],
            is_protected_only=asked["protected"] == "1",
            page=asked["page"] or 1,
        )
