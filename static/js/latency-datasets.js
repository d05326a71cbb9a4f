// Pure parts of the latency chart's script: from the page's figures to curves and words. No DOM, no Chart.js.

import { BLOCK_SIZES, isRanked } from "./chart-axes.js";

// Dash and marker by place, as static/css/charts.css has them.
export const STYLES = [
  { dash: [], marker: "circle", isHollow: false },
  { dash: [], marker: "rect", isHollow: false },
  { dash: [7, 4], marker: "circle", isHollow: true },
  { dash: [7, 4], marker: "rect", isHollow: true },
  { dash: [2, 4], marker: "circle", isHollow: false },
  { dash: [2, 4], marker: "rect", isHollow: false },
  { dash: [9, 4, 2, 4], marker: "circle", isHollow: true },
  { dash: [9, 4, 2, 4], marker: "rect", isHollow: true },
];

export function throughput(blockSize, latency) {
  return blockSize / 1024 ** 2 / (latency / 1e6);
}

/** A value a block size that the view shows, null where none was measured: a place means the same in every curve. */
export function slots(blockSizes, values, { isThroughput, isRankedOnly }) {
  const sizes = isRankedOnly ? BLOCK_SIZES.filter(isRanked) : BLOCK_SIZES;
  return sizes.map((blockSize) => {
    const value = values[blockSizes.indexOf(blockSize)] ?? null;
    return { x: blockSize, y: isThroughput && value !== null ? throughput(blockSize, value) : value };
  });
}

/** The datasets of one curve: the curve, and after it the two edges of its spread where that is known. */
export function curveDatasets(series, place, { colour, ground, isAlone, view }) {
  const style = STYLES[place];
  const points = slots(series.block_size, series.latency_us, view);
  const curve = {
    label: series.label,
    mark: series.mark,
    series: place,
    data: points,
    borderColor: colour,
    borderDash: style.dash,
    borderWidth: 2,
    pointStyle: style.marker,
    pointRadius: points.map(({ x }) => (isAlone || isRanked(x) ? 3 : 0)),
    pointHoverRadius: 5,
    pointBackgroundColor: style.isHollow ? ground : colour,
    pointBorderColor: colour,
    spanGaps: true,
  };
  if (series.low_us.every((value) => value === null)) return [curve];
  const edge = { series: place, isEdge: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, spanGaps: true };
  const high = { ...edge, data: slots(series.block_size, series.high_us, view) };
  const low = { ...edge, data: slots(series.block_size, series.low_us, view), fill: "-1", backgroundColor: faint(colour) };
  return [curve, high, low];
}

/** The colour at the strength of a band: rgb(1, 2, 3) becomes rgba(1, 2, 3, 0.16). */
export function faint(colour) {
  return colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)");
}

/** Every value that these curves have in this view. */
export function extent(series, view) {
  const values = series.flatMap(({ block_size, latency_us, low_us, high_us }) =>
    [latency_us, low_us, high_us].flatMap((one) => slots(block_size, one, view).map(({ y }) => y)),
  );
  return values.filter((value) => value !== null);
}

/** What stands above and below the chart, as results/charts/words.py has it. */
export function words({ isThroughput, isLinear }) {
  const what = isThroughput
    ? "What one synchronous write after the other, each flushed, comes to a second"
    : "Mean time of one synchronous write and its flush";
  return {
    heading: isThroughput ? "Throughput by block size" : "Latency by block size",
    note: `${what}; both axes ${isLinear ? "linear" : "logarithmic"}, ${isThroughput ? "higher" : "lower"} is better.`,
  };
}

/** A line of the tooltip: the name and the value as in the tables; for a curve that is alone both its values. */
export function tooltipLine(label, blockSize, value, { isAlone, isThroughput }) {
  if (!isAlone) return `${label}: ${digits(value)} ${isThroughput ? "MiB/s" : "µs"}`;
  const other = throughput(blockSize, value); // its own inverse
  const [latency, rate] = isThroughput ? [other, value] : [value, other];
  return `${digits(latency)} µs, ${digits(rate)} MiB/s`;
}

/** A figure as the tables have it. */
export function digits(value) {
  if (value >= 99.95) return Math.round(value).toLocaleString("en");
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
