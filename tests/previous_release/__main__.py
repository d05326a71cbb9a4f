"""Run the previous release on this release's database: `bin/check-previous`, part of `.ci/run`.

The release comes from git, with an environment of its own. It makes a database, which this release migrates and
fills. Then it is asked for everything (ask.py), as web servers are between `setup` and their replacement; its
bin/serve is killed at several moments of its start and then starts, which loads its own data; it is asked again; and
this release's data is loaded once more, which is killed in between, too. Nothing that people sent may be lost. About
four minutes on two quiet cores.
"""

import contextlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import psutil

from slogdb.local.process import Process, ProcessError, Program
from slogdb.local.stack import throwaway_stack
from slogdb.version import release_commit

ROOT = Path(__file__).resolve().parents[2]
HEADING = re.compile(r"^## ([0-9.]+) \(", re.MULTILINE)
STARTS_WITHIN_S = 240
QUIET = {"SLOGDB_LOG_LEVEL": "CRITICAL"}
# Of the figures that releases ship: the numbers, and the ends of their addresses.
ADDRESSES = """
from results.models import Submission
for row in Submission.objects.exclude(survey_id=None).order_by("survey_id").values_list("survey_id", "public_id"):
    print(*row)
"""
# What people sent and didn't erase, and what was read in it.
SENT = """
from results.models import Member, Result, Submission
for model, fields in ((Submission, ("public_id", "state", "text")), (Result, ("public_id", "metrics"))):
    own = {"survey_id": None} if model is Submission else {"submission__survey_id": None}
    erased = {"state": "erased"} if model is Submission else {"submission__state": "erased"}
    for row in model.objects.filter(**own).exclude(**erased).order_by("public_id").values_list(*fields):
        print(*row)
print(*Member.objects.order_by("pk").values_list("pk", flat=True))
"""
KILLED_AFTER_S = (1, 3, 6, 12)
LISTS = ["/", "/leaderboard/", "/results/", "/products/", "/api/v1/results/", "/api/v1/products/", "/readyz"]


class StepError(Exception):
    """A step failed; the message says which."""


def main() -> int:
    number = HEADING.findall((ROOT / "CHANGELOG.md").read_text())[0]
    commit = release_commit(number)
    if not commit:
        say(f"NOT CHECKED: this clone's history doesn't have release {number} (git fetch --unshallow --tags)")
        return 0
    with tempfile.TemporaryDirectory(prefix="slogdb-previous-") as folder, throwaway_stack() as environment:
        try:
            check(number, commit, Path(folder), {**environment, **QUIET})
        except StepError as failed:
            say(f"FAILED: {failed}")
            return 1
    say(f"CHECKED: {number} works on this release's database")
    return 0


def check(number: str, commit: str, folder: Path, environment: dict[str, str]) -> None:
    """Raise StepError, after its output, at the first step that fails."""
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True).stdout
    subprocess.run(["tar", "--extract", "--directory", folder], input=archive, check=True)
    install = ["sh", "-c", ". bin/prepare; prepare requirements.txt", "bin/serve"]
    if subprocess.run(install, cwd=folder, check=False).returncode:
        raise StepError(f"the packages of {number} could not be installed")
    theirs = {**environment, "SLOGDB_STATIC_ROOT": str(folder / "static-files")}
    load = ("manage.py", "load_initial_data", "--migrate")

    step(f"{number} makes a database", folder, theirs, *load)
    step("this release migrates it", ROOT, environment, *load)
    step("and stores each kind of result", ROOT, environment, "-m", "tests.previous_release.fill")
    shipped = addresses(environment)
    step(f"static files of {number}", folder, theirs, "manage.py", "collectstatic", "--noinput")
    ask(f"{number} is asked", folder, theirs)
    sent = printed("what people sent", environment, SENT)
    kill_while("bin/serve of", number, folder, environment, str(folder / "bin" / "serve"))
    serve(number, folder, environment)
    check_sent(sent, environment)
    ask(f"{number} is asked after its start", folder, theirs)
    sent = printed("what people have sent by now", environment, SENT)
    kill_while("the next upgrade from", number, ROOT, environment, ".venv/bin/python", *load)
    step("this release starts again", ROOT, environment, *load)
    check_sent(sent, environment)
    moved = set(shipped.splitlines()) ^ set(addresses(environment).splitlines())
    if moved:
        raise StepError(f"figures have other addresses than before: {', '.join(sorted(moved))}")


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def addresses(environment: Mapping[str, str]) -> str:
    return printed("and says where shipped figures are", environment, ADDRESSES)


def check_sent(before: str, environment: Mapping[str, str]) -> None:
    """Raise StepError, after the lines that are missing, unless all that people sent is as before.

    There may be more, not less. Erased ones don't count: 1.0.0 erases shipped figures that it doesn't know.
    """
    after = printed("and still what people sent", environment, SENT)
    if missing := set(before.splitlines()) - set(after.splitlines()):
        say("\n".join(sorted(missing)[:20]))
        raise StepError("something that people sent was lost or changed")


def printed(name: str, environment: Mapping[str, str], script: str) -> str:
    return step(name, ROOT, environment, "manage.py", "shell", "--no-imports", "--command", script)


def kill_while(name: str, number: str, folder: Path, environment: Mapping[str, str], *command: str) -> None:
    """Kill the command, and all it started, after each of KILLED_AFTER_S."""
    for seconds in KILLED_AFTER_S:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        started = subprocess.Popen(
            command,
            cwd=folder,
            env={**environment, "PORT": str(port)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(seconds)
        ended = started.poll() is not None
        if not ended:
            program = psutil.Process(started.pid)
            for process in [program, *program.children(recursive=True)]:
                with contextlib.suppress(psutil.NoSuchProcess):
                    process.kill()
        started.wait()
        say(f"{seconds:5.0f} s  {name} {number}, {'which had ended' if ended else 'killed'}")


def step(
    name: str, folder: Path, environment: Mapping[str, str], *command: str, script: Path | None = None
) -> str:
    """Run the command, and return what it printed."""
    started = time.monotonic()
    done = subprocess.run(
        [".venv/bin/python", *command],
        cwd=folder,
        env=dict(environment),
        stdin=script.open() if script else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    say(f"{time.monotonic() - started:5.0f} s  {name}")
    if done.returncode:
        say(done.stdout)
        raise StepError(name)
    return done.stdout


def ask(name: str, folder: Path, environment: Mapping[str, str]) -> None:
    step(name, folder, environment, "-", script=Path(__file__).with_name("ask.py"))


def serve(number: str, folder: Path, environment: Mapping[str, str]) -> None:
    """Start the release by its own bin/serve, ask for its lists over HTTP, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    started = time.monotonic()
    server = Process(
        Program(
            name="bin/serve",
            command=[str(folder / "bin" / "serve")],
            log=folder / "serve.log",
            environment={**environment, "PORT": str(port)},
            is_ready=lambda: answers(port, "/healthz"),
            ready_within_s=STARTS_WITHIN_S,
        )
    )
    try:
        server.wait_until_ready()
        failing = [path for path in LISTS if not answers(port, path)]
    except ProcessError as error:
        raise StepError(str(error)) from error
    finally:
        server.stop()
    say(f"{time.monotonic() - started:5.0f} s  bin/serve of {number}")
    if failing:
        raise StepError(f"bin/serve of {number}: {', '.join(failing)}")


def answers(port: int, path: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as response:
            return bool(response.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
