// <strip-chart> around a strip chart. On first interaction it fetches Chart.js and replaces the SVG: the nearest drive
// gets a tooltip, the arrow keys walk from drive to drive, Enter or a click opens its page.

class StripChart extends HTMLElement {
  steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
  #drawing;
  #takingOver;
  #announcement = document.createElement("p");
  #listeners = new AbortController();

  connectedCallback() {
    const { signal } = this.#listeners;
    const box = this.#box;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Chart: the arrow keys read its drives, Enter opens one");
    box.addEventListener("pointerenter", () => this.#takeOver(), { signal });
    box.addEventListener("focus", () => this.#takeOver(), { signal });
    box.addEventListener("keydown", (event) => this.#press(event), { signal });
    const recolor = () => requestAnimationFrame(() => this.#drawing?.recolor());
    document.addEventListener("theme-change", recolor, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor, { signal });
    this.#announcement.className = "visually-hidden";
    this.#announcement.setAttribute("aria-live", "polite");
    this.append(this.#announcement);
  }

  disconnectedCallback() {
    this.#listeners.abort();
    this.#drawing?.destroy();
  }

  get #box() {
    return this.querySelector(".chart-box");
  }

  /** Replaces the SVG once; concurrent calls wait for the same promise. */
  #takeOver() {
    this.#takingOver ??= this.#draw();
    return this.#takingOver;
  }

  async #draw() {
    const { StripDrawing } = await import("./strip-drawing.js");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", this.#box.querySelector("svg > title").textContent);
    const frame = document.createElement("div"); // Chart.js fits the canvas to its parent, padding excluded
    frame.className = "chart-frame";
    frame.append(canvas);
    this.#box.append(frame);
    this.#drawing = new StripDrawing(canvas, this.#box.querySelector("svg"));
    this.#box.classList.add("is-live");
  }

  async #press(event) {
    const step = this.steps[event.key];
    if (event.target !== this.#box || (!step && event.key !== "Enter")) return;
    event.preventDefault();
    await this.#takeOver();
    if (step) this.#announcement.textContent = this.#drawing.step(step);
    else this.#drawing.open();
  }
}

customElements.define("strip-chart", StripChart);
