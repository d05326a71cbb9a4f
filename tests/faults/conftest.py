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
# At the end of our copy, as no text is known on which the parsers would hang
HANGING_PARSER = """

_parse_paste = parse_paste

def parse_paste(raw, **named):
    import time
    while "HANGS SSD" in str(raw):
        time.sleep(60)
    return _parse_paste(raw, **named)
"""


@pytest.fixture(scope="module")
def site(checkout: Path) -> Iterator[Run]:
    """One site for all tests of a module: each leaves it whole."""
    with (checkout / "parsers" / "paste.py").open("a") as parser:
        parser.write(HANGING_PARSER)
    imports = checkout / "results" / "imports" / "bulk.py"
    before, batch, after = imports.read_text().partition("\nBATCH = 1000\n")
    assert batch
    imports.write_text(f"{before}\nBATCH = {AT_ONCE}\n{after}")  # fewer texts meet the same faults
    run = Run(checkout, **SETTINGS)
    try:
        yield run.wait_until_up()
    finally:
        run.stop()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Repeat what asks for a round of faults."""
    if "fault_round" in metafunc.fixturenames:
        metafunc.parametrize("fault_round", range(metafunc.config.getoption("--fault-rounds")))
