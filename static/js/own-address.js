// <own-address href="…"> puts the address of what was made in place of that of the form which made it: a reload
// shows it and sends nothing again, and a copied address leads there.

class OwnAddress extends HTMLElement {
  connectedCallback() {
    history.replaceState(null, "", this.getAttribute("href"));
  }
}

customElements.define("own-address", OwnAddress);
