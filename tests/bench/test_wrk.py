"""What is read from wrk's output, and that a round without proper answers is no figure."""

import pytest

from bench.wrk import NOT_MEASURED, Load, median_load, read_wrk

PRINTED = """\
Running 4s test @ http://127.0.0.1:8000/
  Latency Distribution
     50%  310.00us
     99%    {p99}
Requests/sec:  {rate}
"""


@pytest.mark.parametrize(("p99", "milliseconds"), [("812.00us", 0.812), ("9.10ms", 9.1), ("1.20s", 1200.0)])
def test_figures_are_read_in_their_units(p99, milliseconds):
    found = read_wrk("page", PRINTED.format(p99=p99, rate="24334.12"))
    assert found == pytest.approx(Load(24334.12, 0.31, milliseconds))


@pytest.mark.parametrize(
    "printed",
    [
        "",
        PRINTED.format(p99="0.00us", rate="0.00"),
        PRINTED.format(p99="1.00ms", rate="5.0") + "  Non-2xx or 3xx responses: 12\n",
        PRINTED.format(p99="1.00ms", rate="5.0") + "  Socket errors: connect 0, read 0, write 0, timeout 3\n",
    ],
    ids=["nothing", "no answer", "errors", "timeouts"],
)
def test_a_round_without_proper_answers_is_not_measured(printed, capsys):
    assert read_wrk("page", printed) is NOT_MEASURED
    assert "page: requests failed, or none was answered" in capsys.readouterr().err


def test_the_figures_of_several_rounds_are_their_medians():
    assert median_load([Load(1, 9, 30), Load(3, 8, 10), Load(2, 7, 20)]) == Load(2, 8, 20)
