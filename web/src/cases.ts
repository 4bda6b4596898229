// Rows worth opening first: typical ones, close calls and the largest errors.
import type { Report } from "./data";
import { quantileOf } from "./numbers";

export interface Cases {
  name: string;
  why: string;
  /** The best example first. */
  rows: number[];
}

const kMost = 20, kSample = 2000;

/** How far the contributions of rows are from the median, in interquartile ranges per feature. */
function oddness(report: Report, rows: number[]): Map<number, number> {
  const result = new Map(rows.map((row) => [row, 0]));
  const stride = Math.ceil(rows.length / kSample);
  const sample = rows.filter((_, i) => i % stride === 0);
  for (const column of report.order.slice(0, 30)) {
    const parts = report.columnContributions(column);
    const sorted = Float64Array.from(sample, (row) => parts[row]).sort();
    const spread = quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25);
    if (!(spread > 0)) continue;
    const median = quantileOf(sorted, 0.5);
    for (const row of rows) {
      result.set(row, result.get(row)! + Math.abs(parts[row] - median) / spread);
    }
  }
  return result;
}

/** Correct rows with the most usual contributions: the best of every class, then the second. */
function typicalRows(report: Report): number[] {
  const all = report.all();
  const sound = all.filter((row) =>
    report.isWrong(row) !== true && !report.far.has(row) && !report.ties.has(row)
  );
  const classes = new Map<number, number[]>();
  for (const row of sound.length > 0 ? sound : all) {
    const kind = report.raw.isRegressor ? 0 : report.predicted(row);
    const members = classes.get(kind);
    if (members) members.push(row);
    else classes.set(kind, [row]);
  }
  const ranked = [...classes.values()].sort((a, b) => b.length - a.length).map((members) => {
    const odd = oddness(report, members);
    return members.sort((a, b) => odd.get(a)! - odd.get(b)! || a - b).slice(0, kMost);
  });
  return Array.from({ length: kMost },
    (_, i) => ranked.flatMap((members) => members.slice(i, i + 1))).flat().slice(0, kMost);
}

const known = new WeakMap<Report, Cases[]>();

export function rankedCases(report: Report): Cases[] {
  const ready = known.get(report);
  if (ready) return ready;
  const all = report.all(), { isRegressor, isOneClass } = report.raw;
  const size = (row: number) =>
    Math.abs(
      isRegressor ? report.predicted(row) - (report.actual(row) ?? NaN) : report.decision[row]
    );
  const cases: Cases[] = [{ name: "Typical rows", rows: typicalRows(report),
    why: "Their contributions are the most usual among rows with the same prediction" }];
  if (isOneClass) {
    // Detectors give the usual rows positive decision values.
    cases.push({ name: "Most unusual rows", why: "The rows farthest beyond the threshold",
      rows: all.slice().sort((a, b) => report.totals(a).output - report.totals(b).output || a - b)
        .slice(0, kMost) });
  }
  if (!isRegressor) {
    cases.push({ name: "Close calls", why: "The decision values closest to 0",
      rows: all.slice().sort((a, b) => size(a) - size(b) || a - b).slice(0, kMost) });
  }
  const wrong = all.filter((row) =>
    isRegressor ? report.actual(row) !== null : report.isWrong(row) === true
  );
  if (wrong.length > 0) {
    cases.push({ name: "Largest errors",
      why: isRegressor ? "The predictions farthest from the actual value"
        : "Incorrect rows with the largest decision values", rows: wrong.sort((a, b) =>
          size(b) - size(a) || a - b
        ).slice(0, kMost) });
  }
  known.set(report, cases);
  return cases;
}
