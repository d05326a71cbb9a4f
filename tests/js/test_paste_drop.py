import re

import pytest
from playwright.sync_api import expect

from tests.patience import becomes

BODY = """
<script type="module" src="/static/js/paste-drop.js"></script>
<paste-drop><textarea></textarea><input type="file" multiple></paste-drop>
"""

DROP = """([type, name]) => {
  const dataTransfer = new DataTransfer();
  if (name) dataTransfer.items.add(new File(["usec/IO"], name));
  else dataTransfer.setData("text/plain", "usec/IO");
  const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true });
  document.querySelector("textarea").dispatchEvent(event);
  return event.defaultPrevented;
}"""


@pytest.fixture
def page(open_page):
    page = open_page(BODY)
    page.evaluate("customElements.whenDefined('paste-drop').then(() => true)")
    return page


def has_files(page, *names):
    script = "Array.from(document.querySelector('input').files, (file) => file.name)"
    becomes(lambda: page.evaluate(script), list(names))


def drop(page, *event, is_taken):
    """The page takes it, or leaves it to the browser."""
    taken = page.evaluate(DROP, list(event))
    assert taken is is_taken


def test_dropped_files_land_in_the_file_field_beside_those_chosen(page):
    page.set_input_files("input", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"})
    drop(page, "drop", "b.txt", is_taken=True)
    has_files(page, "a.txt", "b.txt")


def test_the_box_shows_that_it_takes_files(page):
    drop(page, "dragover", "b.txt", is_taken=True)
    expect(page.locator("paste-drop")).to_have_class(re.compile("is-over"))
    drop(page, "drop", "b.txt", is_taken=True)
    expect(page.locator("paste-drop")).to_have_class("")


def test_dropped_text_goes_into_the_box_as_the_browser_does_it(page):
    drop(page, "drop", "", is_taken=False)
    has_files(page)
