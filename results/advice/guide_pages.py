"""The pages of the guide: what each is about (results/data/guide_pages.csv), and which answer what somebody types."""

from dataclasses import dataclass, replace
from decimal import Decimal

from results.advice.log_size import log_size
from results.advice.openzfs import facts
from results.advice.questions import match_words
from results.core.formats import format_capacity
from results.core.lines import DATA, FileLine, read_lines


@dataclass(frozen=True, slots=True)
class GuidePage(FileLine):
    """A page: its slug, heading, description in one sentence, and further words that people use for it.

    `answer` is what it begins with, and answers the heading; "" if that takes more than the page's first sentences.
    """

    slug: str
    title: str
    description: str
    words: str
    answer: str


def _read_pages() -> tuple[GuidePage, ...]:
    largest = format_capacity(log_size(Decimal(0)).space_limit)
    lines = read_lines(DATA / "guide_pages.csv", GuidePage)
    return tuple(replace(line, answer=line.answer.format(largest_log=largest)) for _, line in lines)


PAGES = _read_pages()


def find_pages(text: str) -> list[GuidePage]:
    """The pages that have most of a text's words, best first; none for a text of fillers only."""
    return match_words(text, PAGES, lambda page: (page.title, _words_of(page)), is_subject_enough=True)


def _words_of(page: GuidePage) -> str:
    """Its own words, and those of the facts about OpenZFS that it is about."""
    for_facts = " ".join(fact.words for fact in facts().values() if fact.page == page.slug)
    return f"{page.description} {page.words} {for_facts}"
