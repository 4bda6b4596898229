// The first thing to read: what the model predicts, how good it is, and what matters.
import { h, number, section, table } from "./dom";
import { unbroken } from "./numbers";
import { predictsSentence, qualityOf, reportSentences } from "./report_sentences";
import type { State } from "./state";

export function summarySection({ report }: State): HTMLElement {
  const quality = qualityOf(report);
  const lines = quality?.lines.map((
    { name, model, baseline, help }
  ) => [{ content: name, class: "", title: help }, number(model), number(baseline)]);
  const made = lines
    ? table(["Measure", "this model", quality!.baseline], lines, { id: "quality-table" }) : null;
  return section("summary", "In short",
    h("p", { class: "lead", id: "predicts" }, predictsSentence(report)),
    h("div", { class: "summary" },
      h("div", { id: "summary-lines" },
        ...reportSentences(report).map(line => h("p", {}, unbroken(line)))), made));
}
