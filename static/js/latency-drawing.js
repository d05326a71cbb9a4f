// Draws a latency chart with Chart.js so that it lies on the SVG it replaces: same plot area, colours, dashes, ticks.

import { Chart } from "../vendor/chart.js/chart.min.js";
import {
  BLOCK_SIZES,
  RANKED,
  STYLES,
  apart,
  blockSizeLabel,
  blockSizeTicks,
  curveDatasets,
  latencyAxis,
  latencyLabel,
  tooltipLine,
} from "./latency-datasets.js";

const PADDING = { top: 8, right: 28, bottom: 44, left: 52 }; // .chart-box in static/css/charts.css
const MARK_GAP = 14;

/** The colours of the page's theme, read off the SVG. */
function palette(svg) {
  const colour = (selector, property) => getComputedStyle(svg.querySelector(selector))[property];
  return {
    series: STYLES.map((_, place) => svg.querySelector(`.s${place + 1}`)).map((one) => one && getComputedStyle(one).color),
    text: colour("text", "fill"),
    grid: colour(".grid", "stroke"),
    ranked: colour(".ranked", "fill"),
    font: getComputedStyle(svg.querySelector("text")).fontFamily,
    ground: getComputedStyle(svg.closest("figure")).backgroundColor,
  };
}

/** What the SVG has and Chart.js lacks: the shaded range, the small words, the mark at the end of each curve. */
function surroundings(drawing) {
  return {
    id: "surroundings",
    beforeDraw({ ctx, chartArea, scales }) {
      const left = scales.x.getPixelForValue(RANKED.min);
      const right = scales.x.getPixelForValue(RANKED.max);
      ctx.fillStyle = drawing.colours.ranked;
      ctx.fillRect(left, chartArea.top, right - left, chartArea.height);
      ctx.fillStyle = drawing.colours.text;
      ctx.font = `11px ${drawing.colours.font}`;
      ctx.textAlign = "center";
      ctx.fillText("ranked", (left + right) / 2, chartArea.top + 14);
      ctx.textAlign = "right";
      ctx.fillText("block size", chartArea.right, chartArea.bottom + 36);
    },
    afterDatasetsDraw({ ctx, chartArea, data, scales }) {
      const ends = data.datasets
        .filter(({ mark }) => mark)
        .map(({ mark, borderColor, data: points }) => ({ mark, borderColor, last: points.at(-1) }))
        .filter(({ last }) => last.y !== null && last.x === scales.x.max)
        .map((end) => ({ ...end, height: scales.y.getPixelForValue(end.last.y) }))
        .sort((one, other) => one.height - other.height);
      const heights = apart(ends.map(({ height }) => height), MARK_GAP, chartArea.bottom);
      ctx.font = `600 12px ${drawing.colours.font}`;
      ctx.textAlign = "left";
      for (const [i, { mark, borderColor }] of ends.entries()) {
        ctx.fillStyle = borderColor;
        ctx.fillText(mark, chartArea.right + 9, heights[i] + 4);
      }
    },
  };
}

export class LatencyDrawing {
  isLinear = false;
  isRankedOnly = false;
  #hidden = new Set();
  #svg;
  #series;
  #chart;

  constructor(canvas, svg, series) {
    this.#svg = svg;
    this.#series = series.slice(0, STYLES.length);
    this.colours = palette(svg);
    this.#chart = new Chart(canvas, {
      type: "line",
      data: { datasets: this.#datasets() },
      options: this.#options(),
      plugins: [surroundings(this)],
    });
  }

  /** Shows or hides a curve; answers whether it is shown now. */
  toggle(place) {
    if (!this.#hidden.delete(place)) this.#hidden.add(place);
    this.draw();
    return !this.#hidden.has(place);
  }

  /** Reads the theme's colours again. */
  recolour() {
    this.colours = palette(this.#svg);
    this.draw();
  }

  draw() {
    this.#chart.data.datasets = this.#datasets();
    this.#chart.options = this.#options();
    this.#chart.update();
  }

  destroy() {
    this.#chart.destroy();
  }

  #datasets() {
    const { ground, series: colours } = this.colours;
    const isAlone = this.#series.length === 1;
    return this.#series.flatMap((series, place) =>
      this.#hidden.has(place) ? [] : curveDatasets(series, place, { colour: colours[place], ground, isAlone }),
    );
  }

  #options() {
    return {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      normalized: true,
      clip: 8, // markers on the edge are whole
      font: { family: this.colours.font, size: 12 },
      layout: { padding: { top: PADDING.top, right: PADDING.right } },
      interaction: { mode: "index", intersect: false },
      scales: { x: this.#blockSizeScale(), y: this.#latencyScale() },
      plugins: { tooltip: this.#tooltip() },
    };
  }

  #blockSizeScale() {
    const { text, font: family } = this.colours;
    const font = { family, size: 12 };
    const [first, last] = this.isRankedOnly ? [RANKED.min, RANKED.max] : [BLOCK_SIZES[0], BLOCK_SIZES.at(-1)];
    return {
      type: "logarithmic",
      min: first,
      max: last,
      grid: { display: false },
      border: { display: false },
      ticks: { color: text, font, callback: blockSizeLabel, maxRotation: 0, autoSkip: false },
      afterBuildTicks: (scale) => {
        scale.ticks = blockSizeTicks(this.isRankedOnly).map((value) => ({ value }));
      },
      afterFit: (scale) => {
        scale.height = PADDING.bottom;
        scale.paddingLeft = scale.paddingRight = 0;
      },
    };
  }

  #latencyScale() {
    const { text, grid, font: family } = this.colours;
    const font = { family, size: 12 };
    const { min, max, ticks } = latencyAxis(this.#visibleLatencies());
    const scale = {
      type: this.isLinear ? "linear" : "logarithmic",
      min: this.isLinear ? 0 : min,
      max,
      grid: { color: grid, drawTicks: false },
      border: { display: false },
      ticks: { color: text, font, callback: latencyLabel, padding: 8, maxTicksLimit: 7 },
      afterFit: (axis) => {
        axis.width = PADDING.left;
        axis.paddingTop = axis.paddingBottom = 0;
      },
    };
    if (this.isLinear) return scale;
    return {
      ...scale,
      afterBuildTicks: (axis) => {
        axis.ticks = ticks.map((value) => ({ value }));
      },
    };
  }

  #visibleLatencies() {
    const shown = this.#series.filter((_, place) => !this.#hidden.has(place));
    return (shown.length ? shown : this.#series).flatMap(({ block_size, latency_us, low_us, high_us }) =>
      [latency_us, low_us, high_us].flatMap((values) =>
        values.filter((value, i) => value !== null && (!this.isRankedOnly || (block_size[i] >= RANKED.min && block_size[i] <= RANKED.max))),
      ),
    );
  }

  #tooltip() {
    return {
      filter: ({ dataset, parsed }) => !dataset.isEdge && parsed.y !== null,
      usePointStyle: true,
      callbacks: {
        title: (items) => (items.length ? blockSizeLabel(items[0].parsed.x) : ""),
        label: ({ dataset, parsed }) => tooltipLine(dataset.label, parsed.x, parsed.y, this.#series.length === 1),
      },
    };
  }
}
