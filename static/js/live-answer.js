// <live-answer> submits its form with fetch() while it is filled in, and shows the answer in place.

const PAUSE_MS = 300; // after the last key, so that no error is shown for a half-typed number

class LiveAnswer extends HTMLElement {
  #timer = 0;
  #latest = 0;

  connectedCallback() {
    this.addEventListener("input", this.#later);
    this.addEventListener("submit", this.#now);
  }

  disconnectedCallback() {
    clearTimeout(this.#timer);
    this.removeEventListener("input", this.#later);
    this.removeEventListener("submit", this.#now);
  }

  #later = () => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#ask(), PAUSE_MS);
  };

  #now = (event) => {
    event.preventDefault();
    clearTimeout(this.#timer);
    this.#ask();
  };

  async #ask() {
    const form = this.querySelector("form");
    const filled = [...new FormData(form)].filter(([, value]) => value.trim());
    const url = new URL(form.action);
    url.hash = "";
    url.search = new URLSearchParams(filled);
    const number = ++this.#latest;
    try {
      const response = await fetch(url, { headers: { Accept: "text/html" } });
      const text = await response.text();
      if (number === this.#latest) this.#show(new DOMParser().parseFromString(text, "text/html"), response.url);
    } catch {
      form.submit();
    }
  }

  #show(page, url) {
    this.querySelector("#answer").replaceChildren(...page.querySelector("#answer").childNodes);
    for (const hint of this.querySelectorAll(".hint")) {
      hint.replaceChildren(...page.getElementById(hint.id).childNodes);
      const field = this.querySelector(`[aria-describedby="${hint.id}"]`);
      field?.toggleAttribute("aria-invalid", false);
      if (hint.querySelector(".fault")) field?.setAttribute("aria-invalid", "true");
    }
    history.replaceState(null, "", url);
  }
}

customElements.define("live-answer", LiveAnswer);
