"""What people type is answered first by the page of that title, or by the tool for it."""

from results.advice.guide_pages import PAGES
from results.advice.questions import QUESTIONS
from results.search.answers import SearchAnswer, find_answers


def first(text):
    return next((answer.url for answer in find_answers(text)), "")


def test_a_title_is_its_own_first_answer(subtests):
    for title in [*(page.title for page in PAGES), *(question.text for question in QUESTIONS)]:
        with subtests.test(title):
            assert find_answers(title)[0].text == title


def test_the_subject_alone_finds_the_guide_and_a_wish_to_buy_the_shortlist(subtests):
    for text, url in [
        ("slog", "/guide/what-is-a-slog/"),
        ("what is a zil", "/guide/what-is-a-slog/"),
        ("log device", "/guide/what-is-a-slog/"),
        ("do i need a slog", "/guide/do-i-need-one/"),
        ("zil vs slog", "/guide/what-is-a-slog/"),
        ("slog for esxi", "/guide/questions/#esxi"),
        ("esxi nfs slow", "/guide/questions/#esxi"),
        ("cheap used enterprise ssd", "/shortlist/?condition=used#answer"),
        ("cheap slog", "/shortlist/"),
        ("which drive should i buy", "/shortlist/"),
        ("best ssd for slog", "/shortlist/"),
        ("recommended drives under $300", "/shortlist/?budget=300#answer"),
        ("buy a used P4801X", "/used-drive/?model=P4801X#answer"),
        ("what is it", ""),
    ]:
        with subtests.test(text):
            assert first(text) == url


def test_a_question_about_a_hypervisor_also_finds_the_shortlist():
    for text in ["slog for esxi", "esxi nfs slow", "proxmox slog"]:
        assert SearchAnswer("Which SLOG should I buy?", "/shortlist/") in find_answers(text)


def test_the_guide_begins_with_its_answer(subtests):
    for text, begins in [
        ("do i need a slog", "Often not. A SLOG makes synchronous writes faster, and only those."),
        ("zil vs slog", "A SLOG is a separate device for the ZIL, ZFS’s log of synchronous writes."),
        ("is a UPS enough?", "No. A UPS keeps the machine running"),
        ("slog for esxi", "Nearly always. A VMware ESXi host sends every write over NFS as a sync write"),
    ]:
        with subtests.test(text):
            assert find_answers(text)[0].begins.startswith(begins)
            assert find_answers(text)[0].begins.endswith(".")
