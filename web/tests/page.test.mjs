// The page of the demo's report in a real browser.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, bisector, folder, inFolder, launch, openReport, readTable, removeFolder, windows } from "./support.mjs";

let browser, opened, page;

before(async () => {
  bisector("demo", "-o", folder);
  browser = await launch();
  opened = await openReport(browser, inFolder("report.html"));
  page = opened.page;
});

after(async () => {
  await browser?.close();
  removeFolder();
});

const rowName = () => page.textContent("#row-name");

test("opens from a file without an error or a request", () => {
  assert.deepEqual(opened.problems, []);
  assert.ok(statSync(inFolder("report.html")).size < 3e6);
});

test("says what the model is, with the formula one click away", async () => {
  assert.match(await page.textContent("#about"), /Gaussian SVM classifier.*support vectors/s);
  assert.equal(await page.isVisible("#formula pre"), false);
  await page.click("#formula summary");
  assert.equal(await page.isVisible("#formula pre"), true);
});

test("a feature chosen in one chart is chosen in the others", async () => {
  const bars = page.locator("#importance g.bar");
  const name = (await bars.nth(3).locator("title").textContent()).split(":")[0];
  await bars.nth(3).click();
  await page.waitForFunction((wanted) => document.querySelector("#dependence select").selectedOptions[0].textContent === wanted, name);
  assert.match(await page.textContent("#rows thead"), new RegExp(name));
  await page.locator("#row .bar").first().focus();
  const part = await page.locator("#row .bar").first().locator("title").textContent();
  await page.keyboard.press("Enter");
  await page.waitForFunction((wanted) => wanted.startsWith(document.querySelector("#dependence select").selectedOptions[0].textContent), part);
});

test("a row chosen in the table, a chart or by keyboard is shown", async () => {
  await page.locator("#rows tbody tr").nth(2).click();
  const number = await page.locator("#rows tbody tr").nth(2).locator("th").textContent();
  await page.waitForFunction((wanted) => document.querySelector("#row-name").textContent.startsWith(`Row ${wanted}:`), number);
  const name = await rowName();
  await page.focus("#dependence canvas");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((old) => document.querySelector("#row-name").textContent !== old, name);
  await page.locator("#beeswarm canvas").scrollIntoViewIfNeeded();
  const box = await page.locator("#beeswarm canvas").boundingBox();
  const second = await rowName();
  for (let x = 0.95; x > 0.3 && (await rowName()) === second; x -= 0.02) {
    await page.mouse.click(box.x + box.width * x, box.y + 17);
    await page.waitForTimeout(40);
  }
  assert.notEqual(await rowName(), second);
});

test("search, filter and sort", async () => {
  const count = () => page.textContent("#rows [role=status]");
  const all = await count();
  await page.fill("#rows input[type=search]", "benign");
  await page.waitForFunction((old) => document.querySelector("#rows [role=status]").textContent !== old, all);
  const cells = await page.$$eval("#rows tbody td:nth-child(2)", (tds) => tds.map((td) => td.textContent));
  assert.ok(cells.length > 0 && cells.every((cell) => cell === "benign"));
  await page.fill("#rows input[type=search]", "no such thing");
  await page.waitForFunction(() => document.querySelector("#rows [role=status]").textContent.startsWith("0 of"));
  await page.fill("#rows input[type=search]", "");
  await page.waitForFunction((old) => document.querySelector("#rows [role=status]").textContent === old, all);
  await page.click("#rows thead th:nth-child(3) button");
  const numbers = await page.$$eval("#rows tbody td:nth-child(3)", (tds) => tds.map((td) => Number(td.textContent.replace("−", "-"))));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  assert.equal(await page.getAttribute("#rows thead th:nth-child(3)", "aria-sort"), "descending");
  assert.equal(await count(), all);
});

test("the colour can be picked, and the strongest interaction proposed", async () => {
  const colour = () => page.$$eval("#dependence select", (selects) => selects[1].selectedOptions[0].textContent);
  const proposed = await colour();
  const other = proposed === "mean radius" ? "mean texture" : "mean radius";
  await page.locator("#dependence select").nth(1).selectOption(other);
  assert.equal(await colour(), other);
  await page.click("#dependence button");
  await page.waitForFunction((wanted) => document.querySelectorAll("#dependence select")[1].selectedOptions[0].textContent === wanted, proposed);
  assert.match(await page.textContent("#dependence .note"), /explains \d+ % of the variance/);
});

test("the waterfall adds up to g, which is the command's", async () => {
  const number = Number((await rowName()).match(/Row (\d+)/)[1]);
  const g = Number(readTable("relevance.csv").find((row) => Number(row.row) === number).g);
  const shown = async (selector) => (await page.$$eval(selector, (texts) => texts.map((text) => Number(text.textContent.replaceAll("−", "-")))));
  const [base, end] = (await shown("#row svg text.strong")).filter((value) => !Number.isNaN(value));
  const sum = (await shown("#row svg text.small")).reduce((total, part) => total + part, base);
  // Four digits of every number are shown.
  assert.ok(Math.abs(end - g) < 1e-3 * Math.abs(g) && Math.abs(sum - g) < 2e-3 * Math.abs(g) + 1e-5, `${base} ${sum} ${end} ${g}`);
});

test("the evidence shows points of both sides", async () => {
  const heads = await page.$$eval("#row table thead th", (ths) => ths.map((th) => th.textContent));
  assert.equal(heads.length, 4);
  assert.ok(heads.some((head) => head.includes("(malignant)")) && heads.some((head) => head.includes("(benign)")));
});

test("pixel flipping has a curve for every method", async () => {
  assert.ok((await page.locator("#pixel-flipping path[stroke-width]").count()) >= 7);
  assert.match(await page.textContent("#pixel-flipping table"), /lrp/);
});

for (const [name, options] of Object.entries(windows)) {
  test(`axe finds nothing serious, and nothing is wider than the window: ${name}`, async () => {
    const other = await openReport(browser, inFolder("report.html"), options);
    await assertAccessible(other, name);
    await other.close();
  });
}

const paperOf = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme follows the system until it is chosen", async () => {
  const other = await openReport(browser, inFolder("report.html"), { colorScheme: "dark" });
  const dark = await paperOf(other.page);
  await other.page.emulateMedia({ colorScheme: "light" });
  await other.page.waitForFunction((old) => getComputedStyle(document.body).backgroundColor !== old, dark);
  await other.page.click("nav button");
  assert.equal(await paperOf(other.page), dark);
  await other.page.emulateMedia({ colorScheme: "dark" });
  await other.page.emulateMedia({ colorScheme: "light" });
  await other.page.waitForTimeout(200);
  assert.equal(await paperOf(other.page), dark);
  await other.close();
});

test("the theme can be changed by hand", async () => {
  const paper = () => paperOf(page);
  const old = await paper();
  await page.click("nav button");
  assert.notEqual(await paper(), old);
  assert.deepEqual(opened.problems, []);
});
