// The report in Firefox: it opens, says the same as the command, computes, follows filters and links, and is accessible.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { assertAccessible, assertClose, bisector, bisectorMolecules, folder, inFolder, launchFirefox, openPage, openReport, readCsv, removeFolder, write } from "./support.mjs";

let browser, opened, page;
before(async () => {
  bisector("demo", "-o", folder);
  bisector("train", inFolder("training.csv"), "--target", "diagnosis", "--model", "knn", "--k", "9", "-o", inFolder("knn.npz"));
  bisector("report", inFolder("model.npz"), inFolder("held_out.csv"), "--target", "diagnosis", "--against", inFolder("knn.npz"), "-o", inFolder("both.html"));
  browser = await launchFirefox();
  opened = await openReport(browser, inFolder("both.html"));
  page = opened.page;
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const status = (text) => page.waitForFunction((wanted) => document.querySelector("#rows [role=status]").textContent.startsWith(wanted), text);

test("opens from a file without an error or a request, and its sentences are true", async () => {
  assert.deepEqual(opened.problems, []);
  const data = readCsv(readFileSync(inFolder("held_out.csv"), "utf8")), said = readCsv(bisector("predict", inFolder("model.npz"), inFolder("held_out.csv")));
  const right = data.filter((row, i) => row.diagnosis === said[i].prediction).length;
  assert.match(await page.textContent("#summary-lines"), new RegExp(`^The model is right for ${right} of ${data.length} rows`));
  const number = Number((await page.textContent("#row-name")).match(/Row (\d+)/)[1]);
  assert.match(await page.textContent("#row-sentences"), new RegExp(`^Row ${number} is called ${said[number - 1].prediction}, rightly`));
  assert.match(await page.textContent("#models-lines"), /^model.npz and knn.npz agree on \d+ of 113 rows/);
});

test("charts are drawn", async () => {
  for (const part of ["#beeswarm", "#dependence"]) {
    const inked = await page.$eval(`${part} canvas`, (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.filter((value, i) => i % 4 === 3 && value > 0).length);
    assert.ok(inked > 1000, `${part}: ${inked} pixels`);
  }
  assert.ok((await page.locator("#importance g.bar").count()) >= 20);
  assert.ok((await page.locator("#row svg g.bar").count()) >= 12);
});

test("the calculation in the page is the command's", async () => {
  await page.waitForSelector("#what-if-result[data-g]");
  const number = Number((await page.textContent("#row-name")).match(/Row (\d+)/)[1]);
  const lines = readFileSync(inFolder("held_out.csv"), "utf8").trim().split("\n"), cells = lines[number].split(",");
  const before = await page.$eval("#what-if-result", (p) => p.dataset.g);
  await page.focus('#what-if input[type=number][aria-label="worst texture, exactly"]');
  await page.keyboard.press("Control+A");
  await page.keyboard.type("41.5");
  await page.waitForFunction((old) => location.hash.includes("texture%3A41.5") && document.querySelector("#what-if-result").dataset.g !== old, before);
  cells[lines[0].split(",").indexOf("worst texture")] = "41.5";
  write("changed.csv", [lines[0], cells.join(",")]);
  const [expected] = readCsv(bisector("explain", inFolder("model.npz"), inFolder("changed.csv"), "--unit", "decision", "--details"));
  const now = await page.$eval("#what-if-result", (p) => ({ ...p.dataset }));
  assertClose(Number(now.g), Number(expected.g), "g");
  assertClose(JSON.parse(now.relevance)[0], Number(expected["mean radius"]), "mean radius");
  await page.click("#what-if-reset");
});

test("search, filters, groups and links", async () => {
  await page.fill("#rows input[type=search]", "no such thing");
  await status("0 of");
  await page.fill("#rows input[type=search]", "");
  await status("113 of");
  await page.click("[data-models=differ]");
  await page.waitForFunction(() => !document.querySelector("#rows [role=status]").textContent.startsWith("113 of"));
  const chosen = await page.textContent("#rows [role=status]");
  await page.selectOption("#groups select", { label: "cluster of explanation" });
  await page.waitForSelector("#group-importance");
  await page.waitForFunction(() => location.hash.includes("group=cluster") && location.hash.includes("models=differ"));
  const other = await openPage(browser, inFolder("both.html"), "#row-name");
  await other.page.goto(pathToFileURL(inFolder("both.html")).href + new URL(page.url()).hash);
  await other.page.waitForFunction((text) => document.querySelector("#rows [role=status]").textContent === text, chosen);
  assert.equal(await other.page.textContent("#group-lines"), await page.textContent("#group-lines"));
  await other.close();
});

test("axe finds nothing, and nothing is wider than the window", async () => {
  await assertAccessible(opened, "firefox");
});

test("molecules can be turned", async () => {
  write("m.xyz", Array.from({ length: 12 }, (_, r) => `3\nw${r} mu=${1 + r / 10}\nO 0 0 0\nH 0.96 0 ${r / 50}\nH -0.24 0.93 0`));
  bisectorMolecules("train", inFolder("m.xyz"), "--property", "mu", "-o", inFolder("m.npz"));
  bisectorMolecules("explain", inFolder("m.npz"), inFolder("m.xyz"), "-o", inFolder("m.html"));
  const other = await openPage(browser, inFolder("m.html"), ".stage .atom");
  const place = () => other.page.$eval('[data-atom="H2"] circle', (circle) => circle.getAttribute("cx"));
  const before = await place();
  await other.page.focus(".stage");
  await other.page.keyboard.press("ArrowRight");
  await other.page.waitForFunction((old) => document.querySelector('[data-atom="H2"] circle').getAttribute("cx") !== old, before);
  assert.deepEqual(other.problems, []);
  await other.close();
});
