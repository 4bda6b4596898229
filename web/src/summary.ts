// The first thing to read: how good the model is, what matters, what to beware of.
import { h, section } from "./dom";
import { reportSentences } from "./sentences";
import type { State } from "./state";

export function summarySection(state: State): HTMLElement {
  const { report } = state, { words, rows } = report.raw;
  const lines = reportSentences(report).map((line) => h("p", { class: "lead" }, line));
  return section("summary", "In short", h("div", { id: "summary-lines" }, ...lines),
    h("p", { class: "note" }, `${words.modelKind} (${words.modelFile}), ${rows.total} rows of ${words.dataFile}. `,
      h("a", { href: "#about" }, "How the numbers are made, and what they mean"), "."));
}
