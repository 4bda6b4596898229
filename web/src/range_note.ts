// Says what a chart does not show, and shows it.
import { h } from "./dom";
import { counted, percent } from "./numbers";
import type { Range } from "./ranges";
import type { State } from "./state";

export interface RangeNote {
  element: HTMLElement;
  /** What lies outside `range`, of `count` points. */
  show(range: Range, count: number, text: (value: number) => string): void;
}

export function rangeNote(state: State): RangeNote {
  const words = h("span"), button = h("button", { type: "button", class: "small", click: () => state.look({ isWhole: !state.view.isWhole }) });
  const element = h("p", { class: "note range", role: "status", hidden: true }, words, " ", button);
  return {
    element,
    show(range, count, text) {
      element.hidden = range.outside === 0 && !state.view.isWhole;
      words.textContent = range.outside === 0 ? "The whole range is drawn."
        : `${counted(range.outside, "point")} of ${count} (${percent(range.outside / count)}) ${range.outside === 1 ? "lies" : "lie"} outside the drawn range and ${range.outside === 1 ? "stands" : "stand"} at its edge, framed; all go from ${text(range.least)} to ${text(range.most)}.`;
      button.textContent = range.outside === 0 ? "Leave extremes out" : "Show the whole range";
    },
  };
}
