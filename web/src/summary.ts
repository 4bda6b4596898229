// The first thing to read: what the model predicts, how good it is, and what matters.
import { h, number, section, table } from "./dom";
import { unbroken } from "./numbers";
import { predictsSentence, qualityOf, reportSentences } from "./sentences";
import type { State } from "./state";

export function summarySection({ report }: State): HTMLElement {
  const quality = qualityOf(report);
  const made = quality
    && table(["Measure", "this model", quality.baseline],
      quality.lines.map(({ name, model, baseline }) => [name, number(model), number(baseline)]), {
      id: "quality-table"
    });
  made?.querySelectorAll("tbody th").forEach((head, i) =>
    head.setAttribute("title", quality!.lines[i].help)
  );
  return section("summary", "In short",
    h("p", { class: "lead", id: "predicts" }, predictsSentence(report)),
    h("div", { class: "summary" },
      h("div", { id: "summary-lines" },
        ...reportSentences(report).map(line => h("p", {}, unbroken(line)))), made));
}
