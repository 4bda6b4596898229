// Size, load time and heap of eight kinds of page, for the current command and an older one:
//   BISECTOR=build/bisector node web/tests/measure.mjs OLD_COMMAND > docs/results/page.md
// Load is the processor time of the page's own thread until the first frames (least of three), heap
// what JavaScript holds then after a garbage collection.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { inFolder, launch, openMeasured, removeFolder, write } from "./support.mjs";

const commands = { before: process.argv[2], now: process.env.BISECTOR ?? "build/bisector" };
let state = 31;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647);
const table = (rows, columns,
  target) => [
  [...Array.from({ length: columns }, (_, c) => `f${c}`), ...(target ? ["y"] : [])].join(","),
  ...Array.from({ length: rows }, () => {
    const cells = Array.from({ length: columns }, () => random() * 4 - 2),
      own = cells.map((value) => value.toFixed(3));
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
const molecules = (count) =>
  Array.from({ length: count }, (_, n) => {
    const far = 2.3 + random(),
      near = (...place) => place.map((value) => (value + 0.2 * random()).toFixed(4)).join(" ");
    return ["6", `m${n + 1} mu=${(2 * far).toFixed(4)}`, `C ${near(0, 0, 0)}`,
      `O ${near(1.3, 0.2, 0.1)}`, `N ${near(-0.8, far - 1, 0.4)}`, `H ${near(1.6, 1, 0.4)}`,
      `H ${near(-0.5, -0.8, 0.6)}`, `H ${near(0.1, -0.4, -1)}`].join("\n");
  });

/** Name, rows to learn from and to show, words of train, words of report. */
const kinds = [["two classes, 1,000 rows x 10", table(300, 10, two), table(1000, 10, two), [
  "--model",
  "svm",
  "--target",
  "y"
], []], ["three classes, 1,000 rows x 10", table(300, 10, three), table(1000, 10, three), [
  "--model",
  "svm",
  "--target",
  "y"
], []], ["neighbors, 1,000 rows x 10", table(300, 10, two), table(1000, 10, two), ["--model", "knn",
  "--k", "9", "--target", "y"], []], ["kernel ridge, 1,000 rows x 10", table(300, 10, sum),
  table(1000, 10, sum), ["--model", "krr", "--target", "y"], []], ["one class, 1,000 rows x 10",
  table(300, 10), table(1000, 10), ["--model", "oneclass", "--nu", "0.1"], []], [
  "300 pictures of 28 x 28",
  pictures(300),
  null,
  ["--model", "svm", "--target", "y", "--gamma", "0.01"],
  ["--image", "28x28"]
], ["5,000 rows x 30", table(300, 30, two), table(5000, 30, two), ["--model", "svm", "--target",
  "y"], []]];

const run = (command, ...words) =>
  execFileSync(command, words, { encoding: "utf8", maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"] });

async function measure(browser, file, ready) {
  let load = Infinity, heap = 0;
  for (let i = 0; i < 3; ++i) {
    const { used, metric, collect, close } = await openMeasured(browser, file, ready);
    load = Math.min(load, await used());
    await collect();
    heap = await metric("JSHeapUsedSize");
    await close();
  }
  return { size: statSync(file).size, load, heap };
}

const browser = await launch(), lines = [];
for (const name of Object.keys(commands)) mkdirSync(inFolder(name));
async function add(kind, make, ready) {
  const cells = [];
  for (const [name, command] of Object.entries(commands)) {
    cells.push(await measure(browser, make(command, (file) => inFolder(`${name}/${file}`)), ready));
  }
  const [old, now] = cells, both = (of) => `${of(old)} → ${of(now)}`;
  lines.push(
    `| ${kind} | ${both(({ size }) => (size / 1e6).toFixed(2))} | ${
      both(({ load }) => load.toFixed(2))
    } | ${both(({ heap }) => (heap / 1e6).toFixed(1))} |`
  );
}
for (const [kind, learn, rows, words, more] of kinds) {
  write("learn.csv", learn);
  write("rows.csv", rows ?? learn);
  await add(kind, (command, file) => {
    run(command, "train", inFolder("learn.csv"), ...words, "-o", file("model.npz"));
    run(command, "report", file("model.npz"), inFolder("rows.csv"), ...more, "-o",
      file("report.html"));
    return file("report.html");
  }, "#row-name");
}
/** Commands before 0.3 had a verb instead of a program of its own. */
const moleculesOf = (
  command
) => (existsSync(`${command}-molecules`) ? [`${command}-molecules`] : [command, "molecule"]);
write("m.xyz", molecules(60));
await add("60 molecules", (command, file) => {
  run(...moleculesOf(command), "train", inFolder("m.xyz"), "--property", "mu", "-o", file("m.npz"));
  run(...moleculesOf(command), "explain", file("m.npz"), inFolder("m.xyz"), "-o", file("m.html"));
  return file("m.html");
}, ".stage .atom");
await browser.close();
removeFolder();
console.log(`# How large is a report page, and how fast does it open?

Each cell is the older command → the current one, in Chromium ${browser.version().split(".")[0]}.
Made by \`node web/tests/measure.mjs\`; each command trains its models on the same rows.

| page | megabytes | load, s | heap, MB |
| --- | --- | --- | --- |
${lines.join("\n")}

- **load**: processor time of the page's own thread until the first frames are drawn, the least of
  three.
- **heap**: memory that JavaScript holds then.`);
