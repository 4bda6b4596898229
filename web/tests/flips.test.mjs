// The smallest change that the page finds is the one that `bisector flip` finds.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertClose, bisector, dropOthers, inFolder, launch, openReport, removeFolder, rowNumber,
  sampleTable, write } from "./support.mjs";

let browser;
before(async () => {
  browser = await launch();
  write("train.csv", sampleTable(120));
  write("rows.csv", sampleTable(40, 99));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const names = ["a", "b", "c", "color"], levels = ["blue", "green", "red"];
const models = { "an SVM": ["svm", "two"], "an SVM of three classes": ["svm", "three"],
  "neighbors": ["knn", "two"], "neighbors of three classes": ["knn", "three"],
  "kernel ridge": ["krr", "number"] };

/** The first answer of the command for one row. */
function expected(number, ...words) {
  const text = bisector("flip", inFolder("model.npz"), inFolder("rows.csv"), "--row",
    String(number), "--format", "json", ...words);
  const [row] = JSON.parse(text).rows;
  return { radius: row.radius, ...row.flips[0] };
}

async function answer(page, button) {
  await page.$eval("#what-if-steps", steps => delete steps.dataset.radius);
  await page.click(button);
  await page.waitForSelector("#what-if-steps[data-radius]");
  return page.$eval("#what-if-steps",
    ({ dataset, textContent }) => ({ text: textContent, radius: Number(dataset.radius),
      distance: Number(dataset.distance), values: JSON.parse(dataset.values) }));
}

function assertSame(found, wanted) {
  assertClose(found.radius, wanted.radius, "radius");
  if (!wanted.values) {
    assert.match(found.text, /^No change of the features that are not fixed was found/);
    return;
  }
  assertClose(found.distance, wanted.distance, "distance");
  wanted.values.forEach((value, c) => {
    if (typeof value === "string") assert.equal(levels[found.values[c]], value);
    else assertClose(found.values[c], value, names[c]);
  });
  assert.match(found.text, /^Smallest change found: .+ → .+\. The prediction is now /);
  for (const name of Object.keys(wanted.changes)) assert.ok(found.text.includes(`${name} `));
  assert.equal(/no change shorter than \d/.test(found.text), wanted.radius > 0);
}

for (const [kind, [model, target]] of Object.entries(models)) {
  test(`${kind}: the smallest change equals the command's`, async () => {
    bisector("train", inFolder("train.csv"), "--model", model, "--target", target, "--type",
      "color=one-hot", ...dropOthers(target), "-o", inFolder("model.npz"));
    bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "-o", inFolder("report.html"));
    const { page, problems, close } = await openReport(browser, inFolder("report.html"));
    await page.waitForSelector("#what-if-result[data-output]");
    const number = await rowNumber(page), isRegressor = target === "number";
    if (isRegressor) {
      await page.fill("#goal", "2.5");
    }
    const button = isRegressor ? "#what-if-reach" : "#what-if-flip";
    const to = isRegressor ? ["--to", "2.5"] : [];
    const first = await answer(page, button);
    assertSame(first, expected(number, ...to));
    // The search starts from the original row again.
    assert.deepEqual(await answer(page, button), first);
    await page.click("#what-if-reset");
    await page.check('#what-if [aria-label="a cannot change"]');
    const fixed = expected(number, ...to, "--fix", "a");
    if (fixed.values || !isRegressor) {
      assertSame(await answer(page, button), fixed);
    }
    assert.deepEqual(problems, []);
    await close();
  });
}
