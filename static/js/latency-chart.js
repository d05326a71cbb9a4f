// <latency-chart> makes the curves of its figure interactive.

import { ChartIsland } from "./chart-island.js";

class LatencyChart extends ChartIsland {
  async drawing() {
    return (await import("./latency-drawing.js")).LatencyDrawing;
  }
}

customElements.define("latency-chart", LatencyChart);
