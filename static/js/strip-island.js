// <strip-chart> around a strip chart: the nearest drive gets a tooltip, the arrow keys walk from drive to drive, Enter or
// a click opens its page.
import { LiveChart } from "./live-chart.js";

class StripChart extends LiveChart {
  label = "Chart: the arrow keys read its drives, Enter opens one";
  steps = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

  get figure() {
    return this;
  }

  async load() {
    return (await import("./strip-drawing.js")).StripDrawing;
  }

  draw(Drawing, canvas) {
    return new Drawing(canvas, this.box.querySelector("svg"));
  }

  async press(event) {
    if (event.key !== "Enter" || event.target !== this.box) {
      await super.press(event);
      return;
    }
    event.preventDefault();
    await this.takeOver();
    this.drawing.open();
  }
}

customElements.define("strip-chart", StripChart);
