// Two models side by side: their predictions, what they use, and one row as either explains it.
import { scaleLinear } from "d3-scale";
import { modelSentences, otherSentence, type OtherModel, type SharedFeature } from "./against";
import { bottomAxis } from "./axis";
import type { Report } from "./data";
import { h, number, onWidth, s, scrolling, section, table } from "./dom";
import { saveCsv, saving } from "./export";
import { distinct, lettersIn } from "./labels";
import { percent } from "./numbers";
import { scatter } from "./scatter";
import { unitBehind } from "./sentences";
import type { State } from "./state";
import { cssColor } from "./theme";

const kShown = 12, kBar = 28;

/** Classes of one model against those of the other, counted. */
function crossTable(other: OtherModel): HTMLElement {
  const { own, rows, names } = other;
  const said = [...new Set(rows.map((row) => own.predicted(row)))].sort((a, b) => a - b), theirs = [...new Set(rows.map((row) => other.prediction(row)))].sort();
  const count = (mine: number, their: string) => rows.filter((row) => own.predicted(row) === mine && other.prediction(row) === their).length;
  return scrolling("What one model says against what the other says", table(
    [`${names[0]} ↓ · ${names[1]} →`, ...theirs], said.map((mine) => [own.targetText(mine), ...theirs.map((their) => number(String(count(mine, their)), own.targetText(mine) !== their && count(mine, their) > 0 ? "differs" : ""))]), { id: "cross" }));
}

/** Two bars for each feature: filled is this model, hollow the other. */
function pairedBars(other: OtherModel): { host: HTMLElement; draw: () => void; features: SharedFeature[] } {
  const host = h("div", { class: "chart" }), features = other.features.slice(0, kShown);
  let width = 0;
  function draw(): void {
    if (width === 0) return;
    const left = Math.min(230, width * 0.42), height = features.length * kBar, thick = kBar / 2 - 4;
    const x = scaleLinear([0, Math.max(...features.flatMap(({ share, theirShare }) => [share, theirShare])) * 100 || 1], [left, width - 24]).nice(4);
    const labels = distinct(features.map(({ name }) => name), lettersIn(left - 12)), ink = cssColor("--accent");
    host.replaceChildren(s("svg", { width, height: height + 42, role: "img", "aria-label": `Share of each feature in all relevance: ${features.slice(0, 3).map(({ name, share, theirShare }) => `${name} ${percent(share)} and ${percent(theirShare)}`).join(", ")}` },
      ...features.map(({ name, share, theirShare }, i) => s("g", {}, s("title", {}, `${name}: ${percent(share)} of ${other.names[0]}, ${percent(theirShare)} of ${other.names[1]}`),
        s("text", { x: left - 8, y: (i + 0.5) * kBar + 4, "text-anchor": "end" }, labels[i]),
        s("rect", { x: left, y: i * kBar + 3, width: x(100 * share) - left, height: thick, fill: ink, stroke: ink }),
        s("rect", { x: left, y: i * kBar + kBar / 2, width: x(100 * theirShare) - left, height: thick, fill: "none", stroke: ink, "stroke-width": 1.5 }))),
      bottomAxis(x, height + 2, width - left), s("text", { x: (left + width) / 2, y: height + 38, "text-anchor": "middle", class: "label" }, "% of all relevance")));
  }
  onWidth(host, (value) => { width = value; draw(); });
  return { host, draw, features };
}

/** Predictions of one regressor against those of the other. */
const predictions = (state: State, other: OtherModel) => scatter(state, { name: "two-models", rows: other.rows,
  x: (row) => other.report.predicted(other.place(row)!), y: (row) => other.own.predicted(row), isMarked: (row) => other.differs(row) === true,
  label: `Predictions of ${other.names[0]} against those of ${other.names[1]}. Arrow keys go from row to row.`,
  xName: `${other.names[1]}${unitBehind(other.own)}`, yName: `${other.names[0]}${unitBehind(other.own)}`,
  describe: (row) => `${other.own.rowName(row)}: ${other.own.prediction(row)} and ${other.prediction(row)}`,
  note: "Each point is a row; on the dashed line the two agree. Rows on which they are farther apart than the root of the mean squared difference have the color of high values." });

export function modelsSection(state: State): HTMLElement | null {
  const { other } = state;
  if (!other) return null;
  const kinds = [["", "All rows"], ["differ", "Rows on which they differ"], ["agree", "Rows on which they agree"]] as const;
  const buttons = kinds.map(([kind, name]) => ({ kind, button: h("button", { type: "button", "data-models": kind, click: () => state.look({ models: kind }) }, name) }));
  const bars = pairedBars(other), { own, report, names } = other;
  const draw = () => {
    for (const { kind, button } of buttons) button.setAttribute("aria-pressed", String(kind === state.view.models));
    bars.draw();
  };
  state.subscribeChart(draw);
  draw();
  const amount = (of: Report, column: number | null) => (column === null ? "" : of.unsigned(of.columns[column].importance));
  const rows = other.features.map(({ name, own: mine, theirs, share, theirShare }) => [name, number(percent(share)), number(percent(theirShare)), number(amount(own, mine)), number(amount(report, theirs))]);
  const heads = ["Feature", `share of ${names[0]}`, `share of ${names[1]}`, `mean (${own.raw.unit.name})`, `mean (${report.raw.unit.name})`];
  return section("models", "Two models", h("div", { id: "models-lines" }, ...modelSentences(other).map((line) => h("p", { class: "lead" }, line))),
    h("p", { class: "note" }, `${names[0]}: ${own.raw.words.modelKind}, by ${own.raw.settings.method}, in ${own.raw.unit.name}. ${names[1]}: ${report.raw.words.modelKind}, by ${report.raw.settings.method}, in ${report.raw.unit.name}.`),
    h("div", { class: "controls", role: "group", "aria-label": "Rows by what the two models say" }, ...buttons.map(({ button }) => button)),
    own.raw.isRegressor ? predictions(state, other) : crossTable(other),
    ...(own.raw.image ? [] : [h("h3", {}, "What they use"), h("p", { class: "note" }, `Filled: ${names[0]}. Hollow: ${names[1]}. Each bar is the feature's share in all |relevance| of its model, so that models of different units can be compared.`),
      bars.host, saving("two-models-importance", bars.host, () => [heads, ...rows.map((cells) => cells.map((cell) => (typeof cell === "string" ? cell : cell.text)))]),
      h("details", {}, h("summary", {}, "The same as a table"), scrolling("What two models use", table(heads, rows)))]));
}

/** The chosen row as both models explain it. */
export function otherModelRow(state: State): { element: HTMLElement; draw: () => void } {
  const { other } = state, host = h("div", { id: "other-model" });
  let drawn = -1;
  function draw(): void {
    if (!other || drawn === state.row) return;
    drawn = state.row;
    const { own, report, names } = other, { row } = state, place = other.place(row);
    const sentence = h("p", {}, otherSentence(other, row));
    if (place === null || own.raw.image) return host.replaceChildren(h("h3", {}, `As ${names[1]} has it`), sentence);
    const mine = own.rowRelevance(row), theirs = report.rowRelevance(place);
    const size = (parts: Float64Array) => parts.reduce((sum, part) => sum + Math.abs(part), 0) || 1, all = [size(mine), size(theirs)];
    const part = (parts: Float64Array, column: number | null) => (column === null ? null : parts[column]);
    const weight = ({ own: a, theirs: b }: SharedFeature) => Math.max(Math.abs(part(mine, a) ?? 0) / all[0], Math.abs(part(theirs, b) ?? 0) / all[1]);
    const order = other.features.slice().sort((a, b) => weight(b) - weight(a));
    const value = ({ own: a, theirs: b }: SharedFeature) => (a !== null ? own.shown(a, own.value(row, a)) : report.shown(b!, report.value(place, b!)));
    const heads = ["Feature", "value", `relevance, ${names[0]} (${own.raw.unit.name})`, `relevance, ${names[1]} (${report.raw.unit.name})`];
    const cells = (feature: SharedFeature) => [part(mine, feature.own), part(theirs, feature.theirs)];
    const shown = order.slice(0, kShown).map((feature) => {
      const [a, b] = cells(feature);
      return [feature.name, number(value(feature)), number(a === null ? "–" : own.signed(a)), number(b === null ? "–" : report.signed(b), a !== null && b !== null && a * b < 0 ? "differs" : "")];
    });
    host.replaceChildren(h("h3", {}, `As ${names[1]} has it`), sentence, scrolling("The row as both models explain it", table(heads, shown)),
      h("div", { class: "controls" }, h("button", { type: "button", click: () => saveCsv("two-models-row", [heads, ...order.map((feature) => [feature.name, value(feature), ...cells(feature).map((part) => part ?? "")])]) }, "Save both as CSV")));
  }
  return { element: host, draw };
}
