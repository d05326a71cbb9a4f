// The devices that somebody has picked to compare, kept in the browser. No DOM.

export const MOST = 6;
const KEY = "compare";

function isPick(one) {
  return typeof one?.slug === "string" && /^[\w-]+$/.test(one.slug) && typeof one.name === "string";
}

/** What is kept, at most six; nothing of what makes no sense. */
export function readPicks() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isPick).slice(0, MOST) : [];
  } catch {
    return []; // not ours, or the browser keeps nothing
  }
}

export function writePicks(picks) {
  try {
    localStorage.setItem(KEY, JSON.stringify(picks));
  } catch {
    // then they last as long as the page
  }
}

/** The picks with this device put in, or taken out if it is one; unchanged where there is no room. */
export function togglePick(picks, device) {
  if (picks.some(({ slug }) => slug === device.slug)) return picks.filter(({ slug }) => slug !== device.slug);
  return picks.length < MOST ? [...picks, device] : picks;
}

/** What a comparison shows takes the place of picks that it shares a device with: they are looked at right now. */
export function afterComparison(picks, shown) {
  const isShared = picks.some(({ slug }) => shown.some((one) => one.slug === slug));
  return isShared ? shown.slice(0, MOST) : picks;
}
