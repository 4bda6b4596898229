// What the what-if panel says: the new prediction, the meaning of the drawing, and found changes.
import { isFlipped, kMostChanged, originOf, type Question } from "./change_search";
import type { Report, Totals } from "./data";
import { type Child, h, key } from "./dom";
import type { Explained, FlipAnswer } from "./engine";
import { counted, formatNumber, list } from "./numbers";
import { baseWord } from "./row_sentences";

const warning = (text: string) => h("span", { class: "warn" }, text);

export const predictionOf = (report: Report, now: Explained) =>
  report.raw.isRegressor ? report.targetAmount(now.value) : report.raw.labels[now.prediction];

/** The prediction for the changed values, compared with the totals before. */
export function verdict(report: Report, row: number, now: Explained, was: Totals): Child[] {
  const { base, sum, remainder, output } = now.totals, amounts = report.rowAmounts(row);
  const predicted = predictionOf(report, now);
  return [h("b", {}, `Predicted ${predicted}`),
    predicted === report.predictedAmount(row) ? " (as before)"
      : warning(` (was ${report.prediction(row)})`),
    `. ${baseWord(report)} ${report.totalText(row, base)}, features ${amounts.signed(sum)}`
    + `${remainder === 0 ? "" : `, unexplained ${amounts.signed(remainder)}`}, result `
    + `${report.totalAmount(row, output)} (was ${report.totalText(row, was.output)}).`,
    now.isFar ? warning(" Far from the training data: this explanation is unreliable.") : null,
    now.isUnexplained && !report.isMostlyUnexplained
      ? warning(
        " The features leave more than a fifth of the difference from the average unexplained."
      ) : null];
}

/** What bars, lines and curves mean. */
export function legendWords(report: Report, row: number, now: Explained,
  [positive, negative]: [string, string]): Child[] {
  const { isRegressor, labels } = report.raw;
  const line = labels.length > 2 ? "both classes have the same score" : "the prediction changes";
  return ["Bars: ", key("for", positive), ", ", key("against", negative),
    `; thin line: before the changes${report.hasErrors ? "; whiskers: one standard error" : ""}.`,
    isFlipped(report, row, now) && !isRegressor
      ? " The prediction has changed, but the bars still compare the same two classes." : null,
    isRegressor ? null : ` A rising curve ${positive}. Where it crosses a dashed line, ${line}.`];
}

/** What the smallest change does: "changes the prediction", "crosses 35.7 MPa". */
export function flipGoal(report: Report): string {
  const { isRegressor, settings: { level } } = report.raw;
  return !isRegressor ? "changes the prediction"
    : `crosses ${level === null ? "the level" : report.targetAmount(level)}`;
}

/** The smallest change that was found; `goal` completes "no shorter change …". */
export function flipWords(question: Question, { flip, radius }: FlipAnswer, goal: string): string {
  const { report, row, engine, fixed, asked } = question, own = originOf(question);
  const sure = radius > 0 && Number.isFinite(radius)
    ? `no change shorter than ${formatNumber(radius)} ${goal}` : "";
  const among = report.dataColumns.length - fixed.size > kMostChanged
    ? ` among the ${kMostChanged} strongest features of this row` : "";
  if (!flip) {
    return `No change of the features that are not fixed was found${among} that ${goal}.`
      + (sure === "" ? "" : ` For certain, ${sure}.`);
  }
  const { values, distance } = flip;
  const changed = report.dataColumns.filter(c => own[c] !== values[c]).map(c =>
    `${report.names[c]} ${report.cell(row, c, own[c])} → ${report.shown(c, values[c])}`
  );
  const scaled = report.raw.words.preprocessing === "none" ? ""
    : ", measured after the model's scaling";
  return `Smallest change found${among}: ${list(changed)}. The prediction is now `
    + `${predictionOf(report, engine.explain(values, asked))}. The distance is `
    + `${formatNumber(distance)}${scaled}${sure === "" ? "" : `; ${sure}`}.`;
}

/** Columns whose values were copied or changed, in this order; `how` completes "2 values …". */
export function stepWords({ report, row, engine, values, asked }: Question, columns: number[],
  how: string): string {
  const changed = columns.map(c =>
    `${report.names[c]} ${report.cell(row, c)} → ${report.shown(c, values[c])}`
  );
  const now = engine.explain(values, asked);
  const result = report.raw.isRegressor || isFlipped(report, row, now)
    ? `The prediction is now ${predictionOf(report, now)}.` : "The prediction has not changed yet.";
  return changed.length === 0 ? ""
    : `${counted(changed.length, "value")} ${how}: ${list(changed)}. ${result}`;
}
