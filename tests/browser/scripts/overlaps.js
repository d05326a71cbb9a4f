
() => {
  const parts = [...document.querySelectorAll("main :is(p, h1, h2, h3, table, figure, dl, pre)")]
    .filter((one) => one.checkVisibility() && !one.parentElement.closest("figure, table, dl"));
  const boxes = parts.map((one) => [one, one.getBoundingClientRect()]);
  return boxes.flatMap(([one, a]) => boxes
    .filter(([other, b]) => one !== other && !one.contains(other) && !other.contains(one))
    .filter(([, b]) => a.top < b.bottom - 1 && b.top < a.bottom - 1 && a.left < b.right - 1 && b.left < a.right - 1)
    .map(([other]) => `${one.tagName} ${one.textContent.slice(0, 20)} / ${other.tagName}`));
}
