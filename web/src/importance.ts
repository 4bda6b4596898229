// How important each feature is over all rows: mean |relevance|, split by the side it speaks for.
import { scaleLinear } from "d3-scale";
import { axisBottom } from "d3-axis";
import { select } from "d3-selection";
import { formatNumber } from "./data";
import { fitted, h, onWidth, s, section } from "./dom";
import type { State } from "./state";
import { againstColour, forColour } from "./theme";

const kBar = 20, kShown = 20;

function table(state: State): HTMLElement {
  const { report } = state;
  const [positive, negative] = report.commonSides();
  const body = h("tbody");
  for (const column of report.order) {
    const { name, importance, for: pro, against } = report.columns[column];
    body.append(h("tr", {}, h("th", { scope: "row" }, name),
      ...[importance, pro, against].map((value) => h("td", { class: "number" }, formatNumber(value)))));
  }
  const heads = ["Feature", `Mean |relevance| (${report.raw.unit.name})`, `for ${positive}`, `for ${negative}`];
  return h("details", {}, h("summary", {}, "The same as a table"),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Importance of all features" },
      h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))), body)));
}

export function importanceSection(state: State): HTMLElement {
  const { report } = state;
  const [positive, negative] = report.commonSides();
  const columns = report.order.slice(0, kShown);
  const host = h("div", { class: "chart" });
  let width = 0;

  function bar(column: number, i: number, left: number, x: (value: number) => number): SVGElement {
    const { name, importance, for: pro, against } = report.columns[column];
    const y = i * kBar + 3;
    const isChosen = column === state.column;
    const middle = x(pro);
    return s("g", {
        class: isChosen ? "bar chosen" : "bar", tabindex: 0, role: "button", "aria-pressed": isChosen, "data-column": column,
        click: () => state.selectColumn(column),
        keydown: (event: KeyboardEvent) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          state.selectColumn(column);
        } },
      s("title", {}, `${name}: mean absolute relevance ${formatNumber(importance)} ${report.raw.unit.name}, ${formatNumber(pro)} for ${positive}, ${formatNumber(against)} for ${negative}`),
      s("rect", { x: 0, y: i * kBar, width, height: kBar, class: "hit" }),
      s("text", { x: left - 8, y: y + 11, "text-anchor": "end" }, fitted(name, left - 12)),
      s("rect", { x: left, y, width: Math.max(0, middle - left), height: kBar - 6, fill: forColour() }),
      s("rect", { x: middle, y, width: Math.max(0, x(importance) - middle), height: kBar - 6, fill: againstColour() }));
  }

  function draw(): void {
    if (width === 0) return;
    const focused = host.contains(document.activeElement) ? document.activeElement!.getAttribute("data-column") : null;
    const left = Math.min(200, width * 0.42), height = columns.length * kBar;
    const x = scaleLinear([0, report.columns[columns[0]].importance || 1], [left, width - 24]).nice(4);
    const axis = s("g", { class: "axis", transform: `translate(0,${height + 2})` });
    select(axis).call(axisBottom(x).ticks(Math.max(2, width / 120)).tickFormat((value) => formatNumber(Number(value))));
    host.replaceChildren(s("svg", { width, height: height + 42, role: "group", "aria-label": "Mean absolute relevance of the most important features" },
      ...columns.map((column, i) => bar(column, i, left, x)), axis,
      s("text", { x: (left + width) / 2, y: height + 38, "text-anchor": "middle", class: "label" }, `mean |relevance| (${report.raw.unit.name})`)));
    if (focused !== null) host.querySelector<SVGElement>(`[data-column="${focused}"]`)?.focus();
  }

  onWidth(host, (value) => { width = value; draw(); });
  state.subscribe(draw);
  const more = report.columns.length > kShown ? ` The ${kShown} largest of ${report.columns.length} are drawn.` : "";
  return section("importance", "What matters",
    h("p", {}, `How far each feature moves the decision on average, over all ${report.raw.rows.total} rows: `,
      h("span", { class: "key for" }, `for ${positive}`), " and ", h("span", { class: "key against" }, `for ${negative}`),
      `.${more} Choose one to see it in the other charts.`),
    host, table(state));
}
