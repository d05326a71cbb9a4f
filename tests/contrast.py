"""How much a color stands out from another, as WCAG counts it."""

from collections.abc import Sequence


def _luminance(rgb: Sequence[float]) -> float:
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in (part / 255 for part in rgb)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(color: Sequence[float], other: Sequence[float]) -> float:
    light, dark = sorted((_luminance(color), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
