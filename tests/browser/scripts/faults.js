() => {
    const LEFT_OUT = ".visually-hidden, .skip-link, option, script, style, .swagger-ui";
    const VISIBLE = {contentVisibilityAuto: true, opacityProperty: true, visibilityProperty: true};
    const CONTROLS = "input:not([type=hidden]), select, textarea, button";
    const faults = new Set(), lines = [], range = document.createRange();
    const said = element => element.textContent.trim().slice(0, 40);
    const named = element => `${element.localName}.${element.getAttribute("class")} ${said(element)}`;
    const known = new Map();
    const looksOf = element => known.get(element) ?? known.set(element, {
        style: getComputedStyle(element), box: element.getBoundingClientRect(),
    }).get(element);
    const around = element => element ? [element, ...around(element.parentElement)] : [];
    const background = element => around(element).map(ancestor => looksOf(ancestor).style.backgroundColor)
        .find(color => color !== "rgba(0, 0, 0, 0)");
    for (const element of document.body.querySelectorAll("*")) {
        if (element.closest(LEFT_OUT) || !element.checkVisibility(VISIBLE)) continue;
        if (element.matches(CONTROLS)) lines.push({element, box: element.getBoundingClientRect()});
        if (element.matches("text:not(:has(title))")) lines.push({element, box: element.getBoundingClientRect()});
        for (const node of element.closest(`${CONTROLS}, svg`) ? [] : element.childNodes) {
            if (node.nodeType !== Node.TEXT_NODE || !node.data.trim()) continue;
            range.selectNodeContents(node);
            for (const box of range.getClientRects()) if (box.width > 1) lines.push({element, box});
        }
    }
    // A box that scrolls shows the rest; what a path clips is hidden on purpose.
    const isSeen = ({element, box}) => around(element).every(ancestor => {
        const {style: {clipPath, display, overflowX}, box: {left, right, top, bottom}} = looksOf(ancestor);
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
        if (element.localName === "text") continue; // on shapes, which have no background
        if (getComputedStyle(element).color === background(element)) faults.add(`invisible: ${named(element)}`);
    }
    const isSticky = ancestor => looksOf(ancestor).style.position === "sticky";
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
}
