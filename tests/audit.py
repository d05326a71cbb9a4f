"""Whether a package of the site has a known hole: `python -m tests.audit` asks an advisory service and says so.

The last line is the verdict: AUDITED, HOLES or NOT AUDITED. What the service does not know is not taken for sound.
Further arguments are pip-audit's.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLEAN, HOLES, NOT_AUDITED = 0, 1, 2
COMMAND = [
    str(Path(sys.executable).parent / "pip-audit"),
    "--requirement=requirements-telemetry.txt",
    "--disable-pip",
    "--no-deps",
    "--progress-spinner=off",
    "--format=json",
]


def audit(*arguments: str) -> tuple[int, str]:
    """The exit code and the verdict."""
    done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True)
    try:
        packages = json.loads(done.stdout)["dependencies"]
    except ValueError:
        error = (done.stderr.strip().splitlines() or ["nothing was said"])[-1]
        return (
            NOT_AUDITED,
            f"NOT AUDITED: no advisory service answered, so nothing was looked at ({error[:200]})",
        )
    return verdict_on(packages)


def verdict_on(packages: list[dict[str, object]]) -> tuple[int, str]:
    """The same of pip-audit's list of packages, each with its `vulns` or the reason why it was passed over."""
    holes = [
        f"{one['name']} {one['version']}: {_names(one['vulns'])}" for one in packages if one.get("vulns")
    ]
    passed_over = [str(one["name"]) for one in packages if "skip_reason" in one]
    if holes:
        return HOLES, f"HOLES: {'; '.join(holes)}"
    if passed_over or not packages:
        few = ", ".join(passed_over[:3]) or "none"
        return NOT_AUDITED, (
            f"NOT AUDITED: of {len(packages)} packages the service does not know {len(passed_over)} ({few} …), "
            "so holes in them would not be found"
        )
    return CLEAN, f"AUDITED: none of {len(packages)} packages has a known hole"


def _names(vulns: object) -> str:
    assert isinstance(vulns, list)
    return ", ".join(str(one["id"]) for one in vulns)


def main() -> int:
    code, verdict = audit(*sys.argv[1:])
    sys.stdout.write(f"{verdict}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
