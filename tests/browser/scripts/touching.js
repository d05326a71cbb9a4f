([selector, frame]) => [...document.querySelectorAll(selector)].flatMap((drawing) => {
  const name = drawing.closest("[data-name]").dataset.name;
  const area = (frame ? drawing.closest(frame) : drawing).getBoundingClientRect();
  const boxes = [...drawing.querySelectorAll("text")].filter((text) => text.getClientRects().length).map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    return { text: text.textContent, left: left + 1, right: right - 1, top: top + 1.5, bottom: bottom - 1.5 };
  });
  const touches = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom
    && other.top < one.bottom;
  const isOut = (one) => one.left < area.left || one.right > area.right || one.top < area.top
    || one.bottom > area.bottom;
  return boxes.flatMap((one, at) => [
    ...(isOut(one) ? [`${name}: “${one.text}” leaves the frame`] : []),
    ...boxes.slice(at + 1).filter((other) => touches(one, other))
      .map((other) => `${name}: “${one.text}” touches “${other.text}”`),
  ]);
})
