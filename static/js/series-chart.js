// <series-chart>: reads a chart of series out. A pointer or the arrow keys move a line over it, and a text below says the
// time and the figure of each series there. The samples are the JSON whose id is in `data-from`.

const STEP_SHARE = 1 / 100; // of the chart, for an arrow key; with Shift ten times that

/** A time in words, as results/kinds/series/charts.py has it. */
export function timeLabel(seconds) {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (!hours) return `${rest} min`;
  return rest ? `${hours} h ${rest} min` : `${hours} h`;
}

/** The point of a series that is nearest to a time. */
export function nearestPoint(points, seconds) {
  return points.reduce((best, point) =>
    Math.abs(point[0] - seconds) < Math.abs(best[0] - seconds) ? point : best,
  );
}

/** What a chart says at a time. */
export function readout(data, seconds) {
  const figures = data.lines.map(({ label, points }) => {
    const value = nearestPoint(points, seconds)[1];
    const figure = `${value.toLocaleString("en-US", { maximumSignificantDigits: 4 })} ${data.unit}`;
    return data.lines.length > 1 ? `${label}: ${figure}` : figure;
  });
  return `${timeLabel(seconds)}: ${figures.join("; ")}`;
}

class SeriesChart extends HTMLElement {
  #data;
  #share = 0;
  #line;
  #text;

  connectedCallback() {
    this.#data = JSON.parse(document.getElementById(this.dataset.from).textContent);
    const svg = this.querySelector("svg.series");
    this.#line = svg.querySelector(".cursor");
    this.#text = document.createElement("p");
    this.#text.className = "series-readout small";
    this.#text.setAttribute("aria-live", "polite");
    this.#text.textContent = "Point at the chart, or use the arrow keys.";
    this.append(this.#text);
    const box = this.querySelector(".chart-box");
    box.tabIndex = 0;
    box.setAttribute("role", "slider");
    box.setAttribute("aria-label", "Time in the chart");
    box.setAttribute("aria-valuemin", "0");
    box.setAttribute("aria-valuemax", String(Math.round(this.#data.end)));
    this.#state(box, 0);
    for (const name of ["pointermove", "pointerdown"]) {
      box.addEventListener(name, (event) => {
        const { left, width } = svg.getBoundingClientRect();
        this.#show(box, (event.clientX - left) / width);
      });
    }
    box.addEventListener("keydown", (event) => this.#step(box, event));
  }

  #step(box, event) {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    const to = { Home: 0, End: 1 }[event.key];
    if (by === undefined && to === undefined) return;
    event.preventDefault();
    this.#show(box, to ?? this.#share + by * STEP_SHARE * (event.shiftKey ? 10 : 1));
  }

  #show(box, share) {
    this.#share = Math.min(1, Math.max(0, share));
    for (const name of ["x1", "x2"]) this.#line.setAttribute(name, `${this.#share * 100}%`);
    this.#line.setAttribute("visibility", "visible");
    this.#text.textContent = this.#state(box, this.#share * this.#data.end);
  }

  #state(box, seconds) {
    const text = readout(this.#data, seconds);
    box.setAttribute("aria-valuenow", String(Math.round(seconds)));
    box.setAttribute("aria-valuetext", text);
    return text;
  }
}

customElements.define("series-chart", SeriesChart);
