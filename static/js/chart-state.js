// How a chart is looked at, as the address says it and as results/charts/options.py reads it. No DOM.

const DEFAULTS = { chart: "latency", scale: "log", sizes: "all" };

/** The state that a query string asks for. */
export function readState(search) {
  const asked = new URLSearchParams(search);
  const hidden = (asked.get("hide") ?? "").split(",").filter(Boolean);
  const values = Object.entries(DEFAULTS).map(([name, value]) => [name, asked.get(name) || value]);
  return { ...Object.fromEntries(values), hidden };
}

/** The same with a curve hidden or, if it is hidden, shown again. */
export function toggled(state, key) {
  const hidden = state.hidden.filter((one) => one !== key);
  return { ...state, hidden: state.hidden.includes(key) ? hidden : [...hidden, key] };
}

/** An absolute address with this state in the place of the one that it has, whatever else it asks for. */
export function stateUrl(address, state) {
  const url = new URL(address);
  const asked = { ...state, hide: state.hidden.join(",") };
  for (const name of ["chart", "scale", "sizes", "hide"]) {
    url.searchParams.delete(name);
    if (asked[name] && asked[name] !== DEFAULTS[name]) url.searchParams.set(name, asked[name]);
  }
  url.search = url.search.replaceAll("%2C", ",");
  return url.href;
}

/** The state as the drawing asks of it. */
export function viewOf({ chart, scale, sizes }) {
  return { isThroughput: chart === "throughput", isLinear: scale === "linear", isRankedOnly: sizes === "ranked" };
}
