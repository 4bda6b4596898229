// The pairs of points that decided a row, with their values side by side.
import { formatNumber, type Pair, type Report } from "./data";
import { h } from "./dom";

const kShown = 8;

function pointName(report: Report, place: number | null): string {
  return place === null ? "the intercept" : `point ${report.pointNumber(place)}`;
}

function valuesTable(report: Report, row: number, pair: Pair, columns: number[]): HTMLElement {
  const [positive, negative] = report.sides(row);
  const cell = (place: number | null, column: number) =>
    h("td", { class: "number" }, place === null ? "as the row" : report.shown(column, report.pointValue(place, column)));
  const body = columns.map((column) => h("tr", {}, h("th", { scope: "row" }, report.columns[column].name),
    h("td", { class: "number" }, report.shown(column, report.value(row, column))), cell(pair[0], column), cell(pair[1], column)));
  const heads = ["Feature", `row ${report.numbers[row]}`, `${pointName(report, pair[0])} (${positive})`, `${pointName(report, pair[1])} (${negative})`];
  return h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...body));
}

export function evidence(report: Report, row: number): HTMLElement {
  const pairs = report.evidence(row);
  const title = h("h3", {}, "The points that decided");
  if (!pairs) {
    const why = report.raw.settings.eta === null
      ? "The neighbourhood rule looks at single points, not at pairs."
      : "The report was made without the model's points.";
    return h("div", {}, title, h("p", { class: "note" }, why));
  }
  const relevance = report.rowRelevance(row);
  const order = Array.from(relevance.keys()).sort((a, b) => Math.abs(relevance[b]) - Math.abs(relevance[a]));
  const table = h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Values of the row and of the two points" });
  const buttons: HTMLButtonElement[] = pairs.map((pair, i) => h("button", { type: "button", class: "tab", click: () => show(i) },
    `${pointName(report, pair[0])} and ${pointName(report, pair[1])}: ${formatNumber(100 * pair[2])} %`));
  let all = false;
  const more = h("button", { type: "button", click: () => { all = !all; show(now); } });
  let now = 0;
  function show(i: number): void {
    now = i;
    buttons.forEach((button, b) => button.setAttribute("aria-pressed", String(b === i)));
    table.replaceChildren(valuesTable(report, row, pairs![i], all ? order.slice(0, 200) : order.slice(0, kShown)));
    more.textContent = all ? `The ${kShown} most relevant features` : "All features";
  }
  show(0);
  return h("div", {}, title,
    h("p", { class: "note" }, "Each unit of the network compares the row's distances to two points of opposite sides. These weighed most, with their share of the decision:"),
    h("div", { class: "controls", role: "group", "aria-label": "Pairs of points" }, ...buttons), table,
    order.length > kShown ? h("div", { class: "controls" }, more) : null);
}
