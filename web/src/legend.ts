// Colours for values: by rank, so that a few large values do not hide the differences of the rest.
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
  const order = Array.from({ length: report.rows }, (_, row) => row);
  const value = (row: number) => report.value(row, column);
  order.sort((a, b) => value(a) - value(b));
  const result = new Uint8Array(report.rows);
  for (let first = 0; first < order.length; ) {
    let last = first;
    while (last + 1 < order.length && value(order[last + 1]) === value(order[first])) ++last;
    const rank = order.length > 1 ? (first + last) / 2 / (order.length - 1) : 0.5;
    for (let i = first; i <= last; ++i) result[order[i]] = Math.min(steps - 1, Math.floor(rank * steps));
    first = last + 1;
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
