"""What stands above and below a chart, by how it is looked at; the scripts say the same."""

from results.charts.series import View


def chart_heading(view: View) -> str:
    return "Throughput by block size" if view.is_throughput else "Latency by block size"


def chart_note(view: View) -> str:
    what = (
        "What one synchronous write after the other, each flushed, comes to a second"
        if view.is_throughput
        else "Mean time of one synchronous write and its flush"
    )
    axes = "linear" if view.is_linear else "logarithmic"
    return f"{what}; both axes {axes}, {'higher' if view.is_throughput else 'lower'} is better."


def boxes_note(*, is_linear: bool) -> str:
    axis = "linear" if is_linear else "logarithmic"
    return f"ZIL latency, one figure a device, with diskinfo -wS; the axis is {axis}, lower is better."
