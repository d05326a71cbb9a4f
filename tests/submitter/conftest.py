"""Every test runs on both shells, and where nothing else is said on both systems."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.submitter.machines import SHELLS, Machine, freebsd, linux
from tests.submitter.servers import Server


def _name(built: tuple[Callable[..., Machine], str]) -> str:
    return f"{built[0].__name__}-{built[1]}"


@pytest.fixture(params=SHELLS)
def linux_machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    return linux(tmp_path, request.param)


@pytest.fixture(params=SHELLS)
def freebsd_machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    return freebsd(tmp_path, request.param)


@pytest.fixture(params=[(build, shell) for build in (linux, freebsd) for shell in SHELLS], ids=_name)
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine:
    build, shell = request.param
    return build(tmp_path, shell)


@pytest.fixture
def server() -> Iterator[Server]:
    """Something that listens as the site does, and keeps what it was sent."""
    with Server() as listening:
        yield listening
