// <compare-tray href="/compare/" styles="URL"> sticks to the bottom of the window and lists the devices picked with
// a.compare-add: its URL has the device, its label is "Compare " and the name. Without scripts such a link opens a
// comparison that begins with its device. On a comparison the tray is hidden and follows the devices shown there
// (.compared [data-slug]); on the comparison page without devices it is shown.

// The picked devices are stored in the browser.
const MOST = 6;
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

function element(name, properties, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

class CompareTray extends HTMLElement {
  #picks = readPicks();
  #list = element("ul");
  #link = element("a", { className: "button button-main" });
  #status = element("p", { className: "visually-hidden" });
  #size = new ResizeObserver(() => this.#reserveSpace());
  #listeners = new AbortController();

  connectedCallback() {
    const { signal } = this.#listeners;
    const clear = element("button", { type: "button", className: "button", textContent: "Clear" });
    clear.addEventListener("click", () => this.#clear(), { signal });
    this.#status.setAttribute("role", "status");
    this.hidden = true;
    this.setAttribute("role", "region");
    this.setAttribute("aria-label", "Devices to compare");
    this.append(this.#list, element("div", { className: "tray-actions" }, this.#link, clear));
    this.after(this.#status);
    document.addEventListener("click", (event) => this.#pick(event), { signal });
    document.addEventListener("keydown", pressOnSpace, { signal });
    addEventListener("storage", () => this.#change(readPicks(), { isStored: true }), { signal });
    addEventListener("pageshow", () => this.#change(readPicks(), { isStored: true }), { signal }); // bfcache
    this.#size.observe(this);
    this.#change(this.#afterComparison(), { isStored: false });
  }

  disconnectedCallback() {
    this.#listeners.abort();
    this.#size.disconnect();
  }

  get #isComparing() {
    return location.pathname === this.getAttribute("href") && document.querySelector(".compared") !== null;
  }

  #afterComparison() {
    const shown = [...document.querySelectorAll(".compared [data-slug]")].map(({ dataset }) => ({ ...dataset }));
    return this.#isComparing ? afterComparison(this.#picks, shown) : this.#picks;
  }

  #pick(event) {
    const link = event.target.closest?.("a.compare-add");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const { slug, name } = deviceOf(link);
    const picks = togglePick(this.#picks, { slug, name });
    if (picks === this.#picks) {
      this.#say(`${MOST} devices are as many as can be compared: take one out first.`);
      return;
    }
    this.#change(picks, { isStored: false });
    const isIn = picks.some((one) => one.slug === slug);
    this.#say(`${name} ${isIn ? "added" : "taken out"}: ${picks.length} of ${MOST}.`);
  }

  #clear() {
    this.#change([], { isStored: false });
    this.#say("No device left to compare.");
  }

  #say(text) {
    this.#status.textContent = text;
  }

  async #change(picks, { isStored }) {
    this.#picks = picks;
    if (!isStored) writePicks(picks);
    this.#list.replaceChildren(...picks.map((one) => this.#item(one)));
    const url = new URL(this.getAttribute("href"), location.href);
    url.search = `devices=${picks.map(({ slug }) => slug).join(",")}`;
    this.#link.href = url.href;
    this.#link.textContent = picks.length > 1 ? `Compare ${picks.length}` : "Compare";
    this.#mark();
    const isShown = picks.length > 0 && !this.#isComparing;
    if (isShown) await this.#style();
    this.hidden = !isShown;
    this.#reserveSpace();
  }

  /** A device in the tray with its remove button, which moves the focus to the next one. */
  #item({ slug, name }) {
    const button = element("button", { type: "button", textContent: "×" });
    button.setAttribute("aria-label", `Take ${name} out`);
    button.addEventListener("click", () => {
      const place = this.#picks.findIndex((one) => one.slug === slug);
      this.#change(togglePick(this.#picks, { slug, name }), { isStored: false });
      this.#say(`${name} taken out: ${this.#picks.length} of ${MOST}.`);
      const left = this.#list.querySelectorAll("button");
      (left[Math.min(place, left.length - 1)] ?? document.querySelector("main a.compare-add"))?.focus();
    });
    return element("li", {}, element("span", { textContent: name }), button);
  }

  /** Shows on every a.compare-add whether its device is picked. */
  #mark() {
    for (const link of document.querySelectorAll("a.compare-add")) {
      link.role = "button";
      link.ariaPressed = String(this.#picks.some(({ slug }) => slug === deviceOf(link).slug));
    }
  }

  /** Loads the tray's styles once, before it is shown. */
  #style() {
    const address = this.getAttribute("styles");
    if (!address || document.querySelector(`link[href="${address}"]`)) return undefined;
    const link = element("link", { rel: "stylesheet", href: address });
    const loaded = new Promise((resolve) => {
      link.addEventListener("load", resolve);
      link.addEventListener("error", resolve);
    });
    document.head.append(link);
    return loaded;
  }

  /** Reserves space for the tray, so that it covers neither the focused element nor the end of the page. */
  #reserveSpace() {
    const height = this.hidden ? "" : `${Math.ceil(this.getBoundingClientRect().height)}px`;
    document.documentElement.style.scrollPaddingBottom = height && `calc(${height} + 1rem)`; // a link reaches beyond its line
  }
}

function deviceOf(link) {
  const label = link.getAttribute("aria-label") ?? "";
  return { slug: new URLSearchParams(link.search).get("devices"), name: label.slice("Compare ".length) };
}

function pressOnSpace(event) {
  if (event.key !== " " || !event.target.matches?.("a.compare-add[role=button]")) return;
  event.preventDefault();
  event.target.click();
}

customElements.define("compare-tray", CompareTray);
