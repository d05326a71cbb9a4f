"""The verdict on a used drive, in one sentence: what rules it out, then its protection, then its price."""

from collections.abc import Sequence
from dataclasses import replace

from django.utils.text import capfirst

from results.advice.protection import HEADLINES, Protection, Safety
from results.models.choices import Plp
from results.used_drive.life import Life
from results.used_drive.oddities import Code, Finding, Tone
from results.used_drive.offer import JudgedPrice

_PROTECTION = {Plp.YES: "protected against power loss", Plp.BY_DESIGN: "safe from power loss by design"}
_BY_ITSELF = "protected against power loss by capacitors that work, as this very drive reports"
_TO_CHECK = "there is something to check below"
_CODES = {
    Safety.UNSAFE: Code.UNSAFE,
    Safety.UNPROTECTED: Code.UNPROTECTED,
    Safety.CONDITIONAL: Code.EXTERNAL_POWER,
    Safety.ENOUGH: Code.FLUSHES_ONLY,
    Safety.DISPUTED: Code.PROTECTION_DISPUTED,
}


def find_verdict(
    findings: Sequence[Finding],
    plp: str,
    protection: Protection,
    life: Life,
    judged_price: JudgedPrice | None,
) -> Finding:
    """The worst finding if it is bad, else what its protection is missing, else the pros and cons of the drive."""
    left = life.judge()
    bad = next((finding for finding in (*findings[:1], left) if finding.tone == Tone.BAD), None)
    if bad is not None:
        return Finding(Tone.BAD, bad.code, bad.headline)
    if protection.safety is Safety.UNKNOWN:
        if any(finding.code == Code.PROTECTION_WORKS for finding in findings):
            return _weigh(findings, _BY_ITSELF, left, judged_price)
        text = f"{protection.sentence}: find out before you use it as a SLOG."
        return Finding(Tone.WARN, Code.PROTECTION_UNKNOWN, text)
    if protection.safety is not Safety.SAFE:
        headline, tone = HEADLINES[protection.safety]
        return Finding(Tone(tone), _CODES[protection.safety], f"{headline}.")
    return _weigh(findings, _PROTECTION[Plp(plp)], left, judged_price)


def _weigh(
    findings: Sequence[Finding], pros: str, left: Finding, judged_price: JudgedPrice | None
) -> Finding:
    """The pros and cons of a protected drive."""
    price = judged_price.judged if judged_price else None
    cons = [finding for finding in (left, price) if finding and finding.tone == Tone.WARN]
    if left.tone == Tone.INFO:
        pros += f" with {left.text}"
    if price and price.tone == Tone.INFO:
        pros += f", and {price.text}"
    if findings and findings[0].tone == Tone.WARN:
        cons.append(replace(findings[0], text=_TO_CHECK))
    if cons:
        text = f"{capfirst(pros)}, but {', and '.join(con.text for con in cons)}."
        return Finding(Tone.WARN, cons[0].code, text)
    opening = "Good buy" if judged_price and judged_price.is_bargain else "Looks good"
    return Finding(Tone.INFO, Code.OK, f"{opening}: no red flags, {pros}.")
