// <latency-chart source="id"> offers to take over the SVG of its figure: tooltips, curves that can be hidden, a linear
// scale. The curves are the JSON in #id. Chart.js is fetched only when somebody reaches for it.

function button(text, onClick) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "button button-small";
  made.textContent = text;
  made.addEventListener("click", onClick);
  return made;
}

class LatencyChart extends HTMLElement {
  #drawing;
  #isTaken = false;
  #recolour = () => requestAnimationFrame(() => this.#drawing?.recolour());
  #systemTheme = matchMedia("(prefers-color-scheme: dark)");

  connectedCallback() {
    this.replaceChildren(button("Explore", () => this.#takeOver({ movesFocus: true })));
    this.#box.addEventListener("pointerenter", () => this.#takeOver({ movesFocus: false }), { once: true });
    document.addEventListener("theme-change", this.#recolour);
    this.#systemTheme.addEventListener("change", this.#recolour);
  }

  disconnectedCallback() {
    document.removeEventListener("theme-change", this.#recolour);
    this.#systemTheme.removeEventListener("change", this.#recolour);
    this.#drawing?.destroy();
  }

  get #figure() {
    return this.closest("figure");
  }

  get #box() {
    return this.#figure.querySelector(".chart-box");
  }

  async #takeOver({ movesFocus }) {
    if (this.#isTaken) return;
    this.#isTaken = true;
    const { LatencyDrawing } = await import("./latency-drawing.js");
    const svg = this.#box.querySelector("svg");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", svg.querySelector("title").textContent);
    const frame = document.createElement("div"); // Chart.js fits the canvas to its parent, padding excluded
    frame.className = "chart-frame";
    frame.append(canvas);
    this.#box.append(frame);
    this.#drawing = new LatencyDrawing(canvas, svg, JSON.parse(document.getElementById(this.getAttribute("source")).textContent));
    this.#box.classList.add("is-live");
    this.#offerScales(movesFocus);
    this.#offerHiding();
  }

  #offerScales(movesFocus) {
    const scales = [
      ["Linear", "isLinear"],
      ["4–128 KiB", "isRankedOnly"],
    ].map(([text, property]) => {
      const one = button(text, () => {
        this.#drawing[property] = !this.#drawing[property];
        this.#drawing.draw();
        one.setAttribute("aria-pressed", String(this.#drawing[property]));
      });
      one.setAttribute("aria-pressed", "false");
      return one;
    });
    const hadFocus = this.contains(document.activeElement);
    this.replaceChildren(...scales);
    if (movesFocus || hadFocus) scales[0].focus();
  }

  #offerHiding() {
    for (const [place, item] of this.#figure.querySelectorAll(".legend li").entries()) {
      const one = document.createElement("button");
      one.type = "button";
      one.setAttribute("aria-pressed", "true");
      one.append(...item.childNodes);
      one.addEventListener("click", () => one.setAttribute("aria-pressed", String(this.#drawing.toggle(place))));
      item.append(one);
    }
  }
}

customElements.define("latency-chart", LatencyChart);
