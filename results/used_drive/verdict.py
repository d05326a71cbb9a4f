"""The verdict on a used drive, in one sentence: what rules it out, then its protection, then its price."""

from collections.abc import Sequence

from results.advice.protection import HEADLINES, Protection, Safety
from results.models.choices import Plp
from results.used_drive.life import Life
from results.used_drive.oddities import Finding, Tone
from results.used_drive.offer import Asked

_PROTECTION = {Plp.YES: "protected against power loss", Plp.BY_DESIGN: "safe from power loss by design"}
_TO_CHECK = "there is something to check below"


def find_verdict(
    findings: Sequence[Finding], plp: str, protection: Protection, life: Life, asked: Asked | None
) -> Finding:
    """The worst finding if it is bad, else what its protection is missing, else the pros and cons of the drive."""
    left = life.judge()
    bad = next((one for one in (*findings[:1], left) if one.tone == Tone.BAD), None)
    if bad is not None:
        return Finding(Tone.BAD, bad.headline)
    if protection.safety is Safety.UNKNOWN:
        return Finding(Tone.WARN, f"{protection.sentence}: find out before you use it as a SLOG.")
    if protection.safety is not Safety.SAFE:
        headline, tone = HEADLINES[protection.safety]
        return Finding(Tone(tone), f"{headline}.")
    return _weigh(findings, _PROTECTION[Plp(plp)], left, asked)


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
