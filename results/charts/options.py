"""The view of a chart as URL parameters, and links to its other views."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.core.exceptions import BadRequest
from django.http import HttpRequest

from parsers.base.device_class import DeviceClass
from results.charts.description import Series, View
from results.core.addresses import with_query
from results.core.forms import quoted


class BadParameterError(BadRequest):
    """A parameter has an invalid value; the page works without it."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


class ChartChoice(NamedTuple):
    """A parameter with its values and labels; the first is the default."""

    name: str
    label: str
    options: tuple[tuple[str, str], ...]


CHOICES = (
    ChartChoice("chart", "Quantity", (("latency", "Latency"), ("throughput", "Throughput"))),
    ChartChoice("scale", "Axes", (("log", "Log"), ("linear", "Linear"))),
    ChartChoice("sizes", "Block sizes", (("all", "All sizes"), ("ranked", "4–128 KiB"))),
)
MAX_HIDDEN = len(DeviceClass)  # the survey's classes, without UNKNOWN, and the expected bands
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
        return [key for key in self.parameters.get("hide", "").split(",") if key][:MAX_HIDDEN]

    def url(self, **changes: str) -> str:
        """The URL with these parameters changed; empty values are removed."""
        return with_query(self.path, **{**self.parameters, **changes})

    def toggle_url(self, key: str) -> str:
        """The URL that hides a curve or, if it is hidden, shows it again."""
        hidden = [name for name in self.hidden if name != key]
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
            message = f"{quoted(given[choice.name])} is neither {' nor '.join(values)}."
            raise BadParameterError(choice.name, message)
    return ChartOptions(request.path, given)


class ViewLink(NamedTuple):
    """A link to a view of the chart."""

    label: str
    value: str
    url: str
    is_current: bool


class ViewChoice(NamedTuple):
    """Links to views that differ in one parameter, for parts/chart_choices.html."""

    name: str
    label: str
    links: Sequence[ViewLink]


def choice_links(options: ChartOptions, names: Iterable[str] = VIEW_PARAMETERS) -> list[ViewChoice]:
    """Groups of links to the other views of the chart."""
    return [
        ViewChoice(choice.name, choice.label, _view_links(options, choice))
        for choice in CHOICES
        if choice.name in names
    ]


def _view_links(options: ChartOptions, choice: ChartChoice) -> list[ViewLink]:
    default = choice.options[0][0]
    current = options.parameters.get(choice.name, default)
    return [
        ViewLink(
            label, value, options.url(**{choice.name: "" if value == default else value}), value == current
        )
        for value, label in choice.options
    ]


def toggle_urls(options: ChartOptions, series: Sequence[Series]) -> dict[str, str]:
    """The URLs that hide each curve or show it again, by key."""
    return {curve.key: options.toggle_url(curve.key) for curve in series if curve.key}
