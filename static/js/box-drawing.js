// Draws a box plot with Chart.js that matches the SVG it replaces: same rows, colors, ticks. Chart.js draws the axes
// and handles the points for tooltips; it has no boxes, so those are drawn here.

import { Chart } from "../vendor/chart.js/chart.min.js";
import {
  boxEnds,
  drawnRows,
  fixedScale,
  latencyLabel,
  rowMiddle,
  rowName,
  tooltipPoints,
  valueAxis,
  viewOf,
} from "./chart-math.js";

const SIDE = 20; // .boxes-area in static/css/survey.css
const NAME_SIZE = 13;

/** The colors of the page's theme, taken from the plot and its keys. */
function palette(figure) {
  const look = (selector) => getComputedStyle(figure.querySelector(selector));
  return {
    text: look(".chart-box text").fill,
    font: look(".chart-box text").fontFamily,
    name: look(".chart-box .row-name:not(.is-out), .chart-box .row-name").fill,
    ground: getComputedStyle(figure).backgroundColor,
    line: look(".chart-box .foot").stroke,
    expected: look(".box-keys .expected"),
    box: look(".box-keys .box"),
  };
}

/** Everything in the SVG except axes and ticks. */
function rowsPlugin(drawing) {
  return {
    id: "rows",
    beforeDatasetsDraw({ ctx, chartArea, scales }) {
      const { measures } = drawing.plot;
      const across = (latency) => scales.x.getPixelForValue(latency);
      ctx.save();
      ctx.translate(0, chartArea.top);
      for (const [place, row] of drawing.drawnRows().entries()) {
        const [top, height] = [place * measures.height, rowMiddle(measures, place)];
        drawLine(ctx, [chartArea.left, top, chartArea.right, top], drawing.colors.line, 1);
        for (const { low_us, high_us } of row.expected) {
          const minWidth = chartArea.width * measures.thinnest;
          drawBand(ctx, [across(low_us), across(high_us)], { minWidth, height, measures }, drawing.colors);
        }
        if (row.five_us.length) drawBox(ctx, row.five_us.map(across), { height, measures }, drawing.colors);
        const baseline = top + measures.label_height - 4;
        drawName(ctx, { label: row.label, left: chartArea.left, baseline, isOut: drawing.hides(row) }, drawing.colors);
      }
      ctx.restore();
    },
  };
}

function drawBand(ctx, [left, right], { minWidth, height, measures: { expected_height } }, { expected }) {
  const width = Math.max(right - left, minWidth);
  const area = [(left + right - width) / 2, height - expected_height / 2, width, expected_height];
  ctx.fillStyle = expected.fill;
  ctx.fillRect(...area);
  ctx.strokeStyle = expected.stroke;
  ctx.lineWidth = 1;
  ctx.setLineDash([3, 2]);
  ctx.strokeRect(...area);
  ctx.setLineDash([]);
}

function drawBox(ctx, [lowest, lower, median, upper, highest], { height, measures: { box_height } }, { box: look }) {
  const [top, foot] = [height - box_height / 2, height + box_height / 2];
  drawLine(ctx, [lowest, height, highest, height], look.stroke, 2);
  ctx.fillStyle = look.fill;
  ctx.fillRect(lower, top, upper - lower, box_height);
  ctx.lineWidth = 1.5;
  ctx.strokeRect(lower, top, upper - lower, box_height);
  drawLine(ctx, [median, top - 3, median, foot + 3], look.stroke, 3);
}

function drawLine(ctx, [fromX, fromY, toX, toY], color, width) {
  ctx.strokeStyle = color;
  ctx.lineWidth = width;
  ctx.beginPath();
  ctx.moveTo(fromX, fromY);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

/** The row's name, with an outline against the grid; struck through if the row is hidden. */
function drawName(ctx, { label, left, baseline, isOut }, colors) {
  ctx.font = `550 ${NAME_SIZE}px ${colors.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.lineJoin = "round";
  ctx.strokeStyle = colors.ground;
  ctx.lineWidth = 4;
  ctx.strokeText(label, left, baseline);
  ctx.fillStyle = isOut ? colors.text : colors.name;
  ctx.fillText(label, left, baseline);
  if (isOut) drawLine(ctx, [left, baseline - 4, left + ctx.measureText(label).width, baseline - 4], colors.text, 1);
}

export class BoxDrawing {
  #state;
  #figure;
  #chart;
  #row = -1;

  constructor(canvas, { figure, data, state }) {
    this.#figure = figure;
    this.plot = data;
    this.#state = state;
    this.colors = palette(figure);
    this.#chart = new Chart(canvas, {
      type: "line",
      data: { datasets: [this.#dataset()] },
      options: this.#options(),
      plugins: [rowsPlugin(this)],
    });
  }

  drawnRows() {
    return drawnRows(this.plot, this.#state.hidden);
  }

  hides({ key }) {
    return this.#state.hidden.includes(key);
  }

  /** Draws the rows for this state. */
  show(state) {
    this.#state = state;
    this.#row = -1;
    this.#redraw();
  }

  /** Reads the theme's colors again. */
  recolor() {
    this.colors = palette(this.#figure);
    this.#redraw();
  }

  /** Moves the tooltip to the next or previous row and returns its text. */
  step(direction) {
    const [{ data }] = this.#chart.data.datasets;
    const heights = [...new Set(data.map(({ y }) => y))];
    if (!heights.length) return "";
    const start = this.#row < 0 && direction < 0 ? heights.length : this.#row;
    this.#row = Math.min(Math.max(start + direction, 0), heights.length - 1);
    const active = [...data.keys()]
      .filter((index) => data[index].y === heights[this.#row])
      .map((index) => ({ datasetIndex: 0, index }));
    const { x, y } = this.#chart.getDatasetMeta(0).data[active[0].index];
    this.#chart.setActiveElements(active);
    this.#chart.tooltip.setActiveElements(active, { x, y });
    this.#chart.update();
    return [rowName(this.plot, heights[this.#row]), ...active.flatMap(({ index }) => data[index].lines)].join("; ");
  }

  destroy() {
    this.#chart.destroy();
  }

  get #view() {
    return viewOf(this.#state);
  }

  #redraw() {
    this.#chart.data.datasets = [this.#dataset()];
    this.#chart.options = this.#options();
    this.#chart.update();
  }

  #dataset() {
    const data = tooltipPoints(this.plot, this.#state.hidden, this.#view);
    const { box: look } = this.colors;
    return {
      data,
      showLine: false,
      pointRadius: 0,
      pointHoverRadius: data.map(({ isMedian }) => (isMedian ? 5 : 0)),
      pointBackgroundColor: look.stroke,
      pointBorderColor: look.stroke,
      pointHoverBorderWidth: 0,
    };
  }

  #options() {
    return {
      animation: false,
      maintainAspectRatio: false,
      parsing: false,
      font: { family: this.colors.font, size: 12 },
      layout: { padding: { left: SIDE, right: SIDE } },
      interaction: { mode: "nearest", axis: "y", intersect: false },
      scales: { x: this.#latencyScale(), y: this.#rowScale() },
      plugins: { tooltip: this.#tooltip() },
    };
  }

  #rowScale() {
    const { rows, measures } = this.plot;
    return { type: "linear", display: false, reverse: true, min: 0, max: rows.length * measures.height };
  }

  #latencyScale() {
    const axis = valueAxis(boxEnds(this.plot, this.#state.hidden), this.plot.log_labels, this.#state);
    return {
      ...fixedScale(axis, latencyLabel, { isLinear: this.#view.isLinear, colors: this.colors, padding: 6 }),
      grid: { color: this.colors.line, drawTicks: false },
      afterFit: (axis) => {
        axis.height = this.plot.measures.foot;
        axis.paddingLeft = axis.paddingRight = 0;
      },
    };
  }

  #tooltip() {
    return {
      displayColors: false,
      callbacks: {
        title: (items) => (items.length ? rowName(this.plot, items[0].parsed.y) : ""),
        label: ({ raw }) => raw.lines,
      },
    };
  }
}
