import pytest

from tests.patience import becomes

BODY = """
<script src="/static/js/theme.js"></script>
<script type="module" src="/static/js/theme-switch.js"></script>
<theme-switch></theme-switch>
"""


@pytest.fixture
def page(open_page):
    return open_page(BODY)


def has_theme(page, theme):
    becomes(lambda: page.evaluate("document.documentElement.dataset.theme ?? ''"), theme)


def test_the_system_decides_until_somebody_does(page):
    has_theme(page, "")
    page.emulate_media(color_scheme="dark")
    page.get_by_role("button", name="Use the light theme").wait_for()
    has_theme(page, "")


def test_the_switch_turns_to_the_other_theme_and_back(page):
    page.get_by_role("button", name="Use the dark theme").click()
    has_theme(page, "dark")
    page.get_by_role("button", name="Use the light theme").click()
    has_theme(page, "light")


def test_the_choice_is_there_before_the_next_page_is_drawn(page):
    page.get_by_role("button", name="Use the dark theme").click()
    page.reload()
    has_theme(page, "dark")


def test_a_stored_value_that_is_no_theme_is_left_alone(page):
    page.evaluate("localStorage.setItem('theme', 'purple')")
    page.reload()
    has_theme(page, "")
