// One row: how it was decided, feature by feature.
import { rankedCases } from "./cases";
import { beside } from "./compare";
import { isLarge, type Report } from "./data";
import { h, onWidth, section } from "./dom";
import { evidence, levelName } from "./evidence";
import { saving } from "./export";
import { otherModelRow } from "./models";
import { percent } from "./numbers";
import { pictures } from "./picture";
import { printOneCase } from "./print";
import { rowSentences } from "./sentences";
import { seriesChart } from "./series";
import type { State } from "./state";
import { isDark } from "./theme";
import { waterfall } from "./waterfall";

function baseWords(report: Report): string {
  const { method } = report.raw.settings;
  if (method === "lrp-expected" || method === "shapley-exact") return "the mean over the references";
  if (method === "lrp-path" || method === "ig") return "what the model says at the reference point";
  return report.bases.some((base) => base !== 0) ? `the part of ${levelName(report)}` : "which is zero for this rule";
}

/** How the row adds up, and what a reader has to beware of. */
function account(report: Report, row: number): HTMLElement[] {
  const { unit } = report.raw, parts = report.account(row), bold = (value: number) => h("b", {}, report.signed(value));
  const lines = [h("p", { id: "row-account" }, "Base ", bold(parts.base), ", relevance of all features ", bold(parts.sum),
    ", remainder ", bold(parts.remainder), `: together the ${unit.output} `, bold(parts.output), ` (${unit.name}).`)];
  if (report.ties.has(row)) lines.push(h("p", { class: "warn" }, "A tie: neither side wins."));
  if (isLarge(parts)) {
    const share = parts.remainder / parts.output;
    lines.push(h("p", { class: "warn", id: "row-remainder" }, `The remainder is ${Number.isFinite(share) ? percent(Math.abs(share)) : "all"} of the ${unit.output}: so much no feature accounts for, and the bars tell less than the whole.`));
  }
  if (report.outside.has(row))
    lines.push(h("p", { class: "warn", id: "row-outside" }, "This row is far from all data that the model knows: its explanation says little."));
  return lines;
}

/** Buttons for the cases to look at first; each goes on to the next of its kind. */
function caseButtons(state: State): HTMLElement {
  const { report } = state;
  let last = rankedCases(report)[0].name;
  const buttons = rankedCases(report).map(({ name, why, rows }) => {
    const button = h("button", { type: "button", title: why, click: () => {
      // The first of a kind, then the next ones.
      state.selectRow(rows[name === last ? (rows.indexOf(state.row) + 1) % rows.length : 0]);
      last = name;
    } });
    const draw = () => {
      const place = rows.indexOf(state.row);
      button.textContent = place < 0 ? name : `${name}: ${place + 1} of ${rows.length}`;
      button.setAttribute("aria-pressed", String(place >= 0));
    };
    state.subscribe(draw);
    draw();
    return button;
  });
  return h("div", { class: "controls", id: "cases", role: "group", "aria-label": "Cases to look at first" }, ...buttons,
    h("button", { type: "button", id: "print-case", click: printOneCase }, "Print this row"));
}

export function rowSection(state: State): HTMLElement {
  const { report } = state;
  const facts = h("div", { "aria-live": "polite" });
  const chart = h("div", { class: "chart" }), picture = h("div"), line = h("div", { class: "chart" }), points = h("div"), other = beside(state), model = otherModelRow(state);
  let width = 0, shown = "";

  function summary(row: number): void {
    const [positive, negative] = report.sides(row), [first, ...rest] = rowSentences(report, row);
    facts.replaceChildren(
      h("h3", { id: "row-name" }, `${report.rowName(row)}: predicted ${report.prediction(row)}`),
      h("div", { id: "row-sentences" }, h("p", { class: "lead" }, first), ...rest.map((text) => h("p", {}, text))),
      ...account(report, row),
      report.raw.image ? "" : h("p", { class: "note" }, "Bars: ", h("span", { class: "key for" }, `for ${positive}`), " and ", h("span", { class: "key against" }, `for ${negative}`), "."));
  }

  function draw(): void {
    const { row } = state, now = `${row} ${width} ${isDark()}`;
    other.draw();
    model.draw();
    if (now === shown) return;
    if (shown.split(" ")[0] !== String(row)) {
      summary(row);
      points.replaceChildren(evidence(report, row));
    }
    shown = now;
    if (report.raw.image) picture.replaceChildren(pictures(report, row, report.rowValues(row), report.rowRelevance(row)));
    if (width === 0) return;
    // Nobody reads pixels one by one: the picture tells it.
    if (!report.raw.image) chart.replaceChildren(waterfall(report, row, width, (column) => state.selectColumn(column)));
    if (report.raw.isSeries) line.replaceChildren(seriesChart(report, row, width));
  }

  onWidth(chart, (value) => { width = value; draw(); });
  state.subscribe(draw);
  draw();
  const numbers = () => [["feature", "value", "relevance"], ...report.strongest(state.row).map((c) => [report.names[c], report.shown(c, report.value(state.row, c)), report.relevance(state.row, c)])];
  return section("row", "One row", caseButtons(state), facts, picture, ...(report.raw.isSeries ? [line] : []), chart,
    report.raw.image ? null : h("p", { class: "note" }, `The bars are the relevance of the features in ${report.raw.unit.name}. They start at the base, ${baseWords(report)}, and lead to the ${report.raw.unit.output}, whose sign is the decision; what they do not explain is the remainder.`),
    report.raw.image ? null : saving("row", chart, numbers), state.other ? model.element : null, points, other.element);
}
