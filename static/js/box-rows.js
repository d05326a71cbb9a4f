// Pure parts of the box plot's script: from the page's figures to rows and words. No DOM, no Chart.js.

import { digits } from "./latency-datasets.js";

// As results/charts/boxes.py has them, in pixels.
export const ROW_HEIGHT = 64;
export const LABEL_HEIGHT = 20;
export const BOX_HEIGHT = 14;
export const EXPECTED_HEIGHT = 30;
export const THINNEST = 0.008; // of the width
const EXPECTED = "expected";
const NAMES = ["lowest", "lower quartile", "median", "upper quartile", "highest"];

/** The middle of a row's box, from the top of the plot. */
export function middle(place) {
  return place * ROW_HEIGHT + (LABEL_HEIGHT + ROW_HEIGHT) / 2;
}

/** The rows without what is hidden: rows by their keys, by EXPECTED all expected bands. */
export function drawnRows(rows, hidden) {
  return rows.map((row) => {
    if (hidden.includes(row.key)) return { ...row, five_us: [], expected: [] };
    return hidden.includes(EXPECTED) ? { ...row, expected: [] } : row;
  });
}

/** Every latency that the axis has to hold: of what is shown or, where nothing is, of all. */
export function extent(rows, hidden) {
  const shown = drawnRows(rows, hidden).flatMap(latencies);
  return shown.length ? shown : rows.flatMap(latencies);
}

function latencies({ five_us, expected }) {
  return [...five_us, ...expected.flatMap(({ low_us, high_us }) => [low_us, high_us])];
}

/** What can be pointed at: the median of each row and the middle of each expected band, in the rows that are shown. */
export function targets(rows, hidden, { isLinear }) {
  const between = isLinear ? (low, high) => (low + high) / 2 : (low, high) => Math.sqrt(low * high);
  return drawnRows(rows, hidden).flatMap((row, place) => {
    const y = middle(place);
    const bands = row.expected.map(({ label, low_us, high_us }) => ({
      x: between(low_us, high_us),
      y,
      lines: [`expected in 2018, ${label}`],
    }));
    if (!row.five_us.length) return bands;
    const lines = row.five_us.map((value, one) => `${NAMES[one]} ${digits(value)} µs`);
    return [{ x: row.five_us[2], y, lines, isMedian: true }, ...bands];
  });
}

/** The name of the row at this height of the plot. */
export function rowName(rows, height) {
  return rows[Math.floor(height / ROW_HEIGHT)].label;
}

/** What stands above and below the plot, as templates/results/survey/page.html and results/charts/words.py have it. */
export function words({ isLinear }) {
  return {
    heading: "Ranked latency by class",
    note: `ZIL latency, one figure a device, with diskinfo -wS; the axis is ${isLinear ? "linear" : "logarithmic"}, lower is better.`,
  };
}
