// The view of a chart as stored in the URL and read by results/charts/options.py. No DOM.

const DEFAULTS = { chart: "latency", scale: "log", sizes: "all" };

/** The state given by a query string. */
export function readState(search) {
  const query = new URLSearchParams(search);
  const hidden = (query.get("hide") ?? "").split(",").filter(Boolean);
  const values = Object.entries(DEFAULTS).map(([name, value]) => [name, query.get(name) || value]);
  return { ...Object.fromEntries(values), hidden };
}

/** The same with a curve hidden or, if it is hidden, shown again. */
export function toggled(state, key) {
  const hidden = state.hidden.filter((one) => one !== key);
  return { ...state, hidden: state.hidden.includes(key) ? hidden : [...hidden, key] };
}

/** The absolute URL with this state instead of its present one; other parameters are unchanged. */
export function stateUrl(address, state) {
  const url = new URL(address);
  const values = { ...state, hide: state.hidden.join(",") };
  for (const name of ["chart", "scale", "sizes", "hide"]) {
    url.searchParams.delete(name);
    if (values[name] && values[name] !== DEFAULTS[name]) url.searchParams.set(name, values[name]);
  }
  url.search = url.search.replaceAll("%2C", ",");
  return url.href;
}

/** The state as flags for the drawing. */
export function viewOf({ chart, scale, sizes }) {
  return { isThroughput: chart === "throughput", isLinear: scale === "linear", isRankedOnly: sizes === "ranked" };
}
