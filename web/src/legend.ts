// Colors of values. They follow ranks, so that a few large values do not hide other differences.
import { bisectLeft, bisectRight } from "d3-array";
import type { Report } from "./data";
import { h } from "./dom";
import { divergingRamps, lineColor, sequentialRamps } from "./theme";

const kSample = 5000;
/** Categories in a legend. */
export const kMostLevels = 8;
const cache = new Map<string, Uint8Array>();

/** The color of every row, out of `steps`, by the rank of its value. */
export function ranks(report: Report, column: number, steps: number): Uint8Array {
  const key = `${column}/${steps}`, known = cache.get(key);
  if (known) return known;
  const values = report.columnValues(column), stride = Math.ceil(values.length / kSample);
  const sorted = stride > 1 ? values.filter((_, row) => row % stride === 0).sort()
    : report.sortedValues(column);
  const last = sorted.length - 1;
  const step = (value: number) => {
    // Equal values have the middle of their ranks.
    const rank = (bisectLeft(sorted, value) + bisectRight(sorted, value) - 1) / 2;
    return Math.min(steps - 1,
      Math.max(0, Math.floor(last > 0 ? (rank / last) * steps : steps / 2)));
  };
  // The smallest value of each color: a few comparisons replace a search for each of many rows.
  const firsts = Array.from({ length: steps - 1 },
    (_, i) => sorted.find(value => step(value) > i) ?? Infinity);
  const result = Uint8Array.from(values, value => {
    let place = 0;
    while (place < firsts.length && value >= firsts[place]) ++place;
    return place;
  });
  cache.set(key, result);
  return result;
}

const swatch = (color: string) => {
  const made = h("i");
  made.style.background = color;
  return made;
};

/** Colors between two words, drawn again when the theme changes. */
export const rampLegend = (colors: string[], low: string, high: string) =>
  h("p", { class: "legend" }, low,
    h("span", { class: "swatches", "aria-hidden": "true" }, ...colors.map(swatch)), high);

/** A ramp of colors between two words; the style shows the one of the current theme. */
const ramp = ([light, dark]: [string[], string[]], low: string, high: string) =>
  h("p", { class: "legend" }, low,
    h("span", { class: "swatches light", "aria-hidden": "true" }, ...light.map(swatch)),
    h("span", { class: "swatches dark", "aria-hidden": "true" }, ...dark.map(swatch)), high);

export const legend = (low: string, high: string) => ramp(sequentialRamps(), low, high);

/** The colors of contributions in images. */
export const divergingLegend = (low: string, high: string) => ramp(divergingRamps(), low, high);

/** Categories have no order: each has a color of its own. */
export const levelLegend = (levels: string[]) =>
  h("p", { class: "legend" }, ...levels.slice(0, kMostLevels).map((level, i) =>
    h("span", {}, h("span", { class: "swatches", "aria-hidden": "true" }, swatch(lineColor(i))),
      ` ${level}`)
  ));
