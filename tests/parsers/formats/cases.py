"""What a case of a tool's format is: a text as one version prints it, and the figures that its readings must give."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Case:
    """A text and, for each of its readings in order, figures by their path: "jobs.0.iops".

    `notices` are the codes of those that it must give: no others.
    """

    name: str
    text: str
    readings: tuple[Mapping[str, Any], ...]
    notices: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        return self.name


def figure(reading: Any, path: str) -> Any:
    """The figure of a reading at a path of attributes, keys and indices."""
    value = reading
    for step in path.split("."):
        if isinstance(value, Mapping):
            value = value[step]
        elif step.isdecimal():
            value = value[int(step)]
        else:
            value = getattr(value, step)
    return value


def grouped(number: int, mark: str) -> str:
    """The number in groups of three digits."""
    return f"{number:,}".replace(",", mark)


def localized(text: str, mark: str) -> str:
    """A printed number with another decimal mark."""
    return text.replace(".", mark)
