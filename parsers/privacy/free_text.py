"""Mask identifiers in what people write themselves: notes, reports, stated conditions.

Only what is recognizable by its shape or by a label in front of it is found: names of people and hosts aren't.
"""

import re

from parsers.base.format import Masker
from parsers.privacy.masks import MASK, Masks

_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_ADDRESS = rf"{_OCTET}(?:\.{_OCTET}){{3}}"  # of IPv4
_PAIR, _GROUP = r"[0-9a-f]{2}", r"[0-9a-f]{1,4}"
# In the order in which they are tried: what another alternative would take apart comes first
_IDENTIFIER = re.compile(
    rf"(?P<mask>{MASK.pattern})"
    r"|(?P<mail>(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6})"
    r"|\b(?:(?:unit |device |disk )?serial(?:[ \t_-]?(?:numbers?|num|no\b\.?|nr\b\.?|id))?|s/n|sn|ser\.? ?no\.?|ident"
    r"|serien-?(?:nummer|nr\.?)"
    r"|n(?:um[eé]ro|úmero|[°º])(?: de| di) s[eé]rie|серийный номер|シリアル(?:番号|ナンバー)?|序列号|序號)(?![a-z])"
    r"(?:[ \t]*[:=#\uff1a][ \t\"']*|[ \t\"']+(?:is[ \t\"']+)?)"
    r"(?P<serial>(?=[a-z_-]*[0-9])[0-9a-z][0-9a-z_*-]{5,40})"
    rf"|(?P<uuid>\b[0-9a-f]{{8}}(?:-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}\b)"
    rf"|(?P<grouped>(?<![0-9a-z:.-]){_PAIR}(?:[:-]{_PAIR}){{5,19}}(?![0-9a-z:-]))"
    r"|(?P<dotted>(?<![0-9a-z:.-])[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}(?![0-9a-z:.-]))"
    r"|(?P<hex>(?<![0-9a-z])(?:0x|naa\.|eui\.|nvme\.|wwn-0x)?[0-9a-f]{16,64}(?![0-9a-z])|\b0x[0-9a-f]{9,64}(?![0-9a-z]))"
    rf"|(?P<ipv6>(?<![0-9a-z:.])(?:(?:{_GROUP}:){{7}}{_GROUP}|(?:{_GROUP}:){{1,7}}:(?:{_GROUP}(?::{_GROUP}){{0,6}})?)"
    r"(?![0-9a-z:]))"
    rf"|(?<![0-9a-z.-])(?P<ipv4>{_ADDRESS})(?![0-9a-z]|\.[0-9])",
    re.IGNORECASE,
)
# Versions of firmware and drivers have four parts, too
_VERSION = re.compile(r"(?:version|firmware|driver|bios|phase|fw|rev|v)[ \t:=.(]{0,4}\Z", re.IGNORECASE)
_MAX_LENGTH_BEFORE = 16  # characters
_ADDRESS_IN_LINE = re.compile(rf"(?<![0-9A-Za-z-])(?<![0-9][.]){_ADDRESS}(?![0-9A-Za-z]|\.[0-9])")


def mask_free_text(text: str) -> str:
    """The text with labeled serial numbers, long hexadecimal numbers, and MAC, IP and mail addresses masked."""
    masks = Masks(text)
    return masks.finish(mask_shapes(text, masks))


def has_address(text: str) -> bool:
    """Whether an IPv4 address is in a text; four numbers behind a word such as "version" aren't one."""
    return not all(map(_is_version, _ADDRESS_IN_LINE.finditer(text)))


def _is_version(match: re.Match[str]) -> bool:
    start = match.start()
    return _VERSION.search(match.string, max(start - _MAX_LENGTH_BEFORE, 0), start) is not None


def mask_shapes(text: str, masks: Masker) -> str:
    """The same, with the masks of a longer text that this is a part of."""

    def masked(match: re.Match[str]) -> str:
        kind = match.lastgroup or ""
        if match["mask"]:
            return match[0]
        if kind == "serial":
            start = match.start("serial") - match.start()
            return match[0][:start] + masks.mask("serial", match["serial"])
        if kind in ("uuid", "hex") or (kind == "grouped" and len(match[0]) > len("00:00:00:00:00:00")):
            return masks.mask("wwn", match[0])
        if kind == "ipv4" and _is_version(match):
            return match[0]
        return masks.mask("address", match[0])

    return _IDENTIFIER.sub(masked, text)
