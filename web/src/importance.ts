// How much each feature matters: its typical |contribution|, split by direction.
import { quickselect } from "d3-array";
import { scaleLinear } from "d3-scale";
import { bar, bottomAxis, type Scale, xLabel } from "./axis";
import type { Report } from "./data";
import { acting, details, h, key, note, number, onChange, onWidth, replaceChart, s, scrolling,
  section, table } from "./dom";
import { saving } from "./export";
import { distinct, lettersIn, shortened } from "./labels";
import { Amounts, counted, list, whole } from "./numbers";
import type { State } from "./state";
import { againstColor, cssColor, forColor } from "./theme";

const kBar = 20, kShown = 12;
const ascending = (a: unknown, b: unknown) => (a as number) - (b as number);

export interface Importance {
  /** Mean |contribution|, the smallest and largest tenth left out. */
  typical: number;
  mean: number;
  for: number;
  against: number;
}

/** Importance in the rows that pass, by the command's definition. */
export function importanceOf(report: Report, column: number, passes: Uint8Array): Importance {
  const parts = report.columnContributions(column), sizes = new Float32Array(parts.length);
  let pro = 0, contra = 0, count = 0;
  for (let row = 0; row < parts.length; ++row) {
    if (passes[row] === 0) continue;
    sizes[count++] = Math.abs(parts[row]);
    if (parts[row] > 0) pro += parts[row];
    else contra -= parts[row];
  }
  if (count === 0) return { typical: 0, mean: 0, for: 0, against: 0 };
  // Only the outer tenths have to be separated from the rest.
  const cut = Math.floor(count / 10);
  quickselect(sizes, cut, 0, count - 1, ascending);
  quickselect(sizes, count - 1 - cut, cut, count - 1, ascending);
  let kept = 0;
  for (let i = cut; i < count - cut; ++i) kept += sizes[i];
  return { typical: kept / (count - 2 * cut), mean: (pro + contra) / count, for: pro / count,
    against: contra / count };
}

/** Importance of all rows as the command computed it. */
const importanceOfAll = ({ columns }: Report): Importance[] =>
  columns.map(({ typical, importance, for: pro, against }) => ({ typical, mean: importance,
    for: pro, against })
  );

interface BarProps {
  place: number;
  label: string;
  title: string;
  part: Importance;
  /** Importance over all rows, if fewer are selected. */
  whole: Importance | null;
  isChosen: boolean;
  x: Scale;
  width: number;
  onSelect: () => void;
}

/** One feature: a bar in the two colors, a line for the mean, a hollow bar for all rows. */
function importanceBar(
  { place, label, title, part, whole, isChosen, x, width, onSelect }: BarProps
) {
  const y = place * kBar + 3, left = x(0), height = kBar - 6, all = part.for + part.against;
  const middle = left + (x(part.typical) - left) * (all > 0 ? part.for / all : 0.5);
  return s("g", { ...acting(onSelect, place === 0), class: isChosen ? "bar chosen" : "bar",
    "aria-pressed": String(isChosen) }, s("title", {}, title),
    s("rect", { x: 0, y: place * kBar, width, height: kBar, class: "hit" }),
    s("text", { x: left - 8, y: y + 11, "text-anchor": "end" }, label),
    bar(left, middle, y, height, { fill: forColor() }),
    bar(middle, x(part.typical), y, height, { fill: againstColor() }),
    whole
      && bar(left, x(whole.typical), y - 1, height + 2, { fill: "none",
        stroke: cssColor("--soft") }),
    s("line", { x1: x(part.mean), x2: x(part.mean), y1: y - 1, y2: y + height + 1,
      stroke: cssColor("--ink"), "stroke-width": 2 }));
}

export function importanceSection(state: State): HTMLElement {
  const { report } = state, [positive, negative] = report.commonEffects();
  const ofAll = importanceOfAll(report), host = h("div", { class: "chart" });
  const status = h("p", { class: "note", role: "status" }), allFeatures = h("div");
  let parts = ofAll, order = report.order;

  const title = (column: number) => {
    const { typical, mean, for: pro, against } = parts[column];
    const amounts = new Amounts(typical || mean, "");
    return `${report.names[column]}: typical effect ${amounts.plain(typical)} ${report.unit}, mean `
      + `${amounts.plain(mean)}, of which ${amounts.plain(pro)} ${positive} and `
      + `${amounts.plain(against)} ${negative}`;
  };

  const update = onChange(() => String(state.filtered), () => {
    parts = state.isFiltered ? ofAll.map((_, c) => importanceOf(report, c, state.passes)) : ofAll;
    order = !state.isFiltered ? report.order
      : report.order.slice().sort((a, b) =>
        parts[b].typical - parts[a].typical || parts[b].mean - parts[a].mean
      );
    const heads = ["Feature", `Typical effect (${report.unit})`, "Mean", positive, negative];
    allFeatures.replaceChildren(
      scrolling("Importance of all features", table(heads, order.map(c => {
        const { typical, mean, for: pro, against } = parts[c];
        const amounts = new Amounts(typical || mean, "");
        return [report.names[c], ...[typical, mean, pro, against].map(value =>
          number(amounts.plain(value))
        )];
      })))
    );
    status.textContent = state.isFiltered
      ? `Now for the ${counted(state.passing, "selected row")}; hollow bars: all ${
        whole(report.rows)
      } rows.` : "";
  });

  const draw = onWidth(host, width => {
    update();
    const columns = order.slice(0, kShown), left = Math.min(230, width * 0.42);
    const height = columns.length * kBar;
    const sizes = columns.flatMap(c => [parts[c].typical, parts[c].mean, ofAll[c].typical]);
    const x = scaleLinear([0, Math.max(...sizes) || 1], [left, width - 24]).nice(4);
    const names = distinct(columns.map(c => report.names[c]), lettersIn(left - 12));
    replaceChart(host,
      s("svg", { width, height: height + 42, role: "group",
        "aria-label": "Typical effect of the most important features" },
        ...columns.map((column, place) =>
          importanceBar({ place, label: names[place], title: title(column), part: parts[column],
            whole: state.isFiltered ? ofAll[column] : null,
            isChosen: column === report.explained(state.column), x, width, onSelect: () =>
              state.selectColumn(column) })
        ), bottomAxis(x, height + 2, width - left),
        xLabel(shortened(["typical effect", `typical effect (${report.unit})`], width - left),
          (left + width) / 2, height + 38, width - left)));
  });
  state.subscribeChart(draw);
  const more = report.order.length > kShown
    ? ` The ${kShown} largest of ${whole(report.order.length)} are drawn.` : "";
  const groups = report.columns.flatMap(({ name, members }) =>
    members ? [`${name} is ${list(members.map(c => report.names[c]))}`] : []
  );
  return section("importance", "What matters",
    h("p", {}, "Average effect of each feature, extremes left out (thin line: with them). ",
      key("for", positive), ", ", key("against", negative), `.${more}`),
    groups.length === 0 ? null : note(`Features in groups: ${groups.join("; ")}.`), status, host,
    saving("importance", host,
      () => [["feature", "typical", "mean", positive, negative],
        ...order.map(
          c => [report.names[c], parts[c].typical, parts[c].mean, parts[c].for, parts[c].against]
        )],
      () => [{ colors: [forColor()], text: positive }, { colors: [againstColor()], text: negative },
        { colors: [], text: "thin line: with the extremes" }]),
    details("All features as a table", allFeatures));
}
