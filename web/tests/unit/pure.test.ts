import assert from "node:assert/strict";
import { test } from "node:test";
import { aucOf, countsOf } from "../../src/curves";
import { distinct } from "../../src/labels";
import { decimalsOf, unpacked } from "../../src/packed";
import { clampTo, rangeOf } from "../../src/ranges";

test("scaled integers give the numbers of the data file", () => {
  const data = Buffer.from(Int16Array.from([125, -3, 0]).buffer).toString("base64");
  const packed = { type: "i16" as const, scale: 100, data };
  assert.deepEqual([...unpacked(packed)], [1.25, -0.03, 0]);
  assert.equal(decimalsOf(packed), 2);
});

test("a few extreme values do not stretch a range", () => {
  const values = Float64Array.from({ length: 1000 }, (_, i) => i === 0 ? 1e6 : i / 1000);
  const range = rangeOf([values], false);
  assert.equal(range.outside, 1);
  assert.ok(range.high < 2);
  assert.equal(range.most, 1e6);
  assert.equal(clampTo(range, 1e6), range.high);
  assert.equal(rangeOf([values], true).high, 1e6);
});

test("cut names stay different", () => {
  const names = ["worst concave points", "worst concave pointy", "mean concave points"];
  const short = distinct(names, 10);
  assert.equal(new Set(short).size, 3);
  assert.ok(short.every(name => name.length <= 10));
});

/** The share of pairs in the right order; equal scores count half. */
function aucByPairs(scores: number[], isClass: boolean[]): number {
  let sum = 0, pairs = 0;
  scores.forEach((a, i) =>
    scores.forEach((b, j) => {
      if (!isClass[i] || isClass[j]) return;
      ++pairs;
      sum += a > b ? 1 : a === b ? 0.5 : 0;
    })
  );
  return sum / pairs;
}

test("the area under the ROC curve is the share of pairs in the right order", () => {
  let state = 5;
  const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
  for (let round = 0; round < 50; ++round) {
    const scores = Array.from({ length: 30 }, () => Math.round(10 * random()));
    const isClass = scores.map((score, i) => i < 2 ? i === 0 : score + 8 * random() > 9);
    const area = aucOf(countsOf(scores, isClass));
    assert.ok(Math.abs(area - aucByPairs(scores, isClass)) < 1e-12);
  }
});

test("counts at a threshold are those of the rows at or above it", () => {
  const counts = countsOf([2, 1, 1, 0], [true, true, false, false]);
  assert.deepEqual(counts.map(({ threshold, right, wrong }) => [threshold, right, wrong]), [[
    Infinity,
    0,
    0
  ], [2, 1, 0], [1, 2, 1], [0, 2, 2]]);
});
