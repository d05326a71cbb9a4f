"""The view of a chart as URL parameters, and links to its other views."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.core.exceptions import BadRequest
from django.http import HttpRequest

from parsers.base.device_class import DeviceClass
from results.charts.description import Series, View
from results.core.addresses import with_query


class BadParameterError(BadRequest):
    """A parameter has an invalid value; the page works without it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


class Choice(NamedTuple):
    """A parameter with its values and labels; the first is the default."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]


CHOICES = (
    Choice("chart", "Quantity", (("latency", "Latency"), ("throughput", "Throughput"))),
    Choice("scale", "Axes", (("log", "Log"), ("linear", "Linear"))),
    Choice("sizes", "Block sizes", (("all", "All sizes"), ("ranked", "4–128 KiB"))),
)
MOST_HIDDEN = len(DeviceClass)  # the survey's classes, without UNKNOWN, and the expected bands
VIEW_PARAMETERS = (*(choice.name for choice in CHOICES), "hide")


@dataclass(frozen=True, slots=True)
class ChartOptions:
    """The URL of a page with a chart, and its parameters."""

    path: str = ""
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def view(self) -> View:
        options = self.parameters
        return View(
            is_throughput=options.get("chart") == "throughput",
            is_linear=options.get("scale") == "linear",
            is_ranked_only=options.get("sizes") == "ranked",
            hidden=frozenset(self.hidden),
        )

    @property
    def hidden(self) -> list[str]:
        return [key for key in self.parameters.get("hide", "").split(",") if key][:MOST_HIDDEN]

    def url(self, **changes: str) -> str:
        """The URL with these parameters changed; empty values are removed."""
        return with_query(self.path, **{**self.parameters, **changes})

    def toggle_url(self, key: str) -> str:
        """The URL that hides a curve or, if it is hidden, shows it again."""
        hidden = [one for one in self.hidden if one != key]
        return self.url(hide=",".join(hidden if key in self.hidden else [*self.hidden, key]))

    def image_url(self, path: str, **parameters: str) -> str:
        """The URL of an image of the same view."""
        view = {name: self.parameters[name] for name in VIEW_PARAMETERS if name in self.parameters}
        return ChartOptions(path, {**parameters, **view}).url()


def chart_options(request: HttpRequest) -> ChartOptions:
    """The chart options of a request; raises BadParameterError."""
    given = request.GET.dict()
    for choice in CHOICES:
        values = [value for value, _ in choice.options]
        if given.get(choice.name, values[0]) not in values:
            message = f"“{given[choice.name]}” is neither {' nor '.join(values)}."
            raise BadParameterError(choice.name, message)
    return ChartOptions(request.path, given)


def choice_links(options: ChartOptions, names: Iterable[str] = VIEW_PARAMETERS) -> list[dict[str, Any]]:
    """Groups of links to the other views of the chart."""
    return [
        {
            "name": choice.name,
            "label": choice.label,
            "links": [
                {
                    "label": label,
                    "value": value,
                    "url": options.url(**{choice.name: value if number else ""}),
                    "is_current": options.parameters.get(choice.name, choice.options[0][0]) == value,
                }
                for number, (value, label) in enumerate(choice.options)
            ],
        }
        for choice in CHOICES
        if choice.name in names
    ]


def toggle_urls(options: ChartOptions, series: Sequence[Series]) -> dict[str, str]:
    """The URLs that hide each curve or show it again, by key."""
    return {one.key: options.toggle_url(one.key) for one in series if one.key}
