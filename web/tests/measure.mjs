// Size, times and heap of ten kinds of page, for the current command and, if given, an older one:
//   BISECTOR=build/bisector node web/tests/measure.mjs [OLD_COMMAND]
// PAGES=WORD measures only the pages whose name has the word; OPENINGS=9 opens each page 9 times.
import { execFileSync } from "node:child_process";
import { mkdirSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { inFolder, launch, openMeasured, removeFolder, write } from "./support.mjs";

const commands = { ...(process.argv[2] ? { before: process.argv[2] } : {}),
  now: process.env.BISECTOR ?? "build/bisector" };
let state = 31;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
const table = (rows, columns,
  target) => [
  [...Array.from({ length: columns }, (_, c) => `f${c}`), ...(target ? ["y"] : [])].join(","),
  ...Array.from({ length: rows }, () => {
    const cells = Array.from({ length: columns }, () => random() * 4 - 2), own = cells.map(value =>
      value.toFixed(3)
    );
    return [...own, ...(target ? [target(cells)] : [])].join(",");
  })
];
const two = ([a, b]) => (a * b > 0 ? "p" : "n"),
  three = ([a, b]) => (a + b > 1 ? "high" : a + b > -1 ? "mid" : "low"),
  sum = ([a, b]) => (a * a + Math.sin(3 * b)).toFixed(3);

/** Pictures of 28 x 28 pixels of a byte: crosses and rings. */
function pictures(count) {
  const side = 28, pixel = (kind, p) => {
    const [x, y] = [(p % side) - 14, Math.floor(p / side) - 14],
      near = kind ? Math.abs(Math.hypot(x, y) - 8) < 2 : Math.min(Math.abs(x), Math.abs(y)) < 2;
    return near ? 160 + Math.floor(90 * random()) : Math.floor(20 * random());
  };
  return [[...Array.from({ length: side * side }, (_, p) => `p${p}`), "y"].join(","),
    ...Array.from({ length: count },
      (_, r) =>
        [...Array.from({ length: side * side }, (_, p) => pixel(r % 2, p)),
          r % 2 ? "ring" : "cross"].join(","))];
}
const kinds = [{ name: "two classes, 1,000 rows x 10", learn: table(300, 10, two),
  rows: table(1000, 10, two), train: ["--model", "svm", "--target", "y"] }, {
  name: "three classes, 1,000 rows x 10",
  learn: table(300, 10, three),
  rows: table(1000, 10, three),
  train: ["--model", "svm", "--target", "y"]
}, { name: "neighbors, 1,000 rows x 10", learn: table(300, 10, two), rows: table(1000, 10, two),
  train: ["--model", "knn", "--k", "9", "--target", "y"] }, { name: "kernel ridge, 1,000 rows x 10",
  learn: table(300, 10, sum), rows: table(1000, 10, sum),
  train: ["--model", "krr", "--target", "y"] }, { name: "one class, 1,000 rows x 10",
  learn: table(300, 10), rows: table(1000, 10),
  train: ["--model", "oneclass", "--outliers", "0.1"] }, { name: "300 images of 28 x 28",
  learn: pictures(300), rows: null, train: ["--model", "svm", "--target", "y", "--gamma", "0.01"],
  report: ["--layout", "28x28"] }, { name: "5,000 rows x 30", learn: table(300, 30, two),
  rows: table(5000, 30, two), train: ["--model", "svm", "--target", "y"] }, {
  name: "100,000 rows x 10",
  learn: table(300, 10, two),
  rows: table(100_000, 10, two),
  train: ["--model", "svm", "--target", "y"],
  report: ["--target", "y", "--sample", "100000"]
}, { name: "100,000 rows x 10, kernel ridge", learn: table(300, 10, sum),
  rows: table(100_000, 10, sum), train: ["--model", "krr", "--target", "y"],
  report: ["--target", "y", "--sample", "100000"] }];

const run = (command, ...words) =>
  execFileSync(command, words, { encoding: "utf8", maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"] });

/** Seconds from the start of the navigation until the page answers a key. */
async function interactiveTime(page) {
  await page.waitForFunction(() => document.querySelector("#row-name"));
  return page.evaluate(() =>
    new Promise(done =>
      requestAnimationFrame(() => setTimeout(() => done(performance.now() / 1000)))
    )
  );
}

const middle = values => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Medians over the openings, and the slowest one. */
async function measure(browser, file) {
  const opens = [], loads = [];
  let heap = 0;
  for (let i = 0; i < Number(process.env.OPENINGS ?? 5); ++i) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    await page.goto(pathToFileURL(file).href, { waitUntil: "commit" });
    opens.push(await interactiveTime(page));
    await context.close();
    const { used, metric, collect, close } = await openMeasured(browser, file, "#row-name");
    loads.push(await used());
    await collect();
    heap = await metric("JSHeapUsedSize");
    await close();
  }
  return { size: statSync(file).size, open: middle(opens), slowest: Math.max(...opens),
    load: middle(loads), heap };
}

const browser = await launch(), lines = [];
for (const name of Object.keys(commands)) mkdirSync(inFolder(name));
async function add(kind, make) {
  if (!kind.includes(process.env.PAGES ?? "")) return;
  const cells = [];
  for (const [name, command] of Object.entries(commands)) {
    cells.push(await measure(browser, make(command, file => inFolder(`${name}/${file}`))));
  }
  const all = of => cells.map(of).join(" → ");
  lines.push(
    `| ${kind} | ${all(({ size }) => (size / 1e6).toFixed(2))} | ${
      all(({ open }) => open.toFixed(2))
    } | ${all(({ slowest }) => slowest.toFixed(2))} | ${all(({ load }) => load.toFixed(2))} | ${
      all(({ heap }) => (heap / 1e6).toFixed(1))
    } |`
  );
  console.error(lines.at(-1));
}
for (const { name, learn, rows, train, report = [] } of kinds) {
  write("learn.csv", learn);
  write("rows.csv", rows ?? learn);
  await add(name, (command, file) => {
    run(command, "train", inFolder("learn.csv"), ...train, "-o", file("model.npz"));
    run(command, "report", file("model.npz"), inFolder("rows.csv"), ...report, "-o",
      file("report.html"));
    return file("report.html");
  });
}
await browser.close();
removeFolder();
console.log(`Chromium ${browser.version().split(".")[0]}

| page | megabytes | opens in, s | slowest, s | processor, s | heap, MB |
| --- | --- | --- | --- | --- | --- |
${lines.join("\n")}`);
