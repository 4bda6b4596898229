// Comparing rows: which values differ, and the most similar row with another outcome.
import { bisectLeft, bisectRight } from "d3-array";
import type { Report } from "./data";

/** The share of rows below a value, with half of the equal ones. */
function rankOf(report: Report, column: number, value: number): number {
  const sorted = report.sortedValues(column);
  return (bisectLeft(sorted, value) + bisectRight(sorted, value)) / 2 / sorted.length;
}

/** Other categories, or numbers with more than a third of the rows (or a spread) between them. */
export function differs(report: Report, column: number, a: number, b: number): boolean {
  if (report.isCategory(column)) return Math.round(a) !== Math.round(b);
  return Math.abs(rankOf(report, column, a) - rankOf(report, column, b)) > 1 / 3
    || Math.abs(a - b) > report.spread(column);
}

/** Regressors: the outcome is the side of the level. */
const outcome = (report: Report, row: number) =>
  report.raw.isRegressor ? Math.sign(report.decision[row]) : report.predicted(row);

const known = new WeakMap<Report, Map<number, number | null>>();

/** The nearest row with another outcome. Numbers are measured in spreads, categories count 1. */
export function nearestOpposite(report: Report, row: number): number | null {
  const found = known.get(report) ?? new Map<number, number | null>();
  known.set(report, found);
  if (found.has(row)) return found.get(row)!;
  const weights = report.columns.map((_, c) =>
    report.isCategory(c) ? 0 : report.spread(c) > 0 ? 1 / report.spread(c) : 0
  );
  const own = report.rowValues(row), values = report.columns.map((_, c) => report.columnValues(c));
  let best: number | null = null, least = Infinity;
  for (let other = 0; other < report.rows; ++other) {
    if (outcome(report, other) === outcome(report, row)) continue;
    let sum = 0;
    for (let c = 0; c < values.length && sum < least; ++c) {
      const difference = own[c] - values[c][other];
      sum += report.isCategory(c) ? Number(difference !== 0) : (difference * weights[c]) ** 2;
    }
    if (sum < least) [best, least] = [other, sum];
  }
  found.set(row, best);
  return best;
}
