// How good the model is, and where it errs.
import { sum } from "d3-array";
import { cohortsOf } from "./cohorts";
import { button, h, hint, note, number, onChange, scrolling, section, table } from "./dom";
import { counted, percent, whole } from "./numbers";
import { meanHeat } from "./picture";
import { scatter } from "./scatter";
import type { State } from "./state";
import { isDark } from "./theme";
import { thresholdPanel } from "./threshold";

/** Actual against predicted classes. A cell selects its rows; pressing it again selects all. */
function confusion(state: State): HTMLElement {
  const { labels, quality } = state.report.raw, { confusion: counts } = quality!;
  const most = Math.max(...counts.flat(), 1), updates: (() => void)[] = [];
  const cell = (actual: number, predicted: number) => {
    const count = counts[actual][predicted];
    const isPressed = () => state.view.actual === actual && state.view.predicted === predicted;
    const select = button(whole(count),
      () =>
        state.look(isPressed() ? { actual: -1, predicted: -1 } : { actual, predicted, judged: "" }),
      { class: "plain",
        "aria-label": `${counted(count, "row")}: actual ${labels[actual]}, predicted ${
          labels[predicted]
        }` });
    updates.push(() => select.setAttribute("aria-pressed", String(isPressed())));
    return number(count === 0 ? "0" : select, actual === predicted ? "right" : "wrong", {
      share: 0.45 * Math.sqrt(count / most)
    });
  };
  const found = (actual: number) => {
    const all = sum(counts[actual]);
    return number(all === 0 ? "" : percent(counts[actual][actual] / all));
  };
  const rows = labels.map((label,
    actual) => [label, ...labels.map((_, predicted) => cell(actual, predicted)), found(actual)]
  );
  const update = () => updates.forEach(own => own());
  state.subscribe(update);
  update();
  return scrolling("Actual and predicted classes",
    table(["actual ↓, predicted →", ...labels, "share found"], rows, { id: "confusion",
      class: labels.length > 6 ? "confusion many" : "confusion" }));
}

/** Predictions against actual values. */
function residuals(state: State): HTMLElement {
  const { report } = state, rows = report.all().filter(row => report.actual(row) !== null);
  return scatter(state, { name: "errors", rows, x: row => report.actual(row)!,
    y: row => report.predicted(row), isMarked: row => report.isWrong(row) === true,
    label: "Predicted and actual value of every row. Arrow keys move between rows.",
    xName: `actual ${report.target}`, yName: `predicted ${report.target}`,
    describe: row =>
      `${report.rowName(row)}: predicted ${report.prediction(row)}, actual `
      + report.targetText(report.actual(row)!),
    note: "Each point is a row; on the dashed line the prediction is exact. Errors above the root "
      + "mean squared error are marked." });
}

/** What differs between incorrect and correct rows. */
function cohorts({ report }: State): HTMLElement[] {
  const found = cohortsOf(report), { isRegressor } = report.raw;
  const [bad, good] = isRegressor ? ["less accurate", "more accurate"] : ["incorrect", "correct"];
  if (found.length === 0) return [note("There are too few errors on this page to compare them.")];
  return found.map(({ title, wrong, right, features }) => {
    const [first] = features, amounts = first && report.columnAmounts(first.column);
    const words = !first ? "No contribution differs much."
      : `${report.names[first.column]}: ${amounts.signed(first.wrong)} on average in the `
        + `${counted(wrong, `${bad} row`)}, ${amounts.signed(first.right)} in the `
        + `${counted(right, `${good} one`)} (contributions toward the prediction).`;
    return h("div", { class: "cohort" }, h("h3", {}, title), h("p", {}, words),
      !first ? null
        : scrolling(title,
          table(["Feature", bad, good, "difference"],
            features.map((
              { column, wrong: a, right: b, apart }
            ) => [report.names[column], number(report.columnAmounts(column).signed(a)),
              number(report.columnAmounts(column).signed(b)), number(`${apart.toFixed(1)} SD`)]
            ))));
  });
}

/** Images: mean contributions of the rows of each predicted class. */
function classHeat(state: State): HTMLElement | null {
  const { report } = state, { labels, image, isRegressor } = report.raw;
  if (!image || isRegressor) return null;
  const host = h("div", { class: "pictures", id: "class-heat" });
  const draw = onChange(() => String(isDark()),
    () =>
      host.replaceChildren(...labels.map((label, c) => {
        const rows = report.all().filter(row => report.predicted(row) === c);
        const caption = `${label}: ${counted(rows.length, "row")}`;
        return h("figure", {}, meanHeat(report, rows, `Mean contributions, predicted ${caption}`),
          h("figcaption", {}, caption));
      })));
  draw();
  state.subscribe(draw);
  return h("div", {}, h("h3", {}, "Where the model looks, class by class"),
    note(
      "Mean contributions of the rows with each prediction. The colors mean the same as for one "
        + "row; each image has its own full color."
    ), host);
}

export function qualitySection(state: State): HTMLElement | null {
  const { report } = state, { quality, isRegressor, image } = report.raw, heat = classHeat(state);
  if (!quality) return heat && section("quality", "Class by class", heat);
  return section("quality", "Where it errs", isRegressor ? residuals(state) : confusion(state),
    isRegressor ? null : note(hint("A number selects its rows in all charts.")),
    thresholdPanel(state), ...(image ? [] : cohorts(state)), heat);
}
