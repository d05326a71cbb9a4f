// The points of a chart as Chart.js draws them, in front of the SVG, which keeps everything else: their places are
// percentages of it. A LivePlot of results/charts/description.py says what to draw and to read out.

import { Chart } from "../vendor/chart.js/chart.min.js";

/** The distances of the SVG from the edges of the frame that the canvas fills. */
function padding(box) {
  const [inner, outer] = ["svg", ".chart-frame"].map((part) => box.querySelector(part).getBoundingClientRect());
  return {
    left: inner.left - outer.left,
    right: outer.right - inner.right,
    top: inner.top - outer.top,
    bottom: outer.bottom - inner.bottom,
  };
}

export class ChartDrawing {
  #box;
  #plot;
  #chart;
  #stop = -1;

  constructor(canvas, box, plot) {
    this.#box = box;
    this.#plot = plot;
    this.#chart = new Chart(canvas, {
      type: "line",
      data: { datasets: this.#datasets() },
      options: this.#options(),
    });
  }

  /** Draws another plot, or the same one in the colors of another theme. */
  show(plot) {
    this.#plot = plot;
    this.#stop = -1;
    this.#chart.data.datasets = this.#datasets();
    this.#chart.options = this.#options();
    this.#chart.update();
  }

  /** Moves the tooltip to the next or previous stop and returns its text. */
  step(direction) {
    const { stops } = this.#plot;
    if (!stops.length) return "";
    const start = this.#stop < 0 && direction < 0 ? stops.length : this.#stop;
    this.#stop = Math.min(Math.max(start + direction, 0), stops.length - 1);
    const active = this.#active;
    const { datasetIndex, index } = active[0];
    const { x, y } = this.#chart.getDatasetMeta(datasetIndex).data[index];
    this.#chart.setActiveElements(active);
    this.#chart.tooltip.setActiveElements(active, { x, y });
    this.#chart.update();
    return [stops[this.#stop], ...active.flatMap(({ point }) => point.lines)].filter(Boolean).join("; ");
  }

  /** Opens the page of the stop with the tooltip, if it has one. */
  open({ isBeside = false } = {}) {
    const href = this.#active[0]?.point.href;
    if (href && isBeside) window.open(href, "_blank", "noopener");
    else if (href) location.assign(href);
  }

  destroy() {
    this.#chart.destroy();
  }

  /** The points of the stop with the tooltip. */
  get #active() {
    return this.#chart.data.datasets.flatMap(({ data }, datasetIndex) =>
      data
        .map((point, index) => ({ datasetIndex, index, point }))
        .filter(({ point }) => point.stop === this.#stop),
    );
  }

  #datasets() {
    const ground = getComputedStyle(this.#box.closest("figure")).backgroundColor;
    return this.#plot.series.map(({ css, points, style: [dash, isSquare, isHollow], ...more }) => {
      const { color } = getComputedStyle(this.#box.querySelector(`.${css}`));
      const data = points.map(([stop, x, y, lines, radius, href]) => ({ stop, x, y, lines, radius, href }));
      return {
        data,
        showLine: more.is_curve,
        borderColor: color,
        borderDash: dash,
        borderWidth: 2,
        pointStyle: isSquare ? "rect" : "circle",
        pointRadius: data.map(({ radius }) => radius),
        pointHoverRadius: more.hover_radius,
        pointHitRadius: 12,
        pointBorderWidth: isHollow ? 2 : 0,
        pointBorderColor: color,
        pointBackgroundColor: isHollow ? ground : color,
      };
    });
  }

  #options() {
    const { axis, stops } = this.#plot;
    const scale = { type: "linear", display: false, min: 0, max: 100 };
    return {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      clip: false, // don't cut off markers on the edge
      layout: { padding: padding(this.#box), autoPadding: false },
      interaction: { mode: "nearest", axis, intersect: axis === "xy" },
      onClick: (event, elements) => this.#click(event, elements),
      onHover: ({ native }, [element]) => {
        native.target.style.cursor = element && this.#pointOf(element).href ? "pointer" : "";
      },
      scales: { x: scale, y: { ...scale, reverse: true } },
      plugins: {
        tooltip: {
          displayColors: axis === "x",
          usePointStyle: true,
          callbacks: {
            title: (items) => (items.length ? stops[items[0].raw.stop] : ""),
            label: ({ raw }) => raw.lines,
          },
        },
      },
    };
  }

  #pointOf({ datasetIndex, index }) {
    return this.#chart.data.datasets[datasetIndex].data[index];
  }

  /** A tap shows which point it is, a second one opens it; a click opens it at once, beside this page if asked to. */
  #click({ native }, [element]) {
    if (!element) return;
    const { stop } = this.#pointOf(element);
    const isShown = stop === this.#stop;
    this.#stop = stop;
    if (native.pointerType === "touch" && !isShown) return;
    this.open({ isBeside: native.ctrlKey || native.metaKey || native.shiftKey });
  }
}
