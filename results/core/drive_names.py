"""Names of drives as people use them, from a catalogue's line and a model name. No queries."""

import re

_IN_BRACKETS = re.compile(r"\s*\(.*?\)")
_BETWEEN_MODELS = re.compile(r"\s*[/,]\s*|\s+and\s+")
_FILLER = re.compile(r"\bSSD\b\s*")
_WORD = re.compile(r"[a-z0-9]+")
_OWNERS = " / "  # between the successive owners of a brand
LONGEST_LINE = 30  # characters of a line's name that is shown whole


def drive_name(vendor: str | None, line: str | None, model_name: str = "") -> str:
    """The vendor's first name with that of the product: "Intel DC P3700", "Samsung 860 EVO", "Intel Optane P1600X".

    A line of several products is that which `model_name` names; a model name that is only a part number names none.
    Without a product, vendor and line are None, and the model name is all there is.
    """
    if not (vendor and line):
        return model_name
    plain = _IN_BRACKETS.sub("", line)
    models = [one for one in _BETWEEN_MODELS.split(plain) if one]
    known = _words(model_name)
    named = [one for one in models if _words(one) <= known] if known else []
    if len(models) == 1 or not (named or known):
        name = plain
    elif named:
        name = max(named, key=lambda one: len(_words(one)))
    else:
        name = plain if len(plain) <= LONGEST_LINE else f"{models[0]} family"
    return _with_vendor(vendor.partition(_OWNERS)[0], _FILLER.sub("", name).strip())


def part_number(name: str, model_name: str) -> str:
    """The model name, for a list that shows this name; "" where it has nothing but the name's own words and more."""
    return "" if _words(name) <= _words(model_name) else model_name


def _words(text: str) -> set[str]:
    return set(_WORD.findall(_FILLER.sub("", text).casefold()))


def _with_vendor(vendor: str, name: str) -> str:
    """The name behind the vendor's, unless it already begins with that or its initials: "WD Blue"."""
    initials = "".join(word[0] for word in vendor.split())
    begins = (vendor, initials) if len(initials) > 1 else (vendor,)
    return name if name.casefold().startswith(tuple(map(str.casefold, begins))) else f"{vendor} {name}"
