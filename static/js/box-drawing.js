// Draws a box plot with Chart.js so that it lies on the SVG it replaces: same rows, colours, ticks. Chart.js has the
// axes and, as points, what can be pointed at; it knows no boxes, so those are drawn here.

import { Chart } from "../vendor/chart.js/chart.min.js";
import {
  BOX_HEIGHT,
  EXPECTED_HEIGHT,
  LABEL_HEIGHT,
  ROW_HEIGHT,
  THINNEST,
  drawnRows,
  extent,
  middle,
  rowName,
  targets,
} from "./box-rows.js";
import { latencyLabel, linearAxis, logAxis } from "./chart-axes.js";
import { fixedScale } from "./chart-scale.js";
import { viewOf } from "./chart-state.js";

const SIDE = 20; // .boxes-area in static/css/survey.css
const FOOT = 24; // below the rows, as in results/charts/boxes.py
const NAME_SIZE = 13;

/** The colours of the page's theme, read off the plot and its keys. */
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

/** Everything that the SVG has but axes and ticks. */
function rowsPlugin(drawing) {
  return {
    id: "rows",
    beforeDatasetsDraw({ ctx, chartArea, scales }) {
      ctx.save();
      ctx.translate(0, chartArea.top);
      const across = (latency) => scales.x.getPixelForValue(latency);
      for (const [place, row] of drawing.drawnRows().entries()) {
        edge(ctx, chartArea, place, drawing.colours);
        const isOut = drawing.hides(row);
        for (const one of row.expected) expectedBand(ctx, chartArea, { one, place, across }, drawing.colours);
        if (row.five_us.length) box(ctx, row.five_us.map(across), middle(place), drawing.colours);
        name(ctx, chartArea, { label: row.label, place, isOut }, drawing.colours);
      }
      ctx.restore();
    },
  };
}

function edge(ctx, { left, right }, place, { line }) {
  stroke(ctx, [[left, place * ROW_HEIGHT, right, place * ROW_HEIGHT]], line, 1);
}

function expectedBand(ctx, { width }, { one, place, across }, { expected }) {
  const [left, right] = [across(one.low_us), across(one.high_us)];
  const wide = Math.max(right - left, width * THINNEST);
  const at = [(left + right - wide) / 2, middle(place) - EXPECTED_HEIGHT / 2, wide, EXPECTED_HEIGHT];
  ctx.fillStyle = expected.fill;
  ctx.fillRect(...at);
  ctx.strokeStyle = expected.stroke;
  ctx.lineWidth = 1;
  ctx.setLineDash([3, 2]);
  ctx.strokeRect(...at);
  ctx.setLineDash([]);
}

function box(ctx, [lowest, lower, median, upper, highest], height, { box: { fill, stroke: colour } }) {
  const [top, foot] = [height - BOX_HEIGHT / 2, height + BOX_HEIGHT / 2];
  stroke(ctx, [[lowest, height, highest, height]], colour, 2);
  ctx.fillStyle = fill;
  ctx.fillRect(lower, top, upper - lower, BOX_HEIGHT);
  ctx.lineWidth = 1.5;
  ctx.strokeRect(lower, top, upper - lower, BOX_HEIGHT);
  stroke(ctx, [[median, top - 3, median, foot + 3]], colour, 3);
}

function stroke(ctx, lines, colour, width) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.beginPath();
  for (const [fromX, fromY, toX, toY] of lines) {
    ctx.moveTo(fromX, fromY);
    ctx.lineTo(toX, toY);
  }
  ctx.stroke();
}

/** The row's name, clear of the grid; struck through where the row is hidden. */
function name(ctx, { left }, { label, place, isOut }, colours) {
  const baseline = place * ROW_HEIGHT + LABEL_HEIGHT - 4;
  ctx.font = `550 ${NAME_SIZE}px ${colours.font}`;
  ctx.textAlign = "left";
  ctx.textBaseline = "alphabetic";
  ctx.lineJoin = "round";
  ctx.strokeStyle = colours.ground;
  ctx.lineWidth = 4;
  ctx.strokeText(label, left, baseline);
  ctx.fillStyle = isOut ? colours.text : colours.name;
  ctx.fillText(label, left, baseline);
  if (isOut) stroke(ctx, [[left, baseline - 4, left + ctx.measureText(label).width, baseline - 4]], colours.text, 1);
}

export class BoxDrawing {
  #state;
  #figure;
  #chart;
  #row = -1;

  constructor(canvas, { figure, data, state }) {
    this.#figure = figure;
    this.rows = data;
    this.#state = state;
    this.colours = palette(figure);
    this.#chart = new Chart(canvas, {
      type: "line",
      data: { datasets: [this.#dataset()] },
      options: this.#options(),
      plugins: [rowsPlugin(this)],
    });
  }

  drawnRows() {
    return drawnRows(this.rows, this.#state.hidden);
  }

  hides({ key }) {
    return this.#state.hidden.includes(key);
  }

  /** Draws the rows as this state has them. */
  show(state) {
    this.#state = state;
    this.#row = -1;
    this.#redraw();
  }

  /** Reads the theme's colours again. */
  recolour() {
    this.colours = palette(this.#figure);
    this.#redraw();
  }

  /** Moves the tooltip on to the next row, or back; answers what it says. */
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
    return [rowName(this.rows, heights[this.#row]), ...active.flatMap(({ index }) => data[index].lines)].join("; ");
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
    const data = targets(this.rows, this.#state.hidden, this.#view);
    const { box: look } = this.colours;
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
      font: { family: this.colours.font, size: 12 },
      layout: { padding: { left: SIDE, right: SIDE } },
      interaction: { mode: "nearest", axis: "y", intersect: false },
      scales: { x: this.#latencyScale(), y: { type: "linear", display: false, reverse: true, min: 0, max: this.rows.length * ROW_HEIGHT } },
      plugins: { tooltip: this.#tooltip() },
    };
  }

  #latencyScale() {
    const values = extent(this.rows, this.#state.hidden);
    const { isLinear } = this.#view;
    return {
      ...fixedScale(isLinear ? linearAxis(values) : logAxis(values), latencyLabel, { isLinear, colours: this.colours, padding: 6 }),
      grid: { color: this.colours.line, drawTicks: false },
      afterFit: (axis) => {
        axis.height = FOOT;
        axis.paddingLeft = axis.paddingRight = 0;
      },
    };
  }

  #tooltip() {
    return {
      displayColors: false,
      callbacks: {
        title: (items) => (items.length ? rowName(this.rows, items[0].parsed.y) : ""),
        label: ({ raw }) => raw.lines,
      },
    };
  }
}
