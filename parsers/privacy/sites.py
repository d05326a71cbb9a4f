"""Where a text states what must not be shown: serial numbers, world-wide names, hosts, users, addresses, keys.

Every repetition is bounded, so the search is linear in the text.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from parsers.base.format import ParseError
from parsers.privacy.answers import ANSWER_RULES
from parsers.privacy.columns import find_in_columns
from parsers.privacy.hosts import HOST_RULES
from parsers.privacy.json_identifiers import find_json_sites
from parsers.privacy.key_rules import KEY_RULES
from parsers.privacy.name_rules import NAME_RULES
from parsers.privacy.rules import COMMON_USERS, Haystack, Site, find_by_rules, haystack, is_value
from parsers.privacy.rules import MASK as MASK
from parsers.privacy.shapes import SHAPE_RULES
from parsers.privacy.table import SERIAL_RULES
from parsers.privacy.tool_rules import TOOL_RULES
from parsers.privacy.users import USER_RULES

MAX_SITES = 10_000
IDENT = "# disk ident"  # diskinfo states the value first

# Not the parts of an enclosure path ("slot@4"), of which a wrapped one may begin a line.
AT_HOST = re.compile(
    r"@(?P<host>(?=[\d_]{0,20}[^\W\d_]|[\d.]{7})\w[\w.-]{0,99}+)(?![^\n]{0,80}# Physical path)"
)
LONGEST_USER = 64
# Nor of a web page; but of a share: "//alice@nas/share"
USER_BEFORE = re.compile(r"(?:(?<![\w.+/,-])|(?<=//)(?<![^\s\"'=(]//))[\w.+-]{1,64}$")


class Sites:
    """Stretches that state identifiers, in order and apart: what is added first goes before what overlaps it."""

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.is_partial = False  # whether a stretch was left out that goes beyond those that are there

    def add(self, found: Iterable[Site]) -> None:
        """Take in what overlaps nothing so far; of two found the first or the longer one. Raises ParseError."""
        new = sorted(islice(found, MAX_SITES + 1), key=lambda one: (one.start, -one.end))
        if len(self.sites) + len(new) > MAX_SITES:
            raise ParseError(
                "there are more serial numbers and names here than any tool prints", code="too_many_names"
            )
        if not new:
            return
        sites, merged = self.sites, []
        at = done = 0
        for site in new:
            while at < len(sites) and sites[at].end <= site.start:
                merged.append(sites[at])
                at += 1
            is_free = at == len(sites) or sites[at].start >= site.end
            if site.start >= done and is_free:
                merged.append(site)
                done = site.end
            elif site.end > done and (is_free or site.start < sites[at].start or site.end > sites[at].end):
                self.is_partial = True
        self.sites = sorted([*merged, *sites[at:]])


def find_sites(text: str) -> Sites:
    """Where identifiers are stated. Raises ParseError for an absurd number."""
    return find_in(haystack(text))


def find_in(hay: Haystack) -> Sites:
    """The same for a text that is prepared for the search."""
    found = Sites()
    found.add(find_json_sites(hay))
    found.add(find_by_rules(hay, TOOL_RULES))
    found.add(_idents(hay))
    found.add(_user_hosts(hay))
    for rules in (SERIAL_RULES, NAME_RULES, KEY_RULES, SHAPE_RULES, HOST_RULES, USER_RULES):
        found.add(find_by_rules(hay, rules))
    found.add(find_in_columns(hay))
    return found


def find_answers(hay: Haystack) -> Sites:
    """What commands printed that print nothing else; to find before lines are joined to commands."""
    found = Sites()
    found.add(find_by_rules(hay, ANSWER_RULES))
    return found


def _idents(hay: Haystack) -> Iterator[Site]:
    """The values in front of "# Disk ident."."""
    place = hay.lower.find(IDENT)
    while place >= 0:
        line = max(hay.text.rfind("\n", max(place - 120, 0), place) + 1, place - 120, 0)
        before = hay.text[line:place]
        value = before.strip()
        if value and "#" not in value and is_value(value, "serial"):
            start = line + before.index(value)
            yield Site(start, start + len(value), "serial", value)
        place = hay.lower.find(IDENT, place + 1)


def _user_hosts(hay: Haystack) -> Iterator[Site]:
    if "@" not in hay.text:
        return
    for match in AT_HOST.finditer(hay.text):
        begin = max(match.start() - LONGEST_USER, 0)
        user = USER_BEFORE.search(hay.text, begin, match.start())
        if user is None:
            continue
        if user[0].lower() not in COMMON_USERS:
            yield Site(*user.span(), "user", user[0])
        host = match["host"].rstrip(".-")
        yield Site(match.start("host"), match.start("host") + len(host), "host", host)
