// Large reports: the work of the page is counted, because times depend on the machine. measure.mjs
// measures times.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { after, before, test } from "node:test";
import { bisector, inFolder, launch, openReport, removeFolder, rowShown, selected, settle,
  write } from "./support.mjs";

let browser, state = 5;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
const lines = (count,
  features = 30) => [
  [...Array.from({ length: features }, (_, i) =>
    String.fromCharCode(97 + (i % 26)).repeat(1 + Math.floor(i / 26))), "target"].join(","),
  ...Array.from({ length: count }, () => {
    const cells = Array.from({ length: features }, () =>
      (random() * 2 - 1).toFixed(3));
    return [...cells, cells[0] * cells[1] > 0 ? "p" : "n"].join(",");
  })
];
before(async () => {
  browser = await launch();
  write("train.csv", lines(300));
  write("rows.csv", lines(6000));
  bisector("train", inFolder("train.csv"), "--model", "knn", "--k", "9", "--target", "target", "-o",
    inFolder("model.npz"));
  bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "-o", inFolder("report.html"));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

/** How many SVG elements, canvas pixels and table rows a page draws: its work, in place of time. */
const work = page =>
  page.evaluate(() => ({ elements: document.querySelectorAll("*").length,
    points: Math.max(...[...document.querySelectorAll("svg")].map(svg =>
      svg.querySelectorAll("*").length
    )), rows: document.querySelectorAll("#rows tbody tr").length })
  );

test("5,000 rows need as few elements as 100: charts of many points are canvases", async () => {
  const { page, problems, close } = await openReport(browser, inFolder("report.html"));
  assert.match(await page.textContent("#about"),
    /The charts show 5,000 of 6,000 rows, drawn at random \(seed 0\)/);
  const { elements, points, rows } = await work(page);
  assert.ok(elements < 4000 && points < 600, `${elements} ${points}`);
  assert.equal(rows, 15);
  assert.deepEqual(problems, []);
  await close();
});

test("a new row draws the points of the charts once, not again", async () => {
  const { page, close } = await openReport(browser, inFolder("report.html"), {
    watch: own =>
      own.addInitScript(() => {
        globalThis.drawn = 0;
        const draw = CanvasRenderingContext2D.prototype.drawImage;
        CanvasRenderingContext2D.prototype.drawImage = function(...all) {
          ++globalThis.drawn;
          return draw.apply(this, all);
        };
      })
  });
  await settle(page);
  const drawn = () => page.evaluate(() => globalThis.drawn);
  const before = await drawn();
  for (let i = 0; i < 5; ++i) {
    await page.locator("#rows tbody tr").nth(i).dispatchEvent("click");
    await settle(page);
  }
  assert.ok((await drawn()) - before <= 5 * 6, `${(await drawn()) - before} images for 5 rows`);
  await close();
});

/** How many of the numbers from 1 to 100,000 contain these digits. */
const matching = word =>
  Array.from({ length: 100_000 }, (_, r) => String(r + 1)).filter(row => row.includes(word)).length;

test("100,000 rows fit into 15 MB, are drawn as densities and searched by every key", async () => {
  write("many.csv", lines(100_000, 10));
  write("few.csv", lines(300, 10));
  bisector("train", inFolder("few.csv"), "--model", "svm", "--target", "target", "-o",
    inFolder("many.npz"));
  bisector("report", inFolder("many.npz"), inFolder("many.csv"), "--target", "target", "--sample",
    "100000", "-o", inFolder("many.html"));
  assert.ok(statSync(inFolder("many.html")).size < 15e6,
    String(statSync(inFolder("many.html")).size));
  const { page, problems, close } = await openReport(browser, inFolder("many.html"));
  assert.match(await page.textContent("#rows [role=status]"), /^100,000 of 100,000 rows/);
  assert.match(await page.textContent("#beeswarm"), /The height of a strip shows how many rows/);
  const { elements, rows } = await work(page);
  assert.ok(elements < 4000 && rows === 15, `${elements} ${rows}`);
  for (const word of ["1", "12", "123", "1234"]) {
    await page.locator("#rows input[type=search]").pressSequentially(word.at(-1));
    await selected(page, matching(word).toLocaleString("en-US"));
  }
  await page.waitForFunction(
    () =>
      document.querySelector("#importance [role=status]").textContent.startsWith(
        "Now for the 20 selected rows"
      ),
    null,
    { polling: 50 }
  );
  await page.locator("#rows tbody tr").nth(1).click();
  await rowShown(page, 11234);
  assert.deepEqual(problems, []);
  await close();
});
