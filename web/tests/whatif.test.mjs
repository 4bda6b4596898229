// The calculation in the page equals the command's, for every kind of model.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertClose, bisector, computed, dropOthers, explain, inFolder, launch, openReport,
  removeFolder, replaceNumber, rowNumber, sampleTable, settle, write } from "./support.mjs";

let browser;
before(async () => {
  browser = await launch();
  write("train.csv", sampleTable(150));
  write("rows.csv", sampleTable(40, 99));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const models = { "an SVM": ["--model", "svm", "--target", "two", "--type", "color=one-hot"],
  "an SVM of three classes": ["--model", "svm", "--target", "three", "--type", "color=one-hot"],
  "neighbors": ["--model", "knn", "--k", "5", "--target", "two", "--type", "color=one-hot"],
  "neighbors of three classes": ["--model", "knn", "--k", "4", "--target", "three", "--type",
    "color=one-hot"],
  "kernel ridge": ["--model", "krr", "--target", "number", "--type", "color=one-hot"] };
const background = ["--background", inFolder("train.csv")];
/** Kinds of models, and how they are explained. */
const kinds = [...Object.keys(models).map(name => [name, []]), ["an SVM", ["--method", "lrp",
  "--unit", "g"]], ["an SVM of three classes", ["--method", "auto:view=data"]], ["neighbors", [
  ...background,
  "--method",
  "auto:view=data",
  "--unit",
  "share"
]], ["neighbors of three classes", [...background, "--method",
  "lrp-expected:side=other,references=11"]], ["kernel ridge", [...background, "--method",
  "neighborhood"]]];

for (const [kind, words] of kinds) {
  const name = [kind, ...words.filter(word => !word.includes("/"))].join(" ");
  test(`${name}: the page computes what the command computes`, async () => {
    const training = models[kind], target = training[training.indexOf("--target") + 1];
    bisector("train", inFolder("train.csv"), ...training, ...dropOthers(target), "-o",
      inFolder("model.npz"));
    bisector("report", inFolder("model.npz"), inFolder("rows.csv"), ...words, "-o",
      inFolder("report.html"));
    const { page, problems, close } = await openReport(browser, inFolder("report.html"));
    await page.waitForSelector("#what-if-result[data-output]");
    const number = await rowNumber(page);
    // The panel compares the two classes of the row.
    const [, positive, negative] = (await page.textContent("#what-if-key")).match(
      /^Bars: (?:pushes toward )?(.+), (?:pushes toward )?(.+); thin/
    );
    const asked = target === "three" ? ["--class", positive, "--versus", negative] : [];

    const lines = readFileSync(inFolder("rows.csv"), "utf8").trim().split("\n");
    const cells = lines[number].split(",");
    const check = async () => {
      writeFileSync(inFolder("changed.csv"), `${lines[0]}\n${cells.join(",")}\n`);
      const [expected] = explain("model.npz", "changed.csv", ...words, ...asked),
        now = await computed(page);
      for (const name of ["output", "base"]) assertClose(now[name], expected[name], name);
      // The page shows no remainder that is rounding of single precision.
      assert.ok(
        Math.abs(now.remainder - expected.remainder) <= 1e-5 * (1 + Math.abs(expected.output)),
        `${now.remainder} ${expected.remainder}`
      );
      assert.equal(now.text.includes("Far from the training data"), expected.outside);
      ["a", "b", "c", "color"].forEach((name, i) =>
        assertClose(now.contributions[i], Number(expected[name]), name)
      );
      if (target !== "number") assert.ok(now.text.includes(`Predicted ${expected.prediction}`));
    };
    await check();
    const before = await computed(page);
    await replaceNumber(page, '#what-if input[type=number][aria-label="a, exactly"]', "1.25");
    cells[0] = "1.25";
    await page.selectOption('#what-if select[aria-label="color"]', {
      label: cells[3] === "red" ? "blue" : "red"
    });
    cells[3] = cells[3] === "red" ? "blue" : "red";
    await settle(page);
    // The votes of neighbors may stay the same; the contributions do not.
    assert.notDeepEqual((await computed(page)).contributions, before.contributions);
    await check();
    const slider = page.locator('#what-if input[type=range][aria-label="b"]');
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await settle(page);
    cells[1] = await slider.inputValue();
    await check();
    await page.click("#what-if-reset");
    await settle(page);
    assert.deepEqual(await computed(page), before);
    assert.deepEqual(problems, []);
    await close();
  });
}

test("a report without the model says so, and may compile nothing", async () => {
  bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "--without-model", "-o",
    inFolder("report.html"));
  assert.ok(!readFileSync(inFolder("report.html"), "utf8").includes("wasm-unsafe-eval"));
  const { page, problems, close } = await openReport(browser, inFolder("report.html"));
  assert.match(await page.textContent("#what-if"),
    /Not available: the report was made without the model's points/);
  assert.deepEqual(problems, []);
  await close();
});

test("a browser that cannot unpack the calculation gets the page without it", async () => {
  bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "-o", inFolder("report.html"));
  const { page, problems, close } = await openReport(browser, inFolder("report.html"), {
    watch: own =>
      own.addInitScript(() => {
        delete globalThis.DecompressionStream;
      })
  });
  assert.match(await page.textContent("#what-if"),
    /Not available: this browser is too old to run the calculation/);
  assert.deepEqual(problems, []);
  await close();
});

for (
  const [kind, target] of [["an SVM", "two"], ["an SVM of three classes", "three"], [
    "neighbors of three classes",
    "three"
  ], ["kernel ridge", "number"]]
) {
  test(`${kind}: the curve of a slider is the prediction over its range`, async () => {
    bisector("train", inFolder("train.csv"), ...models[kind], ...dropOthers(target), "-o",
      inFolder("model.npz"));
    bisector("report", inFolder("model.npz"), inFolder("rows.csv"), "-o", inFolder("report.html"));
    const { page, problems, close } = await openReport(browser, inFolder("report.html"));
    await page.waitForSelector("#what-if .ice path");
    const { heights, low, high } = await page.$eval(
      '#what-if .slider:has(input[type=range][aria-label="b"])',
      slider => ({ low: Number(slider.querySelector("input").min),
        high: Number(slider.querySelector("input").max),
        heights: slider.querySelector(".ice path").getAttribute("d").slice(1).split("L").map(
          point => -Number(point.split(",")[1])
        ) })
    );
    assert.equal(heights.length, 21);
    const lines = readFileSync(inFolder("rows.csv"), "utf8").trim().split("\n");
    const cells = lines[await rowNumber(page)].split(",");
    writeFileSync(inFolder("along.csv"), [lines[0], ...heights.map((_, i) =>
      Object.assign([...cells], { 1: low + ((high - low) * i) / 20 }).join(",")
    )].join("\n"));
    const [, positive, negative] = (await page.textContent("#what-if-key")).match(
      /^Bars: (?:pushes toward )?(.+), (?:pushes toward )?(.+); thin/
    );
    const asked = target === "three" ? ["--class", positive, "--versus", negative] : [];
    const outputs = explain("model.npz", "along.csv", ...asked).map(({ output }) =>
      output
    );
    // The height of the drawing is a linear function of the output, and rises with it.
    const [least, most] = [Math.min, Math.max].map(end => outputs.indexOf(end(...outputs)));
    const scale = (heights[most] - heights[least]) / (outputs[most] - outputs[least]);
    assert.ok(scale > 0, String(scale));
    outputs.forEach((output, i) =>
      assert.ok(Math.abs(heights[least] + scale * (output - outputs[least]) - heights[i]) < 0.02,
        `${i}: ${heights} ${outputs}`)
    );
    assert.deepEqual(problems, []);
    await close();
  });
}

test("contributions of a method that draws at random have whiskers", async () => {
  bisector("train", inFolder("train.csv"), "--model", "svm", "--target", "two", "--type",
    "color=one-hot", "--drop", "three", "--drop", "number", "-o", inFolder("model.npz"));
  const made = async (...words) => {
    bisector("report", inFolder("model.npz"), inFolder("rows.csv"), ...words, "-o",
      inFolder("report.html"));
    return openReport(browser, inFolder("report.html"));
  };
  const plain = await made("--method", "lrp");
  await plain.page.waitForSelector("#row .bar");
  assert.equal(await plain.page.locator("#row .whisker").count(), 0);
  assert.ok(!(await plain.page.textContent("#row")).includes("standard error"));
  await plain.close();
  const { page, problems, close } = await made("--method", "lrp-expected:references=11");
  await page.waitForSelector("#row .whisker");
  assert.match(await page.textContent("#row"), /Whiskers show one standard error/);
  const titles = await page.$$eval("#row .bar title",
    all => all.map(({ textContent }) => textContent));
  assert.ok(titles.some(title => / ± \d/.test(title)), String(titles));
  const { errors, parts } = await page.evaluate(() => {
    const { rows } = JSON.parse(document.querySelector("#report-data").textContent);
    return { errors: rows.standardError.length, parts: rows.relevance.length };
  });
  assert.equal(errors, parts);
  // The panel has the standard errors that the command gives the row.
  await page.waitForSelector("#what-if .whisker");
  assert.match(await page.textContent("#what-if-key"), /whiskers: one standard error/);
  const label = await page.locator("#what-if .slider", { hasText: /^a/ }).locator("svg:not(.ice)")
    .getAttribute("aria-label");
  const [row] = explain("model.npz", "rows.csv", "--method", "lrp-expected:references=11").slice(
    await rowNumber(page) - 1
  );
  const [, shown] = label.match(/± (\d+(?:\.\d+)?)/), decimals = shown.split(".")[1]?.length ?? 0;
  assert.ok(Math.abs(Number(shown) - row["standard error of a"]) <= 0.51 * 10 ** -decimals, label);
  assert.deepEqual(problems, []);
  await close();
});
