"""The export of a million made-up results beside COPY of the same rows: seconds, ratio, peak memory."""

import subprocess
import sys
from collections.abc import Sequence

from slogdb.bench.ranking import DEVICES
from slogdb.local_stack import throwaway_stack

RESULTS = 1_000_000
MEASURE = "from slogdb.bench.export_figures import print_figures; print_figures()"


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many results to make up, if not RESULTS."""
    count = int(arguments[0]) if arguments else RESULTS
    with throwaway_stack() as environment:
        for command in (
            ["migrate", "-v0"],
            ["make_results", str(count), "--devices", str(DEVICES)],
        ):
            subprocess.run(  # noqa: S603 - the project's own commands
                [sys.executable, "manage.py", *command],
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL,
            )
        subprocess.run(  # noqa: S603 - the same
            [sys.executable, "manage.py", "shell", "--no-imports", "-c", MEASURE], env=environment, check=True
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
