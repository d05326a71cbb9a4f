"""bin/serve, after the packages are installed: sets up, runs and stops the site.

Everything here needs only the standard library: `--help` and `--check` run before the packages are installed.
"""

import argparse
import errno
import logging
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NoReturn

from slogdb.local.options import (
    FALLBACKS,
    KEY_NAMES,
    LocalSite,
    SiteError,
    SourceNote,
    collected_files,
    read_or_make_keys,
    site_from_environment,
    write_private,
)
from slogdb.local.process import STOP_SIGNALS, FolderLock, LockedError, ProcessError
from slogdb.local.programs import collect_program, load_program, web_program, worker_program
from slogdb.local.stack import LocalStack, plain_environment, run_sql
from slogdb.local.supervisor import Supervisor, running

SERVER_URLS = ("DATABASE_URL", "REDIS_URL")
# The address is for links in mail.
SHOWN_TO_MANAGE = (*SERVER_URLS, "DATABASE_DIRECT_URL", *KEY_NAMES, FALLBACKS, "SLOGDB_SITE_URL")

HELP = """\
Run the site: PostgreSQL, Valkey, the web server and a worker. Ctrl-C stops them all.

Data are stored in var/, logs in var/log/; the next start uses them again.
With --demo it is var/demo/, to separate made-up figures from real ones."""
HELP_ENVIRONMENT = """\
environment:
  HOST           address to listen on (127.0.0.1)
  PORT           port to listen on (8000)
  DATABASE_URL   a PostgreSQL to use; without it, one is started
  REDIS_URL      a Redis or Valkey to use; without it, one is started
  GRANIAN_WORKERS  processes of the web server (2)
docs/self-hosting.md has the others."""
DISK_IS_FULL = "the disk is full. Free some space and start again; nothing is lost"
IF_NOT_STARTED = """\
  To restore a backup, undo a restore or accept a new key while the site doesn't start, run in one terminal
      bin/serve --only-servers
  and in another .venv/bin/python manage.py restore, undo_restore or accept_unit_key."""

PRIVATE_UMASK = 0o077
PRIVATE_FOLDERS = ("exports", "log", "mail")
MEMORY = Path("/dev/shm")  # noqa: S108 - a file system in memory; only a folder of our own is used
METRICS_PREFIX = "slogdb-metrics-"
FULL_BYTES = 32 * 2**20  # with less, there is no space for two more files of PostgreSQL's WAL
# What the database is, up to where it is migrated, and whether no other release has written to it since the data were
# complete (results.operations.other_release): a restore replaces it, the previous release loads its own catalogue.
STATE_OF_DATABASE = """
SELECT system_identifier, (SELECT oid FROM pg_database WHERE datname = current_database()),
    (SELECT max(id) FROM django_migrations),
    (SELECT complete LIKE '% ' || value FROM results_dataversion)
FROM pg_control_system()
"""

logger = logging.getLogger("slogdb.local.serve")


def main(arguments: list[str]) -> int:
    """Serve until a signal arrives; return the exit code."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stdout)
    for number in STOP_SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
            signal.signal(number, signal.default_int_handler)
    try:
        _run(options)
    except LockedError as error:
        return _refuse(f"already running in this checkout (process {error.holder})")
    except OSError as error:
        return _refuse(_reason(error))
    except (ProcessError, SiteError) as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        logger.info("Stopped.")
    return 0


def _run(options: argparse.Namespace) -> None:
    site = site_from_environment(is_demo=options.demo)
    try:
        if options.check:
            check(site, needs_port=not options.only_servers)
        elif options.only_servers:
            serve_only_servers(site)
        else:
            serve(site)
    except ProcessError as error:
        if shutil.disk_usage(site.directory).free > FULL_BYTES:
            raise
        raise ProcessError(f"{DISK_IS_FULL}\n  {error}") from error  # its log can't say so then


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bin/serve",
        description=HELP,
        epilog=HELP_ENVIRONMENT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--demo", action="store_true", help="serve made-up figures from a separate database")
    parser.add_argument(
        "--only-servers",
        action="store_true",
        help="run only PostgreSQL and Valkey, for manage.py while the site doesn't start",
    )
    parser.add_argument("--check", action="store_true", help=argparse.SUPPRESS)  # for the script bin/serve
    return parser


def _refuse(reason: str) -> int:
    sys.stderr.write(f"bin/serve: {reason}\n")
    return 1


def _reason(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return f"{DISK_IS_FULL}: {error.filename or 'in var'}"
    return f"{error.filename}: {error.strerror}" if error.filename else str(error)


def check(site: LocalSite, *, needs_port: bool) -> None:
    """Raise an error if the site can't be started here: it runs already, or another program has its port."""
    with _alone(site):
        if needs_port:
            site.check_port()


def serve(site: LocalSite) -> NoReturn:
    """Start everything in order and watch over it; whatever ends this stops what was started."""
    with _alone(site), _metrics_in_memory(site):
        site.check_port()
        with local_servers(site) as stack, Supervisor() as supervisor:
            environment = environment_of(site, stack)
            with _collecting(site, environment) as wait_until_collected:
                _start_servers(stack, supervisor)
                with _shown_to_manage(site, environment):
                    try:
                        _start_site(site, supervisor, environment, wait_until_collected)
                    except ProcessError as error:
                        raise ProcessError(f"{error}\n{IF_NOT_STARTED}") from error
                    supervisor.watch()


def serve_only_servers(site: LocalSite) -> NoReturn:
    """Run the database and the queue, for commands of manage.py that are needed before the site can start."""
    with _alone(site), local_servers(site) as stack, Supervisor() as supervisor:
        environment = environment_of(site, stack)
        _start_servers(stack, supervisor)
        with _shown_to_manage(site, environment):
            logger.info("The site is not served. Run manage.py in another terminal; Ctrl-C stops the servers")
            supervisor.watch()


@contextmanager
def _alone(site: LocalSite) -> Iterator[None]:
    """Make the site's folders and hold its lock. Raises LockedError.

    Nobody else can read what this process and its programs write; previous releases created folders that everybody
    can read.
    """
    os.umask(PRIVATE_UMASK)
    for name in PRIVATE_FOLDERS:
        folder = site.directory / name
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
    with FolderLock(site.directory):
        yield


@contextmanager
def _metrics_in_memory(site: LocalSite) -> Iterator[None]:
    """Make the folder of the metrics, which are written through mmap: on a full disk, that kills the process."""
    link = site.metrics
    _remove_metrics(link)
    shutil.rmtree(site.directory / "metrics", ignore_errors=True)  # of previous releases
    link.symlink_to(
        tempfile.mkdtemp(prefix=METRICS_PREFIX, dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    )
    try:
        yield
    finally:
        _remove_metrics(link)


def _remove_metrics(link: Path) -> None:
    """Those of a run that was killed, too."""
    folder = link.resolve()
    if folder.name.startswith(METRICS_PREFIX):
        shutil.rmtree(folder, ignore_errors=True)
    link.unlink(missing_ok=True)


def local_servers(site: LocalSite) -> AbstractContextManager[LocalStack | None]:
    """The stack of this site, or None if the URLs of both servers are given."""
    is_given = all(os.environ.get(name) for name in SERVER_URLS)
    return nullcontext() if is_given else LocalStack(site.directory)


def environment_of(site: LocalSite, stack: LocalStack | None) -> dict[str, str]:
    """The environment of the site's programs; our environment takes precedence over what is generated here."""
    keys = read_or_make_keys(site.directory / "keys.env")
    demo = {"SLOGDB_DEMO": "1"} if site.is_demo else {}
    if stack is None:
        return {**site.settings(), **os.environ, **keys, **demo}
    urls = {"DATABASE_URL": stack.database_url, "REDIS_URL": stack.redis_url}
    given = {name: os.environ[name] for name in urls if os.environ.get(name)}
    inherited = os.environ if "DATABASE_URL" in given else plain_environment()
    return {**site.settings(), **inherited, **urls, **given, **keys, **demo}


def _start_servers(stack: LocalStack | None, supervisor: Supervisor) -> None:
    if stack is None:
        return
    if not os.environ.get("DATABASE_URL"):
        logger.info("Starting PostgreSQL")
        start_postgres(stack, supervisor)
        stack.create_database()
    if not os.environ.get("REDIS_URL"):
        logger.info("Starting Valkey")
        supervisor.start(stack.valkey())


def start_postgres(stack: LocalStack, supervisor: Supervisor) -> None:
    """Start it, a second time if it fails over a file that its recovery after a crash has to create.

    If all its processes are killed while a table without WAL is being filled, as in a restore, parts of its file are
    left behind. PostgreSQL's first recovery removes them and fails, the next one succeeds.
    """
    try:
        supervisor.start(stack.postgres())
    except ProcessError as error:
        if "File exists" not in str(error):
            raise
        logger.warning("PostgreSQL was interrupted; its first recovery failed, which the second one repairs")
        supervisor.forget()
        supervisor.start(stack.postgres())


@contextmanager
def _shown_to_manage(site: LocalSite, environment: Mapping[str, str]) -> Iterator[None]:
    """Let manage.py find the servers, the keys and the address in var/serve.env while they run."""
    path = site.directory / "serve.env"
    shown = {name: environment[name] for name in SHOWN_TO_MANAGE if environment.get(name)}
    write_private(path, "".join(f"{name}={value}\n" for name, value in shown.items()))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def _collecting(site: LocalSite, environment: Mapping[str, str]) -> Iterator[Callable[[], None]]:
    """Collect this checkout's static files in the background; yield a function that waits until they are there."""
    files = collected_files()
    if files.is_current():
        yield lambda: None
        return
    logger.info("Collecting the static files")
    with running(collect_program(site, environment)) as collecting:

        def wait() -> None:
            collecting.wait_until_done()
            files.note_source()

        yield wait


def _start_site(
    site: LocalSite,
    supervisor: Supervisor,
    environment: Mapping[str, str],
    wait_until_collected: Callable[[], None],
) -> None:
    """Bring the database up to this checkout if it isn't, and start the web server and the worker.

    The web server starts when the database is migrated, while the data are loaded: its processes take seconds.
    """
    web = web_program(site, environment)
    loaded = SourceNote(site.directory / "loaded.source", "parsers", "results", "slogdb")
    state = _state_of_database(environment)
    if state and loaded.is_current(state):
        wait_until_collected()
        logger.info("Starting the web server")
        supervisor.start(web)
    else:
        loaded.remove()
        logger.info("Migrating the database")
        with running(load_program(site, environment)) as loading:
            loading.wait_until_ready()
            wait_until_collected()
            logger.info("Loading the initial data, and starting the web server")
            serving = supervisor.launch(web)
            loading.wait_until_done()
            serving.wait_until_ready()
        loaded.write(_state_of_database(environment))
    logger.info("Starting a worker")
    supervisor.start(worker_program(site, environment))
    logger.info("%s answers. Ctrl-C stops it; logs: %s", site.address, site.directory / "log")


def _state_of_database(environment: Mapping[str, str]) -> str:
    """A text that changes with the database and the keys; "" if the database has no migrations yet."""
    try:
        state = run_sql(
            environment.get("DATABASE_DIRECT_URL") or environment["DATABASE_URL"], STATE_OF_DATABASE
        )
    except ProcessError:
        return ""
    return "\n".join([state, *(environment.get(name, "") for name in (*KEY_NAMES, FALLBACKS))])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
