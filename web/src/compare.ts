// Two rows side by side: the one that was chosen, and another.
import { h, number, scrolling, table } from "./dom";
import { saveCsv } from "./export";
import { differs } from "./evidence";
import { nearestOpposite } from "./opposite";
import { thumbnail } from "./picture";
import { list, usual, verdictSentence } from "./sentences";
import type { State } from "./state";

const kShown = 12;

/** The rows' features, those first whose relevance differs most. */
export function compareColumns(state: State, other: number): number[] {
  const { report, row } = state;
  const a = report.rowRelevance(row), b = report.rowRelevance(other);
  return Array.from(a.keys()).sort((m, n) => Math.abs(b[n] - a[n]) - Math.abs(b[m] - a[m]));
}

function comparison(state: State, other: number): HTMLElement {
  const { report, row } = state;
  const order = compareColumns(state, other), a = report.rowRelevance(row), b = report.rowRelevance(other);
  const cells = (column: number) => {
    const own = report.value(row, column), theirs = report.value(other, column);
    return [report.names[column], number(report.shown(column, own)), number(report.shown(column, theirs), differs(report, column, own, theirs) ? "differs" : ""), number(report.signed(a[column])), number(report.signed(b[column]))];
  };
  const heads = ["Feature", `row ${report.numbers[row]}`, `row ${report.numbers[other]}`, "its relevance", "there"];
  const apart = order.filter((c) => differs(report, c, report.value(row, c), report.value(other, c))).slice(0, 3);
  const words = apart.length === 0 ? "In no feature are the two far apart."
    : `Its relevance differs most in ${list(apart.map((c) => `${report.names[c]} (${report.shown(c, report.value(other, c))}${usual(report, c, report.value(other, c)) === "" ? "" : `, ${usual(report, c, report.value(other, c))}`})`))}.`;
  const pictures = report.raw.image ? [h("div", { class: "pictures" }, ...[row, other].map((which) => h("figure", {}, thumbnail(report, (pixel) => report.value(which, pixel)), h("figcaption", {}, `row ${report.numbers[which]}`))))] : [];
  return h("div", { id: "comparison" }, h("p", {}, `${verdictSentence(report, other)} ${words}`), ...pictures,
    ...(report.raw.image ? [] : [scrolling("Two rows side by side", table(heads, order.slice(0, kShown).map(cells)))]),
    h("div", { class: "controls" },
      h("button", { type: "button", click: () => saveCsv("two-rows", [heads, ...order.map((c) => [report.names[c], report.shown(c, report.value(row, c)), report.shown(c, report.value(other, c)), a[c], b[c]])]) }, "Save both as CSV"),
      h("button", { type: "button", click: () => state.compare(null) }, "Close")));
}

/** What stands beside the chosen row, and how to get another there. */
export function beside(state: State): { element: HTMLElement; draw: () => void } {
  const { report } = state;
  const host = h("div", { "aria-live": "polite" });
  const opposite = h("button", { type: "button", id: "nearest-opposite", click: () => state.compare(nearestOpposite(report, state.row)) }, "The nearest row that is decided otherwise");
  const input = h("input", { type: "number", min: 1, step: 1, change: () => {
    const place = report.numbers.indexOf(Number(input.value));
    if (place >= 0) state.compare(place);
    else host.replaceChildren(h("p", { class: "warn" }, `Row ${input.value} is not in this page.`));
  } });
  const element = h("div", { id: "beside" }, h("h3", {}, "Beside another row"),
    h("div", { class: "controls" }, opposite, h("label", { class: "field" }, h("span", {}, "or row number"), input)), host);
  let drawn = "";
  const draw = () => {
    const other = state.compared;
    if (`${state.row} ${other}` === drawn) return;
    drawn = `${state.row} ${other}`;
    const nearest = nearestOpposite(report, state.row);
    opposite.disabled = nearest === null;
    host.replaceChildren(...(other === null || other === state.row
      ? [nearest === null ? h("p", { class: "note" }, "All rows of the page are decided alike.") : ""]
      : [other === nearest ? h("p", {}, "This is the nearest row that is decided otherwise, every feature measured by the middle half of its values.") : "", comparison(state, other)]));
  };
  return { element, draw };
}
