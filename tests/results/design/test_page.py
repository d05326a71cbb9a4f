"""The page of components: not on a site in use, and drawn with and without results."""

import pytest
from django.urls import NoReverseMatch, reverse

from results.design.page import THEMES, design
from results.models.choices import Plp
from tests.factories import make_device, make_protected_product, make_result, rank_everything

pytestmark = pytest.mark.django_db


def test_a_site_in_use_has_no_page_of_components(client):
    with pytest.raises(NoReverseMatch):
        reverse("design")
    assert client.get("/design/").status_code == 404


def test_without_a_result_it_shows_what_is_empty(rf):
    text = design(rf.get("/design/")).content.decode()
    assert text.count("No device measured yet") == text.count("No measured device matches") == len(THEMES)
    assert 'class="drive ' not in text


def test_it_shows_every_tag_and_the_components_of_pages_in_both_themes(rf):
    make_result(20, device=make_device(product=make_protected_product()))
    rank_everything()
    text = design(rf.get("/design/")).content.decode()
    for markup in (
        'class="drive is-first"',
        "<live-chart>",
        '<live-chart class="chart-choices">',
        'class="button button-main"',
    ):
        assert text.count(markup) >= len(THEMES), markup
    for plp in Plp:
        assert text.count(f">{plp.label}</span>") >= len(THEMES), plp
    assert [f'data-theme="{theme}"' in text for theme in THEMES] == [True, True]
