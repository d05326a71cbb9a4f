from django.urls import reverse

from parsers.base.advice import COMMANDS_PAGE, HOW_TO_MEASURE
from results.templatetags.commands import with_link


def test_the_page_of_commands_in_a_notice_is_a_link():
    assert reverse("commands") == COMMANDS_PAGE
    assert with_link(f"No <this>. {HOW_TO_MEASURE}") == (
        'No &lt;this&gt;. See <a href="/submit/commands/">the page of commands</a> for the command that measures'
        " what we compare"
    )


def test_a_notice_without_it_is_text():
    assert with_link("a <b> notice") == "a &lt;b&gt; notice"
