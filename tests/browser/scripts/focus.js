
() => {
  let one = document.activeElement;
  if (one === document.body) return null;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  if (!one.dataset.stop) one.dataset.stop = String((window.stops = (window.stops ?? 0) + 1));
  const box = one.getBoundingClientRect(), look = getComputedStyle(one);
  return {
    stop: Number(one.dataset.stop),
    name: (one.ariaLabel || one.textContent || one.name || one.localName).trim().slice(0, 40),
    is_in_view: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    is_marked: look.outlineStyle !== "none" || look.boxShadow !== "none",
  };
}
