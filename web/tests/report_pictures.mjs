// The pictures of docs/guide/report: eight kinds of report in light colors, the first one also in
// dark colors, on a phone and printed, and some parts of them.
//   BISECTOR_DATA=FOLDER BISECTOR=build/bisector PYTHON=python3 node web/tests/report_pictures.mjs
// FOLDER has the public files that docs/guide/report.md names, PYTHON has numpy and pillow, and
// pdftoppm is installed. REPORTS=FOLDER keeps the reports and uses them again; ONLY=WORD makes only
// the pictures whose name has the word.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { bisector, folder, launch, openPage, removeFolder, settle } from "./support.mjs";

const root = resolve(import.meta.dirname, "../.."), pictures = join(root, "docs/guide/report");
const reports = process.env.REPORTS ?? folder, inReports = name => join(reports, name);
const python = (...words) => execFileSync(process.env.PYTHON ?? "python3", words);
mkdirSync(reports, { recursive: true });

const ultrasound = ["--layout", "28x28", "--class", "0", "--method", "lrp-path", "--names",
  "0=malignant", "--names", "1=benign or normal", "--title",
  "Ultrasound images: malignant or not?"];
/** Training data, new data, options of `train` and options of `report`. */
const kinds = { tumors: null,
  credit: ["credit.csv", "credit_new.csv", ["--target", "outcome", "--tune"], ["--target",
    "outcome", "--class", "bad"]],
  concrete: ["concrete.csv", "concrete_new.csv", ["--target", "strength", "--tune"], ["--target",
    "strength", "--names", "unit=MPa"]],
  images: ["images.npz", "images_new.npz", ["--tune"], ultrasound],
  neighbors: ["credit.csv", "credit_new.csv", ["--target", "outcome", "--model", "knn", "--k",
    "15"], ["--target", "outcome", "--class", "bad"]],
  beans: ["beans.csv", "beans_new.csv", ["--target", "kind"], ["--target", "kind"]],
  machine: ["machine.csv", "machine_new.csv", ["--model", "lof", "--k", "20"], []],
  models: ["credit.csv", "credit_new.csv", ["--target", "outcome"], ["--target", "outcome",
    "--class", "bad", "--against", inReports("neighbors-model.npz")]] };

function writeReports() {
  const data = process.env.BISECTOR_DATA;
  if (!data) throw new Error("BISECTOR_DATA is not set, expected the folder of the public files");
  python(join(import.meta.dirname, "report_tables.py"), data, reports);
  python(join(root, "examples/python/credit_table.py"), inReports("credit.csv"),
    inReports("credit_new.csv"));
  bisector("demo", "-o", reports);
  writeFileSync(inReports("tumors.html"), readFileSync(inReports("report.html")));
  for (const [kind, words] of Object.entries(kinds)) {
    if (words === null) continue;
    const [training, rows, train, report] = words, model = inReports(`${kind}-model.npz`);
    bisector("train", inReports(training), ...train, "-o", model);
    bisector("report", model, inReports(rows), ...report, "-o", inReports(`${kind}.html`));
  }
}

if (!existsSync(inReports("models.html"))) writeReports();
const browser = await launch();
const isWanted = name => name.includes(process.env.ONLY ?? "");

const nameOf = name => join(folder, `${name}.png`);
const shots = [];
async function shoot(page, name, clip) {
  await settle(page);
  await page.screenshot({ path: nameOf(name), ...(clip ? { clip, fullPage: true } : {}) });
  shots.push(nameOf(name));
}

const wide = { width: 1440, height: 900 }, phone = { width: 390, height: 844 };
const modes = { light: { viewport: wide }, dark: { viewport: wide, colorScheme: "dark" },
  phone: { viewport: phone, hasTouch: true } };

const open = (kind, options = {}) =>
  openPage(browser, inReports(`${kind}.html`), "#row-name", { viewport: wide, colorScheme: "light",
    ...options });

/** The first page of a print. */
async function shootPrint(page, name) {
  const pdf = join(folder, "print.pdf");
  writeFileSync(pdf, await page.pdf({ format: "A4" }));
  execFileSync("pdftoppm", ["-r", "80", "-png", "-singlefile", pdf, nameOf(name).slice(0, -4)]);
  shots.push(nameOf(name));
}

/** 64 colors and no loss: pages have few colors and sharp letters. */
const writeWebp = `
import sys
from pathlib import Path
from PIL import Image
for name in sys.argv[2:]:
    image = Image.open(name).convert("RGB").quantize(64, dither=Image.Dither.NONE).convert("RGB")
    target = Path(sys.argv[1], Path(name).stem + ".webp")
    image.save(target, lossless=True, quality=100, method=6)
    print(target.name, image.size, target.stat().st_size)
`;

const isShown = (kind, mode) =>
  (mode === "light" || kind === "tumors") && isWanted(`${kind}-${mode}`);

async function shootKind(kind) {
  for (const [mode, options] of Object.entries(modes)) {
    if (!isShown(kind, mode)) continue;
    const { page, problems, close } = await open(kind, options);
    await page.waitForTimeout(500);
    await shoot(page, `${kind}-${mode}`);
    if (problems.length > 0) throw new Error(`${kind}, ${mode}: ${problems}`);
    await close();
  }
  if (!isShown(kind, "print")) return;
  const { page, close } = await open(kind);
  await shootPrint(page, `${kind}-print`);
  await close();
}

/** An element of a report after some actions, as a picture of its own. */
async function shootPart(name, kind, { width = 1100, selector, act = () => {} }) {
  if (!isWanted(name)) return;
  const { page, close } = await open(kind, { viewport: { width, height: 900 } });
  await act(page);
  await page.waitForTimeout(500);
  const clip = await page.$eval(selector, own => {
    const { x, y, width, height } = own.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  });
  await shoot(page, name, clip);
  await close();
}

for (const kind of Object.keys(kinds)) await shootKind(kind);
await shootPart("concrete-age", "concrete", { width: 800, selector: "#dependence .chart",
  act: async page => {
    await page.selectOption("#dependence select >> nth=0", { label: "age" });
    await page.selectOption("#dependence select >> nth=1", { label: "water" });
  } });
await shootPart("models-compared", "models", { selector: "#models" });
if (isWanted("tumors-row")) {
  const { page } = await open("tumors");
  await page.evaluate(() => document.documentElement.classList.add("one-case"));
  await shootPrint(page, "tumors-row");
}
await browser.close();
console.log(String(python("-c", writeWebp, pictures, ...shots)));
removeFolder();
