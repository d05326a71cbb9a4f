"""What can speak against a run."""

from dataclasses import dataclass
from enum import StrEnum


class Effect(StrEnum):
    """What a flag does to a result."""

    NOTED = "noted"
    HELD = "held"  # kept out of the ranking until a person has looked


@dataclass(frozen=True, slots=True)
class Flag:
    """Something that speaks against a run: a stable code, what it does, a sentence for people."""

    code: str
    effect: Effect
    message: str
