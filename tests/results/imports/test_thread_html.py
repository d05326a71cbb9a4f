import contextlib
from datetime import date

import pytest

from results.imports.thread_html import MAX_PAGE_BYTES, MAX_POSTS, ThreadError, read_thread
from tests import pastes, threads
from tests.growth import SIZE, is_linear, repeated


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


def test_quotes_in_posts_are_ignored():
    assert read_thread(threads.THREAD).posts[1].text == "I agree."


def test_xenforo_1_pages_are_read():
    (post,) = read_thread(threads.older_page()).posts
    assert (post.author, post.posted_on) == ("bob", date(2019, 3, 4))
    assert post.address.endswith("#post-7")
    assert pastes.FIRST_PASTE.strip() in post.text


@pytest.mark.parametrize("html", ["", "<p>hello</p>", b"\xff\x00", threads.page()])
def test_a_page_that_is_not_a_thread_is_refused(html):
    with pytest.raises(ThreadError, match="No posts found"):
        read_thread(html)


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "http://[broken", "//evil", "data:text/html,x", "x" * 600]
)
def test_an_invalid_url_is_ignored(address):
    page = threads.THREAD.replace("https://forum.example.org/threads/slog.20/", address)
    for post in read_thread(page).posts:
        assert post.address == "" or post.address.startswith(("http://", "https://"))


def test_an_invalid_time_leaves_a_post_undated():
    page = threads.page(threads.post("ann", "hello", at="yesterday"))
    assert read_thread(page).posts[0].posted_on is None


@pytest.mark.parametrize("nested", ["<div>x", '<article class="message--post"><div class="bbWrapper">x'])
def test_a_page_that_nests_as_no_forum_does_is_refused_at_once(nested):
    html = threads.page(threads.post("ann", nested * 500))
    with pytest.raises(ThreadError, match="nests more than"):
        read_thread(html)


def test_a_post_in_a_post_is_part_of_it():
    inner = threads.post("mallory", "mine", number=2)
    posts = read_thread(threads.page(threads.post("ann", f"hers {inner}"))).posts
    assert [post.author for post in posts] == ["ann"]


def test_characters_that_postgresql_rejects_are_replaced():
    html = threads.page(threads.post("an\0n", "hers"), title="a \0 title")
    read = read_thread(html)
    assert (read.title, read.posts[0].author) == ("a \ufffd title", "an\ufffdn")


def test_an_oversized_page_is_refused(subtests):
    for html, reason in [
        ("<p>" * (MAX_PAGE_BYTES // 3 + 1), "larger than 8 MiB"),
        (threads.page(*[threads.post("ann", "hello")] * (MAX_POSTS + 1)), "more than 1000 posts"),
    ]:
        with subtests.test(reason=reason), pytest.raises(ThreadError, match=reason):
            read_thread(html)


def test_scripts_and_styles_in_a_post_are_not_its_text():
    body = "mine<script>var a = 1</script><style>a {}</style><template>b</template> and yours"
    assert read_thread(threads.page(threads.post("ann", body))).posts[0].text == "mine and yours"


def test_a_page_in_another_encoding_is_read_as_it_declares():
    page = threads.page(threads.post("ann", "10 µs")).replace("<head>", '<head><meta charset="windows-1252">')
    assert read_thread(page.encode("cp1252")).posts[0].text == "10 µs"


def test_an_invalid_link_falls_back_to_the_page_url():
    page = threads.page(threads.post("ann", "hello").replace("/threads/slog.20/post-1", "//[/post-1"))
    assert read_thread(page).posts[0].address == "https://forum.example.org/threads/slog.20/"


HOSTILE = [
    "<!--", "<![CDATA[", "\0", "<a", "<a ", "<", "&", "&#", "&amp;", "&aaaaaaaa", "</", "</x>", "<?", "<!DOCTYPE",
    "<div>", "<p>", "<b><p>", "<p></div>", "<table><tr><td>", "<ul><li>", "<select><option>", "<form><input>",
    "<script>", "<script></script", "<script><!--<script>", "<style></", "<title>", "<textarea>", "<plaintext>",
    "<svg>", "<math><mi>", "<br>", "<a x=1 ", '<a x="', "<a x='&amp;", "<a \0=\0 ", "<html a=1>", "<base href=x>",
    '<meta charset="utf-16">', "\udcff", " ", "\r\n", "x", '<i class="attribution">', '<a href="/post-', "<time>",
    '<article class="message--post">', '<a data-time="1" class="a b c d e f">',
]  # fmt: skip


def read_or_refuse(html):
    with contextlib.suppress(ThreadError):
        read_thread(html)


def test_parsing_a_page_is_linear(subtests):
    for unit in HOSTILE:
        for place in ["alone", "in a post", "below many elements"]:
            with subtests.test(unit=unit, place=place):
                head, _, _ = threads.post("ann", "MARK").partition("MARK")
                before = {"alone": "", "in a post": head, "below many elements": "<div>" * 90}[place]
                small, large = (
                    (before + repeated(unit, size)).encode("utf-8", "surrogateescape")
                    for size in (SIZE // 4, SIZE)
                )
                assert is_linear(read_or_refuse, small, large)


def test_parsing_a_tag_is_linear():
    small, large = (
        threads.page(threads.post("ann", f"<i {' '.join(f'a{number}=1' for number in range(count))}>"))
        for count in (5_000, 20_000)
    )
    assert is_linear(read_or_refuse, small, large)
