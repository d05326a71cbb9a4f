"""The whole ranking and one submission's part of it, on 20,000 made-up devices with 200,000 results."""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from slogdb.local_stack import throwaway_stack

RESULTS = 200_000
DRAWN_DEVICES = 30_000  # of which a third have no result: what is left is the 20,000 of the goal
MEASURE = "from slogdb.bench.ranking_figures import print_figures; print_figures()"


def main() -> int:
    with throwaway_stack() as environment:
        _manage(["migrate", "-v0"], environment)
        began = time.perf_counter()
        _manage(["make_results", str(RESULTS), "--devices", str(DRAWN_DEVICES)], environment)
        sys.stdout.write(f"made up and ranked in {time.perf_counter() - began:.0f} s\n")
        sys.stdout.flush()
        _manage(["shell", "--no-imports", "-c", MEASURE], environment, stdout=None)
    return 0


def _manage(
    command: Sequence[str], environment: Mapping[str, str], *, stdout: int | None = subprocess.DEVNULL
) -> None:
    subprocess.run(  # noqa: S603 - the project's own commands
        [sys.executable, "manage.py", *command], env=environment, check=True, stdout=stdout
    )


if __name__ == "__main__":
    sys.exit(main())
