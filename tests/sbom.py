"""The software bill of materials of `bin/audit --sbom FILE`: what tests/components.py finds, as CycloneDX (JSON)."""

import tomllib
from collections.abc import Iterable

from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component as Part
from cyclonedx.model.component import ComponentType
from cyclonedx.output import make_outputter
from cyclonedx.schema import OutputFormat, SchemaVersion
from packageurl import PackageURL

from tests.components import ROOT, Component

SCHEMA = SchemaVersion.V1_6
_TYPES = {"pypi": ComponentType.LIBRARY, "npm": ComponentType.LIBRARY, "docker": ComponentType.CONTAINER}


def write_sbom(components: Iterable[Component]) -> str:
    """The document, in which slogdb has the components and each has its package URL."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    site = Part(type=ComponentType.APPLICATION, name=project["name"], version=project["version"])
    parts = [_part(component) for component in components]
    bom = Bom(components=parts)
    bom.metadata.component = site
    bom.register_dependency(site, parts)
    return make_outputter(bom, OutputFormat.JSON, SCHEMA).output_as_string(indent=2)


def _part(component: Component) -> Part:
    group, _, name = component.name.rpartition("/")
    url = PackageURL(component.kind, group or None, name, component.version)
    return Part(
        type=_TYPES[component.kind],
        group=group or None,
        name=name,
        version=component.version,
        purl=url,
        bom_ref=url.to_string(),
    )
