// <box-chart> takes over the box plot of its figure.

import { ChartIsland } from "./chart-island.js";
import { viewOf } from "./chart-state.js";
import { words } from "./box-rows.js";

class BoxChart extends ChartIsland {
  steps = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

  async drawing() {
    return (await import("./box-drawing.js")).BoxDrawing;
  }

  words(state) {
    return words(viewOf(state));
  }
}

customElements.define("box-chart", BoxChart);
