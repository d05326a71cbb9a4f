// Draws a strip chart with Chart.js that matches the SVG it replaces: everything is where the SVG has it, as its
// elements say. Chart.js draws the marks and finds the nearest one.

import { Chart } from "../vendor/chart.js/chart.min.js";

const SIDE = 8; // .strips-area in static/css/strips.css
const FILLED = "fio"; // the style of a full circle; others are rings

/** The marks of the SVG in the order of its strips and then of their figures: place, style, text and address. */
export function readMarks(svg) {
  return [...svg.querySelectorAll(":scope > g")].flatMap((group) =>
    [...group.querySelectorAll("a")].map((link) => readMark(link, group)).sort((one, other) => one.x - other.x),
  );
}

function readMark(link, group) {
  const shape = link.querySelector("circle");
  return {
    x: Number.parseFloat(shape.getAttribute("cx")),
    y: Number.parseFloat(shape.getAttribute("cy")),
    isFilled: shape.getAttribute("class") === FILLED,
    text: shape.querySelector("title").textContent,
    href: link.getAttribute("href"),
    group,
  };
}

/** The SVG's own lines and texts, which Chart.js would place differently. */
function surroundings(drawing) {
  return {
    id: "surroundings",
    beforeDatasetsDraw({ ctx, chartArea }) {
      ctx.save();
      ctx.translate(chartArea.left, chartArea.top);
      for (const band of drawing.svg.querySelectorAll(".gap")) drawBand(ctx, band, chartArea.width);
      for (const line of shown(drawing.svg, ".grid, .leader")) drawLine(ctx, line, chartArea.width);
      for (const text of shown(drawing.svg, "text")) drawText(ctx, text, drawing.svg);
      for (const ring of drawing.svg.querySelectorAll(".ring")) drawRing(ctx, ring, chartArea.width);
      ctx.restore();
    },
  };
}

/** Those of the elements that are shown at this width. */
function shown(svg, selector) {
  const isShown = (one) => getComputedStyle(one).display !== "none";
  return [...svg.querySelectorAll(selector)].filter((one) => isShown(one) && isShown(one.parentElement));
}

const share = (element, name) => Number.parseFloat(element.getAttribute(name)) / 100;
const pixels = (element, name) => Number.parseFloat(element.getAttribute(name) ?? "0");

function drawBand(ctx, band, width) {
  ctx.fillStyle = getComputedStyle(band).fill;
  ctx.fillRect(share(band, "x") * width, 0, share(band, "width") * width, pixels(band, "height"));
}

function drawLine(ctx, line, width) {
  const x = share(line, "x1") * width;
  ctx.strokeStyle = getComputedStyle(line).stroke;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(x, pixels(line, "y1"));
  ctx.lineTo(x, pixels(line, "y2"));
  ctx.stroke();
}

function drawRing(ctx, ring, width) {
  ctx.strokeStyle = getComputedStyle(ring).stroke;
  ctx.lineWidth = 3;
  ctx.beginPath();
  ctx.arc(share(ring, "cx") * width, pixels(ring, "cy"), pixels(ring, "r"), 0, 2 * Math.PI);
  ctx.stroke();
}

function drawText(ctx, text, svg) {
  const ground = svg.getBoundingClientRect();
  for (const node of text.childNodes) {
    const look = getComputedStyle(node.nodeType === Node.TEXT_NODE ? text : node);
    const range = document.createRange();
    range.selectNodeContents(node);
    const place = range.getBoundingClientRect();
    ctx.font = `${look.fontWeight} ${look.fontSize} ${look.fontFamily}`;
    ctx.fillStyle = look.fill;
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    ctx.fillText(node.textContent, place.left - ground.left, place.top - ground.top + place.height / 2);
  }
}

export class StripDrawing {
  #chart;
  #marks;
  #index = -1;

  constructor(canvas, svg) {
    this.svg = svg;
    this.#marks = readMarks(svg);
    this.#chart = new Chart(canvas, {
      type: "line", // the one that is in our copy of Chart.js; no line is drawn
      data: { datasets: [this.#dataset()] },
      options: this.#options(),
      plugins: [surroundings(this)],
    });
  }

  /** Reads the theme's colors again. */
  recolor() {
    this.#chart.data.datasets = [this.#dataset()];
    this.#chart.update();
  }

  /** Moves the tooltip to the next or previous drive and returns its text. */
  step(direction) {
    const start = this.#index < 0 && direction < 0 ? this.#marks.length : this.#index;
    this.#select(Math.min(Math.max(start + direction, 0), this.#marks.length - 1));
    return this.#marks[this.#index].text;
  }

  /** Opens the page of the drive with the tooltip. */
  open() {
    if (this.#index >= 0) location.assign(this.#marks[this.#index].href);
  }

  destroy() {
    this.#chart.destroy();
  }

  #select(index) {
    this.#index = index;
    const active = [{ datasetIndex: 0, index }];
    const { x, y } = this.#chart.getDatasetMeta(0).data[index];
    this.#chart.setActiveElements(active);
    this.#chart.tooltip.setActiveElements(active, { x, y });
    this.#chart.update();
  }

  /** A tap shows which drive it is, a second one opens it; a click opens it at once, beside this page if asked to. */
  #click({ native }, [element]) {
    if (!element) return;
    const isShown = element.index === this.#index;
    this.#index = element.index;
    if (native.pointerType === "touch" && !isShown) return;
    if (native.ctrlKey || native.metaKey || native.shiftKey) window.open(this.#marks[this.#index].href, "_blank", "noopener");
    else this.open();
  }

  #dataset() {
    const colors = this.#marks.map(({ group }) => getComputedStyle(group).color);
    const ground = getComputedStyle(this.svg.closest("figure")).backgroundColor;
    return {
      data: this.#marks.map(({ x, y }) => ({ x, y })),
      showLine: false,
      pointRadius: 5.5, // SCREEN of results/charts/strip.py
      pointHoverRadius: 7,
      pointHitRadius: 12,
      pointBorderWidth: this.#marks.map(({ isFilled }) => (isFilled ? 0 : 2)),
      pointBorderColor: colors,
      pointBackgroundColor: this.#marks.map(({ isFilled }, place) => (isFilled ? colors[place] : ground)),
    };
  }

  #options() {
    const height = Number.parseFloat(this.svg.getAttribute("height"));
    return {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      layout: { padding: { left: SIDE, right: SIDE } },
      interaction: { mode: "nearest", intersect: true },
      onClick: (event, elements) => this.#click(event, elements),
      onHover: ({ native }, elements) => {
        native.target.style.cursor = elements.length ? "pointer" : "";
      },
      clip: false,
      scales: {
        x: { type: "linear", display: false, min: 0, max: 100 },
        y: { type: "linear", display: false, reverse: true, min: 0, max: height },
      },
      plugins: {
        tooltip: { displayColors: false, callbacks: { title: () => "", label: ({ dataIndex }) => this.#marks[dataIndex].text } },
      },
    };
  }
}
