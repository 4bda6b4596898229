// Looking deeper: the nearest opposite case, two rows, many classes, pictures and series.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import { bisector, inFolder, launch, openReport, readCsv, removeFolder, settle, assertAccessible, write } from "./support.mjs";

let browser;
const rowNumber = async (on) => Number((await on.textContent("#row-name")).match(/Row (\d+)/)[1]);
let state = 21;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
before(async () => {
  browser = await launch();
  const lines = ["a,b,c,d,kind"];
  for (let r = 0; r < 150; ++r) {
    const kind = r % 3, [a, b, c, d] = [0, 1, 2, 3].map((f) => (f === kind ? 1.5 : 0) + random() * 2);
    lines.push([a, b, c, d].map((v) => v.toFixed(3)).join(",") + `,${["low", "mid", "high"][kind]}`);
  }
  write("three.csv", lines);
  bisector("train", inFolder("three.csv"), "--model", "svm", "--target", "kind", "-o", inFolder("three.npz"));
  bisector("report", inFolder("three.npz"), inFolder("three.csv"), "--target", "kind", "--names", "low=small", "-o", inFolder("three.html"));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const table = () => readCsv(readFileSync(inFolder("three.csv"), "utf8"));

test("classes have the names that were given", async () => {
  const { page, close } = await openReport(browser, inFolder("three.html"));
  assert.match(await page.textContent("#confusion"), /small/);
  assert.doesNotMatch(await page.textContent("main"), /called low/);
  await close();
});

test("the nearest row that is decided otherwise is the nearest", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("three.html"));
  const own = await rowNumber(page);
  await page.click("#nearest-opposite");
  await settle(page);
  const found = Number((await page.textContent("#comparison")).match(/^Row (\d+) is called/)[1]);
  const rows = table(), said = readCsv(bisector("predict", inFolder("three.npz"), inFolder("three.csv"))).map((row) => row.prediction);
  const quantile = (sorted, q) => { const place = q * (sorted.length - 1), low = Math.floor(place); return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]); };
  const spread = Object.fromEntries(["a", "b", "c", "d"].map((name) => { const sorted = rows.map((row) => Number(row[name])).sort((x, y) => x - y); return [name, quantile(sorted, 0.75) - quantile(sorted, 0.25)]; }));
  const far = (r) => ["a", "b", "c", "d"].reduce((sum, name) => sum + ((rows[r][name] - rows[own - 1][name]) / spread[name]) ** 2, 0);
  const others = rows.map((_, r) => r).filter((r) => said[r] !== said[own - 1]).sort((x, y) => far(x) - far(y));
  assert.equal(found, others[0] + 1);
  assert.match(page.url(), new RegExp(`beside=${found}`));
  const cells = await page.$$eval("#comparison tbody tr", (trs) => trs.map((tr) => [...tr.children].map((cell) => cell.textContent)));
  for (const [name, a, b] of cells) assert.deepEqual([Number(a), Number(b)], [Number(rows[own - 1][name]), Number(rows[found - 1][name])]);
  assert.deepEqual(problems, []);
  await close();
});

test("steps towards it flip the decision, and all bars keep asking the same", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("three.html"));
  await page.waitForSelector("#what-if-result[data-g]");
  const own = await rowNumber(page), key = await page.textContent("#what-if-key");
  await page.click("#what-if-flip");
  await page.waitForFunction(() => document.querySelector("#what-if-steps").textContent.includes("flipped"));
  await page.waitForFunction(() => document.querySelector("#what-if-key").textContent.includes("has changed"));
  const steps = await page.textContent("#what-if-steps"), flipped = steps.match(/The decision has flipped to (\S+)\.$/);
  assert.ok(flipped, steps);
  const cells = table()[own - 1];
  for (const [, name, from, to] of steps.matchAll(/([abcd]) (\d+(?:\.\d+)?) → (\d+(?:\.\d+)?)/g)) {
    assert.equal(Number(from), Number(cells[name]));
    cells[name] = to;
  }
  write("flipped.csv", ["a,b,c,d", ["a", "b", "c", "d"].map((name) => cells[name]).join(",")]);
  const [now] = readCsv(bisector("predict", inFolder("three.npz"), inFolder("flipped.csv")));
  assert.equal(now.prediction.replace("low", "small"), flipped[1]);
  const asked = await page.textContent("#what-if-key");
  assert.equal(asked.split(", now")[0], key.split(", now")[0]);
  assert.match(asked, /The prediction has changed, but all bars and lines still ask the same/);
  const [, positive, negative] = key.match(/for (\S+) and for (\S+), now/).map((name) => name?.replace("small", "low"));
  const [expected] = readCsv(bisector("explain", inFolder("three.npz"), inFolder("flipped.csv"), "--unit", "decision", "--class", positive, "--versus", negative));
  const shown = JSON.parse(await page.$eval("#what-if-result", (p) => p.dataset.relevance));
  ["a", "b", "c", "d"].forEach((name, i) => assert.ok(Math.abs(shown[i] - Number(expected[name])) < 1e-9));
  await page.click("#what-if-reset");
  await page.waitForFunction(() => document.querySelector("#what-if-result").textContent.includes("as before"));
  assert.match(await page.textContent("#what-if-result"), /as before/);
  await page.click("#what-if-step");
  await page.waitForFunction(() => document.querySelector("#what-if-steps").textContent.includes("changed"));
  assert.match(await page.textContent("#what-if-steps"), /1 feature changed/);
  assert.deepEqual(problems, []);
  await close();
});

test("pictures stand everywhere instead of tables of pixels, in few bytes", async () => {
  const side = 14, digits = ["upright", "level", "slant"];
  const lines = [[...Array.from({ length: side * side }, (_, p) => `p${p}`), "label"].join(",")];
  for (let r = 0; r < 300; ++r) {
    const kind = r % 3, at = 3 + Math.floor(random() * 8);
    lines.push([...Array.from({ length: side * side }, (_, p) => { const x = p % side, y = Math.floor(p / side); return (kind === 0 ? x === at : kind === 1 ? y === at : x === y) ? 180 + Math.floor(75 * random()) : Math.floor(30 * random()); }), digits[kind]].join(","));
  }
  write("digits.csv", lines);
  bisector("train", inFolder("digits.csv"), "--model", "svm", "--target", "label", "--gamma", "0.01", "-o", inFolder("digits.npz"));
  bisector("report", inFolder("digits.npz"), inFolder("digits.csv"), "--target", "label", "--image", `${side}x${side}`, "--without-model", "-o", inFolder("digits.html"));
  // A byte for a pixel's value, four for its relevance, a third more as text.
  assert.ok(statSync(inFolder("digits.html")).size < 2.2e5 + 300 * side * side * 5 * 1.45, String(statSync(inFolder("digits.html")).size));
  bisector("report", inFolder("digits.npz"), inFolder("digits.csv"), "--target", "label", "--image", `${side}x${side}`, "-o", inFolder("digits.html"));
  const opened = await openReport(browser, inFolder("digits.html"));
  const { page, close } = opened;
  assert.equal(await page.locator("#class-heat canvas").count(), 3);
  assert.equal(await page.locator("#points canvas.thumbnail").count(), await page.locator("#points button.tab").count());
  assert.equal(await page.locator("#rows tbody canvas.thumbnail").count(), 15);
  assert.equal(await page.locator("#importance, #beeswarm, #row svg").count(), 0);
  const text = await page.textContent("#row-sentences");
  const [, place, share] = text.match(/lies mostly in the ([a-z ]+) of the picture: (\d+) %/);
  const r = await rowNumber(page), expected = readCsv(bisector("explain", inFolder("digits.npz"), inFolder("digits.csv"), "--unit", "decision", "--for", "predicted"))[r - 1];
  const names = ["upper left", "upper middle", "upper right", "middle left", "middle", "middle right", "lower left", "lower middle", "lower right"], sums = names.map(() => 0);
  for (let p = 0; p < side * side; ++p) sums[3 * Math.floor((3 * Math.floor(p / side)) / side) + Math.floor((3 * (p % side)) / side)] += Math.max(0, Number(expected[`p${p}`]));
  assert.equal(place, names[sums.indexOf(Math.max(...sums))]);
  assert.ok(Math.abs(share - (100 * Math.max(...sums)) / sums.reduce((a, b) => a + b)) <= 0.51);
  await assertAccessible(opened, "digits");
  await close();
});

test("a series is drawn as a line with its relevance", async () => {
  const lines = [[...Array.from({ length: 24 }, (_, t) => `t${t}`), "kind"].join(",")];
  for (let r = 0; r < 60; ++r) lines.push([...Array.from({ length: 24 }, (_, t) => (Math.sin((t + r) / (r % 2 ? 2 : 4)) + 0.1 * random()).toFixed(3)), r % 2 ? "fast" : "slow"].join(","));
  write("series.csv", lines);
  bisector("train", inFolder("series.csv"), "--model", "knn", "--k", "3", "--target", "kind", "-o", inFolder("series.npz"));
  bisector("report", inFolder("series.npz"), inFolder("series.csv"), "--target", "kind", "--series", "-o", inFolder("series.html"));
  const opened = await openReport(browser, inFolder("series.html"));
  const bars = opened.page.locator('#row svg[aria-label^="The row as a line of 24 values"] rect');
  assert.equal(await bars.count(), 24);
  assert.match(await bars.nth(3).locator("title").textContent(), /^t3 = /);
  await assertAccessible(opened, "series");
  await opened.close();
});
