// How good the model is where the data say what is true, and where it errs.
import { contrasts } from "./cohorts";
import { h, number, scrolling, section, table } from "./dom";
import { percent } from "./numbers";
import { meanHeat } from "./picture";
import { scatter } from "./scatter";
import { unitBehind } from "./sentences";
import type { State } from "./state";
import { isDark } from "./theme";

/** Classes as a table: rows are true, columns said; a cell chooses its rows. */
function confusion(state: State): HTMLElement {
  const { labels, quality } = state.report.raw, { confusion: counts } = quality!;
  const most = Math.max(...counts.flat(), 1);
  const cell = (truth: number, said: number) => {
    const count = counts[truth][said], look = () => state.look({ truth, predicted: said, judged: "" });
    const share = Math.sqrt(count / most), made = h("td", { class: `number ${truth === said ? "right" : "wrong"}` },
      count === 0 ? "0" : h("button", { type: "button", class: "plain", "aria-label": `${count} rows are ${labels[truth]} and called ${labels[said]}: choose them`, click: look }, String(count)));
    made.style.setProperty("--share", `${Math.round(45 * share)}%`);
    return made;
  };
  const recall = (truth: number) => { const all = counts[truth].reduce((a, b) => a + b, 0); return all === 0 ? "" : percent(counts[truth][truth] / all); };
  return scrolling("What is true against what the model says", h("table", { class: "confusion", id: "confusion" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "in truth ↓ · called →"), ...labels.map((label) => h("th", { scope: "col", class: "number" }, label)), h("th", { scope: "col", class: "number" }, "found"))),
    h("tbody", {}, ...labels.map((label, truth) => h("tr", {}, h("th", { scope: "row" }, label), ...labels.map((_, said) => cell(truth, said)), h("td", { class: "number" }, recall(truth)))))));
}

/** Predicted against true; on the line they agree. */
const residuals = (state: State) => {
  const { report } = state, truth = (row: number) => report.truth(row)!;
  return scatter(state, { name: "errors", rows: Array.from(report.numbers.keys()).filter((row) => report.truth(row) !== null), x: truth, y: (row) => report.predicted(row),
    isMarked: (row) => report.isWrong(row) === true, label: "Predicted against true value of every row. Arrow keys go from row to row.",
    xName: `in truth${unitBehind(report)}`, yName: `predicted${unitBehind(report)}`,
    describe: (row) => `${report.rowName(row)}: predicted ${report.prediction(row)}, in truth ${report.targetText(truth(row))}`,
    note: "Each point is a row; on the dashed line prediction and truth agree. Rows that are farther off than the root of the mean squared error have the color of high values." });
};

/** Which features were at work in the mistakes. */
function cohorts(state: State): HTMLElement {
  const { report } = state, found = contrasts(report);
  if (found.length === 0) return h("p", { class: "note" }, "There are too few mistakes among the rows of the page to compare them with the others.");
  return h("div", {}, ...found.map(({ title, wrong, right, features }) => h("div", { class: "cohort" }, h("h3", {}, title),
    h("p", {}, `${features.length === 0 ? "No feature's relevance differs much between the two." : `The relevance of ${report.names[features[0].column]} differs most: ${report.signed(features[0].wrong)} on average in the ${wrong} wrong rows, ${report.signed(features[0].right)} in the ${right} others.`}`),
    features.length === 0 ? null : scrolling(title, table(["Feature", "wrong", "others", "apart"], features.map(({ column, wrong: a, right: b, apart }) =>
      [report.names[column], number(report.signed(a)), number(report.signed(b)), number(`${apart.toFixed(1)} σ`)]))))));
}

/** Pictures: the mean relevance of the rows of each class. */
function classHeat(state: State): HTMLElement | null {
  const { report } = state, { labels, image } = report.raw;
  if (!image || report.raw.isRegressor) return null;
  const host = h("div", { class: "pictures", id: "class-heat" });
  const draw = () => host.replaceChildren(...labels.map((label, c) => {
    const rows = Array.from(report.numbers.keys()).filter((row) => report.predicted(row) === c);
    return h("figure", {}, meanHeat(report, rows, `Mean relevance of the ${rows.length} rows called ${label}`), h("figcaption", {}, `${label}: ${rows.length} rows`));
  }));
  draw();
  let dark = isDark();
  state.subscribe(() => { if (dark !== isDark()) { dark = isDark(); draw(); } });
  return h("div", {}, h("h3", {}, "Where the model looks, class by class"), h("p", { class: "note" }, "Mean relevance of the rows that are called so, over the pixels; each picture has its own full color."), host);
}

export function qualitySection(state: State): HTMLElement | null {
  const { report } = state, { quality, isRegressor, targetName } = report.raw;
  const heat = classHeat(state);
  if (!quality) return heat && section("quality", "Class by class", heat);
  const unit = unitBehind(report);
  const head = isRegressor
    ? h("p", {}, `Over ${quality.rows} rows: mean absolute error ${report.targetText(quality.meanAbsoluteError)}${unit}, root of the mean squared error ${report.targetText(quality.rootMeanSquaredError)}${unit}${quality.rSquared === null ? "" : `, R² ${quality.rSquared.toFixed(3)}`}.`)
    : h("p", {}, `What is true (${targetName}) against what the model says, over ${quality.rows} rows. Choose a number to choose its rows.`);
  return section("quality", isRegressor ? "How good it is" : "How good it is, and where it errs", head, isRegressor ? residuals(state) : confusion(state),
    ...(report.raw.image ? [] : [h("h3", {}, "Which features were at work in the mistakes"), cohorts(state)]), heat);
}

