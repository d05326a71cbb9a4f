// <paste-drop> lets files be dropped anywhere on its paste box; they are added to its file field.

class PasteDrop extends HTMLElement {
  connectedCallback() {
    this.addEventListener("dragover", this.#over);
    this.addEventListener("dragleave", this.#leave);
    this.addEventListener("drop", this.#drop);
  }

  #over = (event) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    this.classList.add("is-over");
  };

  #leave = (event) => {
    if (!this.contains(event.relatedTarget)) this.classList.remove("is-over");
  };

  #drop = (event) => {
    this.classList.remove("is-over");
    if (!event.dataTransfer.files.length) return;
    event.preventDefault();
    const field = this.querySelector("input[type=file]");
    const both = new DataTransfer();
    for (const file of [...field.files, ...event.dataTransfer.files]) both.items.add(file);
    field.files = both.files;
  };
}

customElements.define("paste-drop", PasteDrop);
