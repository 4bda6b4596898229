// The current row next to another one.
import { button, controls, field, h, note, number, onChange, scrolling, table } from "./dom";
import { saveCsv } from "./export";
import { list } from "./numbers";
import { differs, nearestOpposite } from "./opposite";
import { thumbnail } from "./picture";
import { featureWords, verdictSentence } from "./row_sentences";
import type { State } from "./state";

const kShown = 12;

function comparison(state: State, other: number): HTMLElement {
  const { report, row } = state;
  const a = report.rowContributions(row), b = report.rowContributions(other);
  const apart = (column: number) => Math.abs(b[column] - a[column]);
  const order = report.order.slice().sort((m, n) => apart(n) - apart(m));
  const [own, theirs] = [report.rowAmounts(row), report.rowAmounts(other)];
  const isOther = (c: number) => differs(report, c, report.value(row, c), report.value(other, c));
  const names = [row, other].map(which => `row ${report.numbers[which]}`);
  const heads = ["Feature", ...names, ...names.map(name => `contribution, ${name}`)];
  const isMember = (c: number) => report.explained(c) !== c;
  const cells = (
    c: number
  ) => [report.names[c], number(report.cell(row, c)),
    number(report.cell(other, c), isOther(c) ? "differs" : ""),
    number(isMember(c) ? "" : own.signed(a[c])), number(isMember(c) ? "" : theirs.signed(b[c]))];
  const isApart = (c: number) => isOther(c) || (report.columns[c].members ?? []).some(isOther);
  const three = order.filter(isApart).slice(0, 3).map(c => featureWords(report, other, c));
  const words = three.length === 0 ? "No feature differs much."
    : `The contributions differ most in ${list(three)}.`;
  const save = () =>
    saveCsv("two-rows", [heads,
      ...report.withMembers(order).map(
        c => [report.names[c], report.cell(row, c), report.cell(other, c), a[c], b[c]]
      )]);
  const shown = report.raw.image
    ? h("div", { class: "pictures" },
      ...[row, other].map((which, i) =>
        h("figure", {}, thumbnail(report, pixel => report.value(which, pixel)),
          h("figcaption", {}, names[i]))
      ))
    : scrolling("Two rows", table(heads, report.withMembers(order.slice(0, kShown)).map(cells)));
  return h("div", { id: "comparison" }, h("p", {}, `${verdictSentence(report, other)} ${words}`),
    shown,
    controls({}, button("Save both as CSV", save), button("Close", () => state.compare(null))));
}

/** Chooses the other row and shows the comparison. */
export function beside(state: State): { element: HTMLElement; draw: () => void } {
  const { report } = state, host = h("div", { "aria-live": "polite" });
  const opposite = button("The most similar row with another outcome",
    () => state.compare(nearestOpposite(report, state.row)), { id: "nearest-opposite" });
  const input: HTMLInputElement = h("input", { type: "number", min: 1, step: 1, change: () => {
    const place = report.numbers.indexOf(Number(input.value));
    if (place >= 0) state.compare(place);
    else host.replaceChildren(h("p", { class: "warn" }, `Row ${input.value} is not on this page.`));
  } });
  const element = h("div", { id: "beside" }, h("h3", {}, "Compare with another row"),
    controls({}, opposite, field("or row number", input)), host);
  const draw = onChange(() => `${state.row} ${state.compared}`, () => {
    const other = state.compared, nearest = nearestOpposite(report, state.row);
    opposite.disabled = nearest === null;
    if (other !== null && other !== state.row) {
      return host.replaceChildren(comparison(state, other));
    }
    host.replaceChildren(
      nearest === null ? note("All rows of this page have the same outcome.") : ""
    );
  });
  return { element, draw };
}
