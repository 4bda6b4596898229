import assert from "node:assert/strict";
import { test } from "node:test";
import { Report } from "../../src/data";
import { interactionSentence, mapColumns, pairsOf } from "../../src/pairs";
import type { Raw } from "../../src/raw";
import sample from "../sample.json";

const raw = sample as unknown as Raw;
const mean_abs = [[9, 0.1, 0.2, 0.3], [0.1, 9, 0.4, 0.5], [0.2, 0.4, 9, 0.6], [0.3, 0.5, 0.6, 9]];
const report = new Report({ ...raw,
  interactions: { columns: [3, 2, 1, 0], mean_abs, rows: 20, exact: true, unit: "MPa" } });

test("pairs are ordered by the size of their joint effect", () => {
  const pairs = pairsOf(report);
  assert.deepEqual(pairs.map(({ size }) => size), [0.6, 0.5, 0.4, 0.3, 0.2, 0.1]);
  // The last two of the listed features are the first two columns.
  assert.deepEqual([pairs[0].a, pairs[0].b], [0, 1]);
});

test("main effects are no pairs", () => {
  assert.ok(pairsOf(report).every(({ a, b, size }) => a !== b && size < 9));
});

test("the map begins with the feature that has the largest joint effects", () => {
  assert.deepEqual(mapColumns(pairsOf(report), 3), [0, 1, 2]);
  assert.equal(mapColumns(pairsOf(report), 12).length, 4);
});

test("the sentence names the strongest pair", () => {
  assert.match(interactionSentence(report, pairsOf(report)),
    /^Mean texture and mean concavity act together most: their joint effect is 0\.600? /);
  assert.equal(interactionSentence(report, []), "No two features act together.");
});

test("a report without interactions has no pairs", () => {
  assert.deepEqual(pairsOf(new Report({ ...raw, interactions: null })), []);
});
