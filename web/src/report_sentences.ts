// What the whole report says, in plain sentences. Every number in a sentence can be checked on the
// page.
import { greatest, least, maxIndex, mean, sum } from "d3-array";
import { aucOf, countsIn } from "./curves";
import type { Report } from "./data";
import { capital, counted, formatNumber, list, percent, whole } from "./numbers";

/** "a, b or c"; in quotes if a name has an "or" of its own. */
function alternatives(labels: string[]): string {
  const isPlain = labels.every(label => !/ or |,/.test(label));
  const shown = labels.map(label => isPlain ? label : `"${label}"`);
  return shown.length < 2 ? shown.join("") : `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}

/** What the model predicts. */
export function predictsSentence(report: Report): string {
  const { raw, target, unit } = report;
  if (raw.isOneClass) return "The model separates usual rows from unusual ones.";
  if (raw.isRegressor) {
    const isNamed = report.isInTargetUnit && unit !== "units of the target" && unit !== target;
    return `The model predicts ${target}${isNamed ? `, in ${unit}` : ""}.`;
  }
  const { labels } = raw, isMany = labels.length > 6;
  const classes = isMany ? `${whole(labels.length)} classes` : alternatives(labels);
  return `The model predicts ${report.hasTargetName ? target : "a class"}: ${classes}.`;
}

/** One line of the table that compares the model with always giving the same answer. */
export interface Comparison {
  name: string;
  model: string;
  baseline: string;
  /** What the number means. */
  help: string;
}

/** Always predicting the most frequent class, or the mean. */
export interface Quality {
  baseline: string;
  lines: Comparison[];
  sentences: string[];
}

/** The share found of both classes, or of the class that the model finds least. */
function foundSentence(found: { label: string; share: number }[]): string {
  if (found.length < 2) return "";
  if (found.length === 2) {
    const [a, b] = found;
    return `It finds ${percent(a.share)} of the rows that are ${a.label} and ${percent(b.share)} `
      + `of those that are ${b.label}.`;
  }
  const missed = found.filter(({ share }) => share === 0).map(({ label }) => label);
  if (missed.length > 1) return `It finds none of the rows that are ${alternatives(missed)}.`;
  const worst = least(found, ({ share }) => share)!;
  return `It does worst on ${worst.label}: it finds ${percent(worst.share)} of these rows.`;
}

function classQuality(report: Report): Quality {
  const { quality, labels } = report.raw, { confusion, balancedAccuracy, rows } = quality!;
  const counts = countsIn(report), auc = counts && aucOf(counts);
  const sizes = confusion.map(counts => sum(counts)), most = maxIndex(sizes);
  const known = labels.map((_, c) => c).filter(c => sizes[c] > 0);
  const right = sum(confusion, (counts, c) => counts[c]);
  const recall = (c: number) => confusion[c][c] / sizes[c];
  const shown = known.length > 4 ? [least(known, recall)!] : known;
  const lines: Comparison[] = [{ name: "Correct", model: percent(right / rows),
    baseline: percent(sizes[most] / rows),
    help: "Share of rows whose class is predicted correctly" },
    ...(balancedAccuracy === null ? []
      : [{ name: "Balanced accuracy", model: percent(balancedAccuracy),
        baseline: percent(1 / known.length),
        help: "Average of the shares found; every class counts the same" }]),
    ...(auc === null ? []
      : [{ name: "AUC", model: auc.toFixed(3), baseline: "0.500",
        help: "Probability that a random row of one class ranks above one of the other" }]),
    ...shown.map(c => ({ name: `Share of ${labels[c]} found`, model: percent(recall(c)),
      baseline: percent(c === most ? 1 : 0),
      help: `Share of the ${counted(sizes[c], "row")} of ${labels[c]} that the model finds` })
    )];
  return { baseline: `always "${labels[most]}"`, lines,
    sentences: [
      right > sizes[most] ? ""
        : `The model is ${right < sizes[most] ? "worse" : "no better"} than always predicting `
          + `${labels[most]}, the most frequent class.`,
      `It is correct for ${whole(right)} of ${counted(rows, "row")} (${percent(right / rows)}); `
      + `always predicting ${labels[most]} would be correct for ${percent(sizes[most] / rows)}.`,
      foundSentence(known.map(c => ({ label: labels[c], share: recall(c) })))
    ].filter(text => text !== "") };
}

function numberQuality(report: Report): Quality {
  const { meanAbsoluteError, rSquared, rows } = report.raw.quality!;
  const known = report.all().filter(row => report.actual(row) !== null);
  const actual = known.map(row => report.actual(row)!), middle = mean(actual)!;
  const error = mean(actual, own => Math.abs(own - middle))!;
  const lines = [{ name: "Mean absolute error", model: report.targetAmount(meanAbsoluteError),
    baseline: report.targetAmount(error), help: "Average distance between prediction and actual" },
    ...(rSquared === null ? []
      : [{ name: "R²", model: rSquared.toFixed(2), baseline: "0.00",
        help: "Share of the variance that the model explains" }])];
  // The page may show some of the rows: both errors are of these.
  const isWorse = mean(known, (row, i) => Math.abs(report.predicted(row) - actual[i]))! > error;
  const isBelow = rSquared !== null && rSquared < 0;
  return { baseline: "always the mean", lines,
    sentences: [
      isWorse || isBelow
        ? `The model is worse than always predicting the mean${
          isWorse ? "" : `, because of large errors: R² is ${formatNumber(rSquared!)}, below 0`
        }.` : "",
      `Its error is ${report.targetAmount(meanAbsoluteError)} on average over `
      + `${counted(rows, "row")}; always predicting the mean of ${report.targetText(middle)} would `
      + `have an error of ${report.targetAmount(error)}.`
    ].filter(text => text !== "") };
}

/** How good the model is compared with always giving the same answer; null if that is unknown. */
export const qualityOf = (report: Report): Quality | null =>
  report.raw.quality === null ? null
    : report.raw.isRegressor ? numberQuality(report) : classQuality(report);

function ownPointsSentence(report: Report): string {
  const { ownPoints } = report.raw;
  if (ownPoints === 0) return "";
  if (ownPoints === report.rows) {
    return "All rows were also training rows, so these numbers are too optimistic.";
  }
  const also = ownPoints === 1 ? "was also a training row" : "were also training rows";
  return `${report.someRows(ownPoints)} ${also}, so these numbers are slightly optimistic.`;
}

function importanceSentence(report: Report): string {
  if (report.raw.image) return "";
  const top = report.order.slice(0, 3).map(c => report.names[c]);
  const all = sum(report.columns, ({ typical }) => typical) || 1;
  const share = sum(report.order.slice(0, 3), c => report.columns[c].typical) / all;
  const then = top.length > 1 ? `, then ${list(top.slice(1))}` : "";
  const together = report.order.length > 3 ? `: together ${percent(share)} of the model's reasons`
    : "";
  return `${capital(top[0])} matters most${then}${together}.`;
}

/** Rows whose explanations need care, and what to do. */
export const warningSentence = ({ raw: { notes } }: Report) =>
  notes.filter(({ kind }) => !["tie", "own_points"].includes(kind)).map(({ text }) =>
    `${capital(text)}.`
  ).join(" ");

/** Detectors: how many rows are unusual. */
function unusualSentence(report: Report): string {
  const { isOneClass, settings: { negative } } = report.raw;
  if (!isOneClass) return "";
  const count = report.all().filter(row => report.prediction(row) === negative).length;
  return `${report.someRows(count)} ${count === 1 ? "is" : "are"} ${negative}.`;
}

/** Rows with values that the data do not have. */
function filledSentence({ raw: { rows: { imputedRows, total }, columns } }: Report): string {
  const most = greatest(columns, ({ imputed }) => imputed);
  if (!(imputedRows > 0) || !most) return "";
  return `In ${whole(imputedRows)} of the ${
    counted(total, "row")
  } of the table a missing value was `
    + `filled in, most often of ${most.name} (${counted(most.imputed, "row")}).`;
}

/** The whole report in a few sentences. */
export const reportSentences = (report: Report) =>
  [unusualSentence(report),
    ...(qualityOf(report)?.sentences
      ?? [
        "The data have no target column, so this page cannot say how good the model is."
        + (report.raw.isOneClass ? "" : " Name the column with --target COLUMN.")
      ]), ownPointsSentence(report), filledSentence(report), importanceSentence(report),
    warningSentence(report)].filter(text => text !== "");
