"""Whether a package, script or image of the site has a known hole: `python -m tests.audit` looks and says so.

Packages are looked up by pip-audit, vendored scripts by `npm audit`. No advisory service for images can be reached
from everywhere, so their tags are compared with deploy/oldest-images.csv. The last line is the verdict, AUDITED,
HOLES or NOT AUDITED, and behind it what was not checked: what a service does not know is not taken for sound.

`--sbom FILE` writes the bill of materials instead (`-`: to standard output). Further arguments are pip-audit's.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.components import PACKAGES, ROOT, Component, images, packages, scripts
from tests.sbom import write_sbom

CLEAN, HOLES, NOT_AUDITED = 0, 1, 2
PIP_AUDIT = [
    str(Path(sys.executable).parent / "pip-audit"),
    f"--requirement={PACKAGES}",
    "--disable-pip",
    "--no-deps",
    "--progress-spinner=off",
    "--format=json",
]
NPM_QUIET = ("--ignore-scripts", "--no-fund")
OLDEST = ROOT / "deploy" / "oldest-images.csv"
PATIENCE_S = 300
_NUMBERS = re.compile(r"v?(\d+(?:\.\d+)+)(?:-|$)")


@dataclass(frozen=True, slots=True)
class Part:
    """What was looked at, the holes in it, what was not checked, and whether whoever knows holes answered."""

    looked_at: str
    holes: Sequence[str] = ()
    not_checked: Sequence[str] = ()
    is_answered: bool = True


def audit_packages(*arguments: str) -> Part:
    """The Python packages; `arguments` are pip-audit's."""
    done = subprocess.run([*PIP_AUDIT, *arguments], cwd=ROOT, capture_output=True, text=True)
    try:
        known = json.loads(done.stdout)["dependencies"]
    except ValueError:
        reason = f"packages: no advisory service answered ({_last_line(done.stderr)})"
        return Part("no package", not_checked=[reason], is_answered=False)
    return judge_packages(known)


def judge_packages(known: list[dict[str, object]]) -> Part:
    """The same of pip-audit's list of packages, each with its `vulns` or the reason why it was passed over."""
    holes = [f"{row['name']} {row['version']}: {_names(row['vulns'])}" for row in known if row.get("vulns")]
    passed_over = [str(row["name"]) for row in known if "skip_reason" in row]
    few = f"{', '.join(passed_over[:3])}{' …' if len(passed_over) > 3 else ''}"
    reasons = [f"{len(passed_over)} packages that the service does not know ({few})"] if passed_over else []
    return Part(f"{len(known)} packages", holes, reasons, is_answered=bool(known) and not passed_over)


def _names(vulns: object) -> str:
    assert isinstance(vulns, list)
    return ", ".join(str(vuln["id"]) for vuln in vulns)


def audit_scripts(vendored: Sequence[Component], npm: str = "npm") -> Part:
    """The vendored scripts, by name and version; npm doesn't know what their authors bundled into them."""
    looked_at = f"{len(vendored)} vendored scripts"
    try:
        answer = _ask_npm(vendored, npm)
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        reason = f"vendored scripts: npm can't be asked ({_last_line(str(error))})"
        return Part("no script", not_checked=[reason], is_answered=False)
    if "vulnerabilities" not in answer:
        reason = f"vendored scripts: npm's advisory service did not answer ({_last_line(str(answer.get('message')))})"
        return Part("no script", not_checked=[reason], is_answered=False)
    versions = {package.name: str(package) for package in vendored}
    holes = [
        f"{versions[name]}: {', '.join(str(hole['url']) for hole in found['via'] if isinstance(hole, dict))}"
        for name, found in answer["vulnerabilities"].items()
        if name in versions and any(isinstance(hole, dict) for hole in found["via"])
    ]
    return Part(looked_at, holes)


def _ask_npm(vendored: Iterable[Component], npm: str) -> dict[str, dict[str, dict[str, list[object]]]]:
    """What `npm audit` says of a package that depends on these. Raises what ends a program, or ValueError."""
    needed = {package.name: package.version for package in vendored}
    with tempfile.TemporaryDirectory() as folder:
        described = {"name": "vendored", "version": "1.0.0", "private": True, "dependencies": needed}
        (Path(folder) / "package.json").write_text(json.dumps(described), encoding="utf-8")
        locking = [npm, "install", "--package-lock-only", "--no-audit", *NPM_QUIET]
        subprocess.run(locking, cwd=folder, capture_output=True, check=True, timeout=PATIENCE_S)
        auditing = [npm, "audit", "--json", *NPM_QUIET]  # its status is 1 for a hole and for silence alike
        done = subprocess.run(auditing, cwd=folder, capture_output=True, timeout=PATIENCE_S)
        answer = json.loads(done.stdout)
    if not isinstance(answer, dict):
        raise ValueError("not an object")  # noqa: TRY004 - as for what is no JSON
    return answer


def audit_images(pulled: Sequence[Component], oldest: Path = OLDEST) -> Part:
    """The images, by their tags: each has to name one version, not older than the oldest acceptable of its series.

    A series is all versions that differ in their last number, such as PostgreSQL 18. One that `oldest` does not name
    is too old, or newer than all that it names.
    """
    with oldest.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    holes, unknown = [], []
    for image in pulled:
        floors = {_version(row["oldest"]): row for row in rows if row["image"] == image.name}
        version = _version(image.version)
        if len(version) < max((len(other) for other in floors), default=2):
            holes.append(f"{image}: the tag names no single version")
        elif not floors:
            unknown.append(str(image))
        elif (floor := _floor(version, floors)) is not None:
            holes.append(f"{image} is older than {floors[floor]['oldest']}: {floors[floor]['reason']}")
    reasons = [f"images without a row in {oldest.name} ({', '.join(unknown)})"] if unknown else []
    return Part(f"{len(pulled) - len(unknown)} images", holes, reasons)


def _version(tag: str) -> tuple[int, ...]:
    """The numbers of a tag such as v3.5.0 or 18.1-bookworm; none for latest."""
    numbers = _NUMBERS.match(tag)
    return tuple(int(number) for number in numbers[1].split(".")) if numbers else ()


def _floor(version: tuple[int, ...], floors: Iterable[tuple[int, ...]]) -> tuple[int, ...] | None:
    """The oldest acceptable version, if this one is older."""
    floors = sorted(floors)
    own = [other for other in floors if other[:-1] == version[: len(other) - 1]]
    floor = own[0] if own else floors[-1]
    return floor if version < floor else None


def verdict_on(*parts: Part) -> tuple[int, str]:
    """The exit code and the verdict."""
    holes = [hole for part in parts for hole in part.holes]
    not_checked = [reason for part in parts for reason in part.not_checked]
    looked_at = ", ".join(part.looked_at for part in parts)
    behind = f"; not checked: {', '.join(not_checked)}" if not_checked else ""
    if holes:
        return HOLES, f"HOLES: {'; '.join(holes)}{behind}"
    if not all(part.is_answered for part in parts):
        return NOT_AUDITED, f"NOT AUDITED: no hole is known of {looked_at}{behind}"
    return CLEAN, f"AUDITED: no hole is known of {looked_at}{behind}"


def _last_line(text: str) -> str:
    return (text.strip().splitlines() or ["nothing was said"])[-1][:200]


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Check packages, scripts and images for known vulnerabilities."
    )
    parser.add_argument(
        "--sbom", metavar="FILE", help="write the bill of materials instead (-: to standard output)"
    )
    options, others = parser.parse_known_args()
    vendored, pulled = scripts(), images()
    if options.sbom:
        document = write_sbom([*packages(), *vendored, *pulled]) + "\n"
        if options.sbom == "-":
            sys.stdout.write(document)
        else:
            Path(options.sbom).write_text(document, encoding="utf-8")
        return CLEAN
    code, verdict = verdict_on(audit_packages(*others), audit_scripts(vendored), audit_images(pulled))
    sys.stdout.write(f"{verdict}\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
