import assert from "node:assert/strict";
import { test } from "node:test";
import { cohortsOf } from "../../src/cohorts";
import { isLarge, Report, totalsOf } from "../../src/data";
import { groupingOf, groupKinds } from "../../src/groups";
import { differs, nearestOpposite } from "../../src/opposite";
import type { Raw } from "../../src/raw";
import { predictsSentence, qualityOf, reportSentences, rowSentences,
  totalsSentence } from "../../src/sentences";
import sample from "../sample.json";

const raw = sample as unknown as Raw, report = new Report(raw);
/** The same report with other facts. */
const other = (facts: Partial<Raw>) => new Report({ ...raw, ...facts });

test("the parts of every row add up to its output", () => {
  for (const row of report.all()) {
    const { base, sum, remainder, output } = report.totals(row);
    assert.ok(Math.abs(base + sum + remainder - output) < 1e-5 * Math.max(1, Math.abs(output)));
    const parts = report.rowContributions(row).reduce((a, b) => a + b, 0);
    assert.ok(Math.abs(parts - sum) < 1e-5 * Math.max(1, Math.abs(output)), `${parts} ${sum}`);
  }
});

test("rounding is no remainder, a fifth of the output is a large one", () => {
  assert.equal(totalsOf(1, 1e-8, 2).remainder, 0);
  assert.ok(isLarge(totalsOf(1, 0.5, 2)));
  assert.ok(!isLarge(totalsOf(1, 0.1, 2)));
});

test("the summary names the target and its classes", () => {
  assert.equal(predictsSentence(report), "The model predicts target: malignant or benign.");
  assert.equal(
    predictsSentence(
      other({ isRegressor: true, targetName: "strength", unit: { ...raw.unit, name: "MPa" } })
    ),
    "The model predicts strength, in MPa."
  );
});

test("the quality is compared with always predicting the most frequent class", () => {
  const quality = { ...raw.quality!, rows: 300, confusion: [[23, 58], [11, 208]],
    balancedAccuracy: 0.617 };
  const { baseline, sentences } = qualityOf(other({ quality, labels: ["bad", "good"] }))!;
  assert.equal(baseline, 'always "good"');
  assert.deepEqual(sentences, [
    "It is correct for 231 of 300 rows (77 %); always predicting good "
    + "would be correct for 73 %.",
    "It finds 28 % of the rows that are bad."
  ]);
});

test("training rows among the rows are mentioned with the right number", () => {
  const sentences = reportSentences(other({ ownPoints: 1 })).join(" ");
  assert.match(sentences, /1 of \d+ rows was also a training row,/);
});

test("the shares and the order of the features use the same measure", () => {
  const columns = raw.columns.map((column) => ({ ...column, importance: 1e6 }));
  assert.deepEqual(reportSentences(other({ columns })), reportSentences(report));
});

test("votes are counted in words", () => {
  const k = 15,
    votes = other({ unit: { kind: "decision", name: "votes", output: "vote difference" },
      settings: { ...raw.settings, k } });
  const row = 0, direction = votes.direction(row);
  votes.totals = () => totalsOf(direction * 1.2, 0, direction * 5);
  assert.match(totalsSentence(votes, row),
    new RegExp(`result .5(\\.0+)? votes: 10 of 15 neighbors say ${votes.prediction(row)}\\.$`));
});

test("no feature is called a strong reason if the average row already decides", () => {
  const still = other({
    rows: { ...raw.rows,
      relevance: raw.rows.relevance.map((column) => ({ ...column,
        data: Buffer.from(new Float32Array(report.rows).fill(0.01).buffer).toString("base64") })
      ) }
  });
  still.totals = () => totalsOf(1.2 * still.direction(0), 0, 1.3 * still.direction(0));
  const sentences = rowSentences(still, 0).join(" ");
  assert.doesNotMatch(sentences, /strongest reason for/);
});

test("values with many rows between them differ, even within a large spread", () => {
  const column = 0, sorted = report.sortedValues(column);
  assert.ok(differs(report, column, sorted[0], sorted.at(-1)!));
  assert.ok(!differs(report, column, sorted[0], sorted[1]));
});

test("the nearest row with another outcome has another outcome", () => {
  for (const row of report.all()) {
    const found = nearestOpposite(report, row);
    assert.ok(found !== null && report.predicted(found) !== report.predicted(row));
  }
});

test("every grouping assigns every row to a group", () => {
  for (const { key } of groupKinds(report)) {
    const { names, of } = groupingOf(report, key)!;
    assert.equal(of.length, report.rows);
    assert.ok(of.every((group) => group >= 0 && group < names.length), key);
  }
  assert.equal(groupingOf(report, "nothing of the kind"), null);
});

test("cohorts compare at least three rows of each kind", () => {
  for (const { wrong, right } of cohortsOf(report)) assert.ok(wrong >= 3 && right >= 3);
});
