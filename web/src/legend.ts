// Colours for values: by rank, so that a few large values do not hide the differences of the rest.
import { bisectLeft, bisectRight } from "d3-array";
import type { Report } from "./data";
import { h } from "./dom";
import type { State } from "./state";
import { sequentialColours } from "./theme";

const cache = new Map<string, Uint8Array>();

/** For every row the step, out of `steps`, of its value among all; levels go by their position. */
export function ranks(report: Report, column: number, steps: number): Uint8Array {
  const key = `${column}/${steps}`;
  const known = cache.get(key);
  if (known) return known;
  const values = report.columnValues(column), sorted = values.slice().sort(), last = sorted.length - 1;
  const result = new Uint8Array(report.rows);
  for (let row = 0; row < report.rows; ++row) {
    // The middle of the places that equal values take.
    const rank = last > 0 ? (bisectLeft(sorted, values[row]) + bisectRight(sorted, values[row]) - 1) / 2 / last : 0.5;
    result[row] = Math.min(steps - 1, Math.floor(rank * steps));
  }
  cache.set(key, result);
  return result;
}

export function legend(low: string, high: string, state: State): HTMLElement {
  const swatches = h("span", { class: "swatches", "aria-hidden": "true" });
  const draw = () => {
    swatches.replaceChildren(...sequentialColours().map((colour) => {
      const swatch = h("i");
      swatch.style.background = colour;
      return swatch;
    }));
  };
  draw();
  state.subscribe(draw);
  return h("p", { class: "legend" }, low, swatches, high);
}
