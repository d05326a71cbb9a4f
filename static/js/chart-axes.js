// The axes of the charts, as in results/charts/axes.py: ends, ticks, labels. No DOM, no Chart.js.

const NICE_STEPS = [1, 2, 5];
const MANY_DECADES = 2.5;
const FEWEST_LINEAR_STEPS = 4;

/** The block sizes shown in the view; `blocks` is from the chart's JSON: all, ranked (first, last), labelled. */
export function shownBlocks(blocks, { isRankedOnly }) {
  return isRankedOnly ? blocks.all.filter((size) => isRanked(blocks, size)) : blocks.all;
}

/** The range of block sizes, and those with a label. */
export function blockAxis(blocks, { isLinear, isRankedOnly }) {
  const sizes = shownBlocks(blocks, { isRankedOnly });
  const max = sizes.at(-1);
  if (isLinear) return { min: 0, max, ticks: [1, 2, 3, 4].map((quarter) => (max * quarter) / 4) };
  return { min: sizes[0], max, ticks: isRankedOnly ? sizes : blocks.labelled };
}

export function isRanked({ ranked: [first, last] }, blockSize) {
  return blockSize >= first && blockSize <= last;
}

/** The ends and ticks of a logarithmic axis for these values, at round numbers around them. */
export function logAxis(values) {
  const min = niceBelow(Math.min(...values) * 0.99);
  const max = niceAbove(Math.max(...values) * 1.01);
  const steps = Math.log10(max / min) <= MANY_DECADES ? NICE_STEPS : [1];
  const ticks = [];
  for (let decade = Math.floor(Math.log10(min)); decade <= Math.ceil(Math.log10(max)); decade += 1) {
    ticks.push(...steps.map((step) => round(step * 10 ** decade)).filter((value) => value >= min && value <= max));
  }
  return { min, max, ticks };
}

/** The same for a linear axis from zero. */
export function linearAxis(values) {
  const largest = Math.max(...values) * 1.01;
  const step = niceBelow(largest / FEWEST_LINEAR_STEPS);
  const count = Math.ceil(largest / step);
  return { min: 0, max: round(step * count), ticks: Array.from({ length: count + 1 }, (_, i) => round(step * i)) };
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
