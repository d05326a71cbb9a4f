// Pure functions of the latency chart: from the page's figures to curves and texts. No DOM, no Chart.js.

import { isRanked, shownBlocks } from "./chart-axes.js";

/** That of all writers, each of which waits for the latency. */
export function throughput(blockSize, latency, writers = 1) {
  return (blockSize / 1024 ** 2 / (latency / 1e6)) * writers;
}

/** A value per block size of the view, null if not measured, so that an index means the same in every curve. */
export function slots(blocks, blockSizes, values, view, writers = 1) {
  return shownBlocks(blocks, view).map((blockSize) => {
    const value = values[blockSizes.indexOf(blockSize)] ?? null;
    return { x: blockSize, y: view.isThroughput && value !== null ? throughput(blockSize, value, writers) : value };
  });
}

/** The datasets of one curve: the curve, and then the two edges of its spread if that is known. */
export function curveDatasets({ series: all, styles, blocks }, place, { colour, ground, view }) {
  const [series, style] = [all[place], styles[place]];
  const slotsOf = (values) => slots(blocks, series.block_size, values, view, series.writers);
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

/** The colour with the opacity of a band: rgb(1, 2, 3) becomes rgba(1, 2, 3, 0.16). */
export function faint(colour) {
  return colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)");
}

/** The ends of what the axis has to hold: of the curves that are shown or, where none has a point, of all. */
export function shownEnds(series, { chart, sizes, hidden }) {
  const ends = (some) => some.map((one) => one.ends[chart][sizes]).filter(Boolean);
  const shown = ends(series.filter(({ key }) => !key || !hidden.includes(key)));
  return shown.length ? shown : ends(series);
}

/** A line of the tooltip: name and value as in the tables; for a single curve, latency and throughput. */
export function tooltipLine(label, blockSize, value, { isAlone, isThroughput, writers }) {
  if (!isAlone) return `${label}: ${digits(value)} ${isThroughput ? "MiB/s" : "µs"}`;
  const other = throughput(blockSize, value, writers); // the function is its inverse
  const [latency, rate] = isThroughput ? [other, value] : [value, other];
  return `${digits(latency)} µs, ${digits(rate)} MiB/s`;
}

/** A figure formatted as in the tables. */
export function digits(value) {
  if (value >= 99.95) return Math.round(value).toLocaleString("en");
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}
