"""What holds for every page, whatever it shows."""

import pytest

PAGES = ("/", "/leaderboard/", "/survey/", "/about/", "/submit/")


@pytest.mark.parametrize("path", PAGES)
def test_axe_has_nothing_to_object_to(page, assert_accessible, path):
    page.goto(path)
    assert_accessible(page)


@pytest.mark.parametrize("path", PAGES)
def test_the_heading_is_there_without_scripts(page_without_scripts, path):
    page_without_scripts.goto(path)
    assert page_without_scripts.locator("h1").count() == 1
