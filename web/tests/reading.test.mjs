// Sentences, numbers, selections, links, prints and saved files of the demo's report.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { bisector, explain, folder, inFolder, mean, median, number, onlyChromium, openDemo,
  openReport, pagesOf, pattern, readCsv, removeFolder, replaceNumber, rowNumber as numberOf,
  rowShown, saved, settle as drawn, windows, write } from "./support.mjs";

let browser, opened, page, explained, data;
const settle = (on = page) => drawn(on);
const rowNumber = (on = page) => numberOf(on);
const sizeOf = row => Math.abs(row.output);
before(async () => {
  ({ browser, opened, page } = await openDemo());
  explained = explain("model.npz", "held_out.csv");
  data = readCsv(readFileSync(inFolder("held_out.csv"), "utf8"));
});
after(async () => {
  await browser?.close();
  removeFolder();
});

const truth = row => data[row - 1].diagnosis;
const said = row => explained[row - 1].prediction;

/** The sentences of the summary; no line ends before a percent sign. */
const summaryText = async page =>
  (await page.textContent("#summary-lines")).replaceAll("\u00a0", " ");

test("the summary compares the model with always predicting the majority", async () => {
  const text = await summaryText(page);
  const right = data.filter((_, i) => truth(i + 1) === said(i + 1)).length;
  const most =
    ["malignant", "benign"].sort((a, b) =>
      data.filter(row => row.diagnosis === b).length
      - data.filter(row => row.diagnosis === a).length
    )[0];
  const share = Math.round((100 * data.filter(row => row.diagnosis === most).length) / data.length);
  assert.ok(
    text.startsWith(
      `It is correct for ${right} of ${data.length} rows (${
        Math.round((100 * right) / data.length)
      } %); always predicting ${most} would be correct for ${share} %.`
    ),
    text
  );
  assert.equal(await page.textContent("#predicts"),
    "The model predicts diagnosis: malignant or benign.");
  const score = JSON.parse(
    bisector("score", inFolder("model.npz"), inFolder("held_out.csv"), "--target", "diagnosis",
      "--json")
  );
  const lines = await page.$$eval("#quality-table tbody tr",
    trs =>
      Object.fromEntries(
        trs.map(tr => [...tr.children].slice(0, 2).map(cell => cell.textContent))
      ));
  assert.equal(lines["Balanced accuracy"], `${Math.round(100 * score.balanced_accuracy)} %`);
  assert.equal(lines.AUC, score.auc.toFixed(3));
  const cells = await page.$$eval("#confusion tbody tr",
    trs =>
      trs.map(tr =>
        [...tr.querySelectorAll("td.number")].slice(0, 2).map(td => Number(td.textContent))
      ));
  const labels = await page.$$eval("#confusion tbody th", ths => ths.map(th => th.textContent));
  labels.forEach((t, i) =>
    labels.forEach((s, j) =>
      assert.equal(cells[i][j], data.filter((_, r) =>
        truth(r + 1) === t && said(r + 1) === s
      ).length)
    )
  );
});

test("the strongest features are named with their share, by the same measure", async () => {
  const features = Object.keys(data[0]).filter(name => name !== "diagnosis");
  const sizes = name => explained.map(row => Math.abs(Number(row[name]))).sort((a, b) => a - b);
  const typical = name => {
    const all = sizes(name), cut = Math.floor(all.length / 10);
    return mean(all.slice(cut, all.length - cut));
  };
  const order = [...features].sort((a, b) => typical(b) - typical(a));
  const share = order.slice(0, 3).reduce((sum, name) => sum + typical(name), 0)
    / features.reduce((sum, name) => sum + typical(name), 0);
  const capital = order[0][0].toUpperCase() + order[0].slice(1);
  assert.ok(
    (await summaryText(page)).includes(
      `${capital} matters most, then ${order[1]} and ${order[2]}: together ${
        Math.round(100 * share)
      } % of the model's reasons.`
    )
  );
  const title = await page.locator("#importance g.bar").first().locator("title").textContent();
  const [, shown, plain] = title.match(/typical effect ([\d.]+) .*?, mean ([\d.]+)/);
  assert.ok(
    Math.abs(shown - typical(order[0])) < 6e-3 * typical(order[0])
      && Math.abs(plain - mean(sizes(order[0]))) < 6e-3 * typical(order[0]),
    title
  );
});

test("every sentence about ten rows is true", async () => {
  for (let r = 1; r <= 10; ++r) {
    await page.goto(
      `${pathToFileURL(inFolder("report.html")).href}#row=${r}&feature=mean%20radius`
    );
    await rowShown(page, r);
    const text = (await page.textContent("#row-sentences")).replaceAll("\u00a0", " ");
    assert.ok(
      text.startsWith(
        truth(r) === said(r) ? `Row ${r} is predicted ${said(r)}: correct.`
          : `Row ${r} is predicted ${said(r)}: incorrect, actual ${truth(r)}.`
      ),
      text
    );
    const closer = explained.filter(row => sizeOf(row) < sizeOf(explained[r - 1])).length;
    assert.equal(/It is a close call/.test(text), closer < 0.1 * data.length, text);
    const few = text.match(/only (\d+) of the (\d+) rows of the table (?:is|are) closer/);
    if (few) assert.deepEqual([Number(few[1]), Number(few[2])], [closer, data.length]);
    // The strongest features toward and away from the prediction.
    const sign = said(r) === "malignant" ? 1 : -1;
    const parts = Object.keys(data[0]).filter(name => name !== "diagnosis").map(
      name => [name, sign * Number(explained[r - 1][name])]
    ).sort((a, b) => b[1] - a[1]);
    const claims = [
      ...text.matchAll(
        new RegExp(
          pattern(String.raw`([A-Z][a-z ]+) \(([\d.,]+), (?:([\d.]+) times|([\d.]+) % of|`,
            String.raw`(above|below|near)) its usual value of ([\d.,]+)\) is the strongest reason `,
            "(for this|against it)"),
          "g"
        )
      )
    ];
    assert.equal(claims.length, 2, text);
    for (const [, name, value, times, share, side, usual, way2] of claims) {
      const column = (way2 === "for this" ? parts[0] : parts.at(-1))[0];
      assert.equal(name.toLowerCase(), column);
      const own = Number(data[r - 1][column]), middle = median(data.map(row =>
        Number(row[column])
      ));
      assert.equal(number(value), own);
      assert.ok(Math.abs(number(usual) - middle) <= 1e-3 * middle, `${usual} ${middle}`);
      if (times) assert.ok(Math.abs(times - own / middle) <= 0.051, text);
      if (share) assert.ok(Math.abs(share - (100 * own) / middle) <= 0.51, text);
      if (side === "above" || side === "below") {
        assert.equal(side, own > middle ? "above" : "below");
      }
      if (side === "near") assert.ok(Math.abs(own - middle) < 0.2 * middle, text);
    }
  }
});

test("the page opens on a typical row; errors and close calls are one click away", async () => {
  const other = await openReport(browser, inFolder("report.html"));
  assert.equal(truth(await rowNumber(other.page)), said(await rowNumber(other.page)));
  assert.match(await other.page.textContent("#cases"),
    /Typical rows: 1 of \d+.*Close calls.*Largest errors/);
  await other.page.click("#cases button:nth-of-type(3)");
  await settle(other.page);
  const wrong = explained.map((row, i) => ({ row: i + 1, size: Math.abs(row.output) })).filter((
    { row }
  ) => truth(row) !== said(row)).sort((a, b) => b.size - a.size);
  assert.equal(await rowNumber(other.page), wrong[0].row);
  assert.match(await other.page.textContent("#verdict"),
    new RegExp(
      `Row ${wrong[0].row}: predicted ${said(wrong[0].row)}, actual ${truth(wrong[0].row)}`
    ));
  await other.page.click("#cases button:nth-of-type(3)");
  await settle(other.page);
  assert.equal(await rowNumber(other.page), wrong[1].row);
  await other.page.click("#cases button:nth-of-type(2)");
  await settle(other.page);
  const closest =
    explained.map((row, i) => ({ row: i + 1, size: Math.abs(row.output) })).sort((a, b) =>
      a.size - b.size
    )[0];
  assert.equal(await rowNumber(other.page), closest.row);
  await other.close();
});

test("rows can be selected by error, and every part of the page follows", async () => {
  const count = async () =>
    Number((await page.textContent("#rows [role=status]")).match(/^(\d+) of/)[1]);
  const wrong = data.filter((_, i) => truth(i + 1) !== said(i + 1)).length;
  await page.click("#judged [data-choice=wrong]");
  await settle();
  assert.equal(await count(), wrong);
  assert.match(await page.textContent("#importance [role=status]"),
    new RegExp(`the ${wrong} selected row`));
  await page.click("#judged [data-choice=right]");
  await settle();
  assert.equal(await count(), data.length - wrong);
  await page.click("#judged [data-choice=uncertain]");
  await settle();
  assert.ok((await count()) >= data.length / 10 && (await count()) <= data.length / 10 + 1);
  await page.click('#judged [data-choice=""]');
  await page.locator("#confusion tbody tr").nth(1).locator("td button").first().click();
  await settle();
  const cell = page.locator("#confusion tbody tr").nth(1).locator("td button").first();
  const some = Number(await cell.textContent());
  assert.equal(await count(), some);
  assert.equal(await cell.getAttribute("aria-pressed"), "true");
  assert.match(await page.textContent("#selected"),
    new RegExp(`^${some} of ${data.length} rows? selected$`));
  // One row shows the first selected row.
  const first = data.findIndex((_, r) => truth(r + 1) !== said(r + 1) && truth(r + 1) === "benign")
    + 1;
  assert.equal(await rowNumber(), first);
  assert.ok(await page.evaluate(() => {
    scrollTo(0, 1e6);
    return document.querySelector("#selected").getBoundingClientRect().top >= 0;
  }));
  await page.click("#select-all");
  await settle();
  assert.equal(await count(), data.length);
});

/** The texts that a link restores. */
const restored = on =>
  on.evaluate(() =>
    ["#row-name", "#rows thead", "#rows [role=status]", "#what-if-result"].map(part =>
      document.querySelector(part).textContent
    )
  );

test("a link shows the same state", async () => {
  await page.locator("#rows tbody tr").nth(3).click();
  await page.locator("#importance g.bar").nth(2).click();
  await page.click("#judged [data-choice=right]");
  await page.click("#rows thead th:nth-child(4) button");
  const result = () => page.textContent("#what-if-result");
  const before = [page.url(), await result()];
  await replaceNumber(page, "#what-if input[type=number]", "20");
  await page.waitForFunction(
    ([address, text]) =>
      location.href !== address && document.querySelector("#what-if-result").textContent !== text,
    before
  );
  await settle(); // the address is written after the charts
  const address = page.url();
  const other = await openReport(browser, inFolder("report.html"));
  await other.page.goto(address);
  await other.page.waitForFunction(
    text => document.querySelector("#what-if-result").textContent === text,
    await result()
  );
  assert.deepEqual(await restored(other.page), await restored(page));
  assert.match(await other.page.textContent("#what-if-result"), /\(was/);
  await other.close();
  await page.click('#judged [data-choice=""]');
  await page.click("#what-if-reset");
});

test("the link is copied, or shown where the clipboard cannot be written", async () => {
  const { page: own, close } = await openReport(browser, inFolder("report.html"));
  const setClipboard = write =>
    own.evaluate(canWrite => {
      const writeText = async text => {
        if (!canWrite) throw new Error("not allowed");
        window.copied = text;
      };
      Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    }, write);
  await setClipboard(true);
  await own.click("#copy-link");
  await own.waitForFunction(() => document.querySelector("#copy-link").textContent === "Copied");
  assert.equal(await own.evaluate(() => window.copied), own.url());
  const shownLink = async () => {
    const shown = new Promise(resolve => own.once("dialog", d => resolve(d.defaultValue())));
    await own.click("#copy-link");
    return shown;
  };
  await setClipboard(false);
  assert.equal(await shownLink(), own.url());
  await own.evaluate(() => {
    Object.defineProperty(navigator, "clipboard", { value: undefined });
  });
  assert.equal(await shownLink(), own.url());
  await close();
});

test("an invalid address changes nothing", async () => {
  const other = await openReport(browser, inFolder("report.html"));
  const name = await other.page.textContent("#row-name");
  await other.page.goto(
    `${
      pathToFileURL(inFolder("report.html")).href
    }#row=99999&feature=%00&set=mean:1e999&judged=perhaps&least=x&sort=nothing`
  );
  await settle(other.page);
  assert.equal(await other.page.textContent("#row-name"), name);
  assert.deepEqual(other.problems, []);
  await other.close();
});

test("prints are light, as wide as the paper, complete, and have no buttons", onlyChromium,
  async () => {
    const other = await openReport(browser, inFolder("report.html"), windows.dark);
    await other.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await other.page.emulateMedia({ media: "print" });
    const seen = await other.page.evaluate(() => ({
      paper: getComputedStyle(document.body).backgroundColor,
      widths: [...document.querySelectorAll(".chart:not(.curves, .heat-map) > svg")].map(svg =>
        Number(svg.getAttribute("width"))
      ),
      tables: [...document.querySelectorAll("#rows table, #points table")].map(table =>
        table.getBoundingClientRect().right
      ),
      page: document.querySelector("main").getBoundingClientRect(),
      legends: [...document.querySelectorAll(".legend, .key")].every(key =>
        key.getBoundingClientRect().width > 0 || key.closest("#what-if")
      ),
      buttons: [...document.querySelectorAll("button")].filter(b =>
        b.getBoundingClientRect().height > 0 && !b.closest("table, .sides")
      ).length,
      rows: document.querySelectorAll("#rows tbody tr").length
    }));
    assert.equal(seen.paper, "rgb(255, 255, 255)");
    assert.ok(seen.widths.length >= 4 && seen.widths.every(width => width <= 680 && width > 600),
      String(seen.widths));
    assert.ok(seen.tables.every(right => right <= seen.page.right + 1),
      `${seen.tables} ${seen.page.right}`);
    assert.ok(seen.legends);
    assert.equal(seen.buttons, 0);
    assert.equal(seen.rows, 15);
    await other.page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await other.page.emulateMedia({ media: "screen" });
    await settle(other.page);
    assert.notEqual(
      await other.page.evaluate(() => getComputedStyle(document.body).backgroundColor),
      "rgb(255, 255, 255)"
    );
    await other.close();
  });

test("one row is printed on one page, the report on at most ten", onlyChromium, async () => {
  const other = await openReport(browser, inFolder("report.html"));
  const whole = await other.page.pdf({ format: "A4" });
  assert.ok(pagesOf(whole) >= 4 && pagesOf(whole) <= 10, String(pagesOf(whole)));
  for (const format of ["A4", "Letter"]) {
    // The button does this before it opens the browser's dialog.
    await other.page.evaluate(() => document.documentElement.classList.add("one-case"));
    assert.equal(pagesOf(await other.page.pdf({ format })), 1, format);
  }
  await other.close();
});

test("charts and rows can be saved", async () => {
  for (const part of ["importance", "beeswarm", "dependence", "row"]) {
    await page.click(`#${part} .saving summary`);
    const svg = (await saved(page, `#${part} .saving button:nth-of-type(1)`)).toString();
    assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    assert.ok(svg.includes("<text"), part);
    assert.match(svg, /pushes toward|highest value|lowest to highest/, `the legend of ${part}`);
    const png = await saved(page, `#${part} .saving button:nth-of-type(2)`);
    assert.equal(png.subarray(1, 4).toString(), "PNG");
    assert.ok(png.length > 5000, `${part} ${png.length}`);
  }
  const importance = readCsv(
    (await saved(page, "#importance .saving button:nth-of-type(3)")).toString().replaceAll("\r", "")
  );
  assert.equal(importance.length, 30);
  const rows = readCsv((await saved(page, "#save-rows")).toString().replaceAll("\r", ""));
  assert.equal(rows.length, data.length);
  const own = rows.find(row => row.Row === "7");
  assert.equal(Number(own["worst area"]), Number(data[6]["worst area"]));
  assert.ok(
    Math.abs(Number(own["contribution of worst area"]) - Number(explained[6]["worst area"])) < 1e-6
  );
  assert.deepEqual(opened.problems, []);
});

/** A tip that is visible and not cut off. */
const isInside = ({ hidden, box, width, height }) =>
  !hidden && box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height;

test("tips are not cut off; keys move between rows and features", async () => {
  const canvas = page.locator("#beeswarm canvas");
  await canvas.scrollIntoViewIfNeeded();
  await canvas.focus();
  // Scrolling hides tips: wait until it has ended.
  await page.evaluate(() =>
    new Promise(done => {
      let last = -1, still = 0;
      const look = () => {
        still = scrollY === last ? still + 1 : 0;
        last = scrollY;
        if (still > 10) done();
        else requestAnimationFrame(look);
      };
      look();
    })
  );
  const tip = () =>
    page.$eval("#beeswarm .tip",
      own => ({ text: own.textContent, hidden: own.hidden,
        box: own.getBoundingClientRect().toJSON(), width: innerWidth, height: innerHeight }));
  await page.keyboard.press("End");
  assert.ok(isInside(await tip()), JSON.stringify(await tip()));
  const last = await rowNumber();
  await settle();
  await page.keyboard.press("ArrowLeft");
  await settle();
  assert.notEqual(await rowNumber(), last);
  const feature = () =>
    page.$eval("#dependence select", select => select.selectedOptions[0].textContent);
  const first = await feature();
  await page.keyboard.press("ArrowDown");
  await settle();
  assert.notEqual(await feature(), first);
  await page.keyboard.press("Escape");
  assert.equal((await tip()).hidden, true);
  await page.locator("#rows tbody th button").first().focus();
  const shown = await rowNumber();
  await page.keyboard.press("ArrowDown");
  await settle();
  assert.notEqual(await rowNumber(), shown);
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
    `Show row ${await rowNumber()}`);
});

test("the theme is stored", async () => {
  const other = await openReport(browser, inFolder("report.html"));
  const paper = () => other.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await other.page.click("#theme");
  const chosen = await paper();
  await other.page.reload();
  await other.page.waitForSelector("#row-name");
  assert.equal(await paper(), chosen);
  await other.close();
});

/** A regressor with longitudes, dates, thousands, an extreme value and similar names. */
function makeHomes() {
  let state = 3;
  const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
  const long = "distance to the nearest station of the line, measured along the street in meters, ";
  const lines = [
    ["longitude", "date", "rooms", `${long}morning`, `${long}evening`, "price"].join(",")
      .replaceAll("line, measured", "line measured").replaceAll("meters, ", "meters ")
  ];
  for (let r = 0; r < 120; ++r) {
    const lon = (121.5 + 0.05 * random()).toFixed(5), rooms = 1 + Math.floor(random() * 6),
      far = r === 17 ? 90000 : Math.floor(4000 * random());
    lines.push(
      [lon, (2012 + Math.floor(24 * random()) / 12).toFixed(3), rooms, far,
        Math.floor(3000 * random()),
        150000 + 20000 * rooms - 5 * Math.min(far, 5000) + Math.floor(1000 * random())].join(",")
    );
  }
  write("homes.csv", lines);
  bisector("train", inFolder("homes.csv"), "--model", "krr", "--target", "price", "--gamma", "0.3",
    "-o", inFolder("homes.npz"));
  bisector("report", inFolder("homes.npz"), inFolder("homes.csv"), "--target", "price", "--names",
    "unit=€", "-o", inFolder("homes.html"));
  return readCsv(readFileSync(inFolder("homes.csv"), "utf8"));
}

test("numbers have the digits of their column; cut names stay different", async () => {
  const homes = makeHomes(),
    predicted = readCsv(bisector("predict", inFolder("homes.npz"), inFolder("homes.csv")));
  const other = await openReport(browser, inFolder("homes.html"));
  const cell = n =>
    other.page.$$eval(`#rows tbody td:nth-child(${n})`, tds => tds.map(td => td.textContent));
  await other.page.selectOption("#dependence select", "longitude");
  await settle(other.page);
  const rows = await other.page.$$eval("#rows tbody th",
    ths => ths.map(th => Number(th.textContent)));
  assert.deepEqual((await cell(4)).map(Number), rows.map(r => Number(homes[r - 1].longitude)));
  await other.page.selectOption("#dependence select", "date");
  await settle(other.page);
  assert.deepEqual(await cell(4), rows.map(r => String(Number(homes[r - 1].date))));
  assert.ok((await cell(2)).every(text => /^\d{3},\d{3}$/.test(text)), String(await cell(2)));
  assert.ok(!/\de[+−-]?\d/.test(await other.page.textContent(".two")), "an exponent");
  await other.page.click("#rows thead th:nth-child(2) button");
  await settle(other.page);
  const shown = (await cell(2)).map(number);
  assert.deepEqual(shown, [...shown].sort((a, b) => b - a));
  assert.ok(Math.abs(shown[0] - Math.max(...predicted.map(row => Number(row.prediction)))) <= 0.5);
  const names = await other.page.$$eval("#importance g.bar text",
    texts => texts.map(text => text.textContent));
  assert.equal(new Set(names).size, 5, String(names));
  assert.ok(
    names.some(name => name.endsWith("morning")) && names.some(name => name.endsWith("evening")),
    String(names)
  );
  // The first sentence of the row is compared with the command.
  const r = await rowNumber(other.page), value = Number(predicted[r - 1].prediction),
    price = Number(homes[r - 1].price);
  const said = (await other.page.textContent("#row-sentences")).match(
    /^Row (\d+) is predicted ([\d,]+) €: ([\d,]+) too (high|low), actual ([\d,]+)\./
  );
  assert.ok(said, await other.page.textContent("#row-sentences"));
  const close = (text, expected) =>
    assert.ok(Math.abs(number(text) - expected) <= 0.51, `${text} ${expected}`);
  close(said[2], value);
  close(said[3], Math.abs(value - price));
  close(said[5], price);
  assert.equal(said[4], value > price ? "high" : "low");
  const prices = homes.map(row => Number(row.price));
  const stated = (await other.page.textContent("#summary-lines")).match(
    pattern(
      String.raw`error is ([\d,]+) € on average over 120 rows; always predicting the mean of `,
      String.raw`([\d,]+) would have an error of ([\d,]+) €`
    )
  );
  close(stated[1], mean(predicted.map((row, i) => Math.abs(Number(row.prediction) - prices[i]))));
  close(stated[2], mean(prices));
  close(stated[3], mean(prices.map(own => Math.abs(own - mean(prices)))));
  assert.deepEqual(other.problems, []);
  await other.close();
});

test("one extreme row does not flatten the charts; it is counted and can be shown", async () => {
  const other = await openReport(browser, inFolder("homes.html"));
  const name =
    (await other.page.$$eval("#dependence select:first-of-type option",
      all => all.map(option => option.textContent))).find(text => text.endsWith("morning"));
  await other.page.selectOption("#dependence select", name);
  await settle(other.page);
  const note = await other.page.textContent("#dependence .range");
  const [, outside, all] = note.match(/(\d+) points? of (\d+) .*outside the drawn range/);
  assert.ok(Number(outside) >= 1 && Number(outside) <= 4 && Number(all) === 120, note);
  const last = () =>
    other.page.$$eval("#dependence .axis text", texts =>
      Math.max(...texts.map(text =>
        Number(text.textContent.replaceAll(",", "").replace("−", "-"))
      ).filter(Number.isFinite)));
  const drawn = await last();
  await other.page.click("#dependence .range button");
  await settle(other.page);
  assert.ok((await last()) > 5 * drawn || (await last()) >= 80000, `${await last()} ${drawn}`);
  assert.match(await other.page.textContent("#dependence .range"), /whole range/);
  await other.close();
});

test("on a phone nothing is wider than the window, and the verdict stays visible", async () => {
  const other = await openReport(browser, inFolder("homes.html"), windows.phone);
  await other.page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  await settle(other.page);
  assert.ok(await other.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  const box = await other.page.$eval("#verdict", own => own.getBoundingClientRect().toJSON());
  assert.ok(box.top >= 0 && box.bottom < 120 && box.right <= 390, JSON.stringify(box));
  await other.close();
});

test("numbers follow the reader's locale", async () => {
  const other = await openReport(browser, inFolder("homes.html"), { locale: "de-DE" });
  const cells = await other.page.$$eval("#rows tbody td:nth-child(2)",
    tds => tds.map(td => td.textContent));
  assert.ok(cells.every(text => /^\d{3}\.\d{3}$/.test(text)), String(cells));
  await other.close();
});

test("on a wide screen the row is next to the charts", async () => {
  const other = await openReport(browser, inFolder("report.html"), {
    viewport: { width: 1700, height: 1000 }
  });
  await other.page.evaluate(() => document.querySelector("#rows").scrollIntoView());
  const [row, rows] = await other.page.evaluate(() =>
    ["#row", "#rows"].map(part => document.querySelector(part).getBoundingClientRect().toJSON())
  );
  assert.ok(row.left > rows.right && row.top < 1000 && row.bottom > 0, JSON.stringify([row, rows]));
  await other.close();
});

test("at 1440 x 900 the first screen has the summary, the importance and one row", async () => {
  const other = await openReport(browser, inFolder("report.html"), {
    viewport: { width: 1440, height: 900 }
  });
  const bottoms = await other.page.evaluate(() =>
    ["#quality-table", "#importance g.bar:nth-of-type(8)", "#row-sentences",
      "#row .chart g.bar:nth-of-type(8)"].map(part =>
        Math.round(document.querySelector(part).getBoundingClientRect().bottom)
      )
  );
  assert.ok(bottoms.every(bottom => bottom <= 900), String(bottoms));
  assert.doesNotMatch(await other.page.textContent("header"), /npz|csv/);
  await other.close();
});

test("few tab stops lead through the page", async () => {
  const other = await openReport(browser, inFolder("report.html"));
  await other.page.waitForSelector("#what-if-result[data-output]");
  const stops = await other.page.evaluate(() =>
    [...document.querySelectorAll("a[href], button, input, select, summary, [tabindex]")].filter(
      own => own.tabIndex >= 0 && !own.disabled && own.checkVisibility()
    ).length
  );
  assert.ok(stops < 100, String(stops));
  await other.close();
});

test("arrow keys move between the influential training rows of a side", async () => {
  const tabs = page.locator("#points .sides > div").first().locator("button.tab");
  await tabs.first().focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await tabs.nth(1).getAttribute("aria-pressed"), "true");
  assert.equal(await page.evaluate(() => document.activeElement.textContent),
    await tabs.nth(1).textContent());
  const [name] = (await tabs.nth(1).textContent()).split(":");
  assert.ok((await page.textContent("#points thead")).includes(name), name);
});

test("arrow keys move between the bars of a chart, Enter selects a feature", async () => {
  const bars = page.locator("#importance g.bar"), first = bars.first();
  await first.focus();
  await page.keyboard.press("ArrowDown");
  const name = (await bars.nth(1).locator("title").textContent()).split(":")[0];
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    wanted =>
      document.querySelector("#dependence select").selectedOptions[0].textContent === wanted,
    name
  );
});

test("the digits of a row do not depend on an extreme row", async () => {
  const lines = readFileSync(inFolder("held_out.csv"), "utf8").trim().split("\n");
  const far = lines[1].split(",").map((cell, i,
    cells) => (i + 1 < cells.length ? String(1e4 * Number(cell)) : cell)
  );
  write("extreme.csv", [...lines, far.join(",")]);
  bisector("report", inFolder("model.npz"), inFolder("extreme.csv"), "--target", "diagnosis",
    "--unit", "g", "-o", inFolder("extreme.html"));
  bisector("report", inFolder("model.npz"), inFolder("held_out.csv"), "--target", "diagnosis",
    "--unit", "g", "-o", inFolder("usual.html"));
  const texts = await Promise.all(["extreme.html", "usual.html"].map(async file => {
    const other = await openReport(browser, inFolder(file));
    await other.page.evaluate(() => {
      location.hash = "row=5";
    });
    await rowShown(other.page, 5);
    const text = await other.page.textContent("#row-totals");
    await other.close();
    return text;
  }));
  assert.equal(texts[0], texts[1]);
});

test("provenance has the command, the training, the files and their hashes", async () => {
  const text = await page.textContent("#provenance"), { createHash } = await import("node:crypto");
  for (const file of ["model.npz", "held_out.csv"]) {
    assert.ok(
      text.includes(
        `${file}, SHA-256 ${
          createHash("sha256").update(readFileSync(inFolder(file))).digest("hex")
        }`
      ),
      text
    );
  }
  assert.ok(!text.includes(folder), text);
  assert.match(text, /Training rows456 of training\.csv/);
  assert.match(text, /Hyperparametersgamma [\d.]+, cost [\d.e+]+, balanced classes/);
  assert.match(text, /Cross-validation(balanced )?accuracy 0\.\d+ \(standard deviation .*5-fold/);
});

test("the threshold shows precision, recall and cost, as counted by hand", async () => {
  const sorted = explained.map((row, r) => ({ score: Math.fround(row.output),
    is: truth(r + 1) === "malignant" })
  ).sort((a, b) => b.score - a.score);
  await replaceNumber(page, "#cost-missed", "5");
  await page.evaluate(() => {
    const slider = document.querySelector("#threshold");
    slider.value = "30";
    slider.dispatchEvent(new Event("input"));
  });
  const [right, all] = [sorted.slice(0, 30).filter(({ is }) => is).length,
    sorted.filter(({ is }) => is).length];
  const text = await page.textContent("#threshold-result");
  assert.ok(
    text.includes(
      `it finds ${Math.round((100 * right) / all)} % of malignant (recall), and ${
        Math.round((100 * right) / 30)
      } % of its malignant predictions are correct (precision). ${all - right} missed, ${
        30 - right
      } wrong, cost ${5 * (all - right) + 30 - right}.`
    ),
    text
  );
});
