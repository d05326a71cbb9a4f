/**
 * The base of elements around a chart: on first interaction Chart.js takes over from the SVG, and the arrow keys read
 * the points. Elements give `load`, which resolves to the class of their drawing, and `draw`, which makes one.
 */
export class LiveChart extends HTMLElement {
  label = "Chart: the arrow keys read its points";
  /** The step of each arrow key. */
  steps = { ArrowLeft: -1, ArrowRight: 1 };
  /** The drawing, once Chart.js has taken over. */
  drawing;
  listeners = new AbortController();
  #takingOver;
  #announcement = document.createElement("p");

  connectedCallback() {
    const { signal } = this.listeners;
    const box = this.box;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", this.label);
    box.addEventListener("pointerenter", () => this.takeOver(), { signal });
    box.addEventListener("focus", () => this.takeOver(), { signal });
    box.addEventListener("keydown", (event) => this.press(event), { signal });
    const recolor = () => requestAnimationFrame(() => this.drawing?.recolor());
    document.addEventListener("theme-change", recolor, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor, { signal });
    this.#announcement.className = "visually-hidden";
    this.#announcement.setAttribute("aria-live", "polite");
    this.figure.append(this.#announcement);
  }

  disconnectedCallback() {
    this.listeners.abort();
    this.drawing?.destroy();
  }

  get figure() {
    return this.closest("figure");
  }

  get box() {
    return this.figure.querySelector(".chart-box");
  }

  /** Replaces the SVG once; concurrent calls wait for the same promise. */
  takeOver() {
    this.#takingOver ??= this.#replace();
    return this.#takingOver;
  }

  async #replace() {
    const Drawing = await this.load();
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", this.box.querySelector("svg > title").textContent);
    const frame = document.createElement("div"); // Chart.js fits the canvas to its parent, padding excluded
    frame.className = "chart-frame";
    frame.append(canvas);
    this.box.append(frame);
    this.drawing = this.draw(Drawing, canvas);
    this.box.classList.add("is-live");
  }

  async press(event) {
    const step = this.steps[event.key];
    if (!step || event.target !== this.box) return;
    event.preventDefault();
    await this.takeOver();
    this.#announcement.textContent = this.drawing.step(step);
  }
}
