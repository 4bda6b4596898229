// One row: how it was decided, feature by feature.
import { formatSigned } from "./data";
import { h, onWidth, section } from "./dom";
import { evidence } from "./evidence";
import { pictures } from "./picture";
import type { State } from "./state";
import { isDark } from "./theme";
import { waterfall } from "./waterfall";

export function rowSection(state: State): HTMLElement {
  const { report } = state;
  const facts = h("div", { "aria-live": "polite" });
  const chart = h("div", { class: "chart" }), picture = h("div"), pairs = h("div");
  let width = 0, shown = "";

  function summary(row: number): void {
    const [positive, negative] = report.sides(row);
    const relevance = report.rowRelevance(row);
    const order = Array.from(relevance.keys()).sort((a, b) => relevance[b] - relevance[a]);
    const list = (columns: number[]) => columns.map((column) =>
      `${report.columns[column].name} (${report.shown(column, report.value(row, column))})`).join(", ") || "nothing";
    const pro = order.filter((column) => relevance[column] > 0).slice(0, 3);
    const contra = order.filter((column) => relevance[column] < 0).slice(-3).reverse();
    facts.replaceChildren(
      h("h3", { id: "row-name" }, `Row ${report.numbers[row]}: predicted ${report.prediction(row)}`),
      h("p", {}, h("b", {}, "g = "), h("span", { id: "row-g" }, formatSigned(report.g[row])), ", ",
        h("b", {}, "decision value = "), formatSigned(report.decision[row]), ".",
        report.ties.has(row) ? h("span", { class: "warn" }, " A tie: neither side wins.") : null),
      h("p", {}, h("span", { class: "key for" }, `For ${positive}`), `: ${list(pro)}. `,
        h("span", { class: "key against" }, `For ${negative}`), `: ${list(contra)}.`));
  }

  function draw(): void {
    const { row } = state;
    const now = `${row} ${width} ${isDark()}`;
    if (now === shown) return;
    if (shown.split(" ")[0] !== String(row)) {
      summary(row);
      pairs.replaceChildren(evidence(report, row));
    }
    shown = now;
    if (report.raw.image) picture.replaceChildren(pictures(report, row, report.rowValues(row), report.rowRelevance(row)));
    if (width > 0) chart.replaceChildren(waterfall(report, row, width, (column) => state.selectColumn(column)));
  }

  onWidth(chart, (value) => { width = value; draw(); });
  state.subscribe(draw);
  draw();
  return section("row", "One row",
    h("p", { class: "note" }, "The bars are the relevance of the features. They start at what the features leave open, which the weights of the points and the intercept decide, and add up to g. The sign of g is the decision; the decision value is the model's own output and has the same sign."),
    facts, chart, picture, pairs);
}
