// Ten kinds of models: every sentence with a number is checked against the command.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { matrix, texts, writeNpz } from "./npz.mjs";
import { bisector, explain, inFolder, launch, mean, median, near, number, openReport, pattern,
  quantile, readCsv, removeFolder, rowShown, settle, trimmed, write } from "./support.mjs";

let browser, state = 17;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
const names = ["age", "dose", "height", "mass"];

before(async () => {
  browser = await launch();
  const lines = [[...names, "kind", "grade", "load"].join(",")];
  for (let r = 0; r < 110; ++r) {
    const [age, dose, height, mass] = [20 + Math.floor(60 * random()), random() * (r === 7 ? 9 : 1),
      1500 + 400 * random(), 40 + 50 * random()];
    const score = (age - 50) / 15 + 2 * Math.sin(5 * dose) + random();
    lines.push(
      [age, dose.toFixed(3), height.toFixed(1), mass.toFixed(2), score > 1 ? "ill" : "well",
        score > 1.6 ? "high" : score > 0 ? "mid" : "low", (30 + 8 * score + mass / 9).toFixed(1)]
        .join(",")
    );
  }
  write("table.csv", lines);
  const means = kind =>
    names.map(name => {
      const own = data().filter(row => row.kind === kind);
      return own.reduce((sum, row) => sum + Number(row[name]), 0) / own.length;
    });
  writeNpz(inFolder("centroids.npz"), {
    meta: texts([JSON.stringify({ format: "bisector-model", version: 3, kind: "centroids" })], []),
    centroids: matrix([means("ill"), means("well")]),
    labels: texts(["ill", "well"]),
    feature_names: texts(names)
  });
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const data = () => readCsv(readFileSync(inFolder("table.csv"), "utf8"));
const others = target =>
  ["kind", "grade", "load"].filter(name => name !== target).flatMap(name => ["--drop", name]);
const models = { "a two-class SVM": ["kind", "--model", "svm"],
  "an SVM of three classes": ["grade", "--model", "svm"],
  "neighbors": ["kind", "--model", "knn", "--k", "5"],
  "weighted neighbors of three classes": ["grade", "--model", "knn", "--k", "7", "--weights",
    "distance"], "regression by neighbors": ["load", "--model", "knnr", "--k", "5"],
  "kernel ridge": ["load", "--model", "krr"],
  "support vector regression": ["load", "--model", "svr"],
  "a one-class machine": ["", "--model", "oneclass", "--outliers", "0.15"],
  "local outlier factors": ["", "--model", "lof", "--k", "7"], "nearest centroids": ["kind"] };

const lower = text => text[0].toLowerCase() + text.slice(1);
/** The distance from the decision boundary, in the page's precision. */
const distanceOf = row => Math.abs(Math.fround(row.decision ?? row.output));
/** "3 of the 110 rows of the table". */
const kSome = String.raw`(\d+) of the (\d+) rows of the table`;
/** The features leave more than a fifth of the difference from the average unexplained. */
const isLarge = row =>
  Math.abs(row.remainder) > 1e-6 && Math.abs(row.remainder) > 0.2 * Math.abs(row.output - row.base);

/** The contributions were changed more than tenfold to add up to the result. */
const isStretched = ({ stretch }) => Number(stretch) > 10 || Number(stretch) < 0.1;

/** What the command says about a model and its rows. */
function factsOf(kind, target) {
  const model = inFolder(kind === "nearest centroids" ? "centroids.npz" : "model.npz"),
    table = inFolder("table.csv");
  const rows = explain(kind === "nearest centroids" ? "centroids.npz" : "model.npz", "table.csv");
  const predicted = readCsv(bisector("predict", model, table)).map(row => row.prediction);
  const isRegressor = target === "load";
  const score = target === "" ? null
    : JSON.parse(bisector("score", model, table, "--target", target, "--json"));
  const label =
    text => (target !== "" ? text
      : text === "1" ? "inside the usual range" : "outside the usual range");
  // Positive contributions support the class of a row, or raise a regressor's prediction.
  const sum = r => names.reduce((total, name) => total + Number(rows[r][name]), 0);
  const isNegative = r => (isRegressor ? sum(r) < 0 : rows[r].versus === predicted[r]);
  const sign = r => (isNegative(r) ? -1 : 1);
  const sizes = name => rows.map(row => Math.abs(Number(row[name])));
  const order = [...names].sort((a, b) => trimmed(sizes(b)) - trimmed(sizes(a)));
  const truth = data().map(row => row[target]);
  const points = JSON.parse(bisector("inspect", model, "--json")).model.points;
  return { rows, points, predicted, isRegressor, score, label, sign, sizes, order, truth };
}

/** The rows that vote: those nearest to a row in the model's space, counted from one. */
function nearestRows(r, k) {
  const { shift, scale } =
    JSON.parse(bisector("inspect", inFolder("model.npz"), "--json")).model.preprocessing;
  const rows = data().map(row => names.map((name, i) => (row[name] - shift[i]) * scale[i]));
  const far = row => row.reduce((sum, value, i) => sum + (value - rows[r - 1][i]) ** 2, 0);
  return rows.map((row, i) => [far(row), i + 1]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).slice(0,
    k).map(([, number]) => number);
}

/** The share of a class that the model finds. */
function recallOf(f, label) {
  const rows = f.truth.map((_, i) => i).filter(i => f.truth[i] === label);
  return rows.filter(i => f.predicted[i] === label).length / rows.length;
}

/** A pattern for each sentence with a number, and its check, which gets the pattern's groups. */
function patterns(f, r, report) {
  const own = f.rows[r - 1], values = name => data().map(row => Number(row[name]));
  const parts = names.map(name => [name, f.sign(r - 1) * Number(own[name])]).sort((a, b) =>
    b[1] - a[1]
  );
  const numbers = isRegressor => isRegressor ? f.truth.map(Number) : [];
  const root = () => Math.sqrt(mean(f.truth.map((truth, i) => (truth - f.predicted[i]) ** 2)));
  const isWrong =
    i => (f.isRegressor ? Math.abs(f.truth[i] - f.predicted[i]) > root()
      : f.truth[i] !== f.predicted[i]);
  const shareOf = label => f.truth.filter(truth => truth === label).length / f.truth.length;
  const ofAll = (count, all, expected) =>
    assert.deepEqual([Number(count), Number(all)], [expected, f.rows.length]);
  return [[
    pattern(
      String.raw`^It is correct for (\d+) of (\d+) rows \((\d+) %\); always predicting (\w+) `,
      String.raw`would be correct for (\d+) %\.$`
    ),
    ([right, all, share, label, baseline]) => {
      ofAll(right, all, f.truth.filter((truth, i) => truth === f.predicted[i]).length);
      near(share, 100 * f.score.accuracy, "accuracy");
      near(baseline, 100 * shareOf(label), "share of the majority");
      assert.ok(f.truth.every(truth => shareOf(truth) <= shareOf(label)));
    }
  ], [/^It finds ([\d.]+) % of the rows that are (\w+) and ([\d.]+) % of those that are (\w+)\.$/,
    ([share, label, other, second]) => {
      near(share, 100 * recallOf(f, label), "recall");
      near(other, 100 * recallOf(f, second), "recall");
    }], [/^It does worst on (\w+): it finds ([\d.]+) % of these rows\.$/, ([label, share]) => {
    near(share, 100 * recallOf(f, label), "recall");
    assert.ok(f.truth.every(truth => recallOf(f, truth) >= recallOf(f, label)));
  }], [
    pattern(`^${kSome} were also training rows, `,
      String.raw`so these numbers are slightly optimistic\.$`),
    ([count, all]) => ofAll(count, all, f.points)
  ], [/^All rows were also training rows, so these numbers are too optimistic\.$/,
    () => assert.ok(f.points > 0)], [
    pattern(
      String.raw`^Its error is ([\d.,]+) MPa on average over (\d+) rows; always predicting the `,
      String.raw`mean of ([\d.,]+) would have an error of ([\d.,]+) MPa\.$`
    ),
    ([error, all, level, baseline]) => {
      near(error, f.score.mean_absolute_error, "error");
      assert.equal(Number(all), f.rows.length);
      const middle = mean(numbers(true));
      near(level, middle, "mean");
      near(baseline, mean(numbers(true).map(truth => Math.abs(truth - middle))),
        "error of the mean");
    }
  ], [/^(\w+) matters most, then (\w+) and (\w+): together (\d+) % of the model's reasons\.$/,
    ([a, b, c, share]) => {
      assert.deepEqual([lower(a), b, c], f.order.slice(0, 3));
      const sum = all => all.reduce((total, name) => total + trimmed(f.sizes(name)), 0);
      near(share, (100 * sum(f.order.slice(0, 3))) / sum(names), "share");
    }], [/^In (\d+) of (\d+) rows the features leave more than a fifth of the difference .+\.$/,
    ([large, all]) => {
      // Remainders below a hundredth of the range of the output do not count.
      assert.ok(large > 0 && large <= f.rows.filter(isLarge).length, large);
      assert.equal(Number(all), f.rows.length);
    }], [/^The model answers nearly all background rows alike.+\.$/, () => undefined], [
    /^In (\d+) of (\d+) rows the contributions were scaled by more than 10 .+\.$/,
    ([count, all]) => ofAll(count, all, f.rows.filter(isStretched).length)
  ], [pattern(`^${kSome} (?:is|are) outside the usual range`, String.raw`\.$`),
    ([outside, all]) => ofAll(outside, all, f.predicted.filter(own => own === "-1").length)], [
    /^(\d+) of (\d+) rows (?:is|are) far from the training data, where .+\.$/,
    ([far, all]) => ofAll(far, all, f.rows.filter(({ outside }) => outside).length)
  ], [/^Row (\d+) is (?:predicted )?([a-z ]+?)(: correct|: incorrect, actual (\w+))?\.$/,
    ([row, said, judged, truth]) => {
      assert.deepEqual([Number(row), said], [r, f.label(f.predicted[r - 1])]);
      if (judged) assert.equal(judged === ": correct", f.truth[r - 1] === f.predicted[r - 1]);
      if (truth) assert.equal(truth, f.truth[r - 1]);
    }], [
    pattern(
      String
        .raw`^It is a close call \((?:decision value|vote difference|.+) of at most ([\d.,]+) in `,
      String
        .raw`size\): (?:no row is|only (\d+) of the (\d+) rows of the table (?:is|are)) closer `,
      String.raw`to 0\.$`
    ),
    ([limit, few, all]) => {
      assert.ok(distanceOf(own) <= number(limit) * 1.001);
      assert.ok(
        f.rows.filter(row => distanceOf(row) <= number(limit) * 1.001).length <= f.rows.length / 2
      );
      assert.equal(Number(few ?? 0),
        f.rows.filter(row => distanceOf(row) < distanceOf(own)).length);
      if (all) assert.equal(Number(all), f.rows.length);
    }
  ], [
    pattern(String.raw`^Row (\d+) is predicted ([\d.,]+) MPa: (?:exactly right|([\d.,]+) too `,
      String.raw`(high|low)), actual ([\d.,]+)\.$`),
    ([row, value, error, side, truth]) => {
      assert.equal(Number(row), r);
      near(value, Number(f.predicted[r - 1]), "prediction");
      near(truth, Number(f.truth[r - 1]), "actual value");
      if (error) near(error, Math.abs(f.predicted[r - 1] - f.truth[r - 1]), "error");
      if (side) assert.equal(side, f.predicted[r - 1] > Number(f.truth[r - 1]) ? "high" : "low");
    }
  ], [
    pattern(
      String
        .raw`^(\w+) \(([\d.,]+)(?:, (?:([\d.]+) times|([\d.]+) % of|(above|below|near)) its usual `,
      String.raw`value of ([\d.,]+)|, its usual value)\) (is the strongest reason for this|is `,
      String.raw`the strongest reason against it|raises load most|lowers load most)(?:, then `,
      String.raw`(\w+)(?: and (\w+))?)?\.$`
    ),
    ([name, value, times, share, side, usual, verb, second, third]) => {
      const isToward = f.isRegressor ? verb.startsWith("raises") === f.sign(r - 1) > 0
        : verb.endsWith("for this");
      const ordered = (isToward ? parts : [...parts].reverse()).filter((
        [, part]
      ) => (isToward ? part > 0 : part < 0)).map(([own]) => own);
      const said = [lower(name), second, third].filter(Boolean);
      assert.deepEqual(said, ordered.slice(0, said.length));
      const actual = Number(data()[r - 1][lower(name)]), middle = median(values(lower(name)));
      assert.equal(number(value), actual);
      if (usual) near(usual, middle, "usual value");
      if (times) near(times, actual / middle, "times");
      if (share) near(share, (100 * actual) / middle, "share of the usual");
      const [low, high] = [0.25, 0.75].map(q => quantile(values(lower(name)), q));
      const isNear = Math.abs(actual - middle) <= 0.1 * (high - low);
      if (side) assert.equal(side, isNear ? "near" : actual > middle ? "above" : "below");
    }
  ], [
    pattern(
      String.raw`^The average output is already on the side of this prediction, and no single `,
      String.raw`feature changes much: the largest contribution is ([\d.]+) % of the result\.$`
    ),
    ([share]) => {
      near(share, Math.abs((100 * parts[0][1]) / own.output), "share of the result");
      assert.ok(own.base * own.output > 0 && Number(share) <= 10);
    }
  ], [
    pattern(String.raw`^(?:Average output|Reference|Start) (\S+), this row's features (\S+?)(?:, `,
      String.raw`unexplained (\S+))?, result (\S+) .+?(?:: (\d+) of (\d+) neighbors say `,
      String.raw`(\w+))?\.$`),
    ([base, sum, remainder, output, votes, k, label]) => {
      near(base, own.base, "base");
      near(sum, names.reduce((total, name) => total + Number(own[name]), 0), "sum");
      near(remainder ?? "0", remainder ? own.remainder : 0, "remainder");
      near(output, own.output, "output");
      if (votes) {
        assert.deepEqual([2 * Number(votes) - Number(k), label], [Math.abs(own.output),
          f.predicted[r - 1]]);
      }
    }
  ], [/^The features leave ([\d.,]+) % of the difference from the average unexplained\.$/,
    ([share]) => {
      assert.ok(isLarge(own));
      near(share, Math.abs((100 * own.remainder) / (own.output - own.base)),
        "share of the remainder");
    }], [
    pattern(
      String
        .raw`^(\w+): (\S+) on average in the (\d+) (?:incorrect|less accurate) rows?, (\S+) in `,
      String
        .raw`the (\d+) (?:correct|more accurate) ones? \(contributions toward the prediction\)\.$`
    ),
    ([name, wrong, wrongRows, right, rightRows]) => {
      const title = report.title.match(/when "(\w+)" was wrong/);
      const alike = f.rows.map((_, i) => i).filter(i => !title || f.predicted[i] === title[1]);
      const [bad, good] = [alike.filter(isWrong), alike.filter(i => !isWrong(i))];
      const part = i => f.sign(i) * Number(f.rows[i][name]);
      assert.deepEqual([Number(wrongRows), Number(rightRows)], [bad.length, good.length]);
      near(wrong, mean(bad.map(part)), "incorrect rows");
      near(right, mean(good.map(part)), "correct rows");
    }
  ], [
    pattern(
      String.raw`^No single one of the [a-z ]+ decided this: these (\d+) have ([\d.]+) % of the `,
      String.raw`weight of their side\.$`
    ),
    ([count, share]) => {
      const shares = report.sides.map(texts =>
        texts.map(text => Number(text.match(/: ([\d.]+) %/)[1]))
      );
      const fits = shares.some(own =>
        own.length === Number(count)
        && Math.abs(own.reduce((a, b) => a + b, 0) - share) <= 0.5 * own.length + 0.51
      );
      assert.ok(fits, `${count} ${share} ${JSON.stringify(shares)}`);
    }
  ], [
    pattern(
      String.raw`^(.+?): (\d+) rows? \((\d+) %\), (?:(\d+) % predicted (.+?)|predicted ([\d.,]+) `,
      String.raw`on average)(?:, (\d+) % correct)?; (\w+) matters most, then (\w+) and (\w+)\.$`
    ),
    ([group, count, share, said, label, average, right, a, b, c]) => {
      near(share, (100 * count) / f.rows.length, "share of the rows");
      if (f.isRegressor) {
        const members = report.members(Number(count), number(average));
        return near(average, mean(members.map(i => Number(f.predicted[i]))), "mean prediction");
      }
      const members = f.rows.map((_, i) => i).filter(i => f.label(f.predicted[i]) === group);
      assert.deepEqual([members.length, Number(said), label], [Number(count), 100, group]);
      const correct = members.filter(i => f.truth[i] === f.predicted[i]).length;
      if (right) near(right, (100 * correct) / members.length, "correct");
      const size = name => trimmed(members.map(i => Math.abs(f.rows[i][name])));
      assert.deepEqual([a, b, c], [...names].sort((x, y) => size(y) - size(x)).slice(0, 3));
    }
  ]];
}

const kPlaces =
  "#summary-lines p, #row-sentences p, #row-totals, #row-remainder, #row-stretch, #row-far, "
  + ".cohort p, #rows > p:first-of-type, #points .sides .note, #group-lines li";

/** Checks every sentence with a number and returns their count. */
async function check(page, f, r) {
  const found = await page.$$eval(kPlaces,
    all =>
      all.map(own => ({ text: own.textContent,
        title: own.closest(".cohort")?.querySelector("h3").textContent ?? "" })
      ));
  const sides = await page.$$eval("#points .sides > div",
    all => all.map(side => [...side.querySelectorAll(".tab")].map(tab => tab.textContent)));
  // Quartiles of the predictions, by their number of rows and their mean.
  const members = (count, average) => {
    const sorted = f.predicted.map((value, i) => [Number(value), i]).sort((a, b) => a[0] - b[0]);
    for (let at = 0; at + count <= sorted.length; ++at) {
      const own = sorted.slice(at, at + count);
      if (Math.abs(mean(own.map(([value]) => value)) - average) < 0.06) {
        return own.map(([, i]) => i);
      }
    }
    return [];
  };
  let checked = 0;
  for (const { text, title } of found) {
    for (
      const sentence of text.replaceAll("\u00a0", " ").split(/(?<=[.)]\.|[^\d]\.|\d\.) (?=[A-Z\d])/)
    ) {
      if (!/\d/.test(sentence)) {
        continue;
      }
      const match = patterns(f, r, { title, sides, members }).map((
        [pattern, holds]
      ) => [sentence.trim().match(pattern), holds]).find(([matched]) => matched);
      assert.ok(match, `no check for: ${sentence}`);
      match[1](match[0].slice(1));
      ++checked;
    }
  }
  return checked;
}

for (const [kind, [target, ...words]] of Object.entries(models)) {
  test(`${kind}: every sentence with a number is true`, async () => {
    const model = kind === "nearest centroids" ? "centroids.npz" : "model.npz";
    if (words.length > 0) {
      bisector("train", inFolder("table.csv"), ...words,
        ...(target === "" ? [] : ["--target", target]), ...others(target), "-o",
        inFolder("model.npz"));
    }
    bisector("report", inFolder(model), inFolder("table.csv"),
      ...(target === "" ? [] : ["--target", target]),
      ...(target === "load" ? ["--names", "unit=MPa"] : []), "-o", inFolder("report.html"));
    const f = factsOf(kind, target),
      { page, problems, close } = await openReport(browser, inFolder("report.html"));
    await page.selectOption("#groups select", { label: "prediction" });
    await page.waitForSelector("#group-lines");
    const wrong = f.isRegressor || target === "" ? -1 : f.truth.findIndex((truth, i) =>
      truth !== f.predicted[i]
    );
    const closest = f.rows.reduce(
      (best, row, i) => (Math.abs(row.output) < Math.abs(f.rows[best].output) ? i : best),
      0
    );
    let checked = 0;
    const voters = / --model knnr? --k (\d+)/.exec(` ${words.join(" ")}`);
    for (const r of new Set([1, 8, 50, closest + 1, wrong + 1].filter(row => row > 0))) {
      await page.evaluate(row => {
        location.hash = `row=${row}&group=predicted`;
      }, r);
      await rowShown(page, r);
      await settle(page);
      checked += await check(page, f, r);
      if (voters) {
        const tabs = await page.$$eval("#points .tab", all => all.map(tab => tab.textContent));
        const listed = tabs.map(text => Number(text.match(/^training row (\d+): /)[1])).sort();
        // With weights by distance, the row itself votes alone.
        const expected = words.includes("distance") ? [r]
          : nearestRows(r, Number(voters[1])).sort();
        assert.deepEqual(listed, expected);
      }
    }
    assert.ok(checked >= 20, `${checked} sentences`);
    assert.deepEqual(problems, []);
    await close();
  });
}
