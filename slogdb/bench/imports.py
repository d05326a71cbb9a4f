"""A bulk import through two worker processes, beside COPY of the same rows: submissions a second, and the ratio."""

import subprocess
import sys
from collections.abc import Sequence

from slogdb.local_stack import throwaway_stack

TEXTS = 20_000
MEASURE = "from slogdb.bench.imports_figures import print_figures; print_figures({count})"


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many texts to make up, if not TEXTS."""
    count = int(arguments[0]) if arguments else TEXTS
    with throwaway_stack() as stack:
        environment = {**stack, "SLOGDB_LOG_LEVEL": "ERROR"}
        for command in (
            ["migrate", "-v0"],
            ["load_initial_data"],
            ["shell", "--no-imports", "-c", MEASURE.format(count=count)],
        ):
            subprocess.run(  # noqa: S603 - the project's own commands
                [sys.executable, "manage.py", *command],
                env=environment,
                check=True,
                stdout=None if "shell" in command else subprocess.DEVNULL,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
