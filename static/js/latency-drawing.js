// Draws a latency chart with Chart.js that matches the SVG it replaces: same plot area, colors, dashes, ticks.

import { Chart } from "../vendor/chart.js/chart.min.js";
import {
  apart,
  blockAxis,
  blockSizeLabel,
  curveDatasets,
  curveEnds,
  fixedScale,
  latencyLabel,
  shownBlocks,
  throughputLabel,
  tooltipLine,
  valueAxis,
  viewOf,
} from "./chart-math.js";

const PADDING = { top: 8, right: 28, bottom: 44, left: 52 }; // .chart-box in static/css/charts.css
const MARK_GAP = 14;

/** The colors of the page's theme, taken from the figure. */
function palette(figure, places) {
  const svg = figure.querySelector(".chart-box svg");
  const color = (selector, property) => getComputedStyle(svg.querySelector(selector))[property];
  return {
    series: [...places].map((place) => figure.querySelector(`.s${place + 1}`)).map((one) => one && getComputedStyle(one).color),
    text: color("text", "fill"),
    grid: color(".grid", "stroke"),
    ranked: color(".ranked", "fill"),
    font: getComputedStyle(svg.querySelector("text")).fontFamily,
    ground: getComputedStyle(figure).backgroundColor,
  };
}

/** What Chart.js lacks: the shaded range, the small texts, the mark at the end of each curve. */
function surroundings(drawing) {
  return {
    id: "surroundings",
    beforeDraw({ ctx, chartArea, scales }) {
      const [left, right] = drawing.ranked.map((size) => scales.x.getPixelForValue(size));
      ctx.fillStyle = drawing.colors.ranked;
      ctx.fillRect(left, chartArea.top, right - left, chartArea.height);
      ctx.fillStyle = drawing.colors.text;
      ctx.font = `11px ${drawing.colors.font}`;
      const isNarrow = right - left < chartArea.width / 10;
      ctx.textAlign = isNarrow ? "left" : "center";
      ctx.fillText("ZIL writes", isNarrow ? right + 4 : (left + right) / 2, chartArea.top + 14);
      ctx.textAlign = "right";
      ctx.fillText("block size", chartArea.right, chartArea.bottom + 36);
      if (drawing.view.isThroughput) ctx.fillText("MiB/s", chartArea.left - 8, chartArea.bottom + 36);
    },
    afterDatasetsDraw({ ctx, chartArea, data, scales }) {
      const ends = data.datasets
        .filter(({ mark }) => mark)
        .map(({ mark, borderColor, data: points }) => ({ mark, borderColor, last: points.at(-1) }))
        .filter(({ last }) => last.y !== null && last.x === scales.x.max)
        .map((end) => ({ ...end, height: scales.y.getPixelForValue(end.last.y) }))
        .sort((one, other) => one.height - other.height);
      const heights = apart(ends.map(({ height }) => height), MARK_GAP, chartArea.bottom);
      ctx.font = `600 12px ${drawing.colors.font}`;
      ctx.textAlign = "left";
      for (const [i, { mark, borderColor }] of ends.entries()) {
        ctx.fillStyle = borderColor;
        ctx.fillText(mark, chartArea.right + 9, heights[i] + 4);
      }
    },
  };
}

export class LatencyDrawing {
  #state;
  #figure;
  #plot;
  #chart;
  #place = -1;

  constructor(canvas, { figure, data, state }) {
    this.#figure = figure;
    this.#plot = data;
    this.#state = state;
    this.recolor();
    this.#chart = new Chart(canvas, {
      type: "line",
      data: { datasets: this.#datasets() },
      options: this.#options(),
      plugins: [surroundings(this)],
    });
  }

  get ranked() {
    const { log } = this.#plot.blocks.labelled.ranked;
    return [log[0], log.at(-1)];
  }

  get view() {
    return viewOf(this.#state);
  }

  /** Draws the chart for this state. */
  show(state) {
    this.#state = state;
    this.#place = -1;
    this.#redraw();
  }

  /** Reads the theme's colors again. */
  recolor() {
    this.colors = palette(this.#figure, this.#plot.series.keys());
    if (this.#chart) this.#redraw();
  }

  /** Moves the tooltip to the next or previous block size and returns its text. */
  step(direction) {
    const sizes = shownBlocks(this.#plot.blocks, this.view);
    const start = this.#place < 0 && direction < 0 ? sizes.length : this.#place;
    this.#place = Math.min(Math.max(start + direction, 0), sizes.length - 1);
    const shown = this.#chart.data.datasets
      .map((dataset, datasetIndex) => ({ dataset, datasetIndex, index: this.#place }))
      .filter(({ dataset }) => !dataset.isEdge && dataset.data[this.#place].y !== null);
    const { x, y } = shown.length
      ? this.#chart.getDatasetMeta(shown[0].datasetIndex).data[this.#place]
      : { x: 0, y: 0 };
    this.#chart.setActiveElements(shown);
    this.#chart.tooltip.setActiveElements(shown, { x, y });
    this.#chart.update();
    const lines = shown.map(({ dataset }) => this.#line(dataset.label, dataset.data[this.#place]));
    return [blockSizeLabel(sizes[this.#place]), ...lines].join("; ");
  }

  destroy() {
    this.#chart.destroy();
  }

  get #look() {
    return { isLinear: this.view.isLinear, colors: this.colors };
  }

  get #isAlone() {
    return this.#plot.series.length === 1;
  }

  get #shown() {
    return this.#plot.series.filter(({ key }) => !key || !this.#state.hidden.includes(key));
  }

  #redraw() {
    this.#chart.data.datasets = this.#datasets();
    this.#chart.options = this.#options();
    this.#chart.update();
  }

  #datasets() {
    const { ground, series: colors } = this.colors;
    return this.#shown.flatMap((series) => {
      const place = this.#plot.series.indexOf(series);
      return curveDatasets(this.#plot, place, { color: colors[place], ground, view: this.view });
    });
  }

  #options() {
    return {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      clip: 8, // don't cut off markers on the edge
      font: { family: this.colors.font, size: 12 },
      layout: { padding: { top: PADDING.top, right: PADDING.right } },
      interaction: { mode: "index", intersect: false },
      scales: { x: this.#blockSizeScale(), y: this.#valueScale() },
      plugins: { tooltip: this.#tooltip() },
    };
  }

  #blockSizeScale() {
    return {
      ...fixedScale(blockAxis(this.#plot.blocks, this.#state), blockSizeLabel, { ...this.#look, skips: true }),
      grid: { display: false },
      afterFit: (scale) => {
        scale.height = PADDING.bottom;
        scale.paddingLeft = scale.paddingRight = 0;
      },
    };
  }

  #valueScale() {
    const axis = valueAxis(curveEnds(this.#plot.series, this.#state), this.#plot.log_labels, this.#state);
    return {
      ...fixedScale(axis, this.view.isThroughput ? throughputLabel : latencyLabel, this.#look),
      grid: { color: this.colors.grid, drawTicks: false },
      afterFit: (axis) => {
        axis.width = PADDING.left;
        axis.paddingTop = axis.paddingBottom = 0;
      },
    };
  }

  #tooltip() {
    return {
      filter: ({ dataset, parsed }) => !dataset.isEdge && parsed.y !== null,
      usePointStyle: true,
      callbacks: {
        title: (items) => (items.length ? blockSizeLabel(items[0].parsed.x) : ""),
        label: ({ dataset, parsed }) => this.#line(dataset.label, parsed),
      },
    };
  }

  #line(label, { x, y }) {
    return tooltipLine(label, x, y, {
      isAlone: this.#isAlone,
      isThroughput: this.view.isThroughput,
      writers: this.#plot.series[0].writers,
    });
  }
}
