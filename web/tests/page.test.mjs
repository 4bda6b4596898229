// The demo's report in a real browser.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, assertApartInGray, bisector, explain, inFolder, near, onlyChromium,
  openDemo, openReport, readCsv, removeFolder, rowNumber, rowShown, saved, selected, settle,
  sideColors, windows, write } from "./support.mjs";

let browser, opened, page;

before(async () => {
  ({ browser, opened, page } = await openDemo());
});

after(async () => {
  await browser?.close();
  removeFolder();
});

const rowName = () => page.textContent("#row-name");

test("opens from a file without an error or a request", () => {
  assert.deepEqual(opened.problems, []);
  assert.ok(statSync(inFolder("report.html")).size < 1.5e6);
});

test("charts are drawn", async () => {
  for (const part of ["#beeswarm", "#dependence"]) {
    const inked = await page.$eval(`${part} canvas`, canvas =>
      canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.filter((value,
        i) =>
        i % 4 === 3 && value > 0
      ).length);
    assert.ok(inked > 1000, `${part}: ${inked} pixels`);
  }
  assert.equal(await page.locator("#importance g.bar").count(), 12);
});

test("explains how it was computed, with the formula one click away", async () => {
  assert.match(await page.textContent("#about"),
    /Gaussian SVM classifier.*support vectors.*Contributions are computed by/s);
  assert.equal(await page.isVisible("#formula pre"), false);
  await page.click("#formula summary");
  assert.equal(await page.isVisible("#formula pre"), true);
});

test("a feature selected in one chart is selected in the others", async () => {
  const bars = page.locator("#importance g.bar");
  const name = (await bars.nth(3).locator("title").textContent()).split(":")[0];
  await bars.nth(3).click();
  await page.waitForFunction(
    wanted =>
      document.querySelector("#dependence select").selectedOptions[0].textContent === wanted,
    name
  );
  assert.match(await page.textContent("#rows thead"), new RegExp(name));
  await page.locator("#row .bar").first().focus();
  const part = await page.locator("#row .bar").first().locator("title").textContent();
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    wanted =>
      wanted.startsWith(
        document.querySelector("#dependence select").selectedOptions[0].textContent
      ),
    part
  );
});

test("a row selected in the table, a chart or by keyboard is shown", async () => {
  await page.locator("#rows tbody tr").nth(2).click();
  const number = await page.locator("#rows tbody tr").nth(2).locator("th").textContent();
  await rowShown(page, number);
  const name = await rowName();
  await page.focus("#dependence canvas");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(old => document.querySelector("#row-name").textContent !== old, name);
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
  await page.waitForFunction(
    old => document.querySelector("#rows [role=status]").textContent !== old,
    all
  );
  const cells = await page.$$eval("#rows tbody td:nth-child(2)",
    tds => tds.map(td => td.textContent));
  assert.ok(cells.length > 0 && cells.every(cell => cell === "benign"));
  await page.fill("#rows input[type=search]", "no such thing");
  await page.waitForFunction(() =>
    document.querySelector("#rows [role=status]").textContent.startsWith("0 of")
  );
  await page.fill("#rows input[type=search]", "");
  await page.waitForFunction(
    old => document.querySelector("#rows [role=status]").textContent === old,
    all
  );
  await page.click("#rows thead th:nth-child(4) button"); // the decision value
  const numbers = await page.$$eval("#rows tbody td:nth-child(4)",
    tds => tds.map(td => Number(td.textContent.replace("−", "-"))));
  assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
  assert.equal(await page.getAttribute("#rows thead th:nth-child(4)", "aria-sort"), "descending");
  assert.equal(await count(), all);
});

test("the color can be picked, and the strongest exact interaction is proposed", async () => {
  const color = () =>
    page.$$eval("#dependence select", selects => selects[1].selectedOptions[0].textContent);
  const proposed = await color();
  const other = proposed === "mean radius" ? "mean texture" : "mean radius";
  await page.locator("#dependence select").nth(1).selectOption(other);
  assert.equal(await color(), other);
  await page.click("#dependence button");
  await page.waitForFunction(
    wanted =>
      document.querySelectorAll("#dependence select")[1].selectedOptions[0].textContent === wanted,
    proposed
  );
  // The named partner is that of the pairs in "Features that act together".
  const feature = await page.$eval("#dependence select", own => own.selectedOptions[0].textContent);
  assert.match(await page.textContent("#dependence .note"),
    new RegExp(`^Strongest interaction: with ${proposed}, a joint effect of [\\d.]+ units of `));
  await page.click("#interactions .saving summary");
  const csv = (await saved(page, "#interactions .saving button:nth-of-type(3)")).toString("utf8");
  const [, ...pairs] = csv.trim().split("\r\n").map(line => line.split(","));
  const own = pairs.find(pair => pair.slice(0, 2).includes(feature));
  assert.ok(own.slice(0, 2).includes(proposed), `${proposed}: ${own}`);
});

test("names the method, the reason and the unit, and mentions the other view", async () => {
  const { method, reason } =
    JSON.parse(bisector("inspect", inFolder("model.npz"), "--json")).settings;
  const rule = await page.textContent("#rule");
  assert.ok(rule.includes(`(${method}): ${reason}. It follows the decision along`), rule);
  assert.match(await page.textContent("#view"),
    /the model view.*bisector report --method auto:view=data/);
  const unit = await page.textContent("#unit b");
  for (const part of ["#importance", "#beeswarm", "#dependence", "#row", "#what-if"]) {
    assert.ok((await page.textContent(part)).includes(unit), part);
  }
});

test("the waterfall and the sentence add up to the command's decision value", async () => {
  const row = explain("model.npz", "held_out.csv")[(await rowNumber(page)) - 1];
  const shown = async selector =>
    page.$$eval(selector,
      texts => texts.map(text => Number(text.textContent.replaceAll("−", "-"))));
  const [base, end] = (await shown("#row svg text.strong")).filter(value => !Number.isNaN(value));
  const sum = (await shown("#row svg text.small")).reduce((total, part) => total + part, base);
  // Three significant digits of the largest number are shown: of base, output and at most 14 parts.
  const digit = 6e-3 * 10 ** Math.floor(Math.log10(Math.max(Math.abs(row.output), 1)));
  assert.ok(Math.abs(end - row.output) < digit && Math.abs(sum - row.output) < 16 * digit,
    `${base} ${sum} ${end} ${row.output}`);
  assert.ok(Math.abs(base - row.base) < digit, `${base} ${row.base}`);
  const said = (await page.textContent("#row-totals")).match(
    /^Average output (\S+), this row's features (\S+), result (\S+)/
  ).slice(1).map(text => Number(text.replaceAll("−", "-").replace(/,$/, "")));
  assert.ok(Math.abs(said[0] + said[1] - said[2]) < 3 * digit, String(said));
});

test("a large remainder and a row far from the training data are said in words", async () => {
  bisector("report", inFolder("model.npz"), inFolder("held_out.csv"), "--method", "lrp", "-o",
    inFolder("lrp.html"));
  const other = await openReport(browser, inFolder("lrp.html"));
  const rows = explain("model.npz", "held_out.csv", "--method", "lrp");
  const most =
    rows.filter(row => Math.abs(row.remainder) > 0.2 * Math.abs(row.output - row.base)).length;
  const [, large, all] = (await other.page.textContent("#rows > p")).match(
    /In (\d+) of (\d+) rows the features leave more than a fifth of the difference/
  ).map(Number);
  assert.equal(all, rows.length);
  assert.ok(large > 0 && large <= most, `${large} ${most}`);
  await other.page.fill("#rows input[type=search]", "large");
  await selected(other.page, large);
  await other.page.locator("#rows tbody tr").first().click();
  await other.page.waitForSelector("#row-remainder");
  const share =
    (await other.page.textContent("#row-remainder")).match(
      /leave (\S+) % of the difference from the average/
    )[1];
  assert.ok(Number(share.replaceAll(",", "")) >= 20, share);
  await other.close();

  const lines = readFileSync(inFolder("held_out.csv"), "utf8").trim().split("\n");
  const far = lines[1].split(",").map((cell, i,
    cells) => (i + 1 < cells.length ? String(1000 * Number(cell)) : cell)
  );
  write("far.csv", [...lines.slice(0, 4), far.join(",")]);
  bisector("report", inFolder("model.npz"), inFolder("far.csv"), "-o", inFolder("far.html"));
  const away = await openReport(browser, inFolder("far.html"));
  await away.page.locator("#rows tbody tr").nth(3).click();
  await away.page.waitForSelector("#row-far");
  assert.match(await away.page.textContent("#rows tbody tr:nth-child(4)"),
    /far from the training data/);
  await away.page.waitForFunction(() =>
    /Far from the training data/.test(document.querySelector("#what-if-result").textContent)
  );
  await away.close();
});

test("the influential training rows have the weights of the command's network", async () => {
  const number = String(await rowNumber(page));
  const sides = await page.$$eval("#points .sides > div",
    all =>
      all.map(side => ({ name: side.querySelector(".key").textContent,
        points: [...side.querySelectorAll("button")].map(b => b.textContent) })
      ));
  assert.deepEqual(sides.map(({ name }) => name), ["pushes toward malignant",
    "pushes toward benign"]);
  const { network } = JSON.parse(
    bisector("inspect", inFolder("model.npz"), inFolder("held_out.csv"), "--row", number,
      "--evidence", "400", "--json")
  );
  // The evidence of the command has both numbers of a point.
  const rowsOf = Object.fromEntries(
    network.evidence.flatMap(
      pair => [[pair.positive, pair.positive_row], [pair.negative, pair.negative_row]]
    )
  );
  sides.forEach(({ points }, i) => {
    const [numbers, weights] = i === 0 ? [network.positive, network.positive_weights]
      : [network.negative, network.negative_weights];
    const expected = weights.map((weight, k) => ({ weight, number: numbers[k] })).sort((a, b) =>
      b.weight - a.weight
    ).slice(0, 5);
    assert.deepEqual(points,
      expected.map(({ weight, number: point }) =>
        `training row ${rowsOf[point]}: ${Math.round(100 * weight)} %`
      ));
  });
  const heads = await page.$$eval("#points table thead th", ths => ths.map(th => th.textContent));
  assert.deepEqual([heads[0], heads[1], heads[4]], ["Feature", `row ${number}`, "contribution"]);
  // The row of the file has the values that the page shows.
  const [, chosen] = heads[2].match(/^training row (\d+)$/);
  const training = readCsv(readFileSync(inFolder("training.csv"), "utf8"))[chosen - 1];
  const values = await page.$$eval("#points table tbody tr",
    trs => trs.map(tr => [tr.children[0].textContent, tr.children[2].textContent]));
  for (const [name, value] of values) near(value, Number(training[name]), name);
});

test("pixel flipping has a curve for every method and names the smallest area", async () => {
  assert.ok((await page.locator("#pixel-flipping path[stroke-width]").count()) >= 7);
  assert.match(await page.textContent("#pixel-flipping table"), /lrp/);
  const best = (await page.textContent("#pixel-flipping tbody th")).trim();
  const text = await page.textContent("#pixel-flipping p");
  assert.ok(
    text.includes(`On these rows ${best} (${best === "neighborhood" ? "data" : "model"} view)`),
    text
  );
  // No method is called the most faithful one while the table ranks another one first.
  assert.doesNotMatch(await page.textContent("main"), /most faithful/);
});

for (const [name, options] of Object.entries(windows)) {
  test(`axe finds nothing, and nothing is wider than the window: ${name}`, async () => {
    const other = await openReport(browser, inFolder("report.html"), options);
    await assertAccessible(other, name);
    await other.close();
  });
}

for (const [name, options] of Object.entries({ light: windows.light, dark: windows.dark })) {
  test(`the colors of the two directions differ in gray: ${name}`, async () => {
    const other = await openReport(browser, inFolder("report.html"), options);
    assertApartInGray(...(await sideColors(other.page)), "words");
    const bars = await other.page.$eval("#importance g.bar", bar =>
      [...bar.querySelectorAll("rect[fill]")].map(rect => rect.getAttribute("fill")));
    assertApartInGray(bars[0], bars[1], "bars");
    const ramp = await other.page.evaluate(dark => {
      const { palette } = JSON.parse(document.getElementById("report-data").textContent);
      return dark ? palette.divergingDark : palette.diverging;
    }, name === "dark");
    assertApartInGray(ramp[0], ramp.at(-1), "pictures");
    await other.close();
  });
}

const paperOf = page => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

test("the theme follows the system until it is chosen", onlyChromium, async () => {
  const other = await openReport(browser, inFolder("report.html"), { colorScheme: "dark" });
  const dark = await paperOf(other.page);
  await other.page.emulateMedia({ colorScheme: "light" });
  await other.page.waitForFunction(old => getComputedStyle(document.body).backgroundColor !== old,
    dark);
  await other.page.click("#theme");
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
  await page.click("#theme");
  assert.notEqual(await paper(), old);
  // Black lines are white in the dark.
  assert.doesNotMatch(await page.textContent("main"), /black/);
  assert.deepEqual(opened.problems, []);
});
