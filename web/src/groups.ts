// Rows in groups: by what is predicted or true, by a feature's values, or by what their explanations have in common.
import { clustersOf } from "./clusters";
import type { Report } from "./data";
import { quantileOf } from "./numbers";

export interface Grouping {
  names: string[];
  /** The group of every row; −1: none. */
  of: Int16Array;
}

/** Numbers of up to so many different values are groups of their own; others are cut into quarters. */
const kFewValues = 6;

function byNumber(values: ArrayLike<number>, text: (value: number) => string): Grouping {
  const known = Float64Array.from(Array.from(values).filter((value) => !Number.isNaN(value))).sort(), distinct: number[] = [];
  for (const value of known) {
    if (value === distinct.at(-1)) continue;
    distinct.push(value);
    if (distinct.length > kFewValues) break;
  }
  const isFew = distinct.length <= kFewValues;
  const ends = isFew ? distinct : [...new Set([0.25, 0.5, 0.75, 1].map((q) => quantileOf(known, q)))];
  const names = ends.map((end, i) => (isFew ? text(end) : i === 0 ? `up to ${text(end)}` : `above ${text(ends[i - 1])}, up to ${text(end)}`));
  return { names, of: Int16Array.from(values, (value) => ends.findIndex((end) => value <= end)) };
}

function byColumn(report: Report, column: number): Grouping {
  const { levels } = report.columns[column], values = report.columnValues(column);
  if (levels.length > 0) return { names: levels, of: Int16Array.from(values, Math.round) };
  return byNumber(values, (value) => report.shown(column, value));
}

function byTarget(report: Report, value: (row: number) => number | null): Grouping {
  const all = Array.from(report.numbers.keys(), (row) => value(row) ?? NaN);
  if (report.raw.isRegressor) return byNumber(all, (own) => report.targetText(own));
  return { names: report.raw.labels, of: Int16Array.from(all, (own) => (Number.isNaN(own) ? -1 : own)) };
}

function byCluster(report: Report): Grouping {
  const { of, count } = clustersOf(report);
  return { names: Array.from({ length: count }, (_, i) => `cluster ${i + 1}`), of: Int16Array.from(of) };
}

/** What rows can be grouped by: a word for the address, and for the reader. */
export function groupKinds(report: Report): { key: string; name: string }[] {
  const features = report.raw.image ? [] : report.names.map((name) => ({ key: `of ${name}`, name }));
  return [{ key: "predicted", name: "what is predicted" }, ...(report.raw.quality ? [{ key: "truth", name: "what is true" }] : []),
    { key: "cluster", name: "cluster of explanation" }, ...features];
}

const known = new WeakMap<Report, Map<string, Grouping | null>>();

/** Null where there is no such grouping. */
export function groupingOf(report: Report, key: string): Grouping | null {
  const ready = known.get(report) ?? new Map<string, Grouping | null>();
  known.set(report, ready);
  if (!ready.has(key)) ready.set(key, groupKinds(report).some((kind) => kind.key === key) ? made(report, key) : null);
  return ready.get(key)!;
}

function made(report: Report, key: string): Grouping {
  if (key === "predicted") return byTarget(report, (row) => report.predicted(row));
  if (key === "truth") return byTarget(report, (row) => report.truth(row));
  return key === "cluster" ? byCluster(report) : byColumn(report, report.names.indexOf(key.slice(3)));
}
