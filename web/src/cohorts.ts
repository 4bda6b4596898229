// Rows that the model gets wrong beside like rows that it gets right: which features were at work.
import type { Report } from "./data";

export interface Difference {
  column: number;
  /** Mean relevance for the prediction. */
  wrong: number;
  right: number;
  /** Apart by so many standard deviations. */
  apart: number;
}

export interface Contrast {
  title: string;
  wrong: number;
  right: number;
  features: Difference[];
}

const kFewest = 3, kFeatures = 5;

function moments(report: Report, column: number, rows: number[]): { mean: number; variance: number } {
  const parts = report.columnRelevance(column);
  let mean = 0, sum = 0;
  rows.forEach((row, i) => {
    const value = parts[row] * report.way(row), before = value - mean;
    mean += before / (i + 1);
    sum += before * (value - mean);
  });
  return { mean, variance: sum / Math.max(1, rows.length - 1) };
}

/** Features whose relevance for the prediction is clearly another, those farthest apart first. */
export function differences(report: Report, wrong: number[], right: number[]): Difference[] {
  const all = report.columns.map((_, column): Difference => {
    const a = moments(report, column, wrong), b = moments(report, column, right);
    const spread = Math.sqrt((a.variance + b.variance) / 2);
    return { column, wrong: a.mean, right: b.mean, apart: spread > 0 ? Math.abs(a.mean - b.mean) / spread : 0 };
  });
  return all.filter(({ apart }) => apart >= 0.5).sort((a, b) => b.apart - a.apart).slice(0, kFeatures);
}

/** Wrong rows against right rows of the same prediction; a regressor's large errors against the small ones. */
export function contrasts(report: Report): Contrast[] {
  const rows = Array.from(report.numbers.keys()).filter((row) => report.truth(row) !== null), { labels, isRegressor } = report.raw;
  const kinds = isRegressor ? [{ title: "Large errors beside small ones", own: rows }]
    : labels.map((label, c) => ({ title: `Rows called ${label}, wrongly and rightly`, own: rows.filter((row) => report.predicted(row) === c) }));
  return kinds.map(({ title, own }) => ({ title, wrong: own.filter((row) => report.isWrong(row)), right: own.filter((row) => !report.isWrong(row)) }))
    .filter(({ wrong, right }) => wrong.length >= kFewest && right.length >= kFewest)
    .sort((a, b) => b.wrong.length - a.wrong.length).slice(0, 4)
    .map(({ title, wrong, right }) => ({ title, wrong: wrong.length, right: right.length, features: differences(report, wrong, right) }));
}
