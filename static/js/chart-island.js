// <latency-chart> and <box-chart>. On first interaction the element fetches Chart.js and replaces the SVG of its figure
// with an interactive chart: tooltips, and the figure's links work in place, with the state in the URL. The chart's
// description is the JSON in #chart-data.

// The view of a chart as stored in the URL and read by results/charts/options.py.
const DEFAULTS = { chart: "latency", scale: "log", sizes: "all" };

/** The state given by a query string. */
export function readState(search) {
  const query = new URLSearchParams(search);
  const hidden = (query.get("hide") ?? "").split(",").filter(Boolean);
  const values = Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name) || value]);
  return { ...Object.fromEntries(values), hidden };
}

/** The same with a curve hidden or, if it is hidden, shown again. */
export function toggled(state, key) {
  const hidden = state.hidden.filter((one) => one !== key);
  return { ...state, hidden: state.hidden.includes(key) ? hidden : [...hidden, key] };
}

/** The absolute URL with this state instead of its present one; other parameters are unchanged. */
export function stateUrl(address, state) {
  const url = new URL(address);
  const values = { ...state, hide: state.hidden.join(",") };
  for (const name of ["chart", "scale", "sizes", "hide"]) {
    url.searchParams.delete(name);
    if (values[name] && values[name] !== DEFAULTS[name]) url.searchParams.set(name, values[name]);
  }
  url.search = url.search.replaceAll("%2C", ",");
  return url.href;
}

/** The drawing class gets (canvas, {figure, data, state}) and has show(state), recolor(), step(by) and destroy(). */
class ChartIsland extends HTMLElement {
  /** The step of each arrow key. */
  steps = { ArrowLeft: -1, ArrowRight: 1 };
  #drawing;
  #takingOver;
  #state;
  #data;
  #announcement = document.createElement("p");
  #listeners = new AbortController();

  connectedCallback() {
    this.#state = readState(location.search);
    this.#data = JSON.parse(document.getElementById("chart-data").textContent);
    const { signal } = this.#listeners;
    const box = this.#box;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Chart: the arrow keys read its points");
    box.addEventListener("pointerenter", () => this.#takeOver(), { signal });
    box.addEventListener("focus", () => this.#takeOver(), { signal });
    box.addEventListener("keydown", (event) => this.#step(event), { signal });
    this.#figure.addEventListener("click", (event) => this.#follow(event), { signal });
    this.#figure.addEventListener("keydown", pressOnSpace, { signal });
    const recolor = () => requestAnimationFrame(() => this.#drawing?.recolor());
    document.addEventListener("theme-change", recolor, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor, { signal });
    this.#announcement.className = "visually-hidden";
    this.#announcement.setAttribute("aria-live", "polite");
    this.#figure.append(this.#announcement);
    this.#mark();
  }

  disconnectedCallback() {
    this.#listeners.abort();
    this.#drawing?.destroy();
  }

  get #figure() {
    return this.closest("figure");
  }

  get #box() {
    return this.#figure.querySelector(".chart-box");
  }

  /** Replaces the SVG once; concurrent calls wait for the same promise. */
  #takeOver() {
    this.#takingOver ??= this.#draw();
    return this.#takingOver;
  }

  async #draw() {
    const Drawing = await this.drawing();
    const canvas = document.createElement("canvas");
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", this.#box.querySelector("svg > title").textContent);
    const frame = document.createElement("div"); // Chart.js fits the canvas to its parent, padding excluded
    frame.className = "chart-frame";
    frame.append(canvas);
    this.#box.append(frame);
    this.#drawing = new Drawing(canvas, { figure: this.#figure, data: this.#data, state: this.#state });
    this.#box.classList.add("is-live");
  }

  /** Does in place what a link of the figure would do by reloading the page. */
  #follow(event) {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (link.classList.contains("save")) {
      event.preventDefault();
      this.#save(link);
    } else if (link.dataset.name || link.dataset.key) {
      event.preventDefault();
      const { name, value, key } = link.dataset;
      this.#change(key ? toggled(this.#state, key) : { ...this.#state, [name]: value }, link);
    }
  }

  async #change(state, link) {
    try {
      await this.#takeOver();
    } catch {
      location.assign(link.href); // the server can draw it, too
      return;
    }
    this.#state = state;
    this.#drawing.show(state);
    history.replaceState(null, "", stateUrl(location.href, state));
    this.#mark();
  }

  async #save(link) {
    const { savePng } = await import("./chart-image.js");
    await savePng(link.href);
  }

  /** Updates links, heading and note for the state; without a change, nothing moves. */
  #mark() {
    const state = this.#state;
    for (const link of this.querySelectorAll("[data-name]")) {
      const { name, value } = link.dataset;
      link.href = stateUrl(link.href, { ...state, [name]: value });
      if (state[name] === value) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    for (const link of this.#figure.querySelectorAll("[data-key]")) {
      const isHidden = state.hidden.includes(link.dataset.key);
      link.href = stateUrl(link.href, toggled(state, link.dataset.key));
      link.role = "button";
      link.ariaPressed = String(!isHidden);
      link.querySelector(".visually-hidden")?.remove();
      link.closest("li").classList.toggle("is-hidden", isHidden);
    }
    for (const link of this.querySelectorAll(".save")) link.href = stateUrl(link.href, state);
    const [heading, note] = this.#data.captions[state.chart][state.scale];
    this.#figure.querySelector("h2").textContent = heading;
    this.#figure.querySelector("figcaption span").textContent = note;
  }

  async #step(event) {
    const step = this.steps[event.key];
    if (!step || event.target !== this.#box) return;
    event.preventDefault();
    await this.#takeOver();
    this.#announcement.textContent = this.#drawing.step(step);
  }
}

function pressOnSpace(event) {
  if (event.key !== " " || !event.target.matches("[role=button]")) return;
  event.preventDefault();
  event.target.click();
}

class LatencyChart extends ChartIsland {
  async drawing() {
    return (await import("./latency-drawing.js")).LatencyDrawing;
  }
}

class BoxChart extends ChartIsland {
  steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

  async drawing() {
    return (await import("./box-drawing.js")).BoxDrawing;
  }
}

customElements.define("latency-chart", LatencyChart);
customElements.define("box-chart", BoxChart);
