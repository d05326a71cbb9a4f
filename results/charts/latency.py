"""Latency or throughput over block size as an SVG that is the plot area itself, right at every width.

Its look is in static/css/charts.css: the site forbids inline style. results.charts.image draws the same alone.
"""

from collections.abc import Mapping, Sequence

from results.charts.plot import legend_key, plot_parts
from results.charts.series import Series, View, drawn_series
from results.charts.xml_text import escape

PLAIN = View()


def latency_chart(series: Sequence[Series], *, title: str, description: str, view: View = PLAIN) -> str:
    """The chart as an SVG element, or "" where no series has a point. At most eight series are drawn."""
    parts = plot_parts(series, view)
    if not parts:
        return ""
    return (
        f'<svg class="chart" role="img"><title>{escape(title)}</title><desc>{escape(description)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def chart_legend(
    series: Sequence[Series], *, view: View = PLAIN, urls: Mapping[str, str] | None = None
) -> str:
    """The list that names the curves of a chart of several, in its order and in its dashes and markers.

    `urls` has by a curve's key the address of the view in which it is hidden or, if it is hidden, shown again.
    """
    items = (
        _item(one, style, is_hidden=view.hides(one), url=(urls or {}).get(one.key, ""))
        for style, one in enumerate(drawn_series(series), 1)
    )
    return f'<ol class="legend">{"".join(items)}</ol>'


def _item(series: Series, style: int, *, is_hidden: bool, url: str) -> str:
    name = (
        f'<svg class="chart key" viewBox="0 0 32 12" aria-hidden="true">{legend_key(style)}</svg>'
        f'<span class="name">{escape(f"{series.mark} {series.label}".strip())}</span>'
    )
    if url:
        hint = '<span class="visually-hidden"> (hidden)</span>' if is_hidden else ""
        name = (
            f'<a href="{escape(url)}#chart" rel="nofollow" data-key="{escape(series.key)}">{name}{hint}</a>'
        )
    return f'<li class="s{style}{" is-hidden" if is_hidden else ""}">{name}</li>'
