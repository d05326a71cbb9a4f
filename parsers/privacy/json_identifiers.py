"""Where smartctl's JSON states what must not be shown, also where a terminal broke a key or a value."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain

from parsers.privacy.rules import CORES, Haystack, Site, at_word, find_by_rules

_IS = r"\s{0,20}:\s{0,20}"
JSON_RULES = (
    at_word("serial", 'rial_number"', fits=rf"rial_number\"{_IS}\"(?P<v1>[^\"\n]{{1,200}})"),
    at_word("wwn", 'nit_id"', fits=rf"nit_id\"{_IS}\"(?P<v1>[^\"\n]{{1,200}})"),
    at_word("wwn", 'as_address"', fits=rf"as_address\"{_IS}\"(?P<v1>[0-9a-fx]{{4,34}})"),
    at_word(
        "wwn",
        '"nguid"',
        '"eui64"',
        '"wwn"',
        fits=rf"\"(?:nguid|eui64|wwn)\"{_IS}\"(?P<v1>[^\"\n]{{1,100}})",
    ),
)
# smartctl's JSON gives a world-wide name as numbers, in any order: {"naa": 5, "oui": 3152, "id": 8035000960}.
JSON_NAME = re.compile(r'"(?:wwn|eui64)"\s{0,20}:\s{0,20}\{([^{}]{0,300})')
JSON_NUMBER = re.compile(r'"(naa|oui|id|ext_id)"\s{0,20}:\s{0,20}([0-9]{1,20})\b')


def find_json_sites(hay: Haystack) -> Iterator[Site]:
    """Search the text without its line ends: what a terminal broke is whole there, and JSON needs none."""
    if '"' not in hay.text:
        return
    text = hay.text.replace("\n", "")
    flat = Haystack(text, hay.lower.replace("\n", ""), b"", CORES)  # of a broken key, no part is a word above
    ends: list[int] | None = None  # where each line end was taken out
    for site in chain(find_by_rules(flat, JSON_RULES), _names(flat.text)):
        if ends is None:
            ends = [match.start() - number for number, match in enumerate(re.finditer("\n", hay.text))]
        start = site.start + bisect_right(ends, site.start)
        end = site.end + bisect_right(ends, site.end - 1)
        yield site._replace(start=start, end=end, line_ends=hay.text.count("\n", start, end))


def _names(text: str) -> Iterator[Site]:
    if '"oui"' not in text:
        return
    for match in JSON_NAME.finditer(text):
        numbers = {one[1]: one for one in JSON_NUMBER.finditer(text, *match.span(1))}
        number = numbers.get("id") or numbers.get("ext_id")
        if number is None or not int(number[2]):
            continue
        naa, oui = (int(numbers[name][2]) if name in numbers else 0 for name in ("naa", "oui"))
        name = f"{naa:x}{oui:06x}{int(number[2]):09x}" if naa else f"{oui:06x}{int(number[2]):010x}"
        yield Site(*number.span(2), "wwn", name, is_number=True)
