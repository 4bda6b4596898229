// Cases worth opening first: typical ones, close calls, and the largest mistakes.
import type { Report } from "./data";
import { quantileOf } from "./numbers";

export interface Cases {
  name: string;
  why: string;
  /** The best example first. */
  rows: number[];
}

/** More are nobody's first look. */
const kMost = 20, kSample = 2000;

/** How far a row's relevance is from what is usual among rows that are predicted alike; features count alike. */
function oddness(report: Report, rows: number[]): Map<number, number> {
  const columns = report.order.slice(0, 30), result = new Map<number, number>(rows.map((row) => [row, 0]));
  const way = (row: number) => (report.raw.isRegressor ? 1 : report.way(row));
  const sample = rows.length <= kSample ? rows : rows.filter((_, i) => i % Math.ceil(rows.length / kSample) === 0);
  for (const column of columns) {
    const parts = report.columnRelevance(column);
    const sorted = Float64Array.from(sample, (row) => parts[row] * way(row)).sort();
    const middle = quantileOf(sorted, 0.5), spread = quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25);
    if (!(spread > 0)) continue;
    for (const row of rows) result.set(row, result.get(row)! + Math.abs(parts[row] * way(row) - middle) / spread);
  }
  return result;
}

/** Rows of the most frequent prediction, right ones, whose relevance is the most usual. */
function typicalRows(report: Report): number[] {
  const all = Array.from(report.numbers.keys());
  const sound = all.filter((row) => report.isWrong(row) !== true && !report.outside.has(row) && !report.ties.has(row));
  const rows = sound.length > 0 ? sound : all;
  const alike = new Map<number, number[]>();
  for (const row of rows) {
    const kind = report.raw.isRegressor ? 0 : report.predicted(row);
    if (!alike.has(kind)) alike.set(kind, []);
    alike.get(kind)!.push(row);
  }
  const kinds = [...alike.values()].sort((a, b) => b.length - a.length)
    .map((members) => {
      const odd = oddness(report, members);
      return members.sort((a, b) => odd.get(a)! - odd.get(b)! || a - b).slice(0, kMost);
    });
  // The first of every class, then the second ones.
  return Array.from({ length: kMost }, (_, i) => kinds.flatMap((members) => members.slice(i, i + 1))).flat().slice(0, kMost);
}

const known = new WeakMap<Report, Cases[]>();

export function rankedCases(report: Report): Cases[] {
  const ready = known.get(report);
  if (ready) return ready;
  const all = Array.from(report.numbers.keys());
  const size = (row: number) => Math.abs(report.raw.isRegressor ? report.predicted(row) - (report.truth(row) ?? NaN) : report.decision[row]);
  const cases: Cases[] = [{ name: "Typical cases", why: "their relevance is the most usual among rows that are predicted alike", rows: typicalRows(report) }];
  if (!report.raw.isRegressor)
    cases.push({ name: "Closest calls", why: "the smallest decision values", rows: all.slice().sort((a, b) => size(a) - size(b) || a - b).slice(0, kMost) });
  const wrong = all.filter((row) => (report.raw.isRegressor ? report.truth(row) !== null : report.isWrong(row) === true));
  if (wrong.length > 0)
    cases.push({ name: "Largest mistakes", why: report.raw.isRegressor ? "the largest errors" : "wrong, and the surest of it", rows: wrong.sort((a, b) => size(b) - size(a) || a - b).slice(0, kMost) });
  known.set(report, cases);
  return cases;
}
