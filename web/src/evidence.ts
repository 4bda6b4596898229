// The points that decided a row, each with its own weight, and what the row has in common with them.
import type { Report } from "./data";
import { h, number, scrolling, table } from "./dom";
import { percent, quantileOf } from "./numbers";
import { thumbnail } from "./picture";
import type { WeightedPoint } from "./raw";

const kShown = 8;
/** Below this share the heaviest points do not tell the story. */
const kDiffuse = 0.3;

/** What stands against the points of a side, beside other points. */
export const levelName = ({ raw }: Report): string => raw.isOneClass ? "the threshold" : "the intercept";

function pointName(report: Report, place: number | null): string {
  return place === null ? levelName(report) : `point ${report.pointNumber(place)}`;
}

const spreads = new WeakMap<Report, Map<number, number>>();

/** How far the middle half of a column's values reaches. */
export function spreadOf(report: Report, column: number): number {
  const known = spreads.get(report) ?? new Map<number, number>();
  spreads.set(report, known);
  let spread = known.get(column);
  if (spread === undefined) {
    const sorted = report.columnValues(column).slice().sort();
    spread = quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25) || (sorted.at(-1)! - sorted[0]) / 4;
    known.set(column, spread);
  }
  return spread;
}

/** Values that are clearly not alike: other levels, or farther apart than the middle half of the rows. */
export function differs(report: Report, column: number, a: number, b: number): boolean {
  return report.columns[column].levels.length > 0 ? Math.round(a) !== Math.round(b) : Math.abs(a - b) > spreadOf(report, column);
}

function valuesTable(report: Report, row: number, place: number, columns: number[]): HTMLElement {
  const relevance = report.rowRelevance(row);
  const body = columns.map((column) => {
    const own = report.value(row, column), other = report.pointValue(place, column), isOther = differs(report, column, own, other);
    return [report.names[column], number(report.shown(column, own)), number(report.shown(column, other), isOther ? "differs" : ""), isOther ? "differs" : "alike", number(report.signed(relevance[column]))];
  });
  return table(["Feature", `row ${report.numbers[row]}`, pointName(report, place), "alike?", "relevance"], body);
}

function diffuse(report: Report, side: WeightedPoint[], name: string): HTMLElement | null {
  const held = side.reduce((sum, [, weight]) => sum + weight, 0);
  if (side.length === 0 || held >= kDiffuse) return null;
  return h("p", { class: "note" }, `The case for ${name} rests on many ${report.raw.words.pointName}: the ${side.length} heaviest hold only ${percent(held)} of it, so none of them alone stands for it.`);
}

export function evidence(report: Report, row: number): HTMLElement {
  const sides = report.evidence(row);
  const title = h("h3", {}, "The points that decided");
  if (!sides) {
    const why = report.raw.settings.method === "ig" ? "A kernel of the dot product has no pairs of points that decide." : report.raw.evidence.rows.length > 0 ? `The page keeps the deciding points of its first ${report.raw.evidence.rows.length} rows.` : "The report was made without the model's points.";
    return h("div", {}, title, h("p", { class: "note" }, why));
  }
  const order = report.strongest(row), names = report.sides(row);
  const host = scrolling("Values of the row and of the point");
  const buttons: HTMLButtonElement[] = [];
  let all = false, now = sides.flat().find(([place]) => place !== null)?.[0] ?? null;
  const more = h("button", { type: "button", click: () => { all = !all; show(); } });
  function show(): void {
    buttons.forEach((button) => button.setAttribute("aria-pressed", String(Number(button.dataset.place) === now)));
    more.textContent = all ? `The ${kShown} most relevant features` : "All features";
    if (now !== null) host.replaceChildren(valuesTable(report, row, now, all ? order.slice(0, 200) : order.slice(0, kShown)));
  }
  const button = ([place, weight]: WeightedPoint): HTMLElement => {
    if (place === null) return h("span", { class: "tab" }, `${pointName(report, null)}: ${percent(weight)}`);
    const picture = report.raw.image ? thumbnail(report, (pixel) => report.pointValue(place, pixel)) : null;
    const made = h("button", { type: "button", class: "tab", "data-place": place, click: () => { now = place; show(); } }, picture, `${pointName(report, place)}: ${percent(weight)}`);
    buttons.push(made);
    return made;
  };
  const lists = sides.map((side, i) => h("div", {}, h("p", { class: i === 0 ? "key for" : "key against" }, `For ${names[i]}`),
    h("div", { class: "controls", role: "group", "aria-label": `Points for ${names[i]}` }, ...side.map(button)), diffuse(report, side, names[i])));
  show();
  return h("div", { id: "points" }, title,
    h("p", { class: "note" }, `The ${report.raw.words.pointName} that weighed most on either side, each with its share of that side. Choose one to see in what the row is like it; values farther apart than the middle half of the rows are marked.`),
    h("div", { class: "sides" }, ...lists),
    ...(report.raw.image ? [] : [host, order.length > kShown ? h("div", { class: "controls" }, more) : null]));
}
