// Rows worth opening first: typical ones, close calls and the largest errors.
import type { Report } from "./data";
import { quantileOf } from "./numbers";
import { closeWords } from "./row_sentences";

export interface Cases {
  name: string;
  why: string;
  /** The best example first. */
  rows: number[];
}

const kMost = 20, kSample = 2000;

/** Adds to `sums` how far the rows' numbers are from their median, in interquartile ranges. */
function addOddness(sums: Float64Array, rows: number[], numbers: ArrayLike<number>): void {
  const stride = Math.ceil(rows.length / kSample);
  const sorted = Float64Array.from(rows.filter((_, i) => i % stride === 0), row => numbers[row])
    .sort();
  const spread = quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25);
  if (!(spread > 0)) return;
  const median = quantileOf(sorted, 0.5);
  rows.forEach((row, i) => sums[i] += Math.abs(numbers[row] - median) / spread);
}

/** How unusual the contributions of rows are, and the values that they come from. */
function oddness(report: Report, rows: number[]): Map<number, number> {
  const sums = new Float64Array(rows.length);
  for (const column of report.order.slice(0, 30)) {
    addOddness(sums, rows, report.columnContributions(column));
    for (const c of report.columns[column].members ?? [column]) {
      if (!report.isCategory(c)) addOddness(sums, rows, report.columnValues(c));
    }
  }
  return new Map(rows.map((row, i) => [row, sums[i]]));
}

/** Rows to show first: correct, usual, and, if there are such rows, well explained and no close
 * call. */
function soundRows(report: Report): number[] {
  const isSound = (row: number) =>
    report.isWrong(row) !== true && !report.far.has(row) && !report.ties.has(row)
    && !(report.raw.isOneClass && report.decision[row] < 0);
  const isClear = (row: number) =>
    Math.abs(report.decision[row]) > report.closeLimit && !report.isFlagged(row)
    && !report.stretched.has(row);
  const sound = report.all().filter(isSound), clear = sound.filter(isClear);
  return clear.length > 0 ? clear : sound;
}

/** Rows with the most usual values and contributions: one of every class, then the next ones. */
function typicalRows(report: Report): number[] {
  const classes = new Map<number, number[]>();
  for (const row of soundRows(report)) {
    const kind = report.raw.isRegressor ? 0 : report.predicted(row);
    const members = classes.get(kind);
    if (members) members.push(row);
    else classes.set(kind, [row]);
  }
  const ranked = [...classes.values()].sort((a, b) => b.length - a.length).map(members => {
    const odd = oddness(report, members);
    return members.sort((a, b) => odd.get(a)! - odd.get(b)! || a - b).slice(0, kMost);
  });
  return Array.from({ length: kMost }, (_, i) => ranked.flatMap(members => members.slice(i, i + 1)))
    .flat().slice(0, kMost);
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
    why: "Their values and contributions are the most usual among rows with the same prediction" }];
  if (cases[0].rows.length === 0) cases.pop();
  if (isOneClass) {
    // Detectors give the usual rows positive decision values.
    cases.push({ name: "Most unusual rows", why: "The rows farthest beyond the threshold",
      rows: all.slice().sort((a, b) => report.totals(a).output - report.totals(b).output || a - b)
        .slice(0, kMost) });
  }
  const close = isRegressor ? [] : all.filter(row => size(row) <= report.closeLimit);
  if (close.length > 0) {
    cases.push({ name: "Close calls", why: `Rows with a ${closeWords(report)}, the closest first`,
      rows: close.sort((a, b) => size(a) - size(b) || a - b).slice(0, kMost) });
  }
  const wrong = all.filter(row =>
    isRegressor ? report.actual(row) !== null : report.isWrong(row) === true
  );
  if (wrong.length > 0) {
    cases.push({ name: "Largest errors",
      why: isRegressor ? "The predictions farthest from the actual value"
        : "Incorrect rows with the largest decision values", rows: wrong.sort((a, b) =>
          size(b) - size(a) || a - b
        ).slice(0, kMost) });
  }
  if (cases.length === 0) cases.push({ name: "All rows", why: "No row is typical", rows: all });
  known.set(report, cases);
  return cases;
}
