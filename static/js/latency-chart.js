// <latency-chart> takes over the curves of its figure.

import { ChartIsland } from "./chart-island.js";

class LatencyChart extends ChartIsland {
  async drawing() {
    return (await import("./latency-drawing.js")).LatencyDrawing;
  }
}

customElements.define("latency-chart", LatencyChart);
