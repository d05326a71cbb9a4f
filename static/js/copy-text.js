// <copy-text> adds a button that copies the text it contains.

class CopyText extends HTMLElement {
  connectedCallback() {
    if (!navigator.clipboard || this.querySelector("button")) return;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button button-small";
    button.textContent = "Copy";
    button.addEventListener("click", () => this.#copy(button));
    this.append(button);
  }

  async #copy(button) {
    try {
      await navigator.clipboard.writeText(this.querySelector("code").textContent.trim());
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(this.querySelector("code"));
      button.textContent = "Selected: press Ctrl+C";
    }
    setTimeout(() => (button.textContent = "Copy"), 2000);
  }
}

customElements.define("copy-text", CopyText);
