"""Where smartctl's JSON states what must not be shown, also where a terminal broke a key or a value."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import chain

from parsers.sites import Site, find_statements, statement

STATEMENTS = (
    statement("serial", 'rial_number"', fits=r"rial_number\"\s{0,20}:\s{0,20}\"(?P<v1>[^\"\n]{1,200})"),
    statement("wwn", 'nit_id"', fits=r"nit_id\"\s{0,20}:\s{0,20}\"(?P<v1>[^\"\n]{1,200})"),
    statement("wwn", 'as_address"', fits=r"as_address\"\s{0,20}:\s{0,20}\"(?P<v1>[0-9a-fA-Fx]{4,34})"),
    statement(
        "wwn",
        '"nguid"',
        '"eui64"',
        '"wwn"',
        fits=r"\"(?:nguid|eui64|wwn)\"\s{0,20}:\s{0,20}\"(?P<v1>[^\"\n]{1,100})",
    ),
)
# smartctl's JSON gives a world-wide name as numbers, in any order: {"naa": 5, "oui": 3152, "id": 8035000960}.
JSON_NAME = re.compile(r'"(?:wwn|eui64)"\s{0,20}:\s{0,20}\{([^{}]{0,300})')
JSON_NUMBER = re.compile(r'"(naa|oui|id|ext_id)"\s{0,20}:\s{0,20}([0-9]{1,20})\b')


def find_json_sites(text: str, sketched: str) -> Iterator[Site]:
    """Search the text without its line ends: what a terminal broke is whole there, and JSON needs none.

    Line ends are not in a sketch, so that of the text is that of the text without them.
    """
    if '"' not in text:
        return
    flat = text.replace("\n", "")
    ends: list[int] | None = None  # where each line end was taken out
    for site in chain(find_statements(flat, sketched, STATEMENTS), _names(flat)):
        if ends is None:
            ends = [match.start() - number for number, match in enumerate(re.finditer("\n", text))]
        start = site.start + bisect_right(ends, site.start)
        end = site.end + bisect_right(ends, site.end - 1)
        yield site._replace(start=start, end=end, line_ends=text.count("\n", start, end))


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
