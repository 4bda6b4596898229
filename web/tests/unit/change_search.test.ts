import assert from "node:assert/strict";
import { test } from "node:test";
import { approachingValues, copiedValues, freeColumns, kMostChanged, originOf, type Question,
  smallestChange } from "../../src/change_search";
import { Report } from "../../src/data";
import type { Engine, Explained } from "../../src/engine";
import { nearestOpposite } from "../../src/opposite";
import type { Raw } from "../../src/raw";
import sample from "../sample.json";

const report = new Report(sample as unknown as Raw), row = 0;
const other = nearestOpposite(report, row)!;

/** A model that predicts the other class once two values are those of the other row. */
const explain = (values: ArrayLike<number>) => {
  const own = report.decision[row];
  const copied = report.dataColumns.filter(c => values[c] === report.value(other, c)).length;
  const decision = own * (1 - copied / 2);
  return { decision,
    prediction: copied >= 2 ? report.predicted(other) : report.predicted(row) } as Explained;
};
const question = (facts: Partial<Question> = {}): Question => ({
  engine: { explain } as unknown as Engine,
  report,
  row,
  values: report.rowValues(row),
  fixed: new Set(),
  asked: [-1, -1],
  ...facts
});

test("values are copied until the prediction changes, and fixed ones stay", () => {
  const free = report.dataColumns.filter(c => report.value(row, c) !== report.value(other, c));
  assert.equal(copiedValues(question(), kMostChanged).size, 2);
  assert.equal(copiedValues(question(), 1).size, 1);
  const fixed = new Set(free.slice(0, free.length - 1));
  assert.deepEqual([...copiedValues(question({ fixed }), kMostChanged).keys()], free.slice(-1));
});

test("the search starts from the original row with the fixed values", () => {
  const values = report.rowValues(row).map(value => value + 1), fixed = new Set([2]);
  const origin = originOf(question({ values, fixed }));
  report.dataColumns.forEach(c =>
    assert.equal(origin[c], report.value(row, c) + (c === 2 ? 1 : 0))
  );
});

test("the search changes at most the strongest features", () => {
  const raw = sample as unknown as Raw, copies = 10;
  const repeated = <T>(all: T[]) => Array.from({ length: copies }, () => all).flat();
  const wide = new Report({ ...raw, columns: repeated(raw.columns),
    order: Array.from({ length: copies * raw.columns.length }, (_, c) => c),
    rows: { ...raw.rows, values: repeated(raw.rows.values),
      relevance: repeated(raw.rows.relevance) } });
  let given: ReadonlySet<number> = new Set();
  const engine = { flip: (_: unknown, fixed: ReadonlySet<number>) => {
    given = fixed;
    return { flip: null, radius: 0 };
  } } as unknown as Engine;
  const asked = question({ engine, report: wide, values: wide.rowValues(row),
    fixed: new Set([0]) });
  smallestChange(asked, 0);
  assert.equal(freeColumns(asked).length, kMostChanged);
  assert.equal(given.size, copies * raw.columns.length - kMostChanged);
  assert.ok(given.has(0));
});

/** A model that predicts the sum of two values. */
const predict = (rows: ArrayLike<number>[]) => Float64Array.from(rows, own => own[0] + own[1]);

test("values approach a goal in steps of their ranges", () => {
  const spans = [{ column: 0, low: 0, high: 10 }, { column: 1, low: 0, high: 10 }];
  const values = report.rowValues(row).fill(0);
  const changes = approachingValues(question({ engine: { predict } as unknown as Engine, values }),
    spans, 14);
  assert.equal([...changes.values()].reduce((a, b) => a + b), 14);
  const fixed = new Set([0, 1]);
  assert.equal(
    approachingValues(question({ engine: { predict } as unknown as Engine, values, fixed }), spans,
      14).size,
    0
  );
});
