// The page of the demo's report in a real browser.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, assertApartInGray, bisector, folder, inFolder, launch, openReport, readCsv, removeFolder, settle, sideColors, windows, write } from "./support.mjs";

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
    await settle(page);
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
  await page.click("#rows thead th:nth-child(4) button");
  const numbers = await page.$$eval("#rows tbody td:nth-child(4)", (tds) => tds.map((td) => Number(td.textContent.replace("−", "-"))));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  assert.equal(await page.getAttribute("#rows thead th:nth-child(4)", "aria-sort"), "descending");
  assert.equal(await count(), all);
});

test("the color can be picked, and the strongest interaction proposed", async () => {
  const color = () => page.$$eval("#dependence select", (selects) => selects[1].selectedOptions[0].textContent);
  const proposed = await color();
  const other = proposed === "mean radius" ? "mean texture" : "mean radius";
  await page.locator("#dependence select").nth(1).selectOption(other);
  assert.equal(await color(), other);
  await page.click("#dependence button");
  await page.waitForFunction((wanted) => document.querySelectorAll("#dependence select")[1].selectedOptions[0].textContent === wanted, proposed);
  assert.match(await page.textContent("#dependence .note"), /explains \d+ % of the variance/);
});

test("says which rule was taken and why, in which unit, and what another view would add", async () => {
  const { method, reason } = JSON.parse(bisector("inspect", inFolder("model.npz"), "--json")).settings;
  assert.ok((await page.textContent("#rule")).includes(`(${method}): ${reason}. It follows the decision along`), `${method} ${reason}`);
  assert.match(await page.textContent("#unit"), /units of the decision value/);
  assert.match(await page.textContent("#view"), /the model's view.*bisector report --view data/);
  for (const part of ["#importance", "#beeswarm", "#dependence", "#row", "#rows", "#what-if"])
    assert.match(await page.textContent(part), /units of the decision value/, part);
});

test("the waterfall adds up to the decision value, which is the command's", async () => {
  const number = Number((await rowName()).match(/Row (\d+)/)[1]);
  const explained = readCsv(bisector("explain", inFolder("model.npz"), inFolder("held_out.csv"), "--unit", "decision", "--details"));
  const expected = explained.find((row) => Number(row.row) === number);
  const g = Number(expected.decision);
  const shown = async (selector) => (await page.$$eval(selector, (texts) => texts.map((text) => Number(text.textContent.replaceAll("−", "-")))));
  const [base, end] = (await shown("#row svg text.strong")).filter((value) => !Number.isNaN(value));
  const sum = (await shown("#row svg text.small")).reduce((total, part) => total + part, base);
  // Three digits behind the point are shown, of base, output and at most 14 parts.
  assert.ok(Math.abs(end - g) < 6e-4 && Math.abs(sum - g) < 16 * 6e-4, `${base} ${sum} ${end} ${g}`);
  assert.ok(Math.abs(base - Number(expected.base)) < 6e-4, `${base} ${expected.base}`);
  const account = (await page.$$eval("#row-account b", (all) => all.map((b) => Number(b.textContent.replaceAll("−", "-")))));
  assert.equal(account.length, 4);
  assert.ok(Math.abs(account[0] + account[1] + account[2] - account[3]) < 3e-3, String(account));
});

test("a large remainder and a row far from all data are told in words", async () => {
  bisector("report", inFolder("model.npz"), inFolder("held_out.csv"), "--method", "lrp", "-o", inFolder("lrp.html"));
  const other = await openReport(browser, inFolder("lrp.html"));
  const sentence = await other.page.textContent("#rows > p");
  const [, large, all] = sentence.match(/In (\d+) of (\d+) rows more than a fifth of the output is left over/);
  const rows = readCsv(bisector("explain", inFolder("model.npz"), inFolder("held_out.csv"), "--method", "lrp", "--unit", "decision", "--details"));
  const isLarge = (row) => Math.abs(Number(row.remainder)) > 0.2 * Math.abs(Number(row.decision));
  assert.deepEqual([Number(large), Number(all)], [rows.filter(isLarge).length, rows.length]);
  await other.page.fill("#rows input[type=search]", "large");
  await other.page.waitForFunction((count) => document.querySelector("#rows [role=status]").textContent.startsWith(`${count} of`), large);
  await other.page.locator("#rows tbody tr").first().click();
  await other.page.waitForSelector("#row-remainder");
  const share = (await other.page.textContent("#row-remainder")).match(/is (\S+) % of the decision value/)[1];
  assert.ok(Number(share) >= 20, share);
  await other.close();

  const lines = readFileSync(inFolder("held_out.csv"), "utf8").trim().split("\n");
  const far = lines[1].split(",").map((cell, i, cells) => (i + 1 < cells.length ? String(1000 * Number(cell)) : cell));
  write("far.csv", [...lines.slice(0, 4), far.join(",")]);
  bisector("report", inFolder("model.npz"), inFolder("far.csv"), "-o", inFolder("far.html"));
  const away = await openReport(browser, inFolder("far.html"));
  await away.page.locator("#rows tbody tr").nth(3).click();
  await away.page.waitForSelector("#row-outside");
  assert.match(await away.page.textContent("#rows tbody tr:nth-child(4)"), /outside the data/);
  assert.match(await away.page.textContent("#what-if-result"), /Far from all data/);
  await away.close();
});

test("the points that decided have weights of their own, those of the command's network", async () => {
  const number = (await rowName()).match(/Row (\d+)/)[1];
  const sides = await page.$$eval("#points .sides > div", (all) => all.map((side) => ({ name: side.querySelector(".key").textContent, points: [...side.querySelectorAll("button")].map((b) => b.textContent) })));
  assert.deepEqual(sides.map(({ name }) => name), ["For malignant", "For benign"]);
  const { network } = JSON.parse(bisector("inspect", inFolder("model.npz"), "--network", inFolder("held_out.csv"), "--row", number, "--json"));
  sides.forEach(({ points }, i) => {
    const [numbers, weights] = i === 0 ? [network.positive, network.positive_weights] : [network.negative, network.negative_weights];
    const expected = weights.map((weight, k) => ({ weight, number: numbers[k] })).sort((a, b) => b.weight - a.weight).slice(0, 5);
    assert.deepEqual(points, expected.map(({ weight, number: point }) => `point ${point}: ${Math.round(100 * weight)} %`));
  });
  const heads = await page.$$eval("#points table thead th", (ths) => ths.map((th) => th.textContent));
  assert.deepEqual([heads[0], heads[1], heads[4]], ["Feature", `row ${number}`, "relevance"]);
});

test("pixel flipping has a curve for every method", async () => {
  assert.ok((await page.locator("#pixel-flipping path[stroke-width]").count()) >= 7);
  assert.match(await page.textContent("#pixel-flipping table"), /lrp/);
});

for (const [name, options] of Object.entries(windows)) {
  test(`axe finds nothing, and nothing is wider than the window: ${name}`, async () => {
    const other = await openReport(browser, inFolder("report.html"), options);
    await assertAccessible(other, name);
    await other.close();
  });
}

for (const [name, options] of Object.entries({ light: windows.light, dark: windows.dark })) {
  test(`the two sides are told apart in gray: ${name}`, async () => {
    const other = await openReport(browser, inFolder("report.html"), options);
    assertApartInGray(...(await sideColors(other.page)), "words");
    const bars = await other.page.$eval("#importance g.bar", (bar) => [...bar.querySelectorAll("rect[fill]")].map((rect) => rect.getAttribute("fill")));
    assertApartInGray(bars[0], bars[1], "bars");
    const ramp = await other.page.evaluate((dark) => { const { palette } = JSON.parse(document.getElementById("report-data").textContent); return dark ? palette.divergingDark : palette.diverging; }, name === "dark");
    assertApartInGray(ramp[0], ramp.at(-1), "pictures");
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
  await settle(other.page);
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
