"""The whole ranking and one submission's part of it, on 20,000 made-up devices with 200,000 results or more."""

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence

from slogdb.local_stack import throwaway_stack

RESULTS = 200_000
DEVICES = 20_000
MEASURE = "from slogdb.bench.ranking_figures import print_figures; print_figures()"


def main(arguments: Sequence[str]) -> int:
    """`arguments`: how many results to make up, if not RESULTS."""
    count = int(arguments[0]) if arguments else RESULTS
    with throwaway_stack() as environment:
        _manage(["migrate", "-v0"], environment)
        began = time.perf_counter()
        _manage(["make_results", str(count), "--devices", str(_devices_to_draw(count))], environment)
        sys.stdout.write(f"made up and ranked in {time.perf_counter() - began:.0f} s\n")
        sys.stdout.flush()
        _manage(["shell", "--no-imports", "-c", MEASURE], environment, stdout=None)
    return 0


def _devices_to_draw(count: int) -> int:
    """So that about DEVICES of them have a result: of many devices few results leave a third without one."""
    return DEVICES * 3 // 2 if count < 30 * DEVICES else DEVICES


def _manage(
    command: Sequence[str], environment: Mapping[str, str], *, stdout: int | None = subprocess.DEVNULL
) -> None:
    subprocess.run(  # noqa: S603 - the project's own commands
        [sys.executable, "manage.py", *command], env=environment, check=True, stdout=stdout
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
