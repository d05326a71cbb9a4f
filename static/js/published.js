// The page after publishing. <replace-url href="…"> replaces the form's URL in the address bar with the result's, so
// that a reload shows the result instead of resubmitting, and a copied address links to it.

import "./copy-text.js";

class ReplaceUrl extends HTMLElement {
  connectedCallback() {
    history.replaceState(null, "", this.getAttribute("href"));
  }
}

customElements.define("replace-url", ReplaceUrl);
