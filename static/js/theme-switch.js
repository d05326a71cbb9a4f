// <theme-switch> has a button that switches between light and dark, and stores the choice in the browser.

const SUN = "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M12 1v2M12 21v2M1 12h2M21 12h2M4.2 4.2l1.4 1.4M18.4 18.4l1.4 1.4M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4";
const MOON = "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5";
const SVG = "http://www.w3.org/2000/svg";

const systemTheme = matchMedia("(prefers-color-scheme: dark)");

function currentTheme() {
  return document.documentElement.dataset.theme ?? (systemTheme.matches ? "dark" : "light");
}

function store(theme) {
  try {
    localStorage.setItem("theme", theme);
  } catch {
    // Storage is disabled: the choice lasts until the page is closed.
  }
}

function icon() {
  const svg = document.createElementNS(SVG, "svg");
  const attributes = { viewBox: "0 0 24 24", width: 18, height: 18, fill: "none", stroke: "currentColor" };
  for (const [name, value] of Object.entries(attributes)) svg.setAttribute(name, value);
  svg.setAttribute("stroke-width", 2);
  svg.setAttribute("stroke-linecap", "round");
  svg.setAttribute("stroke-linejoin", "round");
  svg.setAttribute("aria-hidden", "true");
  svg.append(document.createElementNS(SVG, "path"));
  return svg;
}

class ThemeSwitch extends HTMLElement {
  #button = document.createElement("button");

  connectedCallback() {
    this.#button.type = "button";
    this.#button.replaceChildren(icon());
    this.#button.addEventListener("click", () => this.#turn());
    systemTheme.addEventListener("change", this.#show);
    this.replaceChildren(this.#button);
    this.#show();
  }

  disconnectedCallback() {
    systemTheme.removeEventListener("change", this.#show);
  }

  #turn() {
    const theme = currentTheme() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    store(theme);
    this.#show();
    this.dispatchEvent(new CustomEvent("theme-change", { bubbles: true, detail: { theme } }));
  }

  #show = () => {
    const other = currentTheme() === "dark" ? "light" : "dark";
    this.#button.setAttribute("aria-label", `Use the ${other} theme`);
    this.#button.querySelector("path").setAttribute("d", other === "dark" ? MOON : SUN);
  };
}

customElements.define("theme-switch", ThemeSwitch);
