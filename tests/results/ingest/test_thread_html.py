import time
from datetime import date

import pytest

from results.ingest.thread_html import ThreadError, read_thread
from tests import pastes, threads


def test_each_post_has_its_author_day_address_and_words():
    thread = read_thread(threads.THREAD)
    assert (thread.title, thread.address) == (
        "SLOG benchmarking | A forum",
        "https://forum.example.org/threads/slog.20/",
    )
    first = thread.posts[0]
    assert (first.author, first.posted_on, first.address) == (
        "ann",
        date(2019, 3, 4),
        "https://forum.example.org/threads/slog.20/post-1",
    )
    assert first.text.startswith("Look at this:\n")
    assert pastes.FIRST_PASTE.strip() in first.text
    assert first.text.endswith("Not bad, is it?")


def test_what_a_post_quotes_is_left_to_the_post_that_it_is_from():
    assert read_thread(threads.THREAD).posts[1].text == "I agree."


def test_the_older_kind_of_page_is_read_too():
    (post,) = read_thread(threads.older_page()).posts
    assert (post.author, post.posted_on) == ("bob", date(2019, 3, 4))
    assert post.address == "https://forum.example.org/threads/slog.20/#post-7" or post.address.endswith(
        "#post-7"
    )
    assert pastes.FIRST_PASTE.strip() in post.text


@pytest.mark.parametrize("html", ["", "<p>hello</p>", b"\xff\x00", threads.page()])
def test_what_is_no_thread_is_refused(html):
    with pytest.raises(ThreadError, match="No post was found"):
        read_thread(html)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://[broken", "//evil", "data:text/html,x", "x" * 600]
)
def test_an_address_that_is_none_is_not_taken(address):
    page = threads.THREAD.replace("https://forum.example.org/threads/slog.20/", address)
    for post in read_thread(page).posts:
        assert post.address == "" or post.address.startswith(("http://", "https://"))


def test_a_time_that_is_none_leaves_a_post_undated():
    page = threads.page(threads.post("ann", "hello", at="yesterday"))
    assert read_thread(page).posts[0].posted_on is None


@pytest.mark.parametrize("nested", ["<div>x", '<article class="message--post"><div class="bbWrapper">x'])
def test_a_page_that_nests_as_no_forum_does_is_refused_at_once(nested):
    html = threads.page(threads.post("ann", nested * 500))
    began_at = time.process_time()
    with pytest.raises(ThreadError, match="nests more than"):
        read_thread(html)
    assert time.process_time() - began_at < 5


def test_a_post_in_a_post_is_part_of_it():
    inner = threads.post("mallory", "mine", number=2)
    posts = read_thread(threads.page(threads.post("ann", f"hers {inner}"))).posts
    assert [post.author for post in posts] == ["ann"]


def test_what_no_table_can_hold_is_replaced():
    html = threads.page(threads.post("an\0n", "hers"), title="a \0 title")
    read = read_thread(html)
    assert (read.title, read.posts[0].author) == ("a \ufffd title", "an\ufffdn")
