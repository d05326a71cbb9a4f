"""Tags: one element for badges and for words, with a tone for every value of protection."""

import re
from pathlib import Path

from django.conf import settings
from django.template import Context, Template

from results.models.choices import Plp, plp_badge

STYLES = (Path(settings.BASE_DIR) / "static/css/parts.css").read_text()


def rendered(source, **context):
    return Template("{% load tags %}" + source).render(Context(context))


def test_a_badge_and_a_text_become_the_same_element():
    badge = plp_badge("no")
    assert rendered("{% tag badge %}", badge=badge) == '<span class="tag tag-bad">Not protected</span>'
    assert rendered('{% tag "Not protected" "bad" %}') == rendered("{% tag badge %}", badge=badge)
    assert rendered("{% tag text %}", text="<b>") == '<span class="tag">&lt;b&gt;</span>'


def test_every_value_of_protection_has_a_tone_with_an_icon():
    indirect = [{"value": "yes", "evidence": "indirect"}]
    tones = {plp_badge(plp.value).tone for plp in Plp} | {plp_badge("unknown", indirect).tone}
    assert tones == {"good", "bad", "battery", "warn", "maybe", "unknown"}
    icons = re.findall(r"\.tag-(\w+)::before \{[^}]*content: ([^;]*);", STYLES)
    assert {tone for tone, _ in icons} == tones
    assert len({icon for _, icon in icons}) == len(tones)


def test_no_template_writes_a_tag_itself():
    written = [
        path.name
        for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html")
        if '<span class="tag' in path.read_text()
    ]
    assert written == []
