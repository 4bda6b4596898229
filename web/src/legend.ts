// Colors for values: by rank, so that a few large values do not hide the differences of the rest.
import { bisectLeft, bisectRight } from "d3-array";
import type { Report } from "./data";
import { h } from "./dom";
import type { State } from "./state";
import { sequentialColors } from "./theme";

const kSample = 5000;
const cache = new Map<string, Uint8Array>();

/** For every row the step, out of `steps`, of its value among all (of very many rows, among a sample); levels go by their position. */
export function ranks(report: Report, column: number, steps: number): Uint8Array {
  const key = `${column}/${steps}`;
  const known = cache.get(key);
  if (known) return known;
  const values = report.columnValues(column), stride = Math.ceil(values.length / kSample);
  const sorted = (stride > 1 ? values.filter((_, row) => row % stride === 0) : values.slice()).sort(), last = sorted.length - 1;
  const step = (value: number) => {
    // The middle of the places that equal values take.
    const rank = last > 0 ? (bisectLeft(sorted, value) + bisectRight(sorted, value) - 1) / 2 / last : 0.5;
    return Math.min(steps - 1, Math.max(0, Math.floor(rank * steps)));
  };
  let result: Uint8Array;
  if (stride === 1) {
    result = Uint8Array.from(values, step);
  } else {
    // The first values of each step: a few comparisons instead of a search for each of very many rows.
    const firsts = Array.from({ length: steps - 1 }, (_, i) => sorted.find((value) => step(value) > i) ?? Infinity);
    result = new Uint8Array(values.length);
    for (let row = 0; row < values.length; ++row) {
      const value = values[row];
      let place = 0;
      while (place < firsts.length && value >= firsts[place]) ++place;
      result[row] = place;
    }
  }
  cache.set(key, result);
  return result;
}

export function legend(low: string, high: string, state: State): HTMLElement {
  const swatches = h("span", { class: "swatches", "aria-hidden": "true" });
  const draw = () => {
    swatches.replaceChildren(...sequentialColors().map((color) => {
      const swatch = h("i");
      swatch.style.background = color;
      return swatch;
    }));
  };
  draw();
  state.subscribe(draw);
  return h("p", { class: "legend" }, low, swatches, high);
}
