// Groups of columns, many columns, and detectors.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, assertClose, bisector, computed, dropOthers, explain, inFolder, launch,
  openReport, readCsv, removeFolder, replaceNumber, rowNumber, sampleTable, settle,
  write } from "./support.mjs";

let browser;
before(async () => {
  browser = await launch();
  write("train.csv", sampleTable(150));
  write("rows.csv", sampleTable(40, 99));
  writeFileSync(inFolder("groups.json"), JSON.stringify({ place: ["a", "color"] }));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const groups = ["--groups", inFolder("groups.json")];

/** A report of the sample table with a group of a number and a category. */
async function groupedReport(target, ...words) {
  bisector("train", inFolder("train.csv"), ...words, "--target", target, "--type", "color=one-hot",
    ...dropOthers(target), "-o", inFolder("model.npz"));
  bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "--target", target, ...groups,
    "-o", inFolder("report.html"));
  const opened = await openReport(browser, inFolder("report.html"));
  await opened.page.waitForSelector("#what-if-result[data-output]");
  return opened;
}

for (const [target, model] of [["two", "svm"], ["number", "krr"]]) {
  test(`${model}: a group has the contribution that the command gives it`, async () => {
    const opened = await groupedReport(target, "--model", model);
    const { page, problems, close } = opened, number = await rowNumber(page);
    const rows = explain("model.npz", "rows.csv", ...groups);
    const bars = await page.$$eval("#importance .bar text", all => all.map(t => t.textContent));
    assert.deepEqual(bars.slice().sort(), ["b", "c", "place"]);
    const titles = await page.$$eval("#row .bar title", all => all.map(t => t.textContent));
    assert.ok(titles.some(title => title.startsWith("place: ")), String(titles));
    assert.ok(titles.every(title => !/^(a|color) =/.test(title)), String(titles));
    assert.match(await page.textContent("#importance"), /Features in groups: place is a and color/);
    // Columns a, b, c, color, then the group.
    const [a, b, c, color, place] = (await computed(page)).contributions;
    assert.deepEqual([a, color], [0, 0]);
    assertClose(b, Number(rows[number - 1].b), "b");
    assertClose(c, Number(rows[number - 1].c), "c");
    assertClose(place, Number(rows[number - 1].place), "place");
    await assertAccessible(opened, `groups of ${model}`);
    assert.deepEqual(problems, []);
    await close();
  });

  test(`${model}: changing a column of a group changes the group`, async () => {
    const { page, problems, close } = await groupedReport(target, "--model", model);
    const number = await rowNumber(page);
    await replaceNumber(page, '#what-if input[type=number][aria-label="a, exactly"]', "1.25");
    const lines = readFileSync(inFolder("rows.csv"), "utf8").trim().split("\n");
    const cells = lines[number].split(",");
    cells[0] = "1.25";
    write("changed.csv", [lines[0], cells.join(",")]);
    const [expected] = explain("model.npz", "changed.csv", ...groups);
    // Half of the number was typed before, and has results, too.
    await page.waitForFunction(
      output => Math.abs(document.querySelector("#what-if-result").dataset.output - output) < 1e-3,
      expected.output
    );
    const now = await computed(page);
    assertClose(now.output, expected.output, "output");
    assertClose(now.contributions[4], Number(expected.place), "place");
    assert.deepEqual(problems, []);
    await close();
  });
}

test("the effect of a group is drawn against any of its columns", async () => {
  const { page, close } = await groupedReport("number", "--model", "krr");
  await page.locator("#importance .bar", { hasText: "place" }).click();
  await settle(page);
  const feature = page.locator("#dependence select").first();
  const names = await feature.locator("option").allTextContents();
  assert.deepEqual(names, ["a (in place)", "b", "c", "color (in place)"]);
  await feature.selectOption({ label: "color (in place)" });
  await settle(page);
  assert.match(await page.textContent("#dependence"), /contribution of place/);
  assert.match(page.url(), /feature=color/);
  assert.equal(
    await page.locator("#importance .bar.chosen").textContent().then(t => t.includes("place")),
    true
  );
  await close();
});

test("with more than 40 columns the search changes the strongest ones", async () => {
  let state = 3;
  const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
  const names = Array.from({ length: 45 }, (_, c) => `x${c}`);
  const lines = Array.from({ length: 120 }, () => {
    const values = names.map(() => random().toFixed(3));
    const score = Number(values[0]) + Number(values[1]) - Number(values[2]);
    return [...values, score > 0.5 ? "yes" : "no"].join(",");
  });
  write("wide.csv", [[...names, "kind"].join(","), ...lines]);
  bisector("train", inFolder("wide.csv"), "--target", "kind", "--model", "svm", "-o",
    inFolder("wide.npz"));
  bisector("report", inFolder("wide.npz"), inFolder("wide.csv"), "--target", "kind", "-o",
    inFolder("wide.html"));
  const { page, problems, close } = await openReport(browser, inFolder("wide.html"));
  await page.waitForSelector("#what-if-result[data-output]");
  const number = await rowNumber(page);
  await page.click("#what-if-flip");
  await page.waitForSelector("#what-if-steps[data-radius]");
  const { text, values } = await page.$eval("#what-if-steps",
    ({ textContent, dataset }) => ({ text: textContent, values: JSON.parse(dataset.values) }));
  assert.match(text, /^Smallest change found among the 40 strongest features of this row: /);
  write("changed.csv", [names.join(","), values.join(",")]);
  const said = file => readCsv(bisector("predict", inFolder("wide.npz"), inFolder(file)));
  assert.notEqual(said("changed.csv")[0].prediction, said("wide.csv")[number - 1].prediction);
  const own = lines[number - 1].split(",").map(Number);
  assert.ok(values.filter((value, c) => value !== own[c]).length <= 40);
  assert.deepEqual(problems, []);
  await close();
});

test("the report of a detector begins with its unusual rows", async () => {
  bisector("train", inFolder("train.csv"), "--model", "lof", ...dropOthers(""), "--drop", "color",
    "-o", inFolder("lof.npz"));
  bisector("report", inFolder("lof.npz"), inFolder("rows.csv"), "-o", inFolder("lof.html"));
  const rows = explain("lof.npz", "rows.csv");
  const outside = rows.filter(({ prediction }) => prediction === "-1").length;
  const { page, problems, close } = await openReport(browser, inFolder("lof.html"));
  assert.match(await page.textContent("#summary-lines p"),
    new RegExp(`^${outside} of the 40 rows of the table (is|are) outside the usual range`));
  await page.click("#cases button:has-text('Most unusual rows')");
  await settle(page);
  const least = rows.reduce((best, row, i) => row.output < rows[best].output ? i : best, 0);
  assert.equal(await rowNumber(page), least + 1);
  assert.deepEqual(problems, []);
  await close();
});
