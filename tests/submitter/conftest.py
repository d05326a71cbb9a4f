"""Every test runs on both shells, and where nothing else is said on both systems."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.submitter.machines import SHELLS, STATUS_OF_POOL, Machine, freebsd, linux
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


@pytest.fixture
def machine_with_pool(linux_machine: Machine, tmp_path: Path) -> Machine:
    """A machine with a pool; its scratch dataset is a folder."""
    folder, made, settings = tmp_path / "scratch", tmp_path / "made", tmp_path / "settings"
    folder.mkdir()
    (tmp_path / "mountpoint").write_text(f"{folder}\n")
    (tmp_path / "mounted").write_text("yes\n")
    linux_machine.prints("status-of-pool", STATUS_OF_POOL)
    answers = tmp_path / "answers"
    linux_machine.tool(
        "zpool",
        f"""case $1 in
list) echo ONLINE ;; iostat) cat "{answers}/iostat" ;; status) cat "{answers}/status-of-pool" ;;
esac""",
    )
    return linux_machine.tool(
        "zfs",
        f"""case $1-$* in
create-*) touch "{made}" ;;
destroy-*) rm "{made}" ;;
set-*) echo "$2" >>"{settings}" ;;
get-*mounted*) cat "{tmp_path}/mounted" ;;
get-*) echo 'NAME                 PROPERTY     VALUE     SOURCE'
    echo "$3  recordsize  $(grep recordsize "{settings}" | tail -n 1 | cut -d= -f2)  local"
    echo "$3  compression  off  local"
    echo "$3  sync  $(grep sync= "{settings}" | tail -n 1 | cut -d= -f2)  local" ;;
*avail*) echo 99999999999999 ;;
*mountpoint*) cat "{tmp_path}/mountpoint" ;;
list-*) test -e "{made}" && echo "$5" ;;
esac""",
    )
