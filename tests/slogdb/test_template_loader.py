import pytest
from django.template import Engine
from django.template.loader import render_to_string
from django.urls import NoReverseMatch

LOADER = "slogdb.template_loader.Loader"


@pytest.fixture
def read(tmp_path):
    """How a template of this text comes from the loader."""

    def read(text):
        (tmp_path / "page.html").write_text(text)
        return Engine(
            dirs=[tmp_path], loaders=[LOADER], libraries={"static": "django.templatetags.static"}
        ).get_template("page.html")

    return read


def test_addresses_that_never_change_are_written_out(read):
    text = "{% load static %}<a href=\"{% url 'leaderboard' %}#top\"><img src='{% static \"img/a b.svg\" %}'>"
    assert read(text).source.endswith("<a href=\"/leaderboard/#top\"><img src='/static/img/a%20b.svg'>")


@pytest.mark.parametrize(
    "tag", ["{% url 'device' slug %}", "{% url name %}", "{% url 'about' as about_url %}"]
)
def test_tags_with_more_than_a_name_are_left(read, tag):
    assert read(tag).source == tag


def test_a_name_that_there_is_not_is_an_error(read):
    with pytest.raises(NoReverseMatch):
        read("{% url 'no-such-page' %}")


def test_the_site_reads_its_templates_so():
    page = render_to_string("404.html")
    assert 'href="/submit/"' in page
