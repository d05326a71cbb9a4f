"""Flags of results, as pages show them."""

from collections.abc import Iterable, Mapping
from typing import Any

from results.ingest.flags import Effect

EFFECTS = {
    Effect.WAITS: {
        "label": "Waiting for a moderator",
        "tag": "tag-warn",
        "meaning": "Shown, but not ranked until a moderator approves it.",
    },
    Effect.NOT_RANKED: {
        "label": "Not ranked",
        "tag": "tag-warn",
        "meaning": "Shown, charted and compared, but never ranked or recommended.",
    },
    Effect.NOTED: {
        "label": "Noted",
        "tag": "",
        "meaning": "Shown beside the figures, with no other effect.",
    },
}


def flag_rows(flags: Iterable[Mapping[str, str]]) -> list[dict[str, Any]]:
    """Result.flags with the label and the effect of each."""
    return [{"message": flag["message"], **EFFECTS[Effect(flag["effect"])]} for flag in flags]


def is_waiting(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> bool:
    """Whether nothing but a moderator's decision keeps a result out of the ranking."""
    return any(flag["effect"] == Effect.WAITS and flag["message"] == not_ranked_reason for flag in flags)


def ranking_state(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> str:
    """The state of a published result in a word or two."""
    if not not_ranked_reason:
        return "ranked"
    return "waiting" if is_waiting(not_ranked_reason, flags) else "not ranked"


def why_not_ranked(not_ranked_reason: str, flags: Iterable[Mapping[str, str]]) -> list[str]:
    """All that a list says of a result in its cell: why it is not ranked, then what is noted, nothing twice."""
    reasons = [not_ranked_reason, *(flag["message"] for flag in flags)]
    return [reason for reason in dict.fromkeys(reasons) if reason]
