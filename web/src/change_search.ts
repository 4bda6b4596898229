// Changes of a row that lead to another outcome: the smallest one, copied values, a goal.
import { minIndex } from "d3-array";
import type { Report } from "./data";
import type { Engine, Explained, FlipAnswer } from "./engine";
import { nearestOpposite } from "./opposite";

/** The search changes at most this many features; longer lists are of no use to a reader. */
export const kMostChanged = 40;
/** Predictions along a slider. */
export const kSteps = 21;
const kMostApproaches = 5;

/** A row with its current values, and what must not change. */
export interface Question {
  engine: Engine;
  report: Report;
  row: number;
  values: Float64Array;
  fixed: ReadonlySet<number>;
  /** The compared classes; negative: those of the row. */
  asked: [number, number];
}

/** The range of a number. */
export interface Span {
  column: number;
  low: number;
  high: number;
}

/** The outcome is another one: another class, or the other side of the level. */
export const isFlipped = (report: Report, row: number, now: Explained) =>
  report.raw.isRegressor ? Math.sign(now.decision) !== Math.sign(report.decision[row])
    : now.prediction !== report.predicted(row);

/** The original row with the current values of the fixed features. */
export function originOf({ report, row, values, fixed }: Question): Float64Array {
  const origin = report.rowValues(row);
  for (const column of fixed) origin[column] = values[column];
  return origin;
}

/** Columns that the search may change: the strongest of the row that are not fixed. */
export const freeColumns = ({ report, row, fixed }: Question) =>
  report.strongestColumns(row).filter(column => !fixed.has(column)).slice(0, kMostChanged);

/** The smallest change of the original row, found by the library. Throws if it cannot search. */
export function smallestChange(question: Question, reach: number): FlipAnswer {
  const free = new Set(freeColumns(question)), { engine, report } = question;
  const fixed = new Set(report.dataColumns.filter(column => !free.has(column)));
  return engine.flip(originOf(question), fixed, reach);
}

/** The single change to the other row's value that moves the decision most. */
function bestCopy(question: Question, other: number): { column: number; now: Explained } | null {
  const { engine, report, row, asked } = question, values = question.values.slice();
  const direction = Math.sign(report.decision[row]) || 1;
  let best: { column: number; now: Explained } | null = null;
  for (const column of freeColumns(question)) {
    const before = values[column], theirs = report.value(other, column);
    if (before === theirs) continue;
    values[column] = theirs;
    const now = engine.explain(values, asked);
    values[column] = before;
    if (!best || direction * now.decision < direction * best.now.decision) best = { column, now };
  }
  return best;
}

/** Values copied from the most similar row with another outcome, the most effective first. */
export function copiedValues(question: Question, most: number): Map<number, number> {
  const { engine, report, row, asked } = question, changes = new Map<number, number>();
  const other = nearestOpposite(report, row), values = question.values.slice();
  if (other === null) return changes;
  let now = engine.explain(values, asked);
  while (changes.size < most && !isFlipped(report, row, now)) {
    const step = bestCopy({ ...question, values }, other);
    if (!step) break;
    changes.set(step.column, values[step.column] = report.value(other, step.column));
    now = step.now;
  }
  return changes;
}

/** Rows with equal steps along each range, all other values as they are. */
export const rowsAlong = (values: Float64Array, spans: Span[]) =>
  spans.flatMap(({ column, low, high }) =>
    Array.from({ length: kSteps }, (_, i) => {
      const row = values.slice();
      row[column] = low + ((high - low) * i) / (kSteps - 1);
      return row;
    })
  );

/** Up to five values, each the one that leads closest to the goal. */
export function approachingValues({ engine, report, fixed, ...question }: Question, spans: Span[],
  goal: number): Map<number, number> {
  const free = spans.filter(({ column, low, high }) => high > low && !fixed.has(column));
  const values = question.values.slice(), changes = new Map<number, number>();
  for (let taken = 0; taken < kMostApproaches && free.length > 0; ++taken) {
    const rows = rowsAlong(values, free), predictions = engine.predict([values, ...rows]);
    const far = predictions.map(prediction => Math.abs(prediction - goal));
    const best = minIndex(far);
    if (best === 0 || far[best] > 0.95 * far[0]) break;
    const { column } = free[Math.floor((best - 1) / kSteps)];
    values[column] = Number(rows[best - 1][column].toFixed(report.decimalsOf(column)));
    changes.set(column, values[column]);
  }
  return changes;
}
