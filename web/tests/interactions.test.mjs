// The heat map of features that act together.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, bisector, dropOthers, inFolder, launch, openReport, removeFolder,
  sampleTable, saved, settle, windows, write } from "./support.mjs";

let browser;
/** Columns a, b, c and color; the first row is c. */
const pairs = { columns: [2, 0, 1, 3], rows: 40, exact: true, unit: "units of the decision value",
  mean_abs: [[9, 0.1, 0.2, 0.05], [0.1, 9, 0.75, 0.4], [0.2, 0.75, 9, 0.3], [0.05, 0.4, 0.3, 9]] };

/** The report with other interactions. */
function withPairs(name, interactions) {
  const page = readFileSync(inFolder("report.html"), "utf8");
  const [, data] = page.match(/id="report-data">([^<]*)</);
  const changed = JSON.stringify({ ...JSON.parse(data), interactions }).replaceAll("<", "\\u003c");
  writeFileSync(inFolder(name), page.replace(data, () => changed));
  return inFolder(name);
}

before(async () => {
  browser = await launch();
  write("train.csv", sampleTable(120));
  write("rows.csv", sampleTable(40, 99));
  bisector("train", inFolder("train.csv"), "--model", "svm", "--target", "two", "--type",
    "color=one-hot", ...dropOthers("two"), "-o", inFolder("model.npz"));
  bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "--target", "two", "-o",
    inFolder("report.html"));
  withPairs("pairs.html", pairs);
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("the strongest pair is named, and the table has all pairs in order", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("pairs.html"));
  assert.match(await page.textContent("#pair-sentence"),
    /^B and a act together most: their joint effect is 0\.750 units of the decision value/);
  const rows = await page.$$eval("#pairs tbody tr",
    all => all.map(tr => [...tr.children].map(cell => cell.textContent)));
  assert.deepEqual(rows, [["b and a", "0.750"], ["color and a", "0.400"], ["color and b", "0.300"],
    ["b and c", "0.200"], ["a and c", "0.100"], ["color and c", "0.050"]]);
  assert.match(await page.textContent("#interactions"), /Mean size over 40 rows/);
  assert.deepEqual(problems, []);
  await close();
});

test("the stronger a pair, the darker its cell; titles have the numbers", async () => {
  const { page, close } = await openReport(browser, inFolder("pairs.html"), windows.light);
  const cells = await page.$$eval("#interactions .cell",
    all =>
      all.map(cell => ({ title: cell.querySelector("title").textContent,
        light: cell.querySelector("rect").getAttribute("fill").match(/\d+/g).map(Number).reduce((a,
          b) => a + b
        ) })
      ));
  assert.equal(cells.length, 6);
  const ordered = cells.slice().sort((x, y) => x.light - y.light).map(({ title }) =>
    Number(title.match(/: ([\d.]+) /)[1])
  );
  assert.deepEqual(ordered, [0.75, 0.4, 0.3, 0.2, 0.1, 0.05]);
  await close();
});

test("a cell shows its pair in the effect of the feature, with the keyboard too", async () => {
  const { page, close } = await openReport(browser, inFolder("pairs.html"));
  assert.equal(await page.locator("#interactions .cell[tabindex='0']").count(), 1);
  await page.locator("#interactions .cell[tabindex='0']").focus();
  await page.keyboard.press("ArrowRight");
  const title = await page.evaluate(() =>
    document.activeElement.querySelector("title").textContent
  );
  await page.keyboard.press("Enter");
  await settle(page);
  const [, first, second] = title.match(/^(\w+) and (\w+):/);
  const chosen = await page.$$eval("#dependence select",
    all => all.map(select => select.selectedOptions[0].textContent));
  assert.deepEqual(chosen, [first, second]);
  assert.equal(await page.locator("#interactions .cell[aria-pressed=true] title").textContent(),
    title);
  assert.ok(await page.locator("#dependence h2").isVisible());
  await close();
});

for (const [name, options] of Object.entries(windows)) {
  test(`the heat map is accessible: ${name}`, async () => {
    const opened = await openReport(browser, inFolder("pairs.html"), options);
    await assertAccessible(opened, `pairs-${name}`);
    await opened.close();
  });
}

test("the saved chart has a legend", async () => {
  const { page, close } = await openReport(browser, inFolder("pairs.html"));
  await page.click("#interactions .saving summary");
  const svg = String(await saved(page, "#interactions .saving button:nth-of-type(1)"));
  assert.match(svg, /joint effect, from 0 to 0\.750 units of the decision value/);
  await close();
});

test("a report without interactions has no such section", async () => {
  const { page, problems, close } = await openReport(browser, withPairs("none.html", null));
  assert.equal(await page.locator("#interactions").count(), 0);
  assert.deepEqual(problems, []);
  await close();
});
