import pytest

from tests.patience import becomes

BODY = """
<script type="module" src="/static/js/copy-text.js"></script>
<copy-text><pre><code> diskinfo -wS /dev/nvd0
</code></pre></copy-text>
"""
CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (text) => %s}})"

# The button says it for two seconds only, which a busy machine may miss.
LISTEN = """
() => {
  window.said = [];
  const button = document.querySelector("button");
  new MutationObserver(() => said.push(button.textContent)).observe(button, { childList: true });
}
"""


@pytest.fixture
def page(open_page):
    page = open_page("<p>nothing yet</p>")
    page.evaluate("() => { window.copied = []; }")
    return page


def show(page, written):
    page.evaluate(CLIPBOARD % written)
    page.evaluate("(body) => { document.body.innerHTML = body; }", BODY)
    page.evaluate("import('/static/js/copy-text.js').then(() => true)")
    page.evaluate(LISTEN)
    return page.get_by_role("button")


def test_the_text_is_copied_without_the_blanks_around_it(page):
    button = show(page, "window.copied.push(text)")
    button.click()
    page.wait_for_function("() => said.includes('Copied')")
    becomes(lambda: page.evaluate("window.copied"), ["diskinfo -wS /dev/nvd0"])


def test_where_nothing_may_be_copied_the_text_is_selected(page):
    button = show(page, "Promise.reject(new Error('denied'))")
    button.click()
    page.wait_for_function("() => said.includes('Selected: press Ctrl+C')")
    becomes(lambda: page.evaluate("getSelection().toString().trim()"), "diskinfo -wS /dev/nvd0")
