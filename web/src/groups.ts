// Groups of rows: by prediction, actual value, or a feature's values.
import type { Report } from "./data";
import { quantileOf } from "./numbers";

export interface Grouping {
  names: string[];
  /** The group of every row; −1: none. */
  of: Int16Array;
}

/** A column with up to this many different numbers has a group for each; others are quartered. */
const kFewValues = 6;

function byNumber(values: ArrayLike<number>, text: (value: number) => string): Grouping {
  const known = Float64Array.from(values).filter(value => !Number.isNaN(value)).sort();
  const distinct = [...new Set(known)], isFew = distinct.length <= kFewValues;
  const quarters = [0.25, 0.5, 0.75, 1].map(q => quantileOf(known, q));
  const ends = isFew ? distinct : [...new Set(quarters)];
  const names = ends.map((end, i) =>
    isFew ? text(end)
      : i === 0 ? `up to ${text(end)}` : `above ${text(ends[i - 1])}, up to ${text(end)}`
  );
  return { names, of: Int16Array.from(values, value => ends.findIndex(end => value <= end)) };
}

function byColumn(report: Report, column: number): Grouping {
  const { levels } = report.columns[column], values = report.columnValues(column);
  if (levels.length > 0) return { names: levels, of: Int16Array.from(values, Math.round) };
  return byNumber(values, value => report.shown(column, value));
}

function byTarget(report: Report, value: (row: number) => number | null): Grouping {
  const all = report.all().map(row => value(row) ?? NaN);
  if (report.raw.isRegressor) return byNumber(all, own => report.targetText(own));
  return { names: report.raw.labels,
    of: Int16Array.from(all, own => Number.isNaN(own) ? -1 : own) };
}

/** What rows can be grouped by: a key for the address and a name for the reader. */
export function groupKinds(report: Report): { key: string; name: string }[] {
  const features = report.raw.image ? []
    : report.dataColumns.map(c => ({ key: `of ${report.names[c]}`, name: report.names[c] }));
  return [{ key: "predicted", name: "prediction" },
    ...(report.raw.quality ? [{ key: "actual", name: "actual value" }] : []), ...features];
}

const known = new WeakMap<Report, Map<string, Grouping | null>>();

/** Null if there is no such grouping. */
export function groupingOf(report: Report, key: string): Grouping | null {
  const ready = known.get(report) ?? new Map<string, Grouping | null>();
  known.set(report, ready);
  if (!ready.has(key)) {
    const isKnown = groupKinds(report).some(kind => kind.key === key);
    ready.set(key, isKnown ? made(report, key) : null);
  }
  return ready.get(key)!;
}

function made(report: Report, key: string): Grouping {
  if (key === "predicted") return byTarget(report, row => report.predicted(row));
  if (key === "actual") return byTarget(report, row => report.actual(row));
  return byColumn(report, report.names.indexOf(key.slice(3)));
}
