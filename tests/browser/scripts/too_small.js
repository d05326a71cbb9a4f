() => {
    const shown = one => one.checkVisibility({visibilityProperty: true})
        && one.getBoundingClientRect().width > 1 && !one.closest(".visually-hidden, sub, sup, svg, .swagger-ui");
    const said = one => `${one.localName}.${one.className}: ${one.textContent.trim().slice(0, 30)}`;
    const texts = [...document.body.querySelectorAll("*")].filter(one => {
        const size = parseFloat(getComputedStyle(one).fontSize);
        const isText = [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.data.trim());
        return isText && shown(one) && 0 < size && size < 15;
    });
    const targets = [...document.querySelectorAll("a, button, input, select, textarea, summary")].filter(one => {
        const boxes = shown(one) ? [...one.getClientRects()] : [];
        const height = Math.min(...boxes.map(box => box.height)), width = Math.max(...boxes.map(box => box.width));
        return boxes.length && Math.min(height, width) < 23.9;
    });
    return {texts: texts.map(said), targets: targets.map(said)};
}
