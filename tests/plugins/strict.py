"""In CI a skipped test is a failure, and so is one that is expected to fail: neither tells anything there."""

import os
from collections.abc import Generator

import pytest

IS_CI = os.environ.get("CI", "").lower() in {"1", "true"}


def _refuse_skip(report: pytest.TestReport | pytest.CollectReport) -> None:
    if IS_CI and report.skipped:
        vars(report).pop("wasxfail", None)  # by which pytest would not count it
        report.outcome = "failed"
        report.longrepr = f"skipped or expected to fail, which CI does not accept: {report.longrepr}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    _refuse_skip(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    _refuse_skip(report)
    return report
