"""What people type is answered first by the page of that title, or by the tool for it."""

from results.advice.guide_pages import PAGES
from results.advice.questions import QUESTIONS
from results.search.answers import find_answers


def first(text):
    return next((answer["url"] for answer in find_answers(text)), "")


def test_a_title_is_its_own_first_answer(subtests):
    for title in [*(page.title for page in PAGES), *(question.text for question in QUESTIONS)]:
        with subtests.test(title):
            assert find_answers(title)[0]["text"] == title


def test_the_subject_alone_finds_the_guide_and_a_wish_to_buy_the_shortlist(subtests):
    for text, url in [
        ("slog", "/guide/what-is-a-slog/"),
        ("what is a zil", "/guide/what-is-a-slog/"),
        ("log device", "/guide/what-is-a-slog/"),
        ("do i need a slog", "/guide/do-i-need-one/"),
        ("which drive should i buy", "/shortlist/"),
        ("best ssd for slog", "/shortlist/"),
        ("recommended drives under $300", "/shortlist/?budget=300#answer"),
        ("buy a used P4801X", "/used-drive/?model=P4801X#answer"),
        ("what is it", ""),
    ]:
        with subtests.test(text):
            assert first(text) == url
