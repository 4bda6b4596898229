// Which pairs of features act together: a heat map, and the strongest pairs as a table.
import { scaleLinear } from "d3-scale";
import type { Report } from "./data";
import { acting, h, hint, note, number, onWidth, replaceChart, s, scrolling, section,
  table } from "./dom";
import { saving } from "./export";
import { distinct, fitted, lettersIn } from "./labels";
import { rampLegend } from "./legend";
import { Amounts, counted } from "./numbers";
import { interactionSentence, mapColumns, type Pair, pairsOf } from "./pairs";
import type { State } from "./state";
import { cssColor, heatColors } from "./theme";

const kShown = 12, kListed = 10, kMostCell = 44, kNames = 110;

export interface HeatMapProps {
  names: string[];
  /** The text of the cell in row i and column j < i. */
  title: (i: number, j: number) => string;
  color: (i: number, j: number) => string;
  isChosen: (i: number, j: number) => boolean;
  onSelect: (i: number, j: number) => void;
  width: number;
}

/** The lower triangle of a symmetric matrix. Arrow keys move between its cells. */
export function heatMap({ names, title, color, isChosen, onSelect, width }: HeatMapProps) {
  const left = Math.min(200, width * 0.36), count = names.length - 1;
  const cell = Math.min(kMostCell, (width - left - 4) / Math.max(1, count));
  const short = distinct(names, lettersIn(left - 8)), bottom = count * cell;
  const cells = names.flatMap((_, i) =>
    Array.from({ length: i }, (_, j) =>
      s("g", { ...acting(() =>
        onSelect(i, j), i === 1), class: "cell", "aria-pressed": String(isChosen(i, j)) },
        s("title", {}, title(i, j)),
        s("rect", { x: left + j * cell + 1, y: (i - 1) * cell + 1, width: cell - 2,
          height: cell - 2, fill: color(i, j), "stroke-width": isChosen(i, j) ? 3 : 1,
          stroke: cssColor(isChosen(i, j) ? "--ink" : "--line") })))
  );
  const across = names.slice(0, -1).map((name, j) =>
    s("text", { "text-anchor": "end",
      transform: `translate(${left + (j + 0.5) * cell + 4},${bottom + 6}) rotate(-90)` },
      fitted(name, kNames))
  );
  const down = short.slice(1).map((name, i) =>
    s("text", { x: left - 6, y: (i + 0.5) * cell + 4, "text-anchor": "end" }, name)
  );
  return s("svg", { width, height: bottom + kNames + 8, role: "group",
    "aria-label": "Joint effects of pairs of features" }, ...cells, ...across, ...down);
}

/** The strongest pairs with their numbers. */
function pairTable(report: Report, pairs: Pair[]): HTMLElement {
  const amounts = new Amounts(pairs[0]?.size ?? 0, "");
  return scrolling("The strongest pairs",
    table(["Pair", "Joint effect"],
      pairs.slice(0, kListed).map((
        { a, b, size }
      ) => [`${report.names[a]} and ${report.names[b]}`, number(amounts.plain(size))]), {
      id: "pairs"
    }));
}

export function interactionsSection(state: State): HTMLElement | null {
  const { report } = state, { interactions } = report.raw, pairs = pairsOf(report);
  if (!interactions || pairs.length === 0) return null;
  const { unit, exact, rows } = interactions, { method, title } = report.raw.settings;
  const columns = mapColumns(pairs, kShown), host = h("div", { class: "chart heat-map" }),
    key = h("div");
  const sizes = new Map(
    pairs.flatMap(({ a, b, size }) => [[`${a} ${b}`, size], [`${b} ${a}`, size]])
  );
  const amounts = new Amounts(pairs[0].size, unit), most = pairs[0].size || 1;
  const size = (i: number, j: number) => sizes.get(`${columns[i]} ${columns[j]}`) ?? 0;

  /** Shows the pair in the section of the first feature's effect. */
  function choose(i: number, j: number): void {
    state.selectColumn(columns[i]);
    state.pickColor(columns[j]);
    document.getElementById("dependence")?.scrollIntoView();
  }
  const draw = onWidth(host, width => {
    const colors = heatColors(),
      shade = scaleLinear<string>([0, most], [colors[0], colors.at(-1)!]);
    const chosen = [state.column, state.colorColumn()];
    const names = columns.map(c => report.names[c]);
    replaceChart(host,
      heatMap({ names, width, color: (i, j) => shade(size(i, j)), onSelect: choose,
        isChosen: (i, j) => chosen.includes(columns[i]) && chosen.includes(columns[j]),
        title: (i, j) => `${names[i]} and ${names[j]}: ${amounts.plain(size(i, j))} ${unit}` }));
    key.replaceChildren(rampLegend(colors, "no joint effect", `${amounts.plain(most)} ${unit}`));
  });
  state.subscribeChart(draw);
  const some = interactions.columns.length > kShown
    ? ` The ${kShown} features with the largest joint effects are drawn.` : "";
  return section("interactions", "Features that act together",
    h("p", { id: "pair-sentence" }, interactionSentence(report, pairs)),
    note(
      "A joint effect is what two features change together, beyond what each of them changes "
        + `alone. Mean size over ${counted(rows, "row")}, in ${unit}.${
          !exact ? " This is another scale than that of the contributions."
            : method === "shapley-exact" ? ""
            : ` Joint effects are of exact Shapley values; the contributions are by the ${title}.`
        }${some} `,
      hint('Choose a cell to see the pair in "Effect by value".')
    ), key, h("div", { class: "pairs" }, host, pairTable(report, pairs)),
    saving("interactions", host,
      () => [["feature", "other feature", `joint effect (${unit})`],
        ...pairs.map(({ a, b, size }) => [report.names[a], report.names[b], size])],
      () => [{ colors: heatColors(),
        text: `joint effect, from 0 to ${amounts.plain(most)} ${unit}` }]));
}
