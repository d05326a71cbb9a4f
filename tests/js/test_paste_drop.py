import pytest

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


def names(page):
    return page.evaluate("Array.from(document.querySelector('input').files, (file) => file.name)")


def test_dropped_files_land_in_the_file_field_beside_those_chosen(page):
    page.set_input_files("input", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"a"})
    assert page.evaluate(DROP, ["drop", "b.txt"])
    assert names(page) == ["a.txt", "b.txt"]


def test_the_box_shows_that_it_takes_files(page):
    assert page.evaluate(DROP, ["dragover", "b.txt"])
    assert "is-over" in page.locator("paste-drop").get_attribute("class")
    page.evaluate(DROP, ["drop", "b.txt"])
    assert page.locator("paste-drop").get_attribute("class") == ""


def test_dropped_text_goes_into_the_box_as_the_browser_does_it(page):
    assert not page.evaluate(DROP, ["drop", ""])
    assert names(page) == []
