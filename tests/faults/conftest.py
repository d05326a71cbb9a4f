from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.counting import AT_ONCE
from tests.plugins.site import Run

SETTINGS = {
    "SLOGDB_LIMIT_ANONYMOUS_READ": "1000000/60",
    "SLOGDB_LIMIT_ANONYMOUS_WRITE": "1000000/60",
    "SLOGDB_READ_DEADLINE": "2",  # of web processes
    "SLOGDB_READ_TIME_LIMIT": "2",  # of imports
}
# At the end of our copies: no text is known on which the parsers would hang, and fewer texts meet the same faults.
ADDED = {
    "parsers/paste.py": """

_parse_paste = parse_paste

def parse_paste(raw, **named):
    import time
    while "HANGS SSD" in str(raw):
        time.sleep(60)
    return _parse_paste(raw, **named)
""",
    "results/imports/bulk.py": f"\nBATCH = {AT_ONCE}\n",
}


@pytest.fixture(scope="module")
def site(checkout: Path) -> Iterator[Run]:
    """One site for all tests of a module: each leaves it whole."""
    for path, code in ADDED.items():
        with (checkout / path).open("a") as module:
            module.write(code)
    run = Run(checkout, **SETTINGS)
    try:
        yield run.wait_until_up()
    finally:
        run.stop()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat what asks for a round of faults."""
    if "fault_round" in metafunc.fixturenames:
        metafunc.parametrize("fault_round", range(metafunc.config.getoption("--fault-rounds")))
