"""What answers a question as people type it: the guide, the shortlist, a comparison, the check of a used drive."""

import re
from typing import NamedTuple

from results.advice.guide_pages import find_pages
from results.advice.link import LINKS
from results.advice.questions import find_questions, first_sentences, words_of
from results.core.addresses import address, with_query


class SearchAnswer(NamedTuple):
    """A link, and how the answer begins if it is the guide's."""

    text: str
    url: str
    begins: str = ""


_LINK = re.compile(r"\b(\d+(?:\.\d+)?) ?(?:gbe|gbit(?:/s)?|gb/s|gbps|gigabit|g)\b", re.IGNORECASE)
_BUDGET = re.compile(r"\$ ?(\d{1,5})\b|\b(\d{1,5}) ?(?:\$|usd\b|dollars\b)", re.IGNORECASE)
_SLOT = re.compile(r"\b(?:(?P<m2>m\.?2)|(?P<u2>u\.?2))\b", re.IGNORECASE)
_SLOTS = {"m2": ("m2-22110", "M.2"), "u2": ("u2", "U.2")}
_NAME = r"((?:\S+ ){0,3}?\S*\d\S*?(?: [a-z]+){0,2}?)"
_TWO_NAMES = re.compile(rf"{_NAME} (?:vs\.?|versus|against|or|and) {_NAME}\??", re.IGNORECASE)
_TO_BUY = re.compile(
    r"\b(?:buy|buying|choose|pick|purchase|recommend\w*)\b|"
    r"\b(?:what|(?:which|best|cheapest|fastest)(?: \S+)?) (?:device|drive|nvme|slog|ssd)s?\b",
    re.IGNORECASE,
)
_CHEAP = re.compile(
    r"\b(?:affordable|budget|cheap|inexpensive|used)\b.*\b(?:device|drive|log|nvme|optane|slog|ssd)s?\b",
    re.IGNORECASE,
)
_FOR_VMS = re.compile(r"\b(?:esxi|proxmox|vmware|vsphere)\b", re.IGNORECASE)
TO_BUY = "Which SLOG should I buy?"
_BESIDE_A_NAME = re.compile(r"\b(?:used|for|a|an|at|good|deal|buy|worth|is)\b|[:?]", re.IGNORECASE)


def find_answers(text: str) -> list[SearchAnswer]:
    """What the site's tools and its guide answer, the most specific first. No query."""
    questions = [
        SearchAnswer(
            question.text,
            f"{address('guide-page', 'questions')}#{question.key}",
            first_sentences(question.answer),
        )
        for question in find_questions(text)
    ]
    pages = [
        SearchAnswer(
            page.title, address("guide-page", page.slug), page.answer and first_sentences(page.answer)
        )
        for page in find_pages(text)
    ]
    guide = sorted(
        [*questions, *pages], key=lambda answer: words_of(answer.text) != words_of(text)
    )  # titles first
    found = [*_comparison(text), *_used_drive(text), *_shortlist(text), *guide]
    if guide == found and _FOR_VMS.search(text):
        found.append(SearchAnswer(TO_BUY, address("shortlist")))
    return found


def _shortlist(text: str) -> list[SearchAnswer]:
    """The shortlist for the link, slot and budget in the text; also without these if it asks what to buy."""
    if _CHEAP.search(text) and not any(letter.isdigit() for letter in text):
        if "used" not in text.lower().split():
            return [SearchAnswer(TO_BUY, address("shortlist"))]
        url = with_query(address("shortlist"), condition="used")
        return [SearchAnswer("Which used SLOG should I buy?", f"{url}#answer")]
    typed, in_slot, budget = _LINK.search(text), _SLOT.search(text), _budget(text)
    link = next((link for link in LINKS if typed and str(link.gbit_s) == typed[1]), None)
    slot, slot_name = _SLOTS[in_slot.lastgroup or ""] if in_slot else ("", "")
    if not (link or slot or _TO_BUY.search(text)):
        return []
    named = [link.ethernet if link else "", slot_name, f"up to ${budget}" if budget else ""]
    if not any(named):
        return [SearchAnswer(TO_BUY, address("shortlist"))]
    needs = {"link_gbit": str(link.gbit_s) if link else "", "budget": budget, "form_factor": slot}
    url = with_query(address("shortlist"), **needs)
    return [SearchAnswer(f"Which SLOG for {', '.join(filter(None, named))}?", f"{url}#answer")]


def _comparison(text: str) -> list[SearchAnswer]:
    """The comparison of two names in the text."""
    names = _TWO_NAMES.fullmatch(text)
    if names is None or _LINK.search(text):
        return []
    url = with_query(address("compare"), add=text.rstrip("?"))
    return [SearchAnswer(f"Compare {names[1]} with {names[2]}", url)]


def _used_drive(text: str) -> list[SearchAnswer]:
    """The check of the used drive that the text names."""
    name = " ".join(_BESIDE_A_NAME.sub(" ", _BUDGET.sub(" ", text)).split())
    if "used" not in text.lower().split() or not any(letter.isdigit() for letter in name):
        return []
    url = with_query(address("used-drive"), model=name, price=_budget(text))
    return [SearchAnswer(f"Check a used {name} before you buy it", f"{url}#answer")]


def _budget(text: str) -> str:
    """The dollars in the text, or ""."""
    found = _BUDGET.search(text)
    return (found[1] or found[2]) if found else ""
