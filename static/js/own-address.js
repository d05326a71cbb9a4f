// <own-address href="…"> replaces the form's URL in the address bar with the created object's, so that a reload shows
// the object instead of resubmitting, and a copied address links to it.

class OwnAddress extends HTMLElement {
  connectedCallback() {
    history.replaceState(null, "", this.getAttribute("href"));
  }
}

customElements.define("own-address", OwnAddress);
