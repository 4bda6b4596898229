// How important each feature is: the typical |relevance|, split by the side it speaks for, with the mean beside it.
import { quickselect } from "d3-array";
import { scaleLinear } from "d3-scale";
import { bottomAxis } from "./axis";
import type { Report } from "./data";
import { acting, h, number, onWidth, s, scrolling, section, table } from "./dom";
import { saving } from "./export";
import { distinct, lettersIn } from "./labels";
import { counted } from "./numbers";
import type { State } from "./state";
import { againstColor, cssColor, forColor } from "./theme";

const kBar = 20, kShown = 20;
const ascending = (a: unknown, b: unknown) => (a as number) - (b as number);

export interface Importance {
  typical: number;
  mean: number;
  for: number;
  against: number;
}

/** Of the rows that pass, as the command makes it of all. */
export function importanceOf(report: Report, column: number, passes: Uint8Array): Importance {
  const parts = report.columnRelevance(column), sizes = new Float32Array(parts.length);
  let pro = 0, contra = 0, count = 0;
  for (let row = 0; row < parts.length; ++row) {
    if (passes[row] === 0) continue;
    sizes[count++] = Math.abs(parts[row]);
    if (parts[row] > 0) pro += parts[row];
    else contra -= parts[row];
  }
  if (count === 0) return { typical: 0, mean: 0, for: 0, against: 0 };
  // Only the outer tenths have to be told from the rest.
  const cut = Math.floor(count / 10);
  quickselect(sizes, cut, 0, count - 1, ascending);
  quickselect(sizes, count - 1 - cut, cut, count - 1, ascending);
  let kept = 0;
  for (let i = cut; i < count - cut; ++i) kept += sizes[i];
  return { typical: kept / (count - 2 * cut), mean: (pro + contra) / count, for: pro / count, against: contra / count };
}

export function importanceSection(state: State): HTMLElement {
  const { report } = state;
  const [positive, negative] = report.commonSides();
  const host = h("div", { class: "chart" }), note = h("p", { class: "note", role: "status" }), details = h("div");
  let width = 0, filtered = -1;
  let parts: Importance[] = [], order: number[] = [];

  /** All rows by what the command says of them; fewer are counted here. */
  function count(): void {
    if (filtered === state.filtered) return;
    filtered = state.filtered;
    parts = report.columns.map((column, c) => state.isFiltered ? importanceOf(report, c, state.passes)
      : { typical: column.typical, mean: column.importance, for: column.for, against: column.against });
    order = state.isFiltered ? Array.from(parts.keys()).sort((a, b) => parts[b].typical - parts[a].typical || parts[b].mean - parts[a].mean) : report.order;
    details.replaceChildren(scrolling("Importance of all features", table(
      ["Feature", `Typical |relevance| (${report.raw.unit.name})`, "Mean", `for ${positive}`, `for ${negative}`],
      order.map((c) => [report.names[c], ...[parts[c].typical, parts[c].mean, parts[c].for, parts[c].against].map((value) => number(report.unsigned(value)))]))));
    note.textContent = state.isFiltered
      ? `Now for the ${counted(state.passing, "chosen row")}; the hollow bars are all ${report.rows}.` : "";
  }

  function bar(column: number, i: number, label: string, left: number, x: (value: number) => number): SVGElement {
    const { typical, mean, for: pro, against } = parts[column], name = report.names[column];
    const y = i * kBar + 3, isChosen = column === state.column;
    const middle = left + (x(typical) - left) * (pro + against > 0 ? pro / (pro + against) : 0.5);
    return s("g", { ...acting(() => state.selectColumn(column)), class: isChosen ? "bar chosen" : "bar", "aria-pressed": isChosen, "data-column": column },
      s("title", {}, `${name}: typical |relevance| ${report.unsigned(typical)} ${report.raw.unit.name}, mean ${report.unsigned(mean)}, of it ${report.unsigned(pro)} for ${positive}, ${report.unsigned(against)} for ${negative}`),
      s("rect", { x: 0, y: i * kBar, width, height: kBar, class: "hit" }),
      s("text", { x: left - 8, y: y + 11, "text-anchor": "end" }, label),
      s("rect", { x: left, y, width: Math.max(0, middle - left), height: kBar - 6, fill: forColor() }),
      s("rect", { x: middle, y, width: Math.max(0, x(typical) - middle), height: kBar - 6, fill: againstColor() }),
      ...(state.isFiltered ? [s("rect", { x: left, y: y - 1, width: Math.max(0, x(report.columns[column].typical) - left), height: kBar - 4, fill: "none", stroke: cssColor("--soft") })] : []),
      s("line", { x1: x(mean), x2: x(mean), y1: y - 1, y2: y + kBar - 5, stroke: cssColor("--ink"), "stroke-width": 2 }));
  }

  function draw(): void {
    count();
    if (width === 0) return;
    const focused = host.contains(document.activeElement) ? document.activeElement!.getAttribute("data-column") : null;
    const columns = order.slice(0, kShown), left = Math.min(230, width * 0.42), height = columns.length * kBar;
    const most = Math.max(...columns.flatMap((c) => [parts[c].typical, parts[c].mean, state.isFiltered ? report.columns[c].typical : 0])) || 1;
    const x = scaleLinear([0, most], [left, width - 24]).nice(4);
    const names = distinct(columns.map((c) => report.names[c]), lettersIn(left - 12));
    host.replaceChildren(s("svg", { width, height: height + 42, role: "group", "aria-label": "Typical absolute relevance of the most important features" },
      ...columns.map((column, i) => bar(column, i, names[i], left, x)), bottomAxis(x, height + 2, width - left),
      s("text", { x: (left + width) / 2, y: height + 38, "text-anchor": "middle", class: "label" }, `typical |relevance| (${report.raw.unit.name})`)));
    if (focused !== null) host.querySelector<SVGElement>(`[data-column="${focused}"]`)?.focus();
  }

  onWidth(host, (value) => { width = value; draw(); });
  state.subscribeChart(draw);
  const more = report.columns.length > kShown ? ` The ${kShown} largest of ${report.columns.length} are drawn.` : "";
  return section("importance", "What matters",
    h("p", {}, `How far each feature typically moves the decision, in ${report.raw.unit.name}: the mean of the rows without the smallest and the largest tenth, so that a few extreme rows do not count. The black line is the plain mean over all ${report.raw.rows.total} rows. The colors share it out: `,
      h("span", { class: "key for" }, `for ${positive}`), " and ", h("span", { class: "key against" }, `for ${negative}`),
      `.${more} Choose one to see it in the other charts.`),
    note, host, saving("importance", host, () => [["feature", "typical", "mean", "for", "against"], ...order.map((c) => [report.names[c], parts[c].typical, parts[c].mean, parts[c].for, parts[c].against])]),
    h("details", {}, h("summary", {}, "The same as a table"), details));
}
