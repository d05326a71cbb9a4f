// <box-chart> makes the box plot of its figure interactive.

import { ChartIsland } from "./chart-island.js";

class BoxChart extends ChartIsland {
  steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

  async drawing() {
    return (await import("./box-drawing.js")).BoxDrawing;
  }
}

customElements.define("box-chart", BoxChart);
