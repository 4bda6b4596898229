// What differs between incorrect and correct rows with the same prediction.
import type { Report } from "./data";

export interface Difference {
  column: number;
  /** Mean contribution toward the prediction. */
  wrong: number;
  right: number;
  /** The difference in standard deviations. */
  apart: number;
}

export interface Cohorts {
  title: string;
  wrong: number;
  right: number;
  features: Difference[];
}

const kFewest = 3, kFeatures = 5;

/** Mean and variance of a column's contributions toward the prediction (Welford's algorithm). */
function moments(report: Report, column: number, rows: number[]) {
  const parts = report.columnContributions(column);
  let mean = 0, sum = 0;
  rows.forEach((row, i) => {
    const value = parts[row] * report.direction(row), before = value - mean;
    mean += before / (i + 1);
    sum += before * (value - mean);
  });
  return { mean, variance: sum / Math.max(1, rows.length - 1) };
}

/** Features whose mean contributions differ by at least half a standard deviation. */
export function differences(report: Report, wrong: number[], right: number[]): Difference[] {
  return report.order.map((column): Difference => {
    const a = moments(report, column, wrong), b = moments(report, column, right);
    const spread = Math.sqrt((a.variance + b.variance) / 2);
    const apart = spread > 0 ? Math.abs(a.mean - b.mean) / spread : 0;
    return { column, wrong: a.mean, right: b.mean, apart };
  }).filter(({ apart }) => apart >= 0.5).sort((a, b) => b.apart - a.apart).slice(0, kFeatures);
}

/** Regressors: large errors are compared with small ones. */
export function cohortsOf(report: Report): Cohorts[] {
  const rows = report.all().filter(row => report.actual(row) !== null);
  const kinds = report.raw.isRegressor
    ? [{ title: "What differs between large and small errors", own: rows }]
    : report.raw.labels.map((label, c) => ({ title: `What differs when "${label}" was wrong`,
      own: rows.filter(row => report.predicted(row) === c) })
    );
  return kinds.map(({ title, own }) => ({ title, wrong: own.filter(row => report.isWrong(row)),
    right: own.filter(row => !report.isWrong(row)) })
  ).filter(({ wrong, right }) => wrong.length >= kFewest && right.length >= kFewest).sort((a, b) =>
    b.wrong.length - a.wrong.length
  ).slice(0, 4).map(({ title, wrong, right }) => ({ title, wrong: wrong.length, right: right.length,
    features: differences(report, wrong, right) })
  );
}
