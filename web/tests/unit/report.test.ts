import assert from "node:assert/strict";
import { test } from "node:test";
import { rankedCases } from "../../src/cases";
import { cohortsOf } from "../../src/cohorts";
import { Report, totalsOf } from "../../src/data";
import { groupingOf, groupKinds } from "../../src/groups";
import { differs, nearestOpposite } from "../../src/opposite";
import type { Raw } from "../../src/raw";
import { predictsSentence, qualityOf, reportSentences,
  warningSentence } from "../../src/report_sentences";
import { featureWords, pointName, rowSentences, rowWarnings, shareWords,
  totalsSentence } from "../../src/row_sentences";
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

test("rounding is no remainder", () => {
  assert.equal(totalsOf(1, 1e-8, 2).remainder, 0);
});

test("the summary names the target and its classes", () => {
  assert.equal(predictsSentence(other({ targetName: "diagnosis" })),
    "The model predicts diagnosis: malignant or benign.");
  // Arrays have a target without a name of its own.
  assert.equal(predictsSentence(other({ targetName: "target" })),
    "The model predicts a class: malignant or benign.");
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
    "It finds 28 % of the rows that are bad and 95 % of those that are good."
  ]);
});

test("training rows among the rows are mentioned with the right number", () => {
  const sentences = reportSentences(other({ ownPoints: 1 })).join(" ");
  assert.match(sentences, /1 of the 60 rows on this page was also a training row,/);
});

test("the shares and the order of the features use the same measure", () => {
  const columns = raw.columns.map(column => ({ ...column, importance: 1e6 }));
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

test("of three classes the votes of a row are counted, or compared with the other class", () => {
  const votes = other({ labels: ["malignant", "benign", "normal"],
    unit: { kind: "decision", name: "votes", output: "vote difference" },
    settings: { ...raw.settings, k: 7 } });
  const direction = votes.direction(0), [positive, negative] = votes.pair(0);
  const [own, rival] = (direction > 0 ? [positive, negative] : [negative, positive]).map(place =>
    votes.raw.labels[place]
  );
  votes.totals = () => totalsOf(0, 0, direction * 7);
  assert.ok(totalsSentence(votes, 0).endsWith(`votes: 7 of 7 neighbors say ${own}.`));
  votes.totals = () => totalsOf(0, 0, direction * 3);
  assert.ok(
    totalsSentence(votes, 0).endsWith(`votes: 3 neighbors more for ${own} than for ${rival}.`)
  );
});

test("classes that the model never finds are named", () => {
  const labels = ["a", "b", "c"],
    quality = { ...raw.quality!, rows: 6, confusion: [[2, 0, 0], [2, 0, 0], [2, 0, 0]],
      balancedAccuracy: 1 / 3 };
  const { sentences } = qualityOf(other({ labels, quality }))!;
  assert.equal(sentences[2], "It finds none of the rows that are b or c.");
});

test("no part of an image is called a reason if the average output already decides it", () => {
  const relevance = raw.rows.relevance.map(column => ({ ...column,
    data: Buffer.from(new Float32Array(report.rows).fill(0.001).buffer).toString("base64") })
  );
  const made = other({ image: [1, raw.columns.length], rows: { ...raw.rows, relevance } });
  made.totals = () => totalsOf(0.9, 0, 1);
  assert.match(rowSentences(made, 0).join(" "),
    /The average output is already on the side of this prediction, and the pixels change little: /);
});

test("no feature is called a strong reason if the average output already decides", () => {
  const still = other({
    rows: { ...raw.rows,
      relevance: raw.rows.relevance.map(column => ({ ...column,
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
    assert.ok(of.every(group => group >= 0 && group < names.length), key);
  }
  assert.equal(groupingOf(report, "nothing of the kind"), null);
});

/** Numbers as the command packs them. */
const packed = (values: number[]) => ({ type: "f32" as const, scale: 1,
  data: Buffer.from(new Float32Array(values).buffer).toString("base64") });
const output = report.all().map(row => report.totals(row).output);
/** The same report with a remainder of half the difference in the given rows, which are noted. */
const withRemainders = (isLarge: (row: number) => boolean, facts: Partial<Raw> = {}) =>
  other({
    notes: [{ kind: "unexplained", text: "in some rows the features leave much unexplained" }],
    rows: { ...raw.rows, unexplained: report.all().filter(isLarge),
      remainder: packed(report.all().map(row => {
        const { output, base } = report.totals(row);
        return isLarge(row) ? (output - base) / 2 : 0;
      })) },
    ...facts
  });

test("a remainder that most rows have is mentioned once, not in every row", () => {
  const most = withRemainders(() => true);
  assert.equal(warningSentence(most), "In some rows the features leave much unexplained.");
  assert.ok(
    most.all().every(row => rowWarnings(most, row).every(({ id }) => id !== "row-remainder"))
  );
});

test("a remainder that few rows have is mentioned in these rows", () => {
  const few = withRemainders(row => row === 3);
  const texts = (row: number) => rowWarnings(few, row).map(({ text }) => text);
  assert.deepEqual(texts(3), [
    "The features leave 50 % of the difference from the average unexplained."
  ]);
  assert.deepEqual(texts(4), []);
});

test("a remainder above the difference is no percentage", () => {
  const few = withRemainders(row => row === 3);
  few.totals = () => totalsOf(0, 3, 1);
  assert.deepEqual(rowWarnings(few, 3).map(({ text }) => text), [
    "The features do not explain this decision value: the unexplained part is larger than its "
    + "difference from the average."
  ]);
});

test("the result says what its sign means", () => {
  const row = 0, { output: own } = report.totals(row), side = own > 0 ? "above" : "below";
  assert.ok(totalsSentence(report, row).endsWith(` (${side} 0 means ${report.prediction(row)}).`),
    totalsSentence(report, row));
});

test("class names with an or are in quotes", () => {
  assert.equal(predictsSentence(other({ labels: ["benign or normal", "malignant"] })),
    'The model predicts a class: "benign or normal" or "malignant".');
});

test("of many classes the one that is found least is named", () => {
  const quality = { ...raw.quality!, rows: 30, confusion: [[10, 0, 0], [3, 7, 0], [0, 1, 9]] };
  const { sentences } = qualityOf(other({ quality, labels: ["a", "b", "c"] }))!;
  assert.equal(sentences[1], "It does worst on b: it finds 70 % of these rows.");
});

test("a regressor's average and result have no plus sign, contributions have one", () => {
  const made = other({ isRegressor: true, unit: { ...raw.unit, name: "MPa" } });
  const row = made.all().find(own => made.totals(own).output > 0 && made.totals(own).base > 0)!;
  assert.match(totalsSentence(made, row),
    /^Average output [\d.]+, this row's features [+−][\d.]+, result [\d.]+ MPa\.$/);
});

test("an image warns whenever its map misses a large part of the result", () => {
  const made = withRemainders(() => true, { image: [2, 3] });
  assert.ok(made.isMostlyUnexplained);
  assert.deepEqual(rowWarnings(made, 0).map(({ text }) => text), [
    "The map disagrees with the decision value: it leaves 50 % of the difference from the average "
    + "unexplained."
  ]);
});

test("a row whose contributions were stretched is flagged and counted", () => {
  const made = other({ rows: { ...raw.rows, stretched: [2] },
    notes: [{ kind: "stretched", text: "in 1 of 60 rows the contributions were scaled" }] });
  assert.deepEqual(rowWarnings(made, 2).map(({ id }) => id), ["row-stretch"]);
  assert.deepEqual(rowWarnings(made, 1), []);
  assert.match(reportSentences(made).join(" "), /In 1 of 60 rows the contributions were scaled\./);
});

test("effects of a detector are said in plain words", () => {
  assert.deepEqual(other({ isOneClass: true }).effects(0), ["makes it more usual",
    "makes it more unusual"]);
});

test("typical rows are correct, clear and well explained", () => {
  const sizes = Float64Array.from(report.decision, Math.abs).sort();
  const [typical] = rankedCases(other({ rows: { ...raw.rows, stretched: [0, 1, 2, 3] } }));
  assert.equal(typical.name, "Typical rows");
  for (const row of typical.rows) {
    assert.ok(row > 3 && report.isWrong(row) === false);
    assert.ok(Math.abs(report.decision[row]) > sizes[5], String(row));
  }
});

test("an unusual row is never called typical, even if all rows are unusual", () => {
  const far = [0, 1, 2];
  const made = other({ isOneClass: true, labels: ["usual", "unusual"], quality: null,
    rows: { ...raw.rows, outside: far, truth: null } });
  const cases = rankedCases(made), [typical] = cases;
  assert.equal(typical.name, "Typical rows");
  assert.ok(typical.rows.length > 0);
  for (const row of typical.rows) assert.ok(!far.includes(row) && made.decision[row] > 0);
  const all = rankedCases(other({ rows: { ...raw.rows, outside: report.all() } }));
  assert.ok(all.length > 0 && all.every(({ name }) => name !== "Typical rows"));
});

test("close calls state their limit, and are at most half of the rows", () => {
  const size = (row: number) => Math.abs(report.decision[row]), limit = report.closeLimit;
  const close = rankedCases(report).find(({ name }) => name === "Close calls")!;
  assert.equal(close.rows.length, 6); // a tenth of 60
  assert.deepEqual(report.all().filter(row => size(row) <= limit).sort((a, b) => size(a) - size(b)),
    close.rows);
  assert.match(close.why, new RegExp(`decision value of at most ${limit.toPrecision(4)}`));
  assert.match(rowSentences(report, close.rows[1])[0],
    /It is a close call \(decision value of at most [\d.]+ in size\): only 1 of the 60 rows on /);
  // Nine in ten rows have all votes of their neighbors: they are no close calls.
  const votes = report.all().map(row => row % 20 === 0 ? 3 : 9);
  const unanimous = other({ rows: { ...raw.rows, decision: packed(votes) } });
  assert.equal(unanimous.closeLimit, 3);
  assert.equal(other({ rows: { ...raw.rows, decision: packed(votes.map(() => 9)) } }).closeLimit,
    -1);
});

test("a model that is worse than always giving the same answer: this is said first", () => {
  const first = (facts: Partial<Raw>) => reportSentences(other(facts))[0];
  const quality = { ...raw.quality!, rows: 10, confusion: [[1, 2], [2, 5]] };
  const labels = ["bad", "good"];
  assert.equal(first({ quality, labels }),
    "The model is worse than always predicting good, the most frequent class.");
  assert.equal(first({ labels, quality: { ...quality, confusion: [[1, 2], [1, 6]] } }),
    "The model is no better than always predicting good, the most frequent class.");
  assert.match(first({ labels, quality: { ...quality, confusion: [[2, 1], [1, 6]] } }),
    /^It is correct for 8 of 10 rows /);
  const truth = report.all().map(row => row % 5), middle = 2;
  const numbers = (value: (row: number) => number, rSquared: number) =>
    first({ isRegressor: true, quality: { ...quality, rSquared },
      rows: { ...raw.rows, truth: packed(truth), value: packed(report.all().map(value)) } });
  assert.equal(numbers(row => 4 - truth[row], -3),
    "The model is worse than always predicting the mean.");
  assert.match(numbers(row => row === 0 ? 30 : truth[row], -4),
    /^The model is worse than always predicting the mean, because of large errors: R² is −4, /);
  assert.match(numbers(row => (truth[row] + middle) / 2, 0.75), /^Its error is /);
});

test("values that were filled in are marked and counted", () => {
  const imputed = raw.columns.map((_, c) => c === 1 ? [0, 2] : []);
  const columns = raw.columns.map((own, c) => ({ ...own, imputed: c === 1 ? 7 : 0 }));
  const made = other({ columns, rows: { ...raw.rows, imputed, imputedRows: 7 } });
  const name = report.names[1], value = report.cell(0, 1);
  assert.equal(made.cell(0, 1), `${value} (filled in)`);
  assert.equal(made.equals(0, 1), ` = ${value} (filled in)`);
  assert.equal(made.cell(0, 1, made.value(0, 1) + 1).includes("filled in"), false);
  assert.equal(made.cell(1, 1), report.cell(1, 1));
  assert.ok(featureWords(made, 0, 1).startsWith(`${name} (${value} (filled in)`));
  const said =
    `In 7 of the ${raw.rows.total} rows of the table a missing value was filled in, most `
    + `often of ${name} (7 rows).`;
  assert.ok(reportSentences(made).includes(said), reportSentences(made).join(" "));
  assert.ok(reportSentences(report).every(text => !text.includes("filled in")));
});

test("points are training rows only if the model knows their rows", () => {
  const evidence = { ...raw.evidence, areRows: false };
  assert.equal(pointName(other({ evidence }), 0), `support vector ${raw.evidence.points[0]}`);
  assert.equal(pointName(other({ evidence: { ...evidence, areRows: true } }), 0),
    `training row ${raw.evidence.points[0]}`);
});

test("the shares of listed neighbors are of all votes", () => {
  const evidence = { ...raw.evidence, areRows: true, areVotes: true };
  assert.equal(shareWords(other({ evidence }), [[[0, 0.2], [1, 0.2]], [[2, 0.2]]]),
    "The nearest training rows vote. Percentages are shares of all votes. 40 % of the votes are "
      + "not listed. ");
});

/** The first two columns in a group, as the command writes it. */
const zeros = packed(output.map(() => 0));
const sums = packed(
  report.all().map(row => report.contribution(row, 0) + report.contribution(row, 1))
);
const grouped = other({
  columns: [...raw.columns, { ...raw.columns[0], name: "both", first: 0, width: 0, members: [0, 1],
    typical: 100 }],
  order: [...raw.order.filter(c => c > 1), raw.columns.length],
  rows: { ...raw.rows, values: [...raw.rows.values, zeros],
    relevance: [zeros, zeros, ...raw.rows.relevance.slice(2), sums] }
});

test("a group is explained in place of its columns", () => {
  const group = raw.columns.length;
  assert.equal(grouped.order[0], group);
  assert.ok(!grouped.order.includes(0) && !grouped.strongest(0).includes(1));
  assert.deepEqual(grouped.dataColumns, raw.columns.map((_, c) => c));
  assert.ok(
    grouped.strongestColumns(0).includes(0) && !grouped.strongestColumns(0).includes(group)
  );
  assert.equal(grouped.contribution(2, 0), grouped.contribution(2, group));
  const { base, remainder, output: own } = grouped.totals(2);
  const sum = grouped.rowContributions(2).reduce((a, b) => a + b, base + remainder);
  assert.ok(Math.abs(sum - own) < 1e-5 * Math.max(1, Math.abs(own)));
});

test("a group is described by the values of its columns", () => {
  const words = featureWords(grouped, 2, raw.columns.length);
  assert.equal(words,
    `both (${report.names[0]} ${report.cell(2, 0)}, ${report.names[1]} ${report.cell(2, 1)})`);
  assert.equal(grouped.equals(2, raw.columns.length), "");
});

test("predictions of one page have the same digits", () => {
  const numbers = other({ isRegressor: true,
    rows: { ...raw.rows, value: packed(report.all().map(row => 30 + row / 7)), truth: null } });
  const digits = report.all().map(row => numbers.prediction(row).split(".")[1].length);
  assert.equal(new Set(digits).size, 1);
});

test("cohorts compare at least three rows of each kind", () => {
  for (const { wrong, right } of cohortsOf(report)) assert.ok(wrong >= 3 && right >= 3);
});
