// Two models: their predictions, what they use, and one row explained by both.
import { sum } from "d3-array";
import { scaleLinear } from "d3-scale";
import { modelSentences, type OtherModel, otherSentence, type SharedFeature } from "./against";
import { bar, bottomAxis, xLabel } from "./axis";
import { button, choices, controls, details, h, note, number, onChange, onWidth, s, scrolling,
  section, table } from "./dom";
import { saveCsv, saving } from "./export";
import { distinct, lettersIn } from "./labels";
import { percent, whole } from "./numbers";
import { scatter } from "./scatter";
import type { State, View } from "./state";
import { cssColor } from "./theme";

const kShown = 12, kBar = 28;

/** Counts of the classes of one model against those of the other. */
function crossTable(other: OtherModel): HTMLElement {
  const { own, rows, names } = other;
  const mine = [...new Set(rows.map(row => own.predicted(row)))].sort((a, b) => a - b);
  const theirs = [...new Set(rows.map(row => other.prediction(row)))].sort();
  const cell = (label: number, their: string) => {
    const count =
      rows.filter(row => own.predicted(row) === label && other.prediction(row) === their).length;
    return number(whole(count), own.targetText(label) !== their && count > 0 ? "differs" : "");
  };
  return scrolling("Predictions of both models",
    table([`${names[0]} ↓, ${names[1]} →`, ...theirs],
      mine.map(label => [own.targetText(label), ...theirs.map(their => cell(label, their))]), {
      id: "cross"
    }));
}

/** Two bars for each feature: filled for this model, hollow for the other. */
function pairedBars(other: OtherModel): { host: HTMLElement; draw: () => void } {
  const host = h("div", { class: "chart" }), features = other.features.slice(0, kShown);
  const title = ({ name, share, theirShare }: SharedFeature) =>
    `${name}: ${percent(share)} of ${other.names[0]}, ${percent(theirShare)} of ${other.names[1]}`;
  const draw = onWidth(host, width => {
    const left = Math.min(230, width * 0.42), height = features.length * kBar;
    const most = Math.max(...features.flatMap(({ share, theirShare }) => [share, theirShare]));
    const x = scaleLinear([0, 100 * most || 1], [left, width - 24]).nice(4), thick = kBar / 2 - 4;
    const labels = distinct(features.map(({ name }) => name), lettersIn(left - 12));
    const ink = cssColor("--accent");
    host.replaceChildren(
      s("svg", { width, height: height + 42, role: "img",
        "aria-label": features.slice(0, 3).map(title).join("; ") }, ...features.map((feature, i) =>
          s("g", {}, s("title", {}, title(feature)),
            s("text", { x: left - 8, y: (i + 0.5) * kBar + 4, "text-anchor": "end" }, labels[i]),
            bar(left, x(100 * feature.share), i * kBar + 3, thick, { fill: ink, stroke: ink }),
            bar(left, x(100 * feature.theirShare), i * kBar + kBar / 2, thick, { fill: "none",
              stroke: ink, "stroke-width": 1.5 }))
        ), bottomAxis(x, height + 2, width - left),
        xLabel("% of the model's reasons", (left + width) / 2, height + 38, width - left))
    );
  });
  return { host, draw };
}

const predictions = (state: State, other: OtherModel) =>
  scatter(state, { name: "two-models", rows: other.rows, x: row =>
    other.report.predicted(other.place(row)!), y: row => other.own.predicted(row), isMarked: row =>
      other.differs(row) === true,
    label: `Predictions of ${other.names[0]} and ${other.names[1]}. Arrow keys move between rows.`,
    xName: other.names[1], yName: other.names[0], describe: row =>
      `${other.own.rowName(row)}: ${other.own.prediction(row)} and ${other.prediction(row)}`,
    note: "Each point is a row; on the dashed line the models agree. Rows on which they differ by "
      + "more than the root mean squared difference are marked." });

export function modelsSection(state: State): HTMLElement | null {
  const { other } = state;
  if (!other) return null;
  const kinds = choices<View["models"]>("Rows by agreement", [["", "All rows"], ["differ",
    "Rows on which they differ"], ["agree", "Rows on which they agree"]],
    value => value === state.view.models, value => state.look({ models: value }), {
    id: "agreement"
  });
  const bars = pairedBars(other), { own, names } = other;
  const draw = () => {
    kinds.update();
    bars.draw();
  };
  state.subscribeChart(draw);
  const heads = ["Feature", `% of the reasons of ${names[0]}`, `% of the reasons of ${names[1]}`];
  const rows = other.features.map(({ name, share, theirShare }) =>
    [name, share, theirShare] as const
  );
  return section("models", "Two models",
    h("div", { id: "models-lines" }, ...modelSentences(other).map(line => h("p", {}, line))),
    kinds.element, own.raw.isRegressor ? predictions(state, other) : crossTable(other),
    ...(own.raw.image ? []
      : [h("h3", {}, "What they use"), note(`Filled: ${names[0]}. Hollow: ${names[1]}.`), bars.host,
        saving("two-models-importance", bars.host, () => [heads, ...rows.map(row => [...row])],
          () =>
            names.map((text, i) => ({ colors: [cssColor("--accent")], text, isHollow: i === 1 }))),
        details("All features as a table",
          scrolling("What two models use",
            table(heads,
              rows.map(([name, a, b]) => [name, number(percent(a)), number(percent(b))]))))]));
}

/** The current row as both models explain it. */
export function otherModelRow(state: State): { element: HTMLElement; draw: () => void } {
  const { other } = state, host = h("div", { id: "other-model" });
  const draw = onChange(() => String(state.row), () => {
    if (!other) return;
    const { own, report, names } = other, { row } = state, place = other.place(row);
    const head = [h("h3", {}, `The same row by ${names[1]}`),
      h("p", {}, otherSentence(other, row))];
    if (place === null || own.raw.image) return host.replaceChildren(...head);
    const parts = [own.rowContributions(row), report.rowContributions(place)];
    const sizes = parts.map(all => sum(all, Math.abs) || 1);
    const amounts = [own.rowAmounts(row), report.rowAmounts(place)];
    const partsOf = ({ own: a, theirs: b }: SharedFeature) =>
      [a, b].map((column, i) => column === null ? null : parts[i][column]);
    const weight = (feature: SharedFeature) =>
      Math.max(...partsOf(feature).map((part, i) => Math.abs(part ?? 0) / sizes[i]));
    const order = other.features.slice().sort((a, b) => weight(b) - weight(a));
    const value = ({ own: a, theirs: b }: SharedFeature) =>
      a !== null ? own.cell(row, a) : report.cell(place, b!);
    const heads = ["Feature", "value",
      ...[own, report].map(({ unit }, i) => `contribution, ${names[i]} (${unit})`)];
    const cells = (feature: SharedFeature) => {
      const [a, b] = partsOf(feature), isOpposite = a !== null && b !== null && a * b < 0;
      return [feature.name, number(value(feature)), number(a === null ? "–" : amounts[0].signed(a)),
        number(b === null ? "–" : amounts[1].signed(b), isOpposite ? "differs" : "")];
    };
    const save = () =>
      saveCsv("two-models-row", [heads,
        ...order.map(feature => [feature.name, value(feature), ...partsOf(feature).map(part =>
          part ?? ""
        )])]);
    host.replaceChildren(...head,
      scrolling("The row by both models", table(heads, order.slice(0, kShown).map(cells))),
      controls({}, button("Save both as CSV", save)));
  });
  return { element: host, draw };
}
