// Two models on the same rows, and groups of rows, compared with the command's output.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, bisector, explain, folder, inFolder, launch, mean, near, number,
  onlyChromium, openReport, pagesOf, pattern, quantile, readCsv, removeFolder, rowShown, saved,
  selected, settle, trimmed as typical, windows, write } from "./support.mjs";

let browser, data, svm, knn;
const features = () => Object.keys(data[0]).filter(name => name !== "diagnosis");
const list = ([a, b, c]) => `${a}, ${b} and ${c}`;
const sizes = (rows, name) => rows.map(row => Math.abs(Number(row[name])));

before(async () => {
  browser = await launch();
  bisector("demo", "-o", folder);
  data = readCsv(readFileSync(inFolder("held_out.csv"), "utf8"));
  // The second model does not use four of the columns.
  bisector("train", inFolder("training.csv"), "--target", "diagnosis", "--model", "knn", "--k", "9",
    "-o", inFolder("knn.npz"),
    ...["mean area", "worst area", "area error", "mean symmetry"].flatMap(
      name => ["--drop", name]
    ));
  bisector("report", inFolder("model.npz"), inFolder("held_out.csv"), "--target", "diagnosis",
    "--against", inFolder("knn.npz"), "-o", inFolder("both.html"));
  [svm, knn] = ["model.npz", "knn.npz"].map(model => explain(model, "held_out.csv"));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("a kept column names the rows, is found and is saved", async () => {
  const lines = readFileSync(inFolder("held_out.csv"), "utf8").trimEnd().split("\n");
  write("named.csv", lines.map((line, i) => `${i === 0 ? "patient" : `P-${i}x`},${line}`));
  bisector("report", inFolder("model.npz"), inFolder("named.csv"), "--keep", "patient", "-o",
    inFolder("named.html"));
  const opened = await openReport(browser, inFolder("named.html")), { page } = opened;
  const number = (await page.textContent("#row-name")).match(/^Row (\d+) \(P-(\d+)x\)$/);
  assert.ok(number && number[1] === number[2], await page.textContent("#row-name"));
  await page.fill("#rows input[type=search]", "p-17x");
  await selected(page, 1);
  assert.deepEqual(
    await page.$$eval("#rows tbody tr", trs =>
      trs.map(tr => [...tr.children].slice(0, 2).map(cell => cell.textContent))),
    [["17", "P-17x"]]
  );
  assert.equal(readCsv(String(await saved(page, "#save-rows")))[0].patient, "P-17x");
  assert.deepEqual(opened.problems, []);
  await opened.close();
});

const shareOf = (rows, names,
  name) => (name in rows[0]
    ? typical(sizes(rows, name)) / names.reduce((sum, own) => sum + typical(sizes(rows, own)), 0)
    : 0);

test("two models: where they agree, which is correct, and what each of them uses", async () => {
  const opened = await openReport(browser, inFolder("both.html")), { page } = opened;
  const text = await page.textContent("#models-lines"),
    differ = data.map((_, r) => r).filter(r => svm[r].prediction !== knn[r].prediction);
  assert.ok(differ.length > 0);
  const right = rows => differ.filter(r => rows[r].prediction === data[r].diagnosis).length;
  assert.ok(
    text.startsWith(
      `model.npz and knn.npz agree on ${data.length - differ.length} of ${data.length} rows (${
        Math.round(100 - (100 * differ.length) / data.length)
      } %). Of the ${differ.length} row${
        differ.length > 1 ? "s" : ""
      } on which they differ, model.npz is correct on ${right(svm)}, knn.npz on ${right(knn)}.`
    ),
    text
  );
  const theirs = features().filter(name => name in knn[0]);
  assert.equal(theirs.length, 26);
  const byTypical = (rows, names) =>
    [...names].sort((a, b) => typical(sizes(rows, b)) - typical(sizes(rows, a))).slice(0, 3);
  assert.ok(
    text.includes(
      `model.npz uses ${list(byTypical(svm, features()))} most, knn.npz ${
        list(byTypical(knn, theirs))
      }.`
    ),
    text
  );
  const [, name, mine, their] = text.match(
    /They differ most in (.+?): ([\d.]+) % of the reasons of model.npz, ([\d.]+) % of knn.npz/
  );
  const apart = own => Math.abs(shareOf(svm, features(), own) - shareOf(knn, theirs, own));
  assert.equal(name, [...features()].sort((a, b) => apart(b) - apart(a))[0]);
  assert.ok(
    Math.abs(mine - 100 * shareOf(svm, features(), name)) <= 0.51
      && Math.abs(their - 100 * shareOf(knn, theirs, name)) <= 0.51,
    text
  );
  const cells = await page.$$eval("#cross tbody tr",
    trs => trs.map(tr => [...tr.children].map(cell => cell.textContent)));
  const heads = (await page.$$eval("#cross thead th", ths => ths.map(th => th.textContent))).slice(
    1
  );
  for (const [label, ...counts] of cells) {
    counts.forEach((count, i) =>
      assert.equal(Number(count), data.filter((_, r) =>
        svm[r].prediction === label && knn[r].prediction === heads[i]
      ).length)
    );
  }
  // Rows on which they differ can be selected, and a link keeps the selection.
  await page.click("#agreement [data-choice=differ]");
  await selected(page, differ.length);
  await page.waitForFunction(() => location.hash.includes("models=differ"));
  const said = await page.$$eval("#rows tbody tr",
    trs => trs.map(tr => [...tr.children].slice(0, 3).map(cell => cell.textContent)));
  for (const [r, a, b] of said) {
    assert.deepEqual([a, b], [svm[r - 1].prediction, knn[r - 1].prediction]);
  }
  assert.deepEqual(opened.problems, []);
  await opened.close();
});

test("two models: one row explained by both", async () => {
  const opened = await openReport(browser, inFolder("both.html")), { page } = opened;
  for (const r of [1, data.findIndex((_, i) => svm[i].prediction !== knn[i].prediction) + 1]) {
    await page.evaluate(row => {
      location.hash = `row=${row}`;
    }, r);
    await rowShown(page, r);
    const text = await page.textContent("#other-model"), is = knn[r - 1].prediction;
    assert.ok(
      text.includes(
        `knn.npz ${is === svm[r - 1].prediction ? "also predicts" : "predicts"} ${is}: ${
          is === data[r - 1].diagnosis ? "correct" : "incorrect"
        }.`
      ),
      text
    );
    const rows = await page.$$eval("#other-model tbody tr", trs =>
      trs.map(tr => [...tr.children].map(cell => cell.textContent)));
    assert.equal(rows.length, 12);
    for (const [name, value, a, b] of rows) {
      assert.equal(number(value), Number(data[r - 1][name]));
      near(a, svm[r - 1][name], name);
      if (name in knn[0]) near(b, knn[r - 1][name], name);
      else assert.equal(b, "–");
    }
  }
  for (const [name, options] of Object.entries(windows)) {
    const other = await openReport(browser, inFolder("both.html"), options);
    await other.page.selectOption("#groups select", { label: "prediction" });
    await other.page.waitForSelector("#group-importance");
    await assertAccessible(other, `models-${name}`);
    await other.close();
  }
  await opened.close();
});

test("two models: the saved chart says which bar is whose", async () => {
  const { page, close } = await openReport(browser, inFolder("both.html"));
  await page.click("#models .saving summary");
  const text = String(await saved(page, "#models .saving button:nth-of-type(1)"));
  for (const name of ["model.npz", "knn.npz"]) assert.ok(text.includes(`>${name}<`), name);
  await close();
});

test("two models: one row is printed on one page", onlyChromium, async () => {
  const { page, close } = await openReport(browser, inFolder("both.html"));
  for (const format of ["A4", "Letter"]) {
    await page.evaluate(() => document.documentElement.classList.add("one-case"));
    assert.equal(pagesOf(await page.pdf({ format })), 1, format);
  }
  await close();
});

test("two regressors: how far apart they are, and which is closer", async () => {
  const lines = ["a,b,load"];
  for (let r = 0; r < 60; ++r) {
    lines.push(
      [r % 7, (r * 5) % 11, ((r % 7) * 3 + ((r * 5) % 11) ** 1.5 + (r % 3)).toFixed(2)].join(",")
    );
  }
  lines.push("3,,20"); // a row without b, which only one of the two needs
  write("loads.csv", lines);
  bisector("train", inFolder("loads.csv"), "--target", "load", "--model", "krr", "--drop", "b",
    "-o", inFolder("krr.npz"));
  bisector("train", inFolder("loads.csv"), "--target", "load", "--model", "krr", "--missing",
    "skip", "-o", inFolder("both.npz"));
  bisector("report", inFolder("krr.npz"), inFolder("loads.csv"), "--against", inFolder("both.npz"),
    "--missing", "skip", "--names", "unit=MPa", "-o", inFolder("loads.html"));
  const { page, problems, close } = await openReport(browser, inFolder("loads.html"));
  const own = readCsv(bisector("predict", inFolder("krr.npz"), inFolder("loads.csv"))),
    other = readCsv(
      bisector("predict", inFolder("both.npz"), inFolder("loads.csv"), "--missing", "skip")
    );
  const truth = readCsv(readFileSync(inFolder("loads.csv"), "utf8")).map(row => Number(row.load));
  const apart = other.map((row, r) => Math.abs(row.prediction - own[r].prediction));
  const text = await page.textContent("#models-lines");
  const [, average, most, widest, closer, known] = text.match(
    pattern(
      String.raw`differ by ([\d.]+) MPa on average and by at most ([\d.]+) MPa \(row (\d+)\). `,
      String.raw`krr.npz is closer on (\d+) of (\d+) rows`
    )
  );
  assert.ok(
    Math.abs(average - mean(apart)) <= 0.051 && Math.abs(most - Math.max(...apart)) <= 0.051,
    text
  );
  assert.equal(Number(widest), apart.indexOf(Math.max(...apart)) + 1);
  assert.deepEqual([Number(closer), Number(known)], [
    apart.filter((_, r) =>
      Math.abs(own[r].prediction - truth[r]) < Math.abs(other[r].prediction - truth[r])
    ).length,
    60
  ]);
  assert.match(text, /both.npz cannot use 1 of 61 rows\./);
  assert.deepEqual(problems, []);
  await close();
});

const grouped = async (page, label) => {
  await page.selectOption("#groups select", { label });
  await page.waitForSelector("#group-importance");
  await settle(page);
  return page.$$eval("#groups [data-member]",
    all =>
      all.map(button => ({ name: button.textContent.split(": ")[0],
        rows: Number(button.textContent.match(/(\d+) rows?$/)[1]) })
      ));
};
const groupTable = page =>
  page.$eval("#group-importance",
    own => ({ heads: [...own.querySelectorAll("thead th")].slice(1).map(th => th.textContent),
      rows: [...own.querySelectorAll("tbody tr")].map(tr =>
        [...tr.children].map(cell => cell.textContent)
      ) }));

test("groups by prediction: importance of each class, by the command's numbers", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("report.html"));
  const groups = await grouped(page, "prediction");
  assert.equal(groups.reduce((sum, { rows }) => sum + rows, 0), data.length);
  const { heads, rows } = await groupTable(page);
  heads.forEach((label, g) => {
    const own = svm.filter(row => row.prediction === label);
    assert.equal(groups[g].rows, own.length);
    for (const [name, ...cells] of rows) {
      near(cells[g], typical(sizes(own, name)), `${label} ${name}`);
    }
  });
  const lines = await page.$$eval("#group-lines li", all => all.map(li => li.textContent));
  lines.forEach((text, g) => {
    const own = svm.filter(row => row.prediction === heads[g]),
      right = own.filter(row => data[row.row - 1].diagnosis === heads[g]).length;
    const top = [...features()].sort((a, b) => typical(sizes(own, b)) - typical(sizes(own, a)));
    assert.equal(text,
      `${heads[g]}: ${own.length} rows (${
        Math.round((100 * own.length) / data.length)
      } %), 100 % predicted ${heads[g]}, ${Math.round((100 * right) / own.length)} % correct; ${
        top[0]
      } matters most, then ${top[1]} and ${top[2]}.`);
  });
  // The button of a group selects its rows everywhere, and a link keeps the selection.
  await page.click("#groups [data-member='1']");
  await selected(page, groups[1].rows);
  assert.match(await page.textContent("#importance [role=status]"),
    new RegExp(`the ${groups[1].rows} selected rows`));
  await page.waitForFunction(() =>
    location.hash.includes("group=predicted") && location.hash.includes("member=1")
  );
  assert.deepEqual(problems, []);
  await close();
});

test("groups by a feature are its quartiles", async () => {
  const { page, close } = await openReport(browser, inFolder("report.html"));
  const groups = await grouped(page, "worst texture"),
    values = data.map(row => Number(row["worst texture"]));
  assert.equal(groups.length, 4);
  const at = q => quantile(values, q);
  const ends = [-Infinity, at(0.25), at(0.5), at(0.75), Infinity];
  groups.forEach(({ rows }, g) =>
    assert.equal(rows, values.filter(value => value > ends[g] && value <= ends[g + 1]).length)
  );
  await close();
});
