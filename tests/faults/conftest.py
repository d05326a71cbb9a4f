from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.plugins.site import Run

NO_LIMIT = {f"SLOGDB_LIMIT_ANONYMOUS_{kind}": "1000000/60" for kind in ("READ", "WRITE")}


@pytest.fixture(scope="module")
def site(checkout: Path) -> Iterator[Run]:
    """One site for all tests of a module: each leaves it whole."""
    run = Run(checkout, SLOGDB_READ_TIME_LIMIT="6", **NO_LIMIT)
    try:
        yield run.wait_until_up()
    finally:
        run.stop()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat what asks for a round of faults."""
    if "fault_round" in metafunc.fixturenames:
        metafunc.parametrize("fault_round", range(metafunc.config.getoption("--fault-rounds")))
