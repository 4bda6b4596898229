// One row: how it was decided, feature by feature.
import { formatNumber, formatSigned, isLarge, type Report } from "./data";
import { h, onWidth, section } from "./dom";
import { evidence } from "./evidence";
import { pictures } from "./picture";
import type { State } from "./state";
import { isDark } from "./theme";
import { waterfall } from "./waterfall";

function baseWords({ raw }: Report): string {
  const { method } = raw.settings;
  if (method === "lrp-expected" || method === "shapley-exact") return "the mean over the references";
  return method === "lrp-path" ? "what the model says at the reference point" : "which is zero for this rule";
}

export function rowSection(state: State): HTMLElement {
  const { report } = state;
  const facts = h("div", { "aria-live": "polite" });
  const chart = h("div", { class: "chart" }), picture = h("div"), pairs = h("div");
  let width = 0, shown = "";

  /** How the row adds up, and what a reader has to beware of. */
  function account(row: number): HTMLElement[] {
    const { unit } = report.raw, parts = report.account(row);
    const lines = [h("p", { id: "row-account" }, "Base ", h("b", {}, formatSigned(parts.base)), ", relevance of all features ", h("b", {}, formatSigned(parts.sum)),
      ", remainder ", h("b", {}, formatSigned(parts.remainder)), `: together the ${unit.output} `, h("b", {}, formatSigned(parts.output)), ` (${unit.name}).`)];
    if (report.ties.has(row)) lines.push(h("p", { class: "warn" }, "A tie: neither side wins."));
    if (isLarge(parts))
      lines.push(h("p", { class: "warn", id: "row-remainder" }, `The remainder is ${share(parts.remainder / parts.output)} of the ${unit.output}: so much no feature accounts for, and the bars tell less than the whole.`));
    if (report.outside.has(row))
      lines.push(h("p", { class: "warn", id: "row-outside" }, "This row is far from all data that the model knows: its explanation says little."));
    return lines;
  }

  function share(part: number): string {
    return Number.isFinite(part) ? `${formatNumber(Math.abs(Math.round(100 * part)))} %` : "all";
  }

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
      ...account(row),
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
    h("p", { class: "note" }, `The bars are the relevance of the features in ${report.raw.unit.name}. They start at the base, ${baseWords(report)}, and lead to the ${report.raw.unit.output}, whose sign is the decision; what they do not explain is the remainder.`),
    facts, chart, picture, pairs);
}
