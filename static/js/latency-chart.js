// <latency-chart> takes over the curves of its figure.

import { ChartIsland } from "./chart-island.js";
import { viewOf } from "./chart-state.js";
import { words } from "./latency-datasets.js";

class LatencyChart extends ChartIsland {
  async drawing() {
    return (await import("./latency-drawing.js")).LatencyDrawing;
  }

  words(state) {
    return words(viewOf(state));
  }
}

customElements.define("latency-chart", LatencyChart);
