"""What is wrong with a page on screens of several sizes: text that is cut off, covered or has no contrast."""

from playwright.sync_api import Page

from tests.chromium import script
from tests.patience import drawn

# Width in CSS pixels, and size of text in percent
SCREENS = ((320, 100), (768, 100), (1440, 100), (360, 200), (768, 200), (1280, 200))
PHONE = {"width": 360, "height": 900}
SET_TEXT = "percent => { document.documentElement.style.fontSize = `${percent}%`; }"
# Scripts of others draw the API's reference.
FAULTS = script("faults")


def faults(page: Page) -> dict[str, list[str]]:
    """By screen, where there are any. The page ends on a phone, with text of its usual size."""
    found = {}
    for colors in ("active", "none"):
        page.emulate_media(forced_colors=colors)
        for width, percent in SCREENS if colors == "none" else SCREENS[:1]:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(SET_TEXT, percent)
            if page.evaluate(FAULTS):
                drawn(page)  # what a script fits to the width
                found[f"{width} px, {percent} %, forced colors {colors}"] = page.evaluate(FAULTS)
    page.set_viewport_size(PHONE)
    page.evaluate(SET_TEXT, 100)
    return {screen: seen for screen, seen in found.items() if seen}
