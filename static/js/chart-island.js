// <live-chart> in the figure of a chart. On first interaction it fetches Chart.js, which draws the chart's points in front
// of the SVG: tooltips, the arrow keys read the points, Enter opens the page of one that has a page. The figure's links
// work in place: the parts of the figure are taken from the page that a link leads to, and the URL becomes its own. The
// points are the JSON in the figure (LivePlot of results/charts/description.py), or the links of a strip chart's SVG.

const PARTS = "h2, .choice, .save, .chart-box > svg, .legend, figcaption, script[type='application/json']";
const LONGEST_WAIT_MS = 10_000; // for another view, before its page is opened instead
const ACROSS = { ArrowLeft: -1, ArrowRight: 1 };
const EVERY_WAY = { ...ACROSS, ArrowUp: -1, ArrowDown: 1 };

/** The LivePlot of a strip chart: its marks in the order of the strips and then of their figures. */
function readMarks(svg) {
  const height = svg.getAttribute("height");
  const number = (link, name) => Number.parseFloat(link.querySelector("circle").getAttribute(name));
  const links = [...svg.querySelectorAll(":scope > g")].flatMap((strip) =>
    [...strip.querySelectorAll("a")].sort((link, other) => number(link, "cx") - number(other, "cx")),
  );
  const series = links.map((link, stop) => {
    const circle = link.querySelector("circle");
    const [x, y, radius] = ["cx", "cy", "r"].map((name) => number(link, name));
    return {
      css: link.parentElement.getAttribute("class"),
      style: [[], false, circle.classList.contains("diskinfo")],
      hover_radius: radius + 1.5,
      points: [[stop, x, (100 * y) / height, [circle.textContent], radius, link.getAttribute("href")]],
    };
  });
  return { axis: "xy", stops: links.map(() => ""), series };
}

/** The figure with this id on another page of the site. */
async function fetchFigure(address, id) {
  const response = await fetch(address, { signal: AbortSignal.timeout(LONGEST_WAIT_MS) });
  if (!response.ok) throw new Error(`${response.status} ${address}`);
  return new DOMParser().parseFromString(await response.text(), "text/html").getElementById(id);
}

class LiveChart extends HTMLElement {
  #plot;
  #drawing;
  #takingOver;
  #changing = Promise.resolve();
  #listeners = new AbortController();
  #announcement = document.createElement("p");

  connectedCallback() {
    const [box, figure, { signal }] = [this.#box, this.#figure, this.#listeners];
    this.#read();
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    const keys = this.#plot.axis === "xy" ? "its drives, Enter opens one" : "its points";
    box.setAttribute("aria-label", `Chart: the arrow keys read ${keys}`);
    box.addEventListener("pointerenter", () => this.#takeOver(), { signal });
    box.addEventListener("focus", () => this.#takeOver(), { signal });
    box.addEventListener("keydown", (event) => this.#press(event), { signal });
    figure.addEventListener("click", (event) => this.#follow(event), { signal });
    figure.addEventListener("keydown", pressOnSpace, { signal });
    const recolor = () => requestAnimationFrame(() => this.#drawing?.show(this.#plot));
    document.addEventListener("theme-change", recolor, { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolor, { signal });
    this.#announcement.className = "visually-hidden";
    this.#announcement.setAttribute("aria-live", "polite");
    figure.append(this.#announcement);
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

  /** The links that change the chart. */
  get #links() {
    return [...this.#figure.querySelectorAll("a[data-name], a[data-key]")];
  }

  /** Reads the points; links that hide something become buttons, as they do in place what they say. */
  #read() {
    const data = this.#figure.querySelector("script[type='application/json']");
    this.#plot = data ? JSON.parse(data.textContent) : readMarks(this.#box.querySelector("svg"));
    for (const link of this.#figure.querySelectorAll("[data-key]")) {
      link.role = "button";
      link.ariaPressed = String(!link.closest("li").classList.contains("is-hidden"));
      link.querySelector(".visually-hidden")?.remove();
    }
  }

  /** Draws the points once, if there are any; concurrent calls wait for the same promise. */
  #takeOver() {
    if (this.#plot.stops.length) this.#takingOver ??= this.#draw().catch(() => (this.#takingOver = undefined)); // the next call tries again
    return this.#takingOver;
  }

  async #draw() {
    const { ChartDrawing } = await import("./chart-drawing.js");
    const canvas = document.createElement("canvas");
    canvas.setAttribute("aria-hidden", "true"); // the SVG has the chart's name
    const frame = document.createElement("div"); // Chart.js fits the canvas to its parent, padding excluded
    frame.className = "chart-frame";
    frame.append(canvas);
    this.#box.append(frame);
    this.#drawing = new ChartDrawing(canvas, this.#box, this.#plot);
    this.#box.classList.add("is-live");
  }

  async #press(event) {
    const step = (this.#plot.axis === "x" ? ACROSS : EVERY_WAY)[event.key];
    if (event.target !== this.#box || !(step || event.key === "Enter")) return;
    event.preventDefault();
    await this.#takeOver();
    if (step) this.#announcement.textContent = this.#drawing?.step(step) ?? "";
    else this.#drawing?.open();
  }

  /** Does in place what a link of the figure does by leading to another page. */
  #follow(event) {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const place = this.#links.indexOf(link);
    if (link.matches(".save")) {
      event.preventDefault();
      import("./chart-image.js").then(({ savePng }) => savePng(link.href));
    } else if (place >= 0) {
      event.preventDefault();
      // One after the other, each from where the one before leads to
      this.#changing = this.#changing.then(() => this.#change(place)).catch(() => location.assign(link.href));
    }
  }

  async #change(place) {
    const link = this.#links[place];
    const hasFocus = link === document.activeElement;
    const figure = await fetchFigure(link.href, this.#figure.id);
    const [parts, others] = [this.#figure, figure].map((one) => [...one.querySelectorAll(PARTS)]);
    if (parts.length !== others.length) throw new Error("there is another figure");
    for (const [number, part] of parts.entries()) part.replaceWith(others[number]);
    const address = new URL(link.href);
    address.hash = location.hash;
    history.replaceState(null, "", address);
    this.#read();
    this.#drawing?.show(this.#plot);
    if (hasFocus) this.#links[place]?.focus();
  }
}

function pressOnSpace(event) {
  if (event.key !== " " || !event.target.matches("[role=button]")) return;
  event.preventDefault();
  event.target.click();
}

customElements.define("live-chart", LiveChart);
