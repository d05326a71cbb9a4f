// <command-builder> submits its forms with fetch() and updates itself in place: other input on the page remains.

import "./copy-text.js";

class CommandBuilder extends HTMLElement {
  connectedCallback() {
    this.addEventListener("submit", this.#submit);
  }

  disconnectedCallback() {
    this.removeEventListener("submit", this.#submit);
  }

  #submit = async (event) => {
    event.preventDefault();
    const url = new URL(event.target.action);
    url.search = new URLSearchParams(new FormData(event.target));
    try {
      const response = await fetch(url, { headers: { Accept: "text/html" } });
      this.#show(await response.text());
    } catch {
      location.assign(url); // the page shows the error
      return;
    }
    if (location.pathname === url.pathname) history.replaceState(null, "", url);
  };

  #show(text) {
    const page = new DOMParser().parseFromString(text, "text/html");
    this.replaceChildren(...page.querySelector("command-builder").childNodes);
    const next = ["[aria-invalid]", "[role=alert] ~ fieldset input", "#measure:has(~ .command)", "#checks"];
    next.map((selector) => this.querySelector(selector)).find(Boolean)?.focus();
  }
}

customElements.define("command-builder", CommandBuilder);
