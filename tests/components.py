"""What the site is made of besides its own code: Python packages, vendored scripts and container images."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.deploy.compose import BESIDE, FILE, filled

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = "requirements-telemetry.txt"  # all that the image has
_PACKAGE = re.compile(r"^([\w.-]+)==([^\s;]+)", re.MULTILINE)
_VENDORED = re.compile(r"^\| (\S+/\S+) \| (.*) \| [0-9a-f]{64} \|$", re.MULTILINE)
_SCRIPT = re.compile(r"(\S+) (\d+\.\d+\.\d+)")
_TEXTS = {"", ".md", ".txt"}  # licenses


@dataclass(frozen=True, slots=True, order=True)
class Component:
    """Something of somebody else's; `kind` is that of its package URL: pypi, npm or docker."""

    kind: str
    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name}:{self.version}" if self.kind == "docker" else f"{self.name} {self.version}"


def packages() -> list[Component]:
    pinned = (ROOT / PACKAGES).read_text(encoding="utf-8")
    return [Component("pypi", name, version) for name, version in _PACKAGE.findall(pinned)]


def scripts(listed: str | None = None) -> list[Component]:
    """What vendored files are made of, by VENDORED.md. Raises ValueError for a file of unknown origin."""
    listed = listed or (ROOT / "static/vendor/VENDORED.md").read_text(encoding="utf-8")
    found = set()
    for path, origin in _VENDORED.findall(listed):
        if Path(path).suffix in _TEXTS:
            continue
        names, npm, _ = origin.partition(" (npm)")
        if not npm:
            raise ValueError(f"static/vendor/VENDORED.md doesn't say which npm package {path} is of")
        found |= {Component("npm", name, version) for name, version in _SCRIPT.findall(names)}
    return sorted(found)


def images(
    compose: Iterable[Path] = (FILE, *BESIDE), dockerfile: Path = ROOT / "Dockerfile"
) -> list[Component]:
    """The images that are pulled, by the compose files and the Dockerfile; a missing tag is an empty version."""
    named = {*_pulled(dockerfile.read_text(encoding="utf-8"))}
    for path in compose:
        services = yaml.safe_load(path.read_text(encoding="utf-8"))["services"].values()
        named |= {
            filled(service["image"], {})
            for service in services
            if "image" in service and "build" not in service
        }
    return sorted(_image(name) for name in named)


def _pulled(dockerfile: str) -> Iterator[str]:
    """What is behind FROM, without earlier stages."""
    arguments = dict(re.findall(r"^ARG (\w+)=(\S+)", dockerfile, re.MULTILINE))
    stages = set()
    for name, stage in re.findall(r"^FROM (\S+)(?: AS (\S+))?", dockerfile, re.MULTILINE):
        if name not in stages:
            yield filled(name, arguments)
        stages.add(stage)


def _image(text: str) -> Component:
    """The image; a digest behind the tag is left out, since tags are what can be compared."""
    name, _, tag = text.partition("@")[0].rpartition(":")
    return Component("docker", name, tag) if name and "/" not in tag else Component("docker", text, "")
