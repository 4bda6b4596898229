// A real browser, and reports written by the real command.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, firefox } from "playwright-core";

const command = process.env.BISECTOR ?? "build/bisector";
/** Milliseconds to wait for a browser: a busy machine is slow, only a missing event fails. */
const kPatience = 300_000;
const browserPath = process.env.CHROMIUM ?? "/usr/bin/chromium";

export const folder = mkdtempSync(join(tmpdir(), "bisector-report-"));
export const inFolder = name => join(folder, name);
export const removeFolder = () => rmSync(folder, { recursive: true, force: true });

export function bisector(...words) {
  return execFileSync(command, words, { encoding: "utf8", maxBuffer: 1 << 28 });
}

export function write(name, lines) {
  writeFileSync(inFolder(name), lines.join("\n") + "\n");
  return inFolder(name);
}

/** The columns of a CSV file that has no quoted cells. */
export function readCsv(text) {
  const [head, ...rows] = text.trim().split("\n").map(line => line.split(","));
  return rows.map(cells => Object.fromEntries(cells.map((cell, i) => [head[i], cell])));
}

/** Numbers, text levels, two and three classes and a target to regress on, by a small generator. */
export function sampleTable(rows, seed = 1) {
  let state = seed;
  const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
  const lines = ["a,b,c,color,two,three,number"];
  for (let r = 0; r < rows; ++r) {
    const [a, b, c] = [random() * 4 - 2, random() * 3, random() * 100];
    const color = ["red", "green", "blue"][Math.floor(random() * 3)];
    const score = a * a + Math.sin(3 * b) + (color === "red" ? 1 : 0);
    lines.push(
      [a.toFixed(4), b.toFixed(4), c.toFixed(2), color, score > 1.5 ? "yes" : "no",
        score > 2 ? "high" : score > 1 ? "mid" : "low", (score + c / 50).toFixed(4)].join(",")
    );
  }
  return lines;
}
/** Options of `train` that leave out the targets of a sample table except one. */
export const dropOthers = target =>
  ["two", "three", "number"].filter(name => name !== target).flatMap(name => ["--drop", name]);

/** Rows as `explain --details` explains them: numbers and truth values. */
export function explain(model, data, ...words) {
  const text = bisector("explain", inFolder(model), inFolder(data), "--details", ...words);
  return readCsv(text).map(row => ({ ...row, output: Number(row.output), base: Number(row.base),
    remainder: Number(row.remainder), outside: row.outside === "true" })
  );
}

/** A number as the page writes it. */
export const number = text => Number(text.replaceAll("−", "-").replaceAll(/[+,]/g, ""));

/** As near as the shown digits say; the page has single precision. */
export function near(text, expected, what) {
  const decimals = (text.split(".")[1] ?? "").length;
  assert.ok(
    Math.abs(number(text) - expected) <= 0.501 * 10 ** -decimals + 2e-6 * Math.abs(expected),
    `${what}: ${text}, expected ${expected}`
  );
}

export const mean = values => values.reduce((a, b) => a + b, 0) / values.length;
/** The q-quantile, interpolated. */
export function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b), place = q * (sorted.length - 1);
  const low = Math.floor(place);
  return sorted[low] + (place - low) * ((sorted[low + 1] ?? sorted[low]) - sorted[low]);
}
export const median = values => quantile(values, 0.5);
/** The mean without the smallest and the largest tenth. */
export function trimmed(values) {
  const all = [...values].sort((a, b) => a - b), cut = Math.floor(all.length / 10);
  return mean(all.slice(cut, all.length - cut));
}

/** Keeps what the page saves: the driver of Firefox reports no downloads. */
const keepSaved = page =>
  page.evaluate(() => {
    const make = URL.createObjectURL;
    URL.createObjectURL = blob => {
      globalThis.savedBlob = blob;
      return make.call(URL, blob);
    };
    HTMLAnchorElement.prototype.click = function() {
      globalThis.isSaved = this.download !== "";
    };
  });

/** The content of the file that a button saves. */
export async function saved(page, selector) {
  if (!isFirefox) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)]);
    return readFileSync(await download.path());
  }
  await keepSaved(page);
  await page.click(selector);
  await page.waitForFunction(() => globalThis.isSaved);
  const text = await page.evaluate(() =>
    new Promise(done => {
      globalThis.isSaved = false;
      const reader = new FileReader();
      reader.addEventListener("load", () => done(reader.result.split(",")[1] ?? ""));
      reader.readAsDataURL(globalThis.savedBlob);
    })
  );
  return Buffer.from(text, "base64");
}

/** Types in place of a number. The driver of Firefox adds to the former digits when it fills. */
export async function replaceNumber(page, selector, text) {
  await page.focus(selector);
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
}

/** A regular expression from parts, for patterns that are longer than a line. */
export const pattern = (...parts) => new RegExp(parts.join(""));

/** The number of the current row. */
export const rowNumber = async page =>
  Number((await page.textContent("#row-name")).match(/Row (\d+)/)[1]);

/** Until a row is shown. */
export const rowShown = (page, row) =>
  page.waitForFunction(
    wanted => document.querySelector("#row-name").textContent.match(/\d+/)[0] === wanted,
    String(row)
  );

/** Until the table of rows says how many are selected. */
export const selected = (page, count) =>
  page.waitForFunction(
    wanted => document.querySelector("#rows [role=status]").textContent.startsWith(`${wanted} of`),
    count
  );

/** What the panel computes now. */
export const computed = page =>
  page.$eval("#what-if-result",
    ({ dataset, textContent }) => ({ text: textContent, base: Number(dataset.base),
      output: Number(dataset.output), remainder: Number(dataset.remainder),
      contributions: JSON.parse(dataset.contributions) }));

/** Debian's Firefox through WebDriver BiDi. Drivers after 1.64 need a newer Firefox. */
export const launchFirefox = () =>
  firefox.launch({ channel: "moz-firefox", headless: true, timeout: kPatience,
    executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr" });

/** Firefox if BROWSER says so, else Chromium. */
const isFirefox = process.env.BROWSER === "firefox";
/** Options of a test that prints, changes the system's colors, or asks Chromium's debugger. */
export const onlyChromium = { skip: isFirefox && "the driver of Firefox cannot do this" };
export function launch() {
  if (isFirefox) return launchFirefox();
  const flags = ["--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"];
  // The sandbox refuses to run as root.
  if (process.getuid?.() === 0) flags.push("--no-sandbox");
  return chromium.launch({ executablePath: browserPath, headless: true, args: flags,
    timeout: kPatience });
}

/** Opens a page from its file. `problems` collects errors, dialogs and requests. */
export async function openPage(browser, file, ready, { watch = () => {}, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
  context.setDefaultTimeout(kPatience);
  const page = await context.newPage();
  await watch(page);
  const problems = [];
  page.on("console", message => {
    if (["error", "warning"].includes(message.type())) problems.push(message.text());
  });
  page.on("pageerror", error => problems.push(String(error)));
  page.on("dialog", dialog => {
    problems.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const address = pathToFileURL(file).href;
  page.on("request", request => {
    if (request.url() !== address && !request.url().startsWith("data:")) {
      problems.push(`request: ${request.url()}`);
    }
  });
  await page.goto(address);
  await page.waitForSelector(ready);
  return { page, problems, close: () => context.close() };
}

/** Waits until changes are drawn. */
export const settle = on =>
  on.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));

export const openReport = (browser, file, options = {}) =>
  openPage(browser, file, "#row-name", options);

/** The demo's report in a browser. */
export async function openDemo() {
  bisector("demo", "-o", folder);
  const browser = await launch(), opened = await openReport(browser, inFolder("report.html"));
  return { browser, opened, page: opened.page };
}

/** Opens a report and measures it; `used` is the processor time of the page's own thread. */
export async function openMeasured(browser, file, ready = "#row-name") {
  let session;
  const opened = await openPage(browser, file, ready, { watch: async page => {
    session = await page.context().newCDPSession(page);
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
  } });
  await settle(opened.page);
  const metric = async wanted =>
    (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === wanted)
      .value;
  return { ...opened, metric, used: () => metric("TaskDuration"),
    collect: () => session.send("HeapProfiler.collectGarbage") };
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The contrast of colors is the same in both browsers, and takes axe most of its time. */
const axeOptions = { resultTypes: ["violations"], preload: false,
  rules: { "color-contrast": { enabled: !isFirefox } } };

/** The violations that axe finds, one line each. */
export async function axeProblems(page) {
  // The debugger may add a script; the page's own policy allows none.
  await page.evaluate(axe);
  const { violations } = await page.evaluate(options => globalThis.axe.run(options), axeOptions);
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}

/** Windows in which a page is tested. */
export const windows = { light: { colorScheme: "light" }, dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", hasTouch: true } };

/** Axe finds nothing, and nothing is wider than the window. SCREENSHOTS keeps an image. */
export async function assertAccessible({ page, problems }, name) {
  await settle(page);
  if (process.env.SCREENSHOTS) {
    await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png`, fullPage: true });
  }
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
    "wider than the window");
  assert.deepEqual(await axeProblems(page), []);
  assert.deepEqual(problems, []);
}

/** How many pages a PDF has. */
export const pagesOf = pdf => (pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length;

/** Lightness of a color from 0 to 100 (CIE L*). */
function lightness(color) {
  const hex = color.match(/^#(..)(..)(..)$/),
    channels = hex ? hex.slice(1).map(part => parseInt(part, 16))
      : color.match(/\d+/g).slice(0, 3).map(Number);
  const [r, g, b] = channels.map(
    value => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4)
  );
  return 116 * Math.cbrt(0.2126 * r + 0.7152 * g + 0.0722 * b) - 16;
}

/** Two colors that differ in a gray print. */
export function assertApartInGray(a, b, what) {
  assert.ok(Math.abs(lightness(a) - lightness(b)) >= 15,
    `${what}: ${a} ${lightness(a).toFixed(1)}, ${b} ${lightness(b).toFixed(1)}`);
}

/** The colors of positive and negative contributions in the page's style. */
export const sideColors = page =>
  page.evaluate(() =>
    ["--for", "--against"].map(name =>
      getComputedStyle(document.documentElement).getPropertyValue(name).trim()
    )
  );

export function assertClose(actual, expected, what) {
  assert.ok(Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${what}: ${actual}, expected ${expected}`);
}
