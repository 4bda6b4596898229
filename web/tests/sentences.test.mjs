// Ten kinds of models: every sentence on the page that states a number is known here, and its numbers are the command's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { matrix, texts, writeNpz } from "./npz.mjs";
import { bisector, inFolder, launch, openReport, readCsv, removeFolder, settle, write } from "./support.mjs";

let browser, state = 17;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
const names = ["age", "dose", "height", "mass"];

before(async () => {
  browser = await launch();
  const lines = [[...names, "kind", "grade", "load"].join(",")];
  for (let r = 0; r < 110; ++r) {
    const [age, dose, height, mass] = [20 + Math.floor(60 * random()), random() * (r === 7 ? 9 : 1), 1500 + 400 * random(), 40 + 50 * random()];
    const score = (age - 50) / 15 + 2 * Math.sin(5 * dose) + random();
    lines.push([age, dose.toFixed(3), height.toFixed(1), mass.toFixed(2), score > 1 ? "ill" : "well", score > 1.6 ? "high" : score > 0 ? "mid" : "low", (30 + 8 * score + mass / 9).toFixed(1)].join(","));
  }
  write("table.csv", lines);
  const means = (kind) => names.map((name) => { const own = data().filter((row) => row.kind === kind); return own.reduce((sum, row) => sum + Number(row[name]), 0) / own.length; });
  writeNpz(inFolder("centroids.npz"), { meta: texts([JSON.stringify({ format: "bisector-model", version: 1, kind: "centroids" })], []), centroids: matrix([means("ill"), means("well")]), labels: texts(["ill", "well"]), feature_names: texts(names) });
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const data = () => readCsv(readFileSync(inFolder("table.csv"), "utf8"));
const others = (target) => ["kind", "grade", "load"].filter((name) => name !== target).flatMap((name) => ["--drop", name]);
const models = {
  "a two-class SVM": ["kind", "--model", "svm"],
  "an SVM of three classes": ["grade", "--model", "svm"],
  "neighbors": ["kind", "--model", "knn", "--k", "5"],
  "weighted neighbors of three classes": ["grade", "--model", "knn", "--k", "7", "--weights", "distance"],
  "regression by neighbors": ["load", "--model", "knnr", "--k", "5"],
  "kernel ridge": ["load", "--model", "krr"],
  "support vector regression": ["load", "--model", "svr"],
  "a one-class machine": ["", "--model", "oneclass", "--nu", "0.15"],
  "local outlier factors": ["", "--model", "lof", "--k", "7"],
  "nearest centroids": ["kind"],
};

const number = (text) => Number(text.replaceAll("−", "-").replaceAll("+", "").replaceAll(",", ""));
/** As near as the digits that are shown say; the page has floats. */
function near(text, expected, what) {
  const decimals = (text.split(".")[1] ?? "").length;
  assert.ok(Math.abs(number(text) - expected) <= 0.501 * 10 ** -decimals + 2e-6 * Math.abs(expected), `${what}: ${text}, expected ${expected}`);
}
const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
const trimmed = (values) => { const all = [...values].sort((a, b) => a - b), cut = Math.floor(all.length / 10); return mean(all.slice(cut, all.length - cut)); };
const median = (values) => { const sorted = [...values].sort((a, b) => a - b), half = (sorted.length - 1) / 2; return (sorted[Math.floor(half)] + sorted[Math.ceil(half)]) / 2; };

/** What the command says about the model and its rows. */
function factsOf(kind, target) {
  const model = inFolder(kind === "nearest centroids" ? "centroids.npz" : "model.npz"), table = inFolder("table.csv");
  const rows = readCsv(bisector("explain", model, table, "--unit", "decision", "--details"));
  const predicted = readCsv(bisector("predict", model, table)).map((row) => row.prediction);
  const isRegressor = target === "load";
  const score = target === "" ? null : JSON.parse(bisector("score", model, table, "--target", target, "--json"));
  const label = (text) => (target !== "" ? text : text === "1" ? "inside the usual range" : "outside the usual range");
  // Positive relevance speaks for a row's positive class.
  const way = (r) => (isRegressor ? (Number(rows[r].decision) < 0 ? -1 : 1) : rows[r].negative === predicted[r] ? -1 : 1);
  const sizes = (name) => rows.map((row) => Math.abs(Number(row[name])));
  const order = [...names].sort((a, b) => trimmed(sizes(b)) - trimmed(sizes(a)));
  const truth = data().map((row) => row[target]), level = isRegressor ? mean(truth.map(Number)) : 0;
  const isLarge = (row) => Math.abs(Number(row.remainder)) > 1e-6 && Math.abs(Number(row.remainder)) > 0.2 * Math.abs(Number(row.decision));
  const points = JSON.parse(bisector("inspect", model, "--json")).model.points;
  return { rows, points, predicted, isRegressor, score, label, way, sizes, order, truth, level, isLarge };
}

/** A pattern for each sentence with a number, and what has to be true of it. */
function patterns(f, r, report) {
  const own = f.rows[r - 1], values = (name) => data().map((row) => Number(row[name])), lower = (text) => text[0].toLowerCase() + text.slice(1);
  const confusion = (t, s) => f.truth.filter((truth, i) => truth === t && f.predicted[i] === s).length;
  const parts = names.map((name) => [name, f.way(r - 1) * Number(own[name])]).sort((a, b) => b[1] - a[1]);
  const root = () => Math.sqrt(mean(f.truth.map((truth, i) => (truth - f.predicted[i]) ** 2)));
  const isWrong = (i) => (f.isRegressor ? Math.abs(f.truth[i] - f.predicted[i]) > root() : f.truth[i] !== f.predicted[i]);
  return [
    [/^The model is right for (\d+) of (\d+) rows \((\d+) %\)\.$/, (right, all, share) => {
      const count = f.truth.filter((truth, i) => truth === f.predicted[i]).length;
      assert.deepEqual([Number(right), Number(all)], [count, f.rows.length]);
      near(share, 100 * f.score.accuracy, "accuracy");
    }],
    [/^(?:Most often wrong|Wrong): (.+)\.$/, (list) => {
      const all = [...list.matchAll(/(\w+) called (\w+) \((\d+) rows?\)/g)];
      assert.ok(all.length > 0);
      for (const [, t, s, count] of all) assert.equal(Number(count), confusion(t, s));
    }],
    [/^(\d+) of the (\d+) rows of this page are points that the model has learned from, which flatters it: rows that it has not seen would tell\.$/, (own, all) => {
      assert.deepEqual([Number(own), Number(all)], [f.points, f.rows.length]);
    }],
    [/^The model is off by ([\d.,]+) MPa on average over (\d+) rows\.$/, (error, all) => { near(error, f.score.mean_absolute_error, "error"); assert.equal(Number(all), f.rows.length); }],
    [/^It explains ([\d.]+) % of how the targets differ \(R²\)\.$/, (share) => near(share, 100 * Math.max(0, f.score.r_squared), "R²")],
    [/^(\w+) matters most, then (\w+) and (\w+): together (\d+) % of all relevance\.$/, (a, b, c, share) => {
      assert.deepEqual([lower(a), b, c], f.order.slice(0, 3));
      near(share, (100 * f.order.slice(0, 3).reduce((sum, name) => sum + mean(f.sizes(name)), 0)) / names.reduce((sum, name) => sum + mean(f.sizes(name)), 0), "share");
    }],
    [/^In (\d+) of (\d+) rows more than a fifth of the output is left over\.$/, (large, all) => assert.deepEqual([Number(large), Number(all)], [f.rows.filter(f.isLarge).length, f.rows.length])],
    [/^(\d+) of (\d+) are far from all data: their explanations say little\.$/, (far, all) => assert.deepEqual([Number(far), Number(all)], [f.rows.filter((row) => row.outside === "true").length, f.rows.length])],
    [/^Row (\d+) is (?!predicted )(?:called )?(.+?)(, rightly|, wrongly: the data say (\w+))?\.$/, (row, said, judged, truth) => {
      assert.deepEqual([Number(row), said], [r, f.label(f.predicted[r - 1])]);
      if (judged) assert.equal(judged === ", rightly", f.truth[r - 1] === f.predicted[r - 1]);
      if (truth) assert.equal(truth, f.truth[r - 1]);
    }],
    [/^It is a close call: (no row has|only 1 row has|only (\d+) of (\d+) rows have) a smaller (.+)\.$/, (words, few, all) => {
      const closer = f.rows.filter((row) => Math.abs(Math.fround(row.decision)) < Math.abs(Math.fround(own.decision))).length;
      assert.equal(words.startsWith("no") ? 0 : few === undefined ? 1 : Number(few), closer);
      if (all) assert.equal(Number(all), f.rows.length);
    }],
    [/^Row (\d+) is predicted ([\d.,]+) MPa, ([\d.,]+) (above|below) (?:the average of )?([\d.,]+)\.$/, (row, value, far, side, level) => {
      assert.equal(Number(row), r);
      near(value, Number(f.predicted[r - 1]), "prediction");
      near(level, f.level, "level");
      near(far, Math.abs(f.predicted[r - 1] - f.level), "distance to the level");
      assert.equal(side, f.predicted[r - 1] > f.level ? "above" : "below");
    }],
    [/^The data say ([\d.,]+): the prediction is (?:exactly that|([\d.,]+) too (high|low))\.$/, (truth, error, side) => {
      near(truth, Number(f.truth[r - 1]), "truth");
      if (error) near(error, Math.abs(f.predicted[r - 1] - f.truth[r - 1]), "error");
      if (side) assert.equal(side, f.predicted[r - 1] > Number(f.truth[r - 1]) ? "high" : "low");
    }],
    [/^(\w+) \(([\d.,]+)(?:, (?:([\d.]+) times|([\d.]+) % of|(above|below)) its usual value of ([\d.,]+)|, its usual value)\) (speaks for|speaks against|raises|lowers) it most(?:, then (\w+)(?: and (\w+))?)?\.$/, (name, value, times, share, side, usual, verb, second, third) => {
      const isFor = verb === "speaks for" || (verb === "raises") === (f.way(r - 1) > 0 && f.isRegressor) && f.isRegressor;
      const ordered = isFor ? parts : [...parts].reverse();
      assert.deepEqual([lower(name), second, third].filter(Boolean), ordered.slice(0, 3).filter(([, part]) => (isFor ? part > 0 : part < 0)).map(([own]) => own).slice(0, 1 + Boolean(second) + Boolean(third)));
      const actual = Number(data()[r - 1][lower(name)]), middle = median(values(lower(name)));
      assert.equal(number(value), actual);
      if (usual) near(usual, middle, "usual value");
      if (times) near(times, actual / middle, "times");
      if (share) near(share, (100 * actual) / middle, "share of the usual");
      if (side) assert.equal(side, actual > middle ? "above" : "below");
    }],
    [/^Base (\S+), relevance of all features (\S+), remainder (\S+): together the .+ (\S+) \(.+\)\.$/, (base, sum, remainder, output) => {
      near(base, Number(own.base), "base");
      near(sum, names.reduce((total, name) => total + Number(own[name]), 0), "sum");
      near(remainder, Math.abs(own.remainder) < 1e-5 * Math.abs(own.decision) ? 0 : Number(own.remainder), "remainder");
      near(output, Number(own.decision), "output");
    }],
    [/^The remainder is ([\d.,]+) % of the .+$/, (share) => { assert.ok(f.isLarge(own)); near(share, Math.abs((100 * own.remainder) / own.decision), "remainder's share"); }],
    [/^Over (\d+) rows: mean absolute error ([\d.,]+) MPa, root of the mean squared error ([\d.,]+) MPa(?:, R² ([−\d.]+))?\.$/, (all, absolute, squared, share) => {
      assert.equal(Number(all), f.rows.length);
      near(absolute, f.score.mean_absolute_error, "error"), near(squared, root(), "root"), near(share, f.score.r_squared, "R²");
    }],
    [/^What is true \((\w+)\) against what the model says, over (\d+) rows\.$/, (_, all) => assert.equal(Number(all), f.rows.length)],
    [/^The relevance of (\w+) differs most: (\S+) on average in the (\d+) wrong rows, (\S+) in the (\d+) others\.$/, (name, wrong, wrongRows, right, rightRows) => {
      const title = report.title.match(/^Rows called (\w+),/), alike = f.rows.map((_, i) => i).filter((i) => !title || f.predicted[i] === title[1]);
      const [bad, good] = [alike.filter(isWrong), alike.filter((i) => !isWrong(i))], part = (i) => f.way(i) * Number(f.rows[i][name]);
      assert.deepEqual([Number(wrongRows), Number(rightRows)], [bad.length, good.length]);
      near(wrong, mean(bad.map(part)), "wrong rows"), near(right, mean(good.map(part)), "other rows");
    }],
    [/^The case for .+ rests on many .+: the (\d+) heaviest hold only ([\d.]+) % of it, so none of them alone stands for it\.$/, (count, share) => {
      const shares = report.sides.map((texts) => texts.map((text) => Number(text.match(/: ([\d.]+) %/)[1])));
      const fits = shares.some((own) => own.length === Number(count) && Math.abs(own.reduce((a, b) => a + b, 0) - share) <= 0.5 * own.length + 0.51);
      assert.ok(fits, `${count} ${share} ${JSON.stringify(shares)}`);
    }],
    [/^In the rows of this page the base goes from (\S+) to (\S+), with (\S+) in the middle\.$/, (low, high, middle) => {
      const bases = f.rows.map((row) => Number(row.base));
      near(low, Math.min(...bases), "smallest base"), near(high, Math.max(...bases), "largest base"), near(middle, median(bases), "middle base");
    }],
    [/^(\d+) of (\d+) rows, page 1 of (\d+)$/, (chosen, all, pages) => assert.deepEqual([chosen, all, pages].map(Number), [f.rows.length, f.rows.length, Math.ceil(f.rows.length / 15)])],
    [/^(.+?), (\d+) rows? \((\d+) %\), (?:(\d+) % of them called (.+?)|predicted ([\d.,]+) on average)(?:, (\d+) % rightly called)?: (\w+) matters most, then (\w+) and (\w+)\.$/, (group, count, share, said, label, average, right, a, b, c) => {
      near(share, (100 * count) / f.rows.length, "share of the rows");
      if (f.isRegressor) return near(average, mean(report.members(Number(count), Number(number(average))).map((i) => Number(f.predicted[i]))), "mean prediction");
      const members = f.rows.map((_, i) => i).filter((i) => f.label(f.predicted[i]) === group);
      assert.deepEqual([members.length, Number(said), label], [Number(count), 100, group]);
      if (right) near(right, (100 * members.filter((i) => f.truth[i] === f.predicted[i]).length) / members.length, "right");
      const size = (name) => trimmed(members.map((i) => Math.abs(f.rows[i][name])));
      assert.deepEqual([a, b, c], [...names].sort((x, y) => size(y) - size(x)).slice(0, 3));
    }],
  ];
}

const kPlaces = "#summary-lines p, #row-sentences p, #row-account, #row-remainder, #row-outside, #quality > p, .cohort p, #rows > p, #points .sides .note, #group-lines li, #unit";

/** Checks every sentence with a number; returns how many there were. */
async function check(page, f, r) {
  const found = await page.$$eval(kPlaces, (all) => all.map((own) => ({ text: own.textContent, title: own.closest(".cohort")?.querySelector("h3").textContent ?? "" })));
  const sides = await page.$$eval("#points .sides > div", (all) => all.map((side) => [...side.querySelectorAll(".tab")].map((tab) => tab.textContent)));
  // Quarters of what is predicted, by their number of rows and their mean.
  const members = (count, average) => {
    const sorted = f.predicted.map((value, i) => [Number(value), i]).sort((a, b) => a[0] - b[0]);
    for (let at = 0; at + count <= sorted.length; ++at) { const own = sorted.slice(at, at + count); if (Math.abs(mean(own.map(([value]) => value)) - average) < 0.06) return own.map(([, i]) => i); }
    return [];
  };
  let checked = 0;
  for (const { text, title } of found) for (const sentence of text.split(/(?<=[.)]\.|[^\d]\.|\d\.) (?=[A-Z])/)) {
    if (!/\d/.test(sentence)) continue;
    const match = patterns(f, r, { title, sides, members }).map(([pattern, holds]) => [sentence.trim().match(pattern), holds]).find(([matched]) => matched);
    assert.ok(match, `nobody checks: ${sentence}`);
    match[1](...match[0].slice(1));
    ++checked;
  }
  return checked;
}

for (const [kind, [target, ...words]] of Object.entries(models)) {
  test(`${kind}: what the sentences say is so`, async () => {
    const model = kind === "nearest centroids" ? "centroids.npz" : "model.npz";
    if (words.length > 0) bisector("train", inFolder("table.csv"), ...words, ...(target === "" ? [] : ["--target", target]), ...others(target), "-o", inFolder("model.npz"));
    bisector("report", inFolder(model), inFolder("table.csv"), ...(target === "" ? [] : ["--target", target]), ...(target === "load" ? ["--unit-name", "MPa"] : []), "-o", inFolder("report.html"));
    const f = factsOf(kind, target), { page, problems, close } = await openReport(browser, inFolder("report.html"));
    await page.selectOption("#groups select", { label: "what is predicted" });
    await page.waitForSelector("#group-lines");
    const wrong = f.isRegressor || target === "" ? -1 : f.truth.findIndex((truth, i) => truth !== f.predicted[i]);
    const surest = f.rows.reduce((best, row, i) => (Math.abs(row.decision) < Math.abs(f.rows[best].decision) ? i : best), 0);
    let checked = 0;
    for (const r of new Set([1, 8, 50, surest + 1, wrong + 1].filter((row) => row > 0))) {
      await page.evaluate((row) => { location.hash = `row=${row}&group=predicted`; }, r);
      await page.waitForFunction((row) => document.querySelector("#row-name").textContent.startsWith(`Row ${row}:`), r);
      await settle(page);
      checked += await check(page, f, r);
    }
    assert.ok(checked >= 20, `${checked} sentences`);
    assert.deepEqual(problems, []);
    await close();
  });
}
