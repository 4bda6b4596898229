// The nearest row that is decided otherwise.
import type { Report } from "./data";
import { spreadOf } from "./evidence";

/** Regressors are decided by the side of the level. */
function decided(report: Report, row: number): number {
  return report.raw.isRegressor ? Math.sign(report.decision[row]) : report.predicted(row);
}

/** Squared distance with every feature measured by the middle half of its values; another level counts as one such step. */
function distance(report: Report, columns: number[], spreads: number[], a: number, b: number, most: number): number {
  let sum = 0;
  for (let i = 0; i < columns.length && sum < most; ++i) {
    const column = columns[i], difference = report.value(a, column) - report.value(b, column);
    sum += report.columns[column].levels.length > 0 ? Number(difference !== 0) : spreads[i] > 0 ? (difference / spreads[i]) ** 2 : 0;
  }
  return sum;
}

const known = new WeakMap<Report, Map<number, number | null>>();

export function nearestOpposite(report: Report, row: number): number | null {
  const found = known.get(report) ?? new Map<number, number | null>();
  known.set(report, found);
  if (found.has(row)) return found.get(row)!;
  const columns = Array.from(report.columns.keys()), spreads = columns.map((column) => spreadOf(report, column));
  let best: number | null = null, least = Infinity;
  for (let other = 0; other < report.rows; ++other) {
    if (decided(report, other) === decided(report, row)) continue;
    const far = distance(report, columns, spreads, row, other, least);
    if (far < least) [best, least] = [other, far];
  }
  found.set(row, best);
  return best;
}
