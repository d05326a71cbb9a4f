"""bin/serve, after the packages are installed: sets up, runs and stops the site."""

import argparse
import logging
import os
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import NoReturn

from slogdb.local.options import (
    KEY_NAMES,
    LocalSite,
    SiteError,
    collected_files,
    read_or_make_keys,
    site_from_environment,
    write_private,
)
from slogdb.local.process import FolderLock, LockedError, ProcessError
from slogdb.local.programs import manage_program, web_program, worker_program
from slogdb.local.stack import LocalStack, plain_environment
from slogdb.local.supervisor import STOP_SIGNALS, Supervisor, run_to_the_end

SERVER_URLS = ("DATABASE_URL", "REDIS_URL")
SHOWN_TO_MANAGE = (*SERVER_URLS, *KEY_NAMES, "SLOGDB_SITE_URL")  # the last for links in mail

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

PRIVATE_UMASK = 0o077
PRIVATE_FOLDERS = ("exports", "log", "mail")

logger = logging.getLogger("slogdb.local.serve")


def main(arguments: list[str]) -> int:
    """Serve until a signal arrives; return the exit code."""
    options = _parser().parse_args(arguments)
    logging.basicConfig(format="%(message)s", level=logging.INFO, stream=sys.stdout)
    for number in STOP_SIGNALS:
        if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup ignores it
            signal.signal(number, signal.default_int_handler)
    try:
        serve(site_from_environment(is_demo=options.demo))
    except LockedError as error:
        return _refuse(f"already running in this checkout (process {error.holder})")
    except OSError as error:
        return _refuse(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (ProcessError, SiteError) as error:
        return _refuse(str(error))
    except KeyboardInterrupt:
        logger.info("Stopped.")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bin/serve",
        description=HELP,
        epilog=HELP_ENVIRONMENT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--demo", action="store_true", help="serve made-up figures from a separate database")
    return parser


def _refuse(reason: str) -> int:
    sys.stderr.write(f"bin/serve: {reason}\n")
    return 1


def serve(site: LocalSite) -> NoReturn:
    """Start everything in order and watch over it; whatever ends this stops what was started."""
    _make_private_folders(site)
    with FolderLock(site.directory):
        site.check_port()
        with _local_servers(site) as stack, Supervisor() as supervisor:
            environment = _environment(site, stack)
            if stack is not None:
                _start_servers(stack, supervisor)
            with _shown_to_manage(site, environment):
                _set_up(site, environment)
                _start_site(site, supervisor, environment)
                supervisor.watch()


def _make_private_folders(site: LocalSite) -> None:
    """Create the site's folder, and let nobody else read what this process and its programs write.

    Previous releases created folders that everybody can read.
    """
    os.umask(PRIVATE_UMASK)
    for name in PRIVATE_FOLDERS:
        folder = site.directory / name
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)


def _local_servers(site: LocalSite) -> AbstractContextManager[LocalStack | None]:
    """The stack of this site, or None if the URLs of both servers are given."""
    is_given = all(os.environ.get(name) for name in SERVER_URLS)
    return nullcontext() if is_given else LocalStack(site.directory)


def _environment(site: LocalSite, stack: LocalStack | None) -> dict[str, str]:
    """The environment of the site's programs; our environment takes precedence over what is generated here."""
    keys = read_or_make_keys(site.directory / "keys.env")
    demo = {"SLOGDB_DEMO": "1"} if site.is_demo else {}
    if stack is None:
        return {**site.settings(), **os.environ, **keys, **demo}
    urls = {"DATABASE_URL": stack.database_url, "REDIS_URL": stack.redis_url}
    given = {name: os.environ[name] for name in urls if os.environ.get(name)}
    inherited = os.environ if "DATABASE_URL" in given else plain_environment()
    return {**site.settings(), **inherited, **urls, **given, **keys, **demo}


def _start_servers(stack: LocalStack, supervisor: Supervisor) -> None:
    if not os.environ.get("DATABASE_URL"):
        logger.info("Starting PostgreSQL")
        supervisor.start(stack.postgres())
        stack.create_database()
    if not os.environ.get("REDIS_URL"):
        logger.info("Starting Valkey")
        supervisor.start(stack.valkey())


@contextmanager
def _shown_to_manage(site: LocalSite, environment: Mapping[str, str]) -> Iterator[None]:
    """Let manage.py find the servers, the keys and the address in var/serve.env while the site runs."""
    path = site.directory / "serve.env"
    write_private(path, "".join(f"{name}={environment[name]}\n" for name in SHOWN_TO_MANAGE))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def _set_up(site: LocalSite, environment: Mapping[str, str]) -> None:
    """Update the database and the static files for this checkout."""
    shutil.rmtree(site.metrics, ignore_errors=True)
    site.metrics.mkdir()
    logger.info("Migrating the database and loading the initial data")
    programs = [manage_program(site, environment, "load_initial_data", "--migrate")]
    static_files = collected_files()
    is_collected = static_files.is_current()
    if not is_collected:
        logger.info("Collecting the static files")
        programs.append(manage_program(site, environment, "collectstatic", "--noinput"))
    run_to_the_end(programs)
    if not is_collected:
        static_files.note_source()


def _start_site(site: LocalSite, supervisor: Supervisor, environment: Mapping[str, str]) -> None:
    logger.info("Starting a worker")
    supervisor.start(worker_program(site, environment))
    logger.info("Starting the web server")
    supervisor.start(web_program(site, environment))
    logger.info("%s answers. Ctrl-C stops it; logs: %s", site.address, site.directory / "log")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
