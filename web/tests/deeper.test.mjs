// Comparing rows, what-if steps, many classes, images and series.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertAccessible, bisector, computed, explain, inFolder, launch, openReport, quantile,
  readCsv, removeFolder, rowNumber, selected, settle, write } from "./support.mjs";

let browser;
let state = 21;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
before(async () => {
  browser = await launch();
  const lines = ["a,b,c,d,kind"];
  for (let r = 0; r < 150; ++r) {
    const kind = r % 3, [a, b, c, d] = [0, 1, 2, 3].map(f => (f === kind ? 1.5 : 0) + random() * 2);
    lines.push([a, b, c, d].map(v => v.toFixed(3)).join(",") + `,${["low", "mid", "high"][kind]}`);
  }
  write("three.csv", lines);
  bisector("train", inFolder("three.csv"), "--model", "svm", "--target", "kind", "-o",
    inFolder("three.npz"));
  bisector("report", inFolder("three.npz"), inFolder("three.csv"), "--target", "kind", "--names",
    "low=small", "-o", inFolder("three.html"));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const table = () => readCsv(readFileSync(inFolder("three.csv"), "utf8"));

test("classes have their given names", async () => {
  const { page, close } = await openReport(browser, inFolder("three.html"));
  assert.match(await page.textContent("#confusion"), /small/);
  assert.doesNotMatch(await page.textContent("main"), /predicted low/);
  await close();
});

test("of many classes one can be chosen, and every part of the page follows", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("three.html"));
  const count =
    readCsv(bisector("predict", inFolder("three.npz"), inFolder("three.csv"))).filter((
      { prediction }
    ) => prediction === "high").length;
  const before = await page.textContent("#importance .chart");
  await page.selectOption(".selection-bar select", { label: "high" });
  await selected(page, count);
  assert.match(await page.textContent("#selected"), new RegExp(`^${count} of 150 rows selected`));
  assert.match(await page.textContent("#importance [role=status]"),
    new RegExp(`the ${count} selected rows`));
  assert.notEqual(await page.textContent("#importance .chart"), before);
  assert.match(await page.textContent("#row-sentences"), /is predicted high/);
  assert.match(await page.textContent("#row"), /pushes toward high/);
  const shown = await page.$$eval("#rows tbody td:nth-child(2)",
    cells => [...new Set(cells.map(cell => cell.textContent))]);
  assert.deepEqual(shown, ["high"]);
  assert.deepEqual(problems, []);
  await close();
});

test("the most similar row with another outcome is the nearest one", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("three.html"));
  const own = await rowNumber(page);
  await page.click("#nearest-opposite");
  await settle(page);
  const found = Number((await page.textContent("#comparison")).match(/^Row (\d+) is predicted/)[1]);
  const rows = table(),
    said = readCsv(bisector("predict", inFolder("three.npz"), inFolder("three.csv"))).map(row =>
      row.prediction
    );
  const spread = Object.fromEntries(["a", "b", "c", "d"].map(name => {
    const values = rows.map(row => Number(row[name]));
    return [name, quantile(values, 0.75) - quantile(values, 0.25)];
  }));
  const far = r =>
    ["a", "b", "c", "d"].reduce(
      (sum, name) => sum + ((rows[r][name] - rows[own - 1][name]) / spread[name]) ** 2,
      0
    );
  const others = rows.map((_, r) => r).filter(r => said[r] !== said[own - 1]).sort((x, y) =>
    far(x) - far(y)
  );
  assert.equal(found, others[0] + 1);
  assert.match(page.url(), new RegExp(`beside=${found}`));
  const cells = await page.$$eval("#comparison tbody tr",
    trs => trs.map(tr => [...tr.children].map(cell => cell.textContent)));
  for (const [name, a, b] of cells) {
    assert.deepEqual([Number(a), Number(b)], [Number(rows[own - 1][name]),
      Number(rows[found - 1][name])]);
  }
  assert.deepEqual(problems, []);
  await close();
});

test("the smallest change flips the prediction; the bars keep their classes", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("three.html"));
  await page.waitForSelector("#what-if-result[data-output]");
  const own = await rowNumber(page), key = await page.textContent("#what-if-key");
  await page.click("#what-if-flip");
  await page.waitForFunction(() =>
    document.querySelector("#what-if-steps").textContent.includes("is now")
  );
  await page.waitForFunction(() =>
    document.querySelector("#what-if-key").textContent.includes("has changed")
  );
  const steps = await page.textContent("#what-if-steps"),
    flipped = steps.match(/The prediction is now (\S+)\. /);
  assert.ok(flipped, steps);
  const cells = table()[own - 1];
  for (const [, name, from, to] of steps.matchAll(/([abcd]) (\d+(?:\.\d+)?) → (\d+(?:\.\d+)?)/g)) {
    assert.equal(Number(from), Number(cells[name]));
    cells[name] = to;
  }
  write("flipped.csv", ["a,b,c,d", ["a", "b", "c", "d"].map(name => cells[name]).join(",")]);
  const [now] = readCsv(bisector("predict", inFolder("three.npz"), inFolder("flipped.csv")));
  assert.equal(now.prediction.replace("low", "small"), flipped[1]);
  const asked = await page.textContent("#what-if-key");
  assert.equal(asked.split("; thin")[0], key.split("; thin")[0]);
  assert.match(asked,
    /The prediction has changed, but the bars still compare the same two classes/);
  const [, positive, negative] = key.match(/toward (\S+), pushes toward (\S+); thin/).map(name =>
    name?.replace("small", "low")
  );
  const [expected] = explain("three.npz", "flipped.csv", "--class", positive, "--versus", negative);
  const shown = (await computed(page)).contributions;
  ["a", "b", "c", "d"].forEach((name, i) =>
    assert.ok(Math.abs(shown[i] - Number(expected[name])) < 1e-9)
  );
  await page.click("#what-if-reset");
  await page.waitForFunction(() =>
    document.querySelector("#what-if-result").textContent.includes("as before")
  );
  assert.match(await page.textContent("#what-if-result"), /as before/);
  await page.click("#what-if-step");
  await page.waitForFunction(() =>
    document.querySelector("#what-if-steps").textContent.includes("copied")
  );
  assert.match(await page.textContent("#what-if-steps"), /^1 value copied/);
  assert.deepEqual(problems, []);
  await close();
});

test("images replace tables of pixels, in few bytes", async () => {
  const side = 14, digits = ["upright", "level", "slant"];
  const lines = [[...Array.from({ length: side * side }, (_, p) => `p${p}`), "label"].join(",")];
  for (let r = 0; r < 300; ++r) {
    const kind = r % 3, at = 3 + Math.floor(random() * 8);
    lines.push([...Array.from({ length: side * side }, (_, p) => {
      const x = p % side, y = Math.floor(p / side);
      return (kind === 0 ? x === at : kind === 1 ? y === at : x === y)
        ? 180 + Math.floor(75 * random()) : Math.floor(30 * random());
    }), digits[kind]].join(","));
  }
  write("digits.csv", lines);
  bisector("train", inFolder("digits.csv"), "--model", "svm", "--target", "label", "--gamma",
    "0.01", "-o", inFolder("digits.npz"));
  bisector("report", inFolder("digits.npz"), inFolder("digits.csv"), "--target", "label",
    "--layout", `${side}x${side}`, "--without-model", "-o", inFolder("digits.html"));
  // One byte for a value, four for a contribution, a third more as text.
  assert.ok(statSync(inFolder("digits.html")).size < 2.4e5 + 300 * side * side * 5 * 1.45,
    String(statSync(inFolder("digits.html")).size));
  bisector("report", inFolder("digits.npz"), inFolder("digits.csv"), "--target", "label",
    "--layout", `${side}x${side}`, "-o", inFolder("digits.html"));
  const opened = await openReport(browser, inFolder("digits.html"));
  const { page, close } = opened;
  assert.equal(await page.locator("#class-heat canvas").count(), 3);
  assert.equal(await page.locator("#points canvas.thumbnail").count(),
    await page.locator("#points button.tab").count());
  assert.equal(await page.locator("#rows tbody canvas.thumbnail").count(), 15);
  assert.equal(await page.locator("#importance, #beeswarm, #row svg").count(), 0);
  const text = (await page.textContent("#row-sentences")).replaceAll("\u00a0", " ");
  const [, place, share] = text.match(/are in the ([a-z ]+) of the image: (\d+) %/);
  const r = await rowNumber(page),
    expected = explain("digits.npz", "digits.csv", "--class", "predicted")[r - 1];
  const names = ["upper left", "upper middle", "upper right", "middle left", "middle",
      "middle right", "lower left", "lower middle", "lower right"], sums = names.map(() => 0);
  for (let p = 0; p < side * side; ++p) {
    sums[3 * Math.floor((3 * Math.floor(p / side)) / side) + Math.floor((3 * (p % side)) / side)] +=
      Math.max(0, Number(expected[`p${p}`]));
  }
  assert.equal(place, names[sums.indexOf(Math.max(...sums))]);
  assert.ok(Math.abs(share - (100 * Math.max(...sums)) / sums.reduce((a, b) => a + b)) <= 0.51);
  await assertAccessible(opened, "digits");
  await close();
});

test("a series is drawn as a line with its contributions", async () => {
  const lines = [[...Array.from({ length: 24 }, (_, t) => `t${t}`), "kind"].join(",")];
  for (let r = 0; r < 60; ++r) {
    lines.push(
      [...Array.from({ length: 24 }, (_, t) =>
        (Math.sin((t + r) / (r % 2 ? 2 : 4)) + 0.1 * random()).toFixed(3)), r % 2 ? "fast" : "slow"]
        .join(",")
    );
  }
  write("series.csv", lines);
  bisector("train", inFolder("series.csv"), "--model", "knn", "--k", "3", "--target", "kind", "-o",
    inFolder("series.npz"));
  bisector("report", inFolder("series.npz"), inFolder("series.csv"), "--target", "kind", "--layout",
    "series", "-o", inFolder("series.html"));
  const opened = await openReport(browser, inFolder("series.html"));
  const bars = opened.page.locator('#row svg[aria-label^="The row as a line of 24 values"] rect');
  assert.equal(await bars.count(), 24);
  assert.match(await bars.nth(3).locator("title").textContent(), /^t3 = /);
  await assertAccessible(opened, "series");
  await opened.close();
});
