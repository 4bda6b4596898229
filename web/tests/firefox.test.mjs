// The report in Firefox: sentences, charts, calculation, selection, links and accessibility.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertAccessible, assertClose, bisector, bisectorMolecules, computed, explain, folder,
  inFolder, launchFirefox, openPage, openReport, readCsv, removeFolder, rowNumber, selected,
  write } from "./support.mjs";

let browser, opened, page;
before(async () => {
  bisector("demo", "-o", folder);
  bisector("train", inFolder("training.csv"), "--target", "diagnosis", "--model", "knn", "--k", "9",
    "-o", inFolder("knn.npz"));
  bisector("report", inFolder("model.npz"), inFolder("held_out.csv"), "--target", "diagnosis",
    "--against", inFolder("knn.npz"), "-o", inFolder("both.html"));
  browser = await launchFirefox();
  opened = await openReport(browser, inFolder("both.html"));
  page = opened.page;
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("opens from a file without an error or a request, and its sentences are true", async () => {
  assert.deepEqual(opened.problems, []);
  const data = readCsv(readFileSync(inFolder("held_out.csv"), "utf8")),
    said = readCsv(bisector("predict", inFolder("model.npz"), inFolder("held_out.csv")));
  const right = data.filter((row, i) => row.diagnosis === said[i].prediction).length;
  assert.match(await page.textContent("#summary-lines"),
    new RegExp(`^It is correct for ${right} of ${data.length} rows`));
  const number = await rowNumber(page);
  assert.match(await page.textContent("#row-sentences"),
    new RegExp(`^Row ${number} is predicted ${said[number - 1].prediction}: correct`));
  assert.match(await page.textContent("#models-lines"),
    /^model.npz and knn.npz agree on \d+ of 113 rows/);
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
  assert.ok((await page.locator("#importance g.bar").count()) === 12);
  assert.ok((await page.locator("#row svg g.bar").count()) >= 12);
});

test("the calculation in the page is the command's", async () => {
  await page.waitForSelector("#what-if-result[data-output]");
  const number = await rowNumber(page);
  await page.click("#what-if-more");
  const lines = readFileSync(inFolder("held_out.csv"), "utf8").trim().split("\n"),
    cells = lines[number].split(",");
  const before = (await computed(page)).output;
  await page.focus('#what-if input[type=number][aria-label="worst texture, exactly"]');
  await page.keyboard.press("Control+A");
  await page.keyboard.type("41.5");
  await page.waitForFunction(
    old =>
      location.hash.includes("texture%3A41.5")
      && Number(document.querySelector("#what-if-result").dataset.output) !== old,
    before
  );
  cells[lines[0].split(",").indexOf("worst texture")] = "41.5";
  write("changed.csv", [lines[0], cells.join(",")]);
  const [expected] = explain("model.npz", "changed.csv"), now = await computed(page);
  assertClose(now.output, expected.output, "output");
  assertClose(now.contributions[0], Number(expected["mean radius"]), "mean radius");
  await page.click("#what-if-reset");
});

test("search, filters, groups and links", async () => {
  await page.fill("#rows input[type=search]", "no such thing");
  await selected(page, 0);
  await page.fill("#rows input[type=search]", "");
  await selected(page, 113);
  await page.click("#agreement [data-choice=differ]");
  await page.waitForFunction(() =>
    !document.querySelector("#rows [role=status]").textContent.startsWith("113 of")
  );
  const chosen = await page.textContent("#rows [role=status]");
  await page.selectOption("#groups select", { label: "similar explanation" });
  await page.waitForSelector("#group-importance");
  await page.waitForFunction(() =>
    location.hash.includes("group=cluster") && location.hash.includes("models=differ")
  );
  const other = await openPage(browser, inFolder("both.html"), "#row-name");
  await other.page.goto(pathToFileURL(inFolder("both.html")).href + new URL(page.url()).hash);
  await other.page.waitForFunction(
    text => document.querySelector("#rows [role=status]").textContent === text,
    chosen
  );
  assert.equal(await other.page.textContent("#group-lines"),
    await page.textContent("#group-lines"));
  await other.close();
});

test("axe finds nothing, and nothing is wider than the window", async () => {
  await assertAccessible(opened, "firefox");
});

test("molecules can be turned", async () => {
  write("m.xyz",
    Array.from({ length: 12 },
      (_, r) => `3\nw${r} mu=${1 + r / 10}\nO 0 0 0\nH 0.96 0 ${r / 50}\nH -0.24 0.93 0`));
  bisectorMolecules("train", inFolder("m.xyz"), "--property", "mu", "-o", inFolder("m.npz"));
  bisectorMolecules("explain", inFolder("m.npz"), inFolder("m.xyz"), "-o", inFolder("m.html"));
  const other = await openPage(browser, inFolder("m.html"), ".stage .atom");
  const place = () =>
    other.page.$eval('[data-atom="H2"] circle', circle => circle.getAttribute("cx"));
  const before = await place();
  await other.page.focus(".stage");
  await other.page.keyboard.press("ArrowRight");
  await other.page.waitForFunction(
    old => document.querySelector('[data-atom="H2"] circle').getAttribute("cx") !== old,
    before
  );
  assert.deepEqual(other.problems, []);
  await other.close();
});
