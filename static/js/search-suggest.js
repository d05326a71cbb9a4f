// <search-suggest> suggests products and devices below its search field, as an ARIA combobox. Its `src` is the API's
// search. If that fails, the form works as it does without the element.

const PAUSE_MS = 250; // after the last key
const FEWEST_LETTERS = 2;
const MAX_OFFERED = 8;

function capacity(bytes) {
  if (!bytes) return "";
  const unit = bytes < 1e12 ? { size: 1e9, name: "GB" } : { size: 1e12, name: "TB" };
  return `${Number((bytes / unit.size).toPrecision(3))} ${unit.name}`;
}

class SearchSuggest extends HTMLElement {
  static #count = 0;

  #input;
  #list;
  #status;
  #timer = 0;
  #request = null;
  #pausedUntil = 0; // from a Retry-After header

  connectedCallback() {
    if (this.#list) return;
    this.#input = this.querySelector("input[type=search]");
    const number = ++SearchSuggest.#count;
    this.#list = Object.assign(document.createElement("ul"), {
      id: `suggestions-${number}`,
      className: "suggestions",
      role: "listbox",
      hidden: true,
    });
    this.#list.setAttribute("aria-label", "Suggestions");
    this.#status = Object.assign(document.createElement("p"), { className: "visually-hidden" });
    this.#status.setAttribute("role", "status");
    const attributes = {
      role: "combobox",
      "aria-autocomplete": "list",
      "aria-controls": this.#list.id,
      "aria-expanded": "false",
    };
    for (const [name, value] of Object.entries(attributes)) this.#input.setAttribute(name, value);
    this.append(this.#list, this.#status);
    this.#input.addEventListener("input", () => this.#later());
    this.#input.addEventListener("keydown", (event) => this.#press(event));
    this.addEventListener("focusout", (event) => {
      if (!this.contains(event.relatedTarget)) this.#close();
    });
    // Without this the field would lose the focus, which closes the list before the click.
    this.#list.addEventListener("mousedown", (event) => event.preventDefault());
    this.#list.addEventListener("click", (event) => this.#open(event.target.closest("[role=option]")));
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.#request?.abort();
  }

  #later() {
    clearTimeout(this.#timer);
    this.#request?.abort();
    const text = this.#input.value.trim();
    if (text.length < FEWEST_LETTERS) this.#close();
    else this.#timer = setTimeout(() => this.#ask(text), PAUSE_MS);
  }

  async #ask(text) {
    if (Date.now() < this.#pausedUntil) return;
    this.#request = new AbortController();
    const { signal } = this.#request;
    const url = new URL(this.getAttribute("src"), location.href);
    url.search = new URLSearchParams({ q: text, fields: "type,name,vendor,capacity_bytes,url" });
    try {
      const response = await fetch(url, { headers: { Accept: "application/json" }, credentials: "omit", signal });
      if (response.status === 429) {
        this.#pausedUntil = Date.now() + 1000 * (Number(response.headers.get("Retry-After")) || 60);
      }
      const found = response.ok ? (await response.json()).results : [];
      if (!signal.aborted) this.#show(found.slice(0, MAX_OFFERED));
    } catch {
      if (!signal.aborted) this.#close();
    }
  }

  #show(found) {
    this.#list.replaceChildren(...found.map((one, index) => this.#option(one, index)));
    this.#expand(found.length > 0 && this.contains(document.activeElement));
    this.#status.textContent = found.length === 1 ? "1 suggestion" : `${found.length || "No"} suggestions`;
  }

  #option(one, index) {
    const option = document.createElement("li");
    option.id = `${this.#list.id}-${index}`;
    option.role = "option";
    option.setAttribute("aria-selected", "false");
    option.dataset.url = new URL(one.url, location.href).pathname;
    const isProduct = one.type === "product";
    const about = isProduct ? "product" : `${capacity(one.capacity_bytes)} device`.trim();
    const kind = Object.assign(document.createElement("span"), { className: "muted", textContent: about });
    option.append(isProduct ? `${one.vendor} ${one.name}` : one.name, " ", kind);
    return option;
  }

  #press(event) {
    if (event.isComposing) return;
    const options = [...this.#list.children];
    const chosen = options.findIndex((one) => one.ariaSelected === "true");
    if (event.key === "Escape" && !this.#list.hidden) this.#close();
    else if (event.key === "Enter" && chosen >= 0 && !this.#list.hidden) this.#open(options[chosen]);
    else if (event.key === "ArrowDown" && options.length) this.#choose(options, chosen + 1);
    else if (event.key === "ArrowUp" && options.length) this.#choose(options, chosen < 0 ? options.length - 1 : chosen - 1);
    else return;
    event.preventDefault();
  }

  // Moving past either end returns to the field, with no option chosen.
  #choose(options, index) {
    this.#expand(true);
    for (const one of options) one.ariaSelected = "false";
    const option = options[index];
    if (!option) return this.#input.removeAttribute("aria-activedescendant");
    option.ariaSelected = "true";
    option.scrollIntoView({ block: "nearest" });
    this.#input.setAttribute("aria-activedescendant", option.id);
  }

  #open(option) {
    if (option) location.assign(option.dataset.url);
  }

  #expand(isOpen) {
    this.#list.hidden = !isOpen;
    this.#input.setAttribute("aria-expanded", String(isOpen));
    if (!isOpen) this.#input.removeAttribute("aria-activedescendant");
  }

  #close() {
    clearTimeout(this.#timer);
    this.#list.replaceChildren();
    this.#expand(false);
    this.#status.textContent = "";
  }
}

customElements.define("search-suggest", SearchSuggest);
