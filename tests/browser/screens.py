"""What is wrong with a page on screens of several sizes: text that is cut off, covered or has no contrast."""

from playwright.sync_api import Page

from tests.patience import drawn

# Width in CSS pixels, and size of text in percent
SCREENS = ((320, 100), (768, 100), (1440, 100), (360, 200), (768, 200), (1280, 200), (360, 100))
SET_TEXT = "percent => { document.documentElement.style.fontSize = `${percent}%`; }"
# Charts have tests of their own; scripts of others draw the API's reference.
FAULTS = """() => {
    const LEFT_OUT = ".visually-hidden, .skip-link, option, script, style, svg, .swagger-ui";
    const VISIBLE = {contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true};
    const CONTROLS = "input:not([type=hidden]), select, textarea, button";
    const faults = new Set(), lines = [], range = document.createRange();
    const named = element => `${element.localName}.${element.className} ${element.textContent.trim().slice(0, 40)}`;
    const around = element => element ? [element, ...around(element.parentElement)] : [];
    const background = element => around(element).map(ancestor => getComputedStyle(ancestor).backgroundColor)
        .find(color => color !== "rgba(0, 0, 0, 0)");
    for (const element of document.body.querySelectorAll("*")) {
        if (element.closest(LEFT_OUT) || !element.checkVisibility(VISIBLE)) continue;
        if (element.matches(CONTROLS)) lines.push({element, box: element.getBoundingClientRect()});
        for (const node of element.closest(CONTROLS) ? [] : element.childNodes) {
            if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) if (box.width > 1) lines.push({element, box});
        }
    }
    // A box that scrolls shows the rest; what a path clips is hidden on purpose.
    const isSeen = ({element, box}) => around(element).every(ancestor => {
        const {clipPath, display, overflowX} = getComputedStyle(ancestor);
        const {left, right, top, bottom} = ancestor.getBoundingClientRect();
        if (clipPath !== "none") return false;
        if (overflowX === "visible" || display === "inline" || ancestor === document.documentElement) return true;
        const isInside = left - 2 < box.left && box.right < right + 2 && top - 4 < box.top && box.bottom < bottom + 4;
        if (!isInside && overflowX !== "auto" && overflowX !== "scroll") faults.add(`cut off: ${named(element)}`);
        return isInside;
    });
    const seen = lines.filter(isSeen).sort((a, b) => a.box.top - b.box.top);
    for (const {element} of seen) {
        const isCut = element.matches("button") && element.scrollWidth > element.clientWidth + 1;
        if (isCut) faults.add(`cut off: ${named(element)}`);
        if (getComputedStyle(element).color === background(element)) faults.add(`invisible: ${named(element)}`);
    }
    const isSticky = ancestor => getComputedStyle(ancestor).position === "sticky";
    const still = seen.filter(({element}) => !around(element).some(isSticky));
    still.forEach(({element, box}, at) => {
        for (const other of still.slice(at + 1)) {
            if (other.box.top >= box.bottom) break;
            const width = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
            const height = Math.min(box.bottom, other.box.bottom) - other.box.top;
            if (width > 2 && height > Math.min(box.height, other.box.height) / 3)
                faults.add(`covered: ${named(element)}, ${named(other.element)}`);
        }
    });
    if (document.documentElement.scrollWidth > innerWidth)
        faults.add(`wider than the screen: ${document.documentElement.scrollWidth}`);
    return [...faults];
}"""


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
    return {screen: seen for screen, seen in found.items() if seen}
