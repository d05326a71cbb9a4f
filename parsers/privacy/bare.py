"""Find serial numbers that nothing names: words of capitals and digits that are no model, firmware or part number."""

import re
from collections.abc import Iterator

from parsers.privacy.occurrences import stated_models
from parsers.privacy.rules import FILLER, Site, is_value, without_masks

# Capitals with digits, as makers print serial numbers
WORD = re.compile(
    r"(?<![0-9A-Za-z.%+=-])(?=[A-Z]{0,9}[0-9])(?=[0-9]{0,12}[A-Z])[0-9A-Z]{8,24}(?![0-9A-Za-z+=]|\.[0-9])"
)
# Behind a hard disk's model, whose firmware has four characters or is stated first; also in a file's name
BEHIND_DISK = re.compile(
    r"(?:ST[0-9]{3,5}[A-Z]{2}[0-9A-Z]{3,5}|WDC?[ _-]WD[0-9]{2,4}[A-Z]{4}|H[UDTM][ASHCN][0-9]{6}[A-Z]{3}[0-9]{3,4})"
    r"(?:-[0-9A-Z]{5,7})?(?:[ \t]{1,40}|_|-)"
    r"(?P<serial>(?=[A-Z]{0,7}[0-9])(?=[0-9]{0,7}[A-Z])[0-9A-Z]{8})(?![0-9A-Za-z])"
)
# A word of eight characters may be a firmware version: these are ones of Intel, Samsung, Western Digital, and numbers
# that count up; hexadecimal digits are numbers
SHORT = 8
NO_SHORT_SERIAL = re.compile(
    r"[0-9A-F]{8}|[0-9A-Z]*[0-9]{3}|[0-9A-Z]{2,3}V1[0-9A-Z]{3,4}|[A-Z][0-9]01[0-9A-Z]{4}|[A-Z]{3}[0-9A-Z]{4}Q|[0-9]B[0-9]Q[0-9A-Z]{4}"
    r"|[0-9]{5,6}[A-Z]{2,3}|X[0-9]{5}RL|[0-9]{1,7}[A-Z]|[A-Z]{6}[0-9]{2}|[0-9]{2}[A-Z]{6}"
)
# Dell's piece part identification: country, part, maker, day and number
PART_IDENTIFICATION = re.compile(
    r"(?<![0-9A-Z])(?:CN|CZ|HK|IE|IN|JP|KR|MX|MY|PH|SG|TH|TW|US|VN)0[0-9A-Z]{17,20}(?![0-9A-Z])"
)
FEWEST_DIGITS = 2
FEWEST_SIGNS = 4  # different ones: "0000003C0000" and "FFFFFFFFF0" are dumps
QUANTITY = re.compile(
    r"[0-9]+(?:[KMGTP]I?B|[KMGT]?HZ|RPM|MBPS|DWPD|TBW)(?:PS)?|[0-9]{8}T[0-9]{4,6}Z?|[0-9]{1,3}X[0-9A-F]+"
)
# How makers' names of models and parts begin
MODEL = re.compile(
    r"ST[0-9]{2,5}[A-Z]{2}|ST[39][0-9]{5}|WD[0-9SU]|WU[HS]|H[UDTM][ASHCNW][0-9A-Z]{3}|HC?[0-9]{5}|HD[WK]|MZ[0-9A-Z]{2,3}"
    r"|HF[SM]|MTF|CTF|CT[0-9]{3}|MT[0-9]{2}A|M[0-9]{3}[A-Z]|M[KGQDN]0|AL1[0-9]|PX0|K[XBCPRH][GMDKT]|SSD|SD[0-9A-Z]{6}|THN|TH[NG]"
    r"|MEMP|MDTP|HBRP|SX[0-9]|SA[0-9]{3,4}|S[KE][CD]|SEDC|SUV|SV[0-9]{3}|SHFS|OM[0-9]|SM0|AP[0-9]|LT0|[MVEF][KOGHMB]0|EO0|MO0"
    r"|HWE|H[MN]A|HMC|KS?M[0-9]{2}|KVR|CMK|[FG]4|ASR|AOC|MRAID|BCM|LSI|MCX|X[0-9]{2}|UN[0-9]|TS[0-9]{2,4}|DS[0-9]|HSG|XS[0-9]"
    r"|XA[0-9]|XP[0-9]|DT0|ZA[0-9]{3,4}N|T253|AGIGA|[0-9]{1,2}ASF|4ZC7|ZP[0-9]|SHPP|LENSE|SSDR|GP-|TM8|CSSD|SB-|IM2|TLC|QEMU|INTEL|SAMSUNG|MICRON|EPYC|XEON|DDR[0-9]|UUID|GUID|USB[0-9]"
)
# In front of a word: what it is, if no serial number
NO_SERIAL = re.compile(
    r"(?:model|product|part|p/?n|pn|fw|firm|revision|rev|version|board|bios|family|vendor|type|sku|chip|cpu|order|oem|fru"
    r"|spare|opn|ean|upc|mpn|rom|psid|license|key|token|uuid|feature|kernel|release|build|commit|tag|subvendor|descr)"
    r"[\w .\"'#/()-]{0,24}[ \t:=\"'#>|(\[,-]{0,40}$",
    re.IGNORECASE,
)
LONGEST_CONTEXT = 80


def find_bare(text: str) -> Iterator[Site]:
    """Find words that look like serial numbers, but for those that the text states as a model's or a version's."""
    text = without_masks(text)
    for match in PART_IDENTIFICATION.finditer(text):
        yield Site(*match.span(), "serial", match[0])
    found = [*_words(text), *(match.span("serial") for match in BEHIND_DISK.finditer(text))]
    models = stated_models(text) if found else b""
    for start, end in found:
        value = text[start:end]
        if is_value(value, "serial") and value.encode() not in models and not _is_named(text, start):
            yield Site(start, end, "serial", value)


def _words(text: str) -> Iterator[tuple[int, int]]:
    for match in WORD.finditer(text):
        value = match[0]
        is_like_one = sum(map(str.isdigit, value)) >= FEWEST_DIGITS and len(set(value)) >= FEWEST_SIGNS
        is_known = MODEL.match(value) or QUANTITY.fullmatch(value) or _is_joined(match)
        if is_like_one and not is_known and not (len(value) == SHORT and NO_SHORT_SERIAL.fullmatch(value)):
            yield match.span()


def _is_joined(match: re.Match[str]) -> bool:
    """Whether more of a name follows, as behind the model in the name of a device node."""
    behind = match.string[match.end() : match.end() + 2]
    return behind[:1] in ("_", "-") and (behind[1:].isalnum() or behind[1:] == FILLER)


def _is_named(text: str, start: int) -> bool:
    begin = max(text.rfind("\n", max(start - LONGEST_CONTEXT, 0), start) + 1, start - LONGEST_CONTEXT, 0)
    return NO_SERIAL.search(text, begin, start) is not None
