// Defects that readers have found, each with a test. BROWSER=firefox runs them in Firefox.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { bisector, explain, inFolder, launch, mean, number, onlyChromium, openReport, removeFolder,
  rowShown, settle, windows, write } from "./support.mjs";

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

/** Homes: lines of a station from 1 to 8 or 24, a large price, an extreme row, two targets. */
function home(r) {
  const lines = r % 4 === 0 ? 24 : 1 + Math.floor(8 * random()), area = 30 + 120 * random();
  const far = r === 17 ? 9_000_000 : Math.floor(4000 * random());
  const price = Math.floor(50_000 + 700 * area - 2 * Math.min(far, 4000) + 900 * lines);
  return [lines, area.toFixed(1), far, price, price > 110_000 ? "dear" : "cheap"].join(",");
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
    "--layout", `${kSide}x${kSide}`, "--method", "lrp", "-o", inFolder("images.html"));
  write("homes.csv", ["lines,area,distance to the nearest station,price,kind",
    ...Array.from({ length: 120 }, (_, r) => home(r))]);
  const train = (target, other, name, ...words) => {
    bisector("train", inFolder("homes.csv"), "--target", target, "--drop", other, ...words, "-o",
      inFolder(`${name}.npz`));
    bisector("report", inFolder(`${name}.npz`), inFolder("homes.csv"), "--target", target, "-o",
      inFolder(`${name}.html`));
  };
  train("kind", "price", "votes", "--model", "knn", "--k", "9");
  train("price", "kind", "price", "--model", "krr");
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const open = (name, options) => openReport(browser, inFolder(`${name}.html`), options);

/** Shows another row through the address. */
async function show(page, row, more = "") {
  await page.evaluate(hash => {
    location.hash = hash;
  }, `row=${row}${more}`);
  await rowShown(page, row);
  await settle(page);
}

test("long class names do not make the page wider than a phone", async () => {
  const { page, close } = await open("images", windows.phone);
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

for (const name of ["images", "votes", "price"]) {
  test(`on a phone the rows of the table are low: ${name}`, async () => {
    const { page, close } = await open(name, windows.phone);
    await settle(page);
    const heights = await page.$$eval("#rows tbody tr", rows =>
      rows.map(row => row.getBoundingClientRect().height));
    assert.ok(heights.length >= 10 && Math.max(...heights) < 80, String(heights));
    await close();
  });
}

test("on a phone the labels of the waterfall are complete", async () => {
  const { page, close } = await open("price", windows.phone);
  const labels = await page.$$eval("#row .chart g.bar",
    bars =>
      bars.map(bar =>
        [bar.querySelector("text"), bar.querySelector("title")].map(own => own.textContent)
      ));
  assert.ok(labels.length >= 3);
  for (const [label, title] of labels) assert.ok(title.startsWith(label), `${label}: ${title}`);
  const boxes = await page.$$eval("#row .chart svg text",
    texts => texts.map(text => text.getBoundingClientRect().left));
  assert.ok(Math.min(...boxes) >= 0, String(boxes));
  await close();
});

test("a map that misses a large part of the result says so next to it", async () => {
  const { page, close } = await open("images");
  assert.match(await page.textContent("#summary-lines"),
    /In \d+ of 450 rows the features leave more than a fifth of the difference/);
  assert.match(await page.textContent("#row-remainder"),
    /: it leaves \d+ % of the difference from the average unexplained\.$|^The unexplained part is/);
  await close();
});

test("the reason for a page without what-if is a sentence with readable numbers", async () => {
  const { page, close } = await open("images");
  assert.match(await page.textContent("#what-if"),
    /the model is too large for a page \(\d{2,3},\d{3} numbers, at most 100,000\)/);
  await close();
});

test("correct and incorrect numbers do not have the colors of the two directions", async () => {
  const { page, close } = await open("images");
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

/** Where the values are largest in size, and whether a picture is orange, not blue, there. */
const strongest = values =>
  values.reduce((best, value, p) => (Math.abs(value) > Math.abs(values[best]) ? p : best), 0);
const isOrange = (canvas, pixel) =>
  canvas.evaluate((own, p) => {
    const [red, , blue] =
      own.getContext("2d").getImageData(p % own.width, Math.floor(p / own.width), 1, 1).data;
    return red > blue;
  }, pixel);

test("a color means the same in the picture of a row and of the classes", async () => {
  const { page, close } = await open("images");
  const rows = explain("images.npz", "images.csv", "--method", "lrp");
  const parts = row => Array.from({ length: kSide * kSide }, (_, p) => Number(row[`p${p}`]));
  const maps = await page.$$("#class-heat canvas"),
    captions = await page.$$eval("#class-heat figcaption",
      all => all.map(own => own.textContent.split(":")[0]));
  assert.equal(maps.length, 2);
  for (const [c, label] of captions.entries()) {
    const own = rows.filter(({ prediction }) => prediction === label).map(parts);
    const means = own[0].map((_, p) => mean(own.map(row => row[p]))), most = strongest(means);
    assert.equal(await isOrange(maps[c], most), means[most] > 0, label);
  }
  for (const row of [1, 2]) {
    await show(page, row);
    const values = parts(rows[row - 1]), most = strongest(values);
    const map = await page.$("#row canvas[aria-label$=': contributions']");
    assert.equal(await isOrange(map, most), values[most] > 0, `row ${row}`);
  }
  await close();
});

test("votes and their average are possible: at most as many as neighbors", async () => {
  const { page, close } = await open("votes");
  for (const row of [1, 2, 3, 4, 18]) {
    await show(page, row);
    const text = await page.textContent("#row-totals");
    const [, base, result, votes] = text.match(
      /^Average output (\S+), .* result (\S+) votes: (\d+) of 9 neighbors say (?:dear|cheap)\.$/
    );
    assert.ok(Math.abs(number(base)) <= 9 && Math.abs(number(result)) <= 9, text);
    assert.equal(2 * Number(votes) - 9, Math.abs(number(result)), text);
  }
  await close();
});

test("one extreme row clips no label of an axis and hides no bar", async () => {
  for (const name of ["votes", "price"]) {
    const { page, close } = await open(name);
    await show(page, 3);
    const outside = await page.$$eval("main svg .axis text", texts =>
      texts.filter(text => {
        const own = text.getBoundingClientRect(),
          chart = text.ownerSVGElement.getBoundingClientRect();
        return own.left < chart.left - 1 || own.right > chart.right + 1
          || own.top < chart.top - 1 || own.bottom > chart.bottom + 1;
      }).map(text => text.textContent));
    assert.deepEqual(outside, [], name);
    for (const chart of ["#importance", "#row .chart"]) {
      const widths = await page.$$eval(`${chart} g.bar`, bars =>
        bars.map(bar =>
          [...bar.querySelectorAll("rect[fill]")].reduce((sum, rect) =>
            sum + rect.getBoundingClientRect().width, 0)
        ));
      assert.ok(widths.filter(width =>
        width >= 4
      ).length >= 2, `${name} ${chart}: ${widths}`);
    }
    assert.ok((await page.textContent("#row-totals")).match(/[1-9]/g).length >= 3);
    await close();
  }
});

test("4 and 24 lines are different, even if a few rows stretch the range", async () => {
  const { page, close } = await open("price");
  const lines = readFileSync(inFolder("homes.csv"), "utf8").trim().split("\n").slice(1).map(line =>
    line.split(",")[0]
  );
  const [few, many] = ["4", "24"].map(count => lines.indexOf(count) + 1);
  await show(page, few, `&beside=${many}`);
  const [, cell] = await page.$$eval("#comparison tbody tr",
    trs =>
      [...trs].find(tr => tr.children[0].textContent === "lines").querySelectorAll("td").length
      && [...[...trs].find(tr => tr.children[0].textContent === "lines").children].slice(1, 3).map(
        td => [td.textContent, td.className]
      ));
  assert.equal(cell[0], "24");
  assert.match(cell[1], /differs/);
  await close();
});

/** The report with other facts. */
function withFacts(name, from, change) {
  const page = readFileSync(inFolder(`${from}.html`), "utf8");
  const [, data] = page.match(/id="report-data">([^<]*)</), facts = JSON.parse(data);
  change(facts);
  writeFileSync(inFolder(`${name}.html`),
    page.replace(data, () => JSON.stringify(facts).replaceAll("<", "\\u003c")));
}

const floats = ({ data }) => new Float32Array(new Uint8Array(Buffer.from(data, "base64")).buffer);
const packed = values => ({ type: "f32", scale: 1,
  data: Buffer.from(values.buffer).toString("base64") });

test("no feature is the strongest reason if the average output already decides", async () => {
  withFacts("average", "votes", ({ rows }) => {
    rows.relevance = rows.relevance.map(own => packed(floats(own).map(part => part / 1000)));
    rows.output = packed(Float32Array.from(floats(rows.relevance[0]), () => 7));
    rows.base = packed(
      floats(rows.output).map((output, row) =>
        output - rows.relevance.reduce((sum, own) => sum + floats(own)[row], 0)
      )
    );
    delete rows.standardError;
  });
  const { page, close } = await open("average");
  for (const row of [1, 2, 3]) {
    await show(page, row);
    const text = await page.textContent("#row-sentences");
    assert.doesNotMatch(text, /strongest reason for/, text);
  }
  await close();
});

test("large numbers have separators, and one row is no plural", async () => {
  const { page, close } = await open("price");
  await show(page, 18);
  await page.fill("#rows input[type=search]", "18");
  await settle(page);
  const texts = await page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
      const { parentElement, data } = walker.currentNode;
      if (!parentElement.closest("#provenance, option, title")) found.push(data);
    }
    return found;
  });
  const ugly = texts.filter(text =>
    /(?<![\d.,])\d{5,}/.test(text) || /(?<![\d,.])1 (rows|values|points|features)\b/.test(text)
  );
  assert.deepEqual(ugly, []);
  await close();
});

test("a regressor's change is said as a new prediction, not as a flipped decision", async () => {
  const { page, close } = await open("price");
  await page.waitForSelector("#what-if-result[data-output]");
  await page.fill("#goal", "120000");
  await page.click("#what-if-reach");
  await page.waitForFunction(() =>
    document.querySelector("#what-if-steps").textContent.includes("The prediction is now")
  );
  const text = await page.textContent("#what-if");
  assert.match(text, /The prediction is now [\d,.]+/);
  assert.doesNotMatch(text, /flipped|decision/);
  const reached = number((await page.textContent("#what-if-steps")).match(/is now ([\d,]+)/)[1]);
  assert.ok(Math.abs(reached - 120_000) < 2000, String(reached));
  await close();
});

test("a curve above a slider rises toward the class of the orange bars", async () => {
  const rises = {};
  for (const label of ["dear", "cheap"]) {
    bisector("report", inFolder("votes.npz"), inFolder("homes.csv"), "--target", "kind", "--class",
      label, "-o", inFolder("curve.html"));
    const { page, close } = await open("curve");
    await page.waitForSelector("#what-if .ice path");
    assert.match(await page.textContent("#what-if-key"),
      new RegExp(`Bars: pushes toward ${label}, .*A rising curve pushes toward ${label}\\.`));
    const path = await page.$eval("#what-if .ice[aria-label='Predictions over area'] path", own =>
      own.getAttribute("d"));
    const heights = path.split(/[ML]/).slice(1).map(point => -Number(point.split(",")[1]));
    rises[label] = heights.at(-1) - heights[0];
    await close();
  }
  // Larger homes are dearer.
  assert.ok(rises.dear > 0 && rises.cheap < 0, JSON.stringify(rises));
});

test("a fixed feature keeps its value when a goal is sought", async () => {
  const { page, close } = await open("price");
  await page.waitForSelector("#what-if-result[data-output]");
  await page.check('#what-if input[aria-label="area cannot change"]');
  await page.fill("#goal", "100000");
  await page.click("#what-if-reach");
  await page.waitForFunction(() => document.querySelector("#what-if-steps").textContent !== "");
  const text = await page.textContent("#what-if-steps");
  assert.doesNotMatch(text, /\barea \d/, text);
  await close();
});

test("a print has no empty section, and no heading ends a page", onlyChromium, async () => {
  const { page, close } = await open("votes", windows.dark);
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  await page.emulateMedia({ media: "print" });
  await settle(page);
  const sections = await page.$$eval("main section",
    all =>
      all.filter(own => own.getBoundingClientRect().height > 0).map(own => {
        const head = own.querySelector("h2");
        const shown = [...own.children].filter(part =>
          part !== head && part.getBoundingClientRect().height > 0
        );
        return { name: head.textContent, parts: shown.length };
      }));
  assert.ok(sections.length >= 5, JSON.stringify(sections));
  for (const { name, parts } of sections) assert.ok(parts > 0, `${name} is empty`);
  const breaks = await page.$$eval("main :is(h2, h3)",
    all => [...new Set(all.map(own => getComputedStyle(own).breakAfter))]);
  assert.deepEqual(breaks, ["avoid"]);
  await close();
});
