// Pure functions of the box plot: from the plot's description (boxes_json) to rows and texts. No DOM, no Chart.js.

import { digits } from "./latency-datasets.js";

/** The middle of a row's box, from the top of the plot. */
export function middle({ height, label_height }, place) {
  return place * height + (label_height + height) / 2;
}

/** The rows without hidden content: `hidden` has keys of rows, and `expected_key` for all expected bands. */
export function drawnRows({ rows, expected_key }, hidden) {
  return rows.map((row) => {
    if (hidden.includes(row.key)) return { ...row, five_us: [], ends: null, expected: [] };
    return hidden.includes(expected_key) ? { ...row, expected: [] } : row;
  });
}

/** The ends of all that the axis has to hold: of what is shown or, where nothing is, of everything. */
export function shownEnds(plot, hidden) {
  const shown = drawnRows(plot, hidden).flatMap(rowEnds);
  return shown.length ? shown : plot.rows.flatMap(rowEnds);
}

function rowEnds({ ends, expected }) {
  return [ends, ...expected.map((band) => band.ends)].filter(Boolean);
}

/** The points with a tooltip: the median of each shown row and the middle of each of its expected bands. */
export function targets(plot, hidden, { isLinear }) {
  const between = isLinear ? (low, high) => (low + high) / 2 : (low, high) => Math.sqrt(low * high);
  return drawnRows(plot, hidden).flatMap((row, place) => {
    const y = middle(plot.measures, place);
    const bands = row.expected.map(({ label, low_us, high_us }) => ({
      x: between(low_us, high_us),
      y,
      lines: [`expected in 2018, ${label}`],
    }));
    if (!row.five_us.length) return bands;
    const lines = row.five_us.map((value, one) => `${plot.five_names[one]} ${digits(value)} µs`);
    return [{ x: row.five_us[2], y, lines, isMedian: true }, ...bands];
  });
}

/** The name of the row at this height of the plot. */
export function rowName({ rows, measures }, height) {
  return rows[Math.floor(height / measures.height)].label;
}
