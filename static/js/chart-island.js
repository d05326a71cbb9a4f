// <latency-chart> and <box-chart>. On first interaction the element fetches Chart.js and replaces the SVG of its figure
// with an interactive chart: tooltips, and the figure's links work in place, with the state in the URL. The chart's
// description is the JSON in #chart-data.
import { LiveChart } from "./live-chart.js";

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
class ChartIsland extends LiveChart {
  #state;
  #data;

  connectedCallback() {
    this.#state = readState(location.search);
    this.#data = JSON.parse(document.getElementById("chart-data").textContent);
    super.connectedCallback();
    const { signal } = this.listeners;
    this.figure.addEventListener("click", (event) => this.#follow(event), { signal });
    this.figure.addEventListener("keydown", pressOnSpace, { signal });
    this.#mark();
  }

  draw(Drawing, canvas) {
    return new Drawing(canvas, { figure: this.figure, data: this.#data, state: this.#state });
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
      await this.takeOver();
    } catch {
      location.assign(link.href); // the server can draw it, too
      return;
    }
    this.#state = state;
    this.drawing.show(state);
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
    for (const link of this.figure.querySelectorAll("[data-key]")) {
      const isHidden = state.hidden.includes(link.dataset.key);
      link.href = stateUrl(link.href, toggled(state, link.dataset.key));
      link.role = "button";
      link.ariaPressed = String(!isHidden);
      link.querySelector(".visually-hidden")?.remove();
      link.closest("li").classList.toggle("is-hidden", isHidden);
    }
    for (const link of this.querySelectorAll(".save")) link.href = stateUrl(link.href, state);
    const [heading, note] = this.#data.captions[state.chart][state.scale];
    this.figure.querySelector("h2").textContent = heading;
    this.figure.querySelector("figcaption span").textContent = note;
  }
}

function pressOnSpace(event) {
  if (event.key !== " " || !event.target.matches("[role=button]")) return;
  event.preventDefault();
  event.target.click();
}

class LatencyChart extends ChartIsland {
  async load() {
    return (await import("./latency-drawing.js")).LatencyDrawing;
  }
}

class BoxChart extends ChartIsland {
  steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

  async load() {
    return (await import("./box-drawing.js")).BoxDrawing;
  }
}

customElements.define("latency-chart", LatencyChart);
customElements.define("box-chart", BoxChart);
