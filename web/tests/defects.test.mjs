// Defects that readers have found, each with a test: on a page of long names and a wide model.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bisector, inFolder, launch, openReport, removeFolder, settle, windows,
  write } from "./support.mjs";

const kSide = 24, kLong = "benign or normal, without any finding";
let browser, state = 11;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);

/** Bright spots in the middle or in a corner, with noise: a model with a large remainder. */
function image(r) {
  const isMiddle = r % 3 === 0, at = isMiddle ? kSide / 2 : 3 + Math.floor(3 * random());
  const pixels = Array.from({ length: kSide * kSide }, (_, p) => {
    const away = Math.hypot((p % kSide) - at, Math.floor(p / kSide) - at);
    return Math.floor(60 * random() + 190 * Math.exp((-away * away) / 9));
  });
  return [...pixels, isMiddle ? "malignant" : kLong.replaceAll(",", "")].join(",");
}

before(async () => {
  browser = await launch();
  write("images.csv", [
    [...Array.from({ length: kSide * kSide }, (_, p) => `p${p}`), "finding"].join(","),
    ...Array.from({ length: 450 }, (_, r) => image(r))
  ]);
  bisector("train", inFolder("images.csv"), "--target", "finding", "--gamma", "3", "--cost", "1",
    "-o", inFolder("images.npz"));
  bisector("report", inFolder("images.npz"), inFolder("images.csv"), "--target", "finding",
    "--image", `${kSide}x${kSide}`, "--method", "lrp", "-o", inFolder("images.html"));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

test("long class names do not make the page wider than a phone", async () => {
  const { page, close } = await openReport(browser, inFolder("images.html"), windows.phone);
  await settle(page);
  const seen = await page.evaluate(() => ({ page: document.documentElement.scrollWidth,
    window: innerWidth,
    table: document.querySelector("#quality-table").getBoundingClientRect().right,
    card: document.querySelector("#summary").getBoundingClientRect().right })
  );
  assert.ok(seen.page <= seen.window, JSON.stringify(seen));
  assert.ok(seen.table <= seen.card, JSON.stringify(seen));
  await close();
});

test("a map that misses a large part of the result says so next to it", async () => {
  const { page, close } = await openReport(browser, inFolder("images.html"));
  assert.match(await page.textContent("#summary-lines"),
    /misses more than a fifth of the result in \d+ of 450 rows/);
  assert.match(await page.textContent("#row-remainder"),
    /^(The map disagrees with the decision value: it misses \d+ % of it|The unexplained part is)/);
  await close();
});

test("the reason for a page without what-if is a sentence with readable numbers", async () => {
  const { page, close } = await openReport(browser, inFolder("images.html"));
  assert.match(await page.textContent("#what-if"),
    /the model is too large for a page \(\d{2,3},\d{3} numbers, at most 100,000\)/);
  await close();
});

test("correct and incorrect numbers do not have the colors of the two directions", async () => {
  const { page, close } = await openReport(browser, inFolder("images.html"));
  const [right, against] = await page.evaluate(() => {
    const cell = document.querySelector("#confusion td.right");
    cell.style.setProperty("--share", "100%");
    const probe = document.createElement("i");
    probe.style.color = "var(--against)";
    document.body.append(probe);
    return [getComputedStyle(cell).backgroundColor, getComputedStyle(probe).color];
  });
  assert.notEqual(right.match(/[\d.]+/g).slice(0, 3).join(), against.match(/\d+/g).join());
  await close();
});
