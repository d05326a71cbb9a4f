// The devices picked for comparison, stored in the browser. No DOM.

export const MOST = 6;
const KEY = "compare";

function isPick(one) {
  return typeof one?.slug === "string" && /^[\w-]+$/.test(one.slug) && typeof one.name === "string";
}

/** The stored picks, at most six, without invalid ones. */
export function readPicks() {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isPick).slice(0, MOST) : [];
  } catch {
    return []; // invalid JSON, or storage is disabled
  }
}

export function writePicks(picks) {
  try {
    localStorage.setItem(KEY, JSON.stringify(picks));
  } catch {
    // storage is disabled: they last as long as the page
  }
}

/** The picks with this device added, or removed if it is one of them; unchanged if there is no room. */
export function togglePick(picks, device) {
  if (picks.some(({ slug }) => slug === device.slug)) return picks.filter(({ slug }) => slug !== device.slug);
  return picks.length < MOST ? [...picks, device] : picks;
}

/** The devices shown in a comparison replace the picks if the two have a device in common. */
export function afterComparison(picks, shown) {
  const isShared = picks.some(({ slug }) => shown.some((one) => one.slug === slug));
  return isShared ? shown.slice(0, MOST) : picks;
}
