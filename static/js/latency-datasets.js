// Pure parts of the latency chart's script: from the page's JSON to curves, axes and words. No DOM, no Chart.js.

export const BLOCK_SIZES = Array.from({ length: 15 }, (_, step) => 512 * 2 ** step);
export const RANKED = { min: 4 * 1024, max: 128 * 1024 };
const LABELLED = [512, RANKED.min, RANKED.max, 1024 ** 2, 8 * 1024 ** 2];
const NICE_STEPS = [1, 2, 5];
const MANY_DECADES = 2.5;

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

/** One value a block size, null where it was not measured, so that a place means the same in every curve. */
export function slots(blockSizes, values) {
  return BLOCK_SIZES.map((blockSize) => {
    const place = blockSizes.indexOf(blockSize);
    return { x: blockSize, y: place < 0 ? null : values[place] };
  });
}

/** The datasets of one curve: the curve, and after it the two edges of its spread where that is known. */
export function curveDatasets(series, place, { colour, ground, isAlone }) {
  const style = STYLES[place];
  const points = slots(series.block_size, series.latency_us);
  const curve = {
    label: series.label,
    mark: series.mark,
    series: place,
    data: points,
    borderColor: colour,
    borderDash: style.dash,
    borderWidth: 2,
    pointStyle: style.marker,
    pointRadius: points.map(({ x }) => (isAlone || (x >= RANKED.min && x <= RANKED.max) ? 3 : 0)),
    pointHoverRadius: 5,
    pointBackgroundColor: style.isHollow ? ground : colour,
    pointBorderColor: colour,
    spanGaps: true,
  };
  if (series.low_us.every((value) => value === null)) return [curve];
  const edge = { series: place, isEdge: true, borderWidth: 0, pointRadius: 0, pointHoverRadius: 0, spanGaps: true };
  const high = { ...edge, data: slots(series.block_size, series.high_us) };
  const low = { ...edge, data: slots(series.block_size, series.low_us), fill: "-1", backgroundColor: faint(colour) };
  return [curve, high, low];
}

/** The colour at the strength of a band: rgb(1, 2, 3) becomes rgba(1, 2, 3, 0.16). */
export function faint(colour) {
  return colour.replace(/^rgb\((.*)\)$/, "rgba($1, 0.16)");
}

/** The ends of a latency axis, and its ticks, for these latencies in µs: nice values around them. */
export function latencyAxis(latencies) {
  const min = niceBelow(Math.min(...latencies) * 0.99);
  const max = niceAbove(Math.max(...latencies) * 1.01);
  const steps = Math.log10(max / min) <= MANY_DECADES ? NICE_STEPS : [1];
  const ticks = [];
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade += 1) {
    ticks.push(...steps.map((step) => round(step * 10 ** decade)).filter((value) => value >= min && value <= max));
  }
  return { min, max, ticks };
}

function niceBelow(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  return round(Math.max(...NICE_STEPS.map((step) => step * decade).filter((nice) => nice <= value)));
}

function niceAbove(value) {
  const decade = 10 ** Math.floor(Math.log10(value));
  return round(Math.min(...[...NICE_STEPS, 10].map((step) => step * decade).filter((nice) => nice >= value)));
}

function round(value) {
  return Number(value.toPrecision(6));
}

/** The block sizes that get a label, of all or of the ranked ones alone. */
export function blockSizeTicks(isRankedOnly) {
  return isRankedOnly ? BLOCK_SIZES.filter((size) => size >= RANKED.min && size <= RANKED.max) : LABELLED;
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

/** Ascending heights pushed down, and then back up, until all are `gap` apart and above `bottom`. */
export function apart(heights, gap, bottom) {
  const placed = [];
  for (const height of heights) placed.push(placed.length ? Math.max(height, placed.at(-1) + gap) : height);
  let below = bottom + gap;
  for (let i = placed.length - 1; i >= 0; i -= 1) {
    below = placed[i] = Math.min(placed[i], below - gap);
  }
  return placed;
}

/** A line of the tooltip: the name, the latency as in the tables, and for one alone its throughput. */
export function tooltipLine(label, blockSize, latency, isAlone) {
  if (!isAlone) return `${label}: ${digits(latency)} µs`;
  const throughput = blockSize / 1024 ** 2 / (latency / 1e6);
  return `${digits(latency)} µs, ${digits(throughput)} MiB/s`;
}

function digits(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
