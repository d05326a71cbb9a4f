"""The verdict on a used drive, in one sentence."""

from collections.abc import Mapping, Sequence
from typing import Any

from results.models.choices import PROBABLY_PROTECTED, Plp
from results.ranking.standing import in_a_sentence
from results.used_drive.life import Life
from results.used_drive.oddities import Finding, Tone
from results.used_drive.offer import Asked

_UNKNOWN_PROTECTION = (
    "We don’t know whether it is protected against power loss: find out before you use it as a SLOG."
)
_PROBABLY_PROTECTED = (
    "Probably protected against power loss, but no source says so of this very model: "
    "find out before you use it as a SLOG."
)
_PROTECTION = {Plp.YES: "protected against power loss", Plp.BY_DESIGN: "safe from power loss by design"}
_TO_CHECK = "there is something to check below"


def find_verdict(
    findings: Sequence[Finding], safety: Mapping[str, Any], life: Life, asked: Asked | None
) -> Finding:
    """The worst finding if it is bad, else the pros and cons of the drive."""
    if findings and findings[0].tone == Tone.BAD:
        return Finding(Tone.BAD, findings[0].headline)
    if safety["value"] == Plp.UNKNOWN:
        is_probable = safety["label"] == PROBABLY_PROTECTED
        return Finding(Tone.WARN, _PROBABLY_PROTECTED if is_probable else _UNKNOWN_PROTECTION)
    if safety["value"] not in _PROTECTION:
        label = in_a_sentence(safety["label"])
        return Finding(Tone.WARN, f"Not a safe SLOG, based on the data we have: {label}.")
    left = life.judge()
    if left.tone == Tone.BAD:
        return Finding(Tone.BAD, f"Too worn: {left.text}.")
    return _weigh(findings, _PROTECTION[safety["value"]], left, asked)


def _weigh(findings: Sequence[Finding], pros: str, left: Finding, asked: Asked | None) -> Finding:
    """The pros and cons of a protected drive."""
    price = asked.judged if asked else None
    cons = [one.text for one in (left, price) if one and one.tone == Tone.WARN]
    if left.tone == Tone.INFO:
        pros += f" with {left.text}"
    if price and price.tone == Tone.INFO:
        pros += f", and {price.text}"
    if findings and findings[0].tone == Tone.WARN:
        cons.append(_TO_CHECK)
    if cons:
        return Finding(Tone.WARN, f"{pros[0].upper()}{pros[1:]}, but {', and '.join(cons)}.")
    opening = "Good buy" if asked and asked.is_bargain else "Looks good"
    return Finding(Tone.INFO, f"{opening}: no red flags, {pros}.")
