"""`python -m bench.run NAME [ARGUMENTS]`: one benchmark by its name; `bin/bench` says which there are."""

import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module

from slogdb.local.stack import throwaway_stack

# Those that start what they measure themselves, and those that measure within Django beside a throwaway stack.
OUTSIDE = ("pages", "api", "submissions", "codespeed", "soak", "parsers")
INSIDE = ("ranking", "imports", "exports")


def main(arguments: Sequence[str]) -> int:
    """Give the exit status of the benchmark."""
    name, *rest = arguments or ["pages"]
    if name in OUTSIDE:
        status: int = import_module(f"bench.{name}").main(rest)
        return status
    if name not in INSIDE:
        sys.stderr.write(f"bin/bench knows {', '.join(OUTSIDE + INSIDE)}, and no {name}\n")
        return 2
    code = f"import sys; from bench.{name} import main; sys.exit(main({rest!r}))"
    with throwaway_stack() as environment:
        return subprocess.call(  # noqa: S603 - the project's own command
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", code],
            env={**environment, "SLOGDB_LOG_LEVEL": "ERROR"},
        )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
