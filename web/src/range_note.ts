// Says which points are outside the drawn range, and offers to draw them.
import { button, h } from "./dom";
import { counted, percent, whole } from "./numbers";
import type { Range } from "./ranges";
import type { State } from "./state";

export interface RangeNote {
  element: HTMLElement;
  show(range: Range, count: number, text: (value: number) => string): void;
}

export function rangeNote(state: State): RangeNote {
  const words = h("span"),
    toggle = button("", () => state.look({ isWhole: !state.view.isWhole }), { class: "small" });
  const element = h("p", { class: "note range", role: "status", hidden: true }, words, " ", toggle);
  return { element, show({ outside, least, most }, count, text) {
    element.hidden = outside === 0 && !state.view.isWhole;
    words.textContent = outside === 0 ? "The whole range is drawn."
      : `${counted(outside, "point")} of ${whole(count)} (${percent(outside / count)}) `
        + `${outside === 1 ? "is" : "are"} outside the drawn range and framed at its edge; the `
        + `values go from ${text(least)} to ${text(most)}.`;
    toggle.textContent = outside === 0 ? "Leave extremes out" : "Show the whole range";
  } };
}
