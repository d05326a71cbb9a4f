// A Chart.js scale with exactly the ends and ticks of the SVG.

export function fixedScale({ min, max, ticks }, label, { isLinear, colours, padding = 8 }) {
  return {
    type: isLinear ? "linear" : "logarithmic",
    min,
    max,
    border: { display: false },
    ticks: {
      color: colours.text,
      font: { family: colours.font, size: 12 },
      callback: (value) => label(value),
      maxRotation: 0,
      autoSkip: false,
      padding,
    },
    afterBuildTicks: (scale) => {
      scale.ticks = ticks.map((value) => ({ value }));
    },
  };
}
