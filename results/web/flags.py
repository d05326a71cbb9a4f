"""What speaks against a result, as pages say it."""

from collections.abc import Iterable, Mapping
from typing import Any

from results.ingest.flags import Effect

EFFECTS = {
    Effect.NOTED: {"label": "Noted", "tag": ""},
    Effect.HELD: {"label": "Kept out of the ranking until a person has looked", "tag": "tag-warn"},
}


def flag_rows(flags: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """Result.flags with the words for what each does."""
    return [{"message": flag["message"], **EFFECTS[Effect(flag["effect"])]} for flag in flags]


def is_held(flags: Iterable[Mapping[str, str]]) -> bool:
    """Whether one of Result.flags waits for a person."""
    return any(flag["effect"] == Effect.HELD for flag in flags)


def why_not_ranked(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> list[str]:
    """All that a list says of a result in its cell: why it is not ranked, then what is noted, nothing twice."""
    reasons = [not_ranked_reason, *(flag["message"] for flag in flags)]
    return [reason for reason in dict.fromkeys(reasons) if reason]
