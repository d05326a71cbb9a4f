"""The tag that keeps parts of pages, on a part that shows what it is given."""

import pytest
from django.template import Engine, RequestContext
from django.utils.safestring import mark_safe

ENGINE = Engine(
    libraries={"kept": "results.templatetags.kept"},
    loaders=[
        (
            "django.template.loaders.locmem.Loader",
            {
                "page": '{% load kept %}{% kept "part" one other %}',
                "part": "{{ one }} {{ other.text }}{% if hidden %} hidden{% endif %}",
            },
        )
    ],
)


def page(**shown):
    return ENGINE.get_template("page").render(RequestContext(None, shown))


def test_a_part_shows_what_is_named_and_nothing_else():
    assert page(one=1, other={"text": "two"}, hidden=True) == "1 two"


def test_what_is_not_there_shows_nothing():
    assert page(other={"text": "two"}) == " two"


def test_another_value_makes_another_part():
    assert [page(one=one, other={"text": "two"}) for one in ("1", "2", "1")] == ["1 two", "2 two", "1 two"]


def test_markup_is_never_taken_for_the_text_that_reads_like_it():
    texts = [page(one=one) for one in (mark_safe("<b>"), "<b>", mark_safe("<b>"))]
    assert texts == ["<b> ", "&lt;b&gt; ", "<b> "]


def test_what_json_cannot_hold_is_refused():
    with pytest.raises(TypeError):
        page(one=object())


def test_a_part_is_rendered_once(monkeypatch):
    rendered = []
    template = type(ENGINE.get_template("part"))
    render = template.render
    monkeypatch.setattr(
        template, "render", lambda self, context: rendered.append(self.name) or render(self, context)
    )
    for _ in range(2):
        page(one="once", other={"text": "and for all"})
    assert rendered.count("part") == 1
