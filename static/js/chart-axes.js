// The axes of the charts, put together from the ends and ticks of the chart's JSON, and labels. No DOM, no Chart.js.

/** The block sizes that the view shows; `blocks` is that of the chart's JSON. */
export function shownBlocks(blocks, { isRankedOnly }) {
  return isRankedOnly ? blocks.labelled.ranked.log : blocks.all;
}

/** The axis of block sizes from edge to edge. */
export function blockAxis({ labelled }, { sizes, scale }) {
  const ticks = labelled[sizes][scale];
  return { min: scale === "linear" ? 0 : ticks[0], max: ticks.at(-1), ticks };
}

export function isRanked({ labelled: { ranked } }, blockSize) {
  return ranked.log.includes(blockSize);
}

/** The axis of values that is shared by curves or boxes with these ends: low, high, step and top of each. */
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
