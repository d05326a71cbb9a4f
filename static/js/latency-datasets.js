// Pure parts of the latency chart's script: from the page's figures to curves and words. No DOM, no Chart.js.

import { isRanked, shownBlocks } from "./chart-axes.js";

export function throughput(blockSize, latency) {
  return blockSize / 1024 ** 2 / (latency / 1e6);
}

/** A value a block size that the view shows, null where none was measured: a place means the same in every curve. */
export function slots(blocks, blockSizes, values, view) {
  return shownBlocks(blocks, view).map((blockSize) => {
    const value = values[blockSizes.indexOf(blockSize)] ?? null;
    return { x: blockSize, y: view.isThroughput && value !== null ? throughput(blockSize, value) : value };
  });
}

/** The datasets of one curve of the chart: the curve, and after it the two edges of its spread where that is known. */
export function curveDatasets({ series: all, styles, blocks }, place, { colour, ground, view }) {
  const [series, style] = [all[place], styles[place]];
  const slotsOf = (values) => slots(blocks, series.block_size, values, view);
  const points = slotsOf(series.latency_us);
  const curve = {
    label: series.label,
    mark: series.mark,
    series: place,
    data: points,
    borderColor: colour,
    borderDash: style.dash ?? [],
    borderWidth: 2,
    pointStyle: style.is_square ? "rect" : "circle",
    pointRadius: points.map(({ x }) => (all.length === 1 || isRanked(blocks, x) ? 3 : 0)),
    pointHoverRadius: 5,
    pointBackgroundColor: style.is_hollow ? ground : colour,
    pointBorderColor: colour,
    spanGaps: true,
  };
  if (series.low_us.every((value) => value === null)) return [curve];
  const edge = { series: place, isEdge: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, spanGaps: true };
  const high = { ...edge, data: slotsOf(series.high_us) };
  const low = { ...edge, data: slotsOf(series.low_us), fill: "-1", backgroundColor: faint(colour) };
  return [curve, high, low];
}

/** The colour at the strength of a band: rgb(1, 2, 3) becomes rgba(1, 2, 3, 0.16). */
export function faint(colour) {
  return colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)");
}

/** The ends of what the axis has to hold: of the curves that are shown or, where none has a point, of all. */
export function shownEnds(series, { chart, sizes, hidden }) {
  const ends = (some) => some.map((one) => one.ends[chart][sizes]).filter(Boolean);
  const shown = ends(series.filter(({ key }) => !key || !hidden.includes(key)));
  return shown.length ? shown : ends(series);
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
