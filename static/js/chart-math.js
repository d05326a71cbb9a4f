// Pure functions of the charts: from the description in the page's JSON to axes, curves, boxes and labels. No DOM, no
// Chart.js.

/** The chart's state (chart-island.js) as flags. */
export function viewOf({ chart, scale, sizes }) {
  return { isThroughput: chart === "throughput", isLinear: scale === "linear", isRankedOnly: sizes === "ranked" };
}

/** The block sizes that the view shows; `blocks` is that of the chart's JSON. */
export function shownBlocks(blocks, { isRankedOnly }) {
  return isRankedOnly ? blocks.labelled.ranked.log : blocks.all;
}

/** The axis of block sizes from edge to edge. */
export function blockAxis({ labelled }, { sizes, scale }) {
  const ticks = labelled[sizes][scale];
  return { min: scale === "linear" ? 0 : ticks[0], max: ticks.at(-1), ticks };
}

function isRanked({ labelled: { ranked } }, blockSize) {
  return ranked.log.includes(blockSize);
}

/** The axis of values shared by curves or boxes; `ends` has low, high, step and top of each. */
export function valueAxis(ends, { decades, steps, narrow }, { scale }) {
  const [lows, ...others] = [0, 1, 2, 3].map((place) => ends.map((one) => one[place]));
  const [high, step, top] = others.map((values) => Math.max(...values));
  if (scale === "linear") {
    return { min: 0, max: top, ticks: Array.from({ length: Math.round(top / step) + 1 }, (_, i) => round(step * i)) };
  }
  const low = Math.min(...lows);
  const labelled = high / low > narrow ? decades : decades.flatMap((decade) => steps.map((one) => round(decade * one)));
  return { min: low, max: high, ticks: labelled.filter((value) => value >= low && value <= high) };
}

function round(value) {
  return Number(value.toPrecision(6));
}

export function blockSizeLabel(blockSize) {
  if (blockSize < 1024) return `${blockSize} B`;
  return blockSize < 1024 ** 2 ? `${blockSize / 1024} KiB` : `${blockSize / 1024 ** 2} MiB`;
}

/** A latency as a tick: 20 µs, 5 ms. */
export function latencyLabel(latency) {
  if (latency < 1000) return `${round(latency)} µs`;
  return latency < 1e6 ? `${round(latency / 1000)} ms` : `${round(latency / 1e6)} s`;
}

/** A throughput as a tick, without its unit: 2,000. */
export function throughputLabel(throughput) {
  return round(throughput).toLocaleString("en", { maximumSignificantDigits: 6 });
}

/** The ascending heights, moved down and then back up until all are `gap` apart and above `bottom`. */
export function apart(heights, gap, bottom) {
  const placed = [];
  for (const height of heights) placed.push(placed.length ? Math.max(height, placed.at(-1) + gap) : height);
  let below = bottom + gap;
  for (let i = placed.length - 1; i >= 0; i -= 1) {
    below = placed[i] = Math.min(placed[i], below - gap);
  }
  return placed;
}

/** Options of a Chart.js scale with exactly the ends and ticks of the SVG; with `skips`, without ticks that would touch. */
export function fixedScale({ min, max, ticks }, label, { isLinear, colors, padding = 8, skips = false }) {
  return {
    type: isLinear ? "linear" : "logarithmic",
    min,
    max,
    border: { display: false },
    ticks: {
      color: colors.text,
      font: { family: colors.font, size: 12 },
      callback: (value) => label(value),
      maxRotation: 0,
      autoSkip: skips,
      autoSkipPadding: 8,
      padding,
    },
    afterBuildTicks: (scale) => {
      scale.ticks = ticks.map((value) => ({ value }));
    },
  };
}

/** The throughput in MiB/s of all writers together, each of which waits for the latency. */
function throughput(blockSize, latency, writers = 1) {
  return (blockSize / 1024 ** 2 / (latency / 1e6)) * writers;
}

/** A value per block size of the view, null if not measured, so that an index means the same in every curve. */
export function slots(blocks, blockSizes, values, view, writers = 1) {
  return shownBlocks(blocks, view).map((blockSize) => {
    const value = values[blockSizes.indexOf(blockSize)] ?? null;
    return { x: blockSize, y: view.isThroughput && value !== null ? throughput(blockSize, value, writers) : value };
  });
}

/** The datasets of one curve: the curve, and the two edges of its spread if that is known, dashed if it is assumed. */
export function curveDatasets({ series: all, styles, blocks }, place, { color, ground, view }) {
  const [series, style] = [all[place], styles[place]];
  const slotsOf = (values) => slots(blocks, series.block_size, values, view, series.writers);
  const points = slotsOf(series.latency_us);
  const curve = {
    label: series.label,
    mark: series.mark,
    series: place,
    data: points,
    borderColor: color,
    borderDash: style.dash ?? [],
    borderWidth: 2,
    pointStyle: style.is_square ? "rect" : "circle",
    pointRadius: points.map(({ x }) => (all.length === 1 || isRanked(blocks, x) ? 3 : 0)),
    pointHoverRadius: 5,
    pointBackgroundColor: style.is_hollow ? ground : color,
    pointBorderColor: color,
    spanGaps: true,
  };
  if (series.low_us.every((value) => value === null)) return [curve];
  const line = series.is_assumed ? { borderColor: faint(color, 0.6), borderDash: [4, 3], borderWidth: 1 } : { borderWidth: 0 };
  const edge = { series: place, isEdge: true, ...line, pointRadius: 0, pointHoverRadius: 0, spanGaps: true };
  const high = { ...edge, data: slotsOf(series.high_us) };
  const low = { ...edge, data: slotsOf(series.low_us), fill: "-1", backgroundColor: faint(color) };
  return [curve, high, low];
}

/** The color with the opacity of a band: rgb(1, 2, 3) becomes rgba(1, 2, 3, 0.16). */
function faint(color, opacity = 0.16) {
  return color.replace(/^rgb\((.*)\)$/, `rgba($1, ${opacity})`);
}

/** The ends of the shown curves, which the axis of values has to include; of all curves if no shown one has a point. */
export function curveEnds(series, { chart, sizes, hidden }) {
  const ends = (some) => some.map((one) => one.ends[chart][sizes]).filter(Boolean);
  const shown = ends(series.filter(({ key }) => !key || !hidden.includes(key)));
  return shown.length ? shown : ends(series);
}

/** A line of the tooltip: name and value as in the tables; for a single curve, latency and throughput. */
export function tooltipLine(label, blockSize, value, { isAlone, isThroughput, writers }) {
  if (!isAlone) return `${label}: ${formatValue(value)} ${isThroughput ? "MiB/s" : "µs"}`;
  const other = throughput(blockSize, value, writers); // also its own inverse
  const [latency, rate] = isThroughput ? [other, value] : [value, other];
  return `${formatValue(latency)} µs, ${formatValue(rate)} MiB/s`;
}

/** A figure formatted as in the tables. */
function formatValue(value) {
  if (value >= 99.95) return Math.round(value).toLocaleString("en");
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(2);
}

/** The middle of a row's box, from the top of the plot. */
export function rowMiddle({ height, label_height }, place) {
  return place * height + (label_height + height) / 2;
}

/** The rows without hidden content: `hidden` has keys of rows, and `expected_key` for all expected bands. */
export function drawnRows({ rows, expected_key }, hidden) {
  return rows.map((row) => {
    if (hidden.includes(row.key)) return { ...row, five_us: [], ends: null, expected: [] };
    return hidden.includes(expected_key) ? { ...row, expected: [] } : row;
  });
}

/** The ends of the shown boxes and bands, which the axis has to include; of all if none is shown. */
export function boxEnds(plot, hidden) {
  const shown = drawnRows(plot, hidden).flatMap(rowEnds);
  return shown.length ? shown : plot.rows.flatMap(rowEnds);
}

function rowEnds({ ends, expected }) {
  return [ends, ...expected.map((band) => band.ends)].filter(Boolean);
}

/** The points with a tooltip: the median of each shown row and the middle of each of its expected bands. */
export function tooltipPoints(plot, hidden, { isLinear }) {
  const between = isLinear ? (low, high) => (low + high) / 2 : (low, high) => Math.sqrt(low * high);
  return drawnRows(plot, hidden).flatMap((row, place) => {
    const y = rowMiddle(plot.measures, place);
    const bands = row.expected.map(({ label, low_us, high_us }) => ({
      x: between(low_us, high_us),
      y,
      lines: [`expected in 2018, ${label}`],
    }));
    if (!row.five_us.length) return bands;
    const lines = row.five_us.map((value, one) => `${plot.five_names[one]} ${formatValue(value)} µs`);
    return [{ x: row.five_us[2], y, lines, isMedian: true }, ...bands];
  });
}

/** The name of the row at this height of the plot. */
export function rowName({ rows, measures }, height) {
  return rows[Math.floor(height / measures.height)].label;
}
