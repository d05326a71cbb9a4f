"""Each number that a version of a tool prints is read correctly, and no notice contradicts it."""

from decimal import Decimal

import pytest

from tests.parsers.formats import (
    biolatency,
    dd,
    diskinfo,
    dtrace,
    fio,
    iozone,
    pg_test_fsync,
    pveperf,
    slogprobe,
    smartctl,
    zpool,
)
from tests.parsers.formats.cases import figure
from tests.parsers.samples import read

TOOLS = (biolatency, dd, diskinfo, dtrace, fio, iozone, pg_test_fsync, pveperf, slogprobe, smartctl, zpool)
CASES = [case for tool in TOOLS for case in tool.CASES]
OF_THE_PASTE = {"no_benchmark", "no_device"}  # what would be needed besides


def value_of(reading, path):
    value = figure(reading, path)
    return Decimal(str(value)) if isinstance(value, int | Decimal) and not isinstance(value, bool) else value


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_figures_of_a_format_are_those_that_it_prints(case):
    paste = read(case.text)
    found = [
        {path: value_of(reading, path) for path in figures}
        for reading, figures in zip(paste.readings, case.readings, strict=True)
    ]
    assert found == [dict(figures) for figures in case.readings]
    codes = tuple(notice.code for notice in paste.warnings if notice.code not in OF_THE_PASTE)
    assert codes == case.notices
