import { sum } from "d3-array";
import { copyButton } from "../copy_link";
import { button, controls, h, key, note as noteOf, picker, s } from "../dom";
import { counted, formatNumber, formatSigned, whole } from "../numbers";
import { setPrinting, toggleTheme } from "../theme";
import { type Molecule, readPage } from "./data";
import { distanceHistograms } from "./histograms";
import type { Target } from "./scene";
import { Stage } from "./stage";
import { atomTable, pairTable, type Rows, words } from "./tables";

const page = readPage();
let chosen = 0;
let tables: Rows[] = [];

const status = h("p", { class: "note status", role: "status" });
const name = h("h2", { id: "molecule-name" });
const note = h("p", { class: "note" });
const facts = h("dl", { class: "facts" });
const summary = h("p", { id: "molecule-words" });
const legend = h("div", { class: "legend" });
const tableHost = h("div", { id: "pairs" }), atomHost = h("details", { id: "atoms" });
const stage = new Stage(point, target => words(page.molecules[chosen], target));

const distances = distanceHistograms();

const amount = h("input", { type: "range", min: 0, step: 1, id: "amount",
  input: () => show(Number(amount.value)) });
const amountWords = h("output", { for: "amount", id: "amount-words" });

/** Marks an atom or a pair in the picture and in the tables. */
function point(target: Target): void {
  status.textContent = words(page.molecules[chosen], target)
    || "Point at an atom or a pair, or use the table.";
  for (const rows of tables) rows.mark(target);
  if (!stage?.scene) return;
  stage.scene.target = target;
  stage.changed();
}

/** Shows the `count` strongest pairs. */
function show(count: number): void {
  const molecule = page.molecules[chosen];
  const part = sum(molecule.pairs.slice(0, count), ({ relevance }) => Math.abs(relevance));
  stage.scene.shownPairs = count;
  amount.value = String(count);
  const share = molecule.absoluteSum > 0 ? Math.round((100 * part) / molecule.absoluteSum) : 0;
  amountWords.textContent = `the ${count} strongest of ${
    counted(molecule.pairs.length, "pair")
  }, ${share} % of all effects`;
  amount.setAttribute("aria-valuetext", amountWords.textContent);
  stage.changed();
}

const inUnit = (text: string) => `${text} ${page.unit}`.trim();

function factsOf(molecule: Molecule): [string, string][] {
  const { formula, prediction, truth, base, remainder, padding } = molecule.raw;
  const facts: [string, string | null][] = [["Formula", formula], [
    `Predicted ${page.quantity}`.trim(),
    inUnit(formatNumber(prediction))
  ], ["Actual", truth === null ? null : inUnit(formatNumber(truth))], ["Error",
    truth === null ? null : inUnit(formatSigned(prediction - truth))], ["Level",
    page.level === null ? null : inUnit(formatNumber(page.level))], ["Average molecule",
    page.level === null ? inUnit(formatNumber(base)) : formatSigned(base)], [
    "Contributions of pairs",
    inUnit(formatSigned(molecule.sum))
  ], ["Contributions of missing pairs", padding === 0 ? null : inUnit(formatSigned(padding))], [
    "Unexplained",
    isRounding(remainder, prediction) ? null : inUnit(formatSigned(remainder))
  ]];
  return facts.filter((fact): fact is [string, string] => fact[1] !== null);
}

const isRounding = (part: number, whole: number) => Math.abs(part) <= 1e-6 * Math.abs(whole);

/** The picture in words, also for screen readers. */
function sentence(molecule: Molecule): string {
  const [best, worst] = [molecule.pairs.find(({ relevance }) => relevance > 0),
    molecule.pairs.find(({ relevance }) => relevance < 0)];
  const strongest = (pair: typeof best, side: string) =>
    pair
      ? ` The strongest pair toward a ${side} value is ${pair.name} (${
        inUnit(formatSigned(pair.relevance))
      }).` : "";
  const { atoms, bonds, prediction, truth } = molecule.raw,
    error = truth === null ? 0 : prediction - truth;
  const judged = truth === null ? ""
    : ` The prediction is ${inUnit(formatNumber(Math.abs(error)))} too ${
      error > 0 ? "high" : "low"
    }.`;
  return `${atoms.length} atoms, ${bonds.length} bonds, ${molecule.pairs.length} pairs.${judged}`
    + strongest(best, "larger") + strongest(worst, "smaller");
}

/** Lines from the strongest negative to the strongest positive contribution. */
function legendOf(molecule: Molecule): (Node | string)[] {
  const steps = [-1, -0.6, -0.2, 0.2, 0.6, 1];
  const samples = s("svg", { width: 156, height: 16, "aria-hidden": "true" },
    ...steps.map((step, i) =>
      s("line", { x1: i * 26 + 2, x2: i * 26 + 24, y1: 8, y2: 8,
        class: `pair ${step > 0 ? "for" : "against"}`, "stroke-width": 12 * Math.abs(step),
        "stroke-opacity": 0.25 + 0.7 * Math.abs(step) })
    ));
  return ["Contribution", key("against", formatSigned(-molecule.largest)), samples,
    key("for", formatSigned(molecule.largest))];
}

function choose(index: number): void {
  chosen = (index + page.molecules.length) % page.molecules.length;
  const molecule = page.molecules[chosen];
  chooser.show(chosen);
  try {
    history.replaceState(null, "", `#molecule=${encodeURIComponent(molecule.name)}`);
  } catch {
    // Some viewers have no address to write to.
  }
  name.textContent = molecule.name;
  note.textContent = molecule.raw.note;
  facts.replaceChildren(
    ...factsOf(molecule).map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value)))
  );
  summary.textContent = sentence(molecule);
  legend.replaceChildren(...legendOf(molecule));
  tables = [pairTable(molecule, page.unit, point), atomTable(molecule, page.unit, point)];
  tableHost.replaceChildren(tables[0].element);
  atomHost.replaceChildren(h("summary", {}, "All atoms"),
    h("p", { class: "note" },
      "The contribution of an atom is half of those of its pairs, plus its own."),
    tables[1].element);
  amount.max = String(molecule.pairs.length);
  distances.show(molecule);
  stage.show(molecule);
  show(molecule.worthShowing);
}

const label = ({ name, raw }: Molecule) =>
  `${name}${raw.name ? ` (${raw.formula})` : ""}: ${formatNumber(raw.prediction)}`;
const chooser = picker("Molecule", page.molecules.map(label), choose);
const choosing = page.molecules.length < 2 ? null
  : controls({}, chooser.element, button("Previous", () => choose(chosen - 1)),
    button("Next", () => choose(chosen + 1)),
    h("span", { class: "note" },
      page.description || `${counted(page.molecules.length, "molecule")}, with predictions.`));

/** What the model predicts, and how good it is compared with always predicting the mean. */
function predictsWords(): string {
  const { error, quantity } = page;
  const predicts = `The model predicts ${quantity || "a property"} of a molecule.`;
  return error === null ? predicts
    : `${predicts} Its error is ${inUnit(formatNumber(error.mean))} on average over `
      + `${whole(error.molecules)} molecules; always predicting their mean would have an error of `
      + `${inUnit(formatNumber(error.ofTheMean))}.`;
}

const introduction = h("p", {},
  page.level === null ? "" : `Why is the prediction above ${inUnit(formatNumber(page.level))}? `,
  "A line between two atoms shows the contribution of their distance: ", key("for", "raises it"),
  " or ", key("against", "lowers it"), "; wider is stronger.");
document.getElementById("page")!.replaceChildren(
  h("header", {},
    h("div", { class: "head" }, h("h1", {}, page.title), copyButton(),
      button("Light or dark", toggleTheme)),
    h("p", { class: "lead", id: "predicts" }, predictsWords()), introduction),
  page.molecules.length === 0 ? h("p", { class: "warn" }, "The file has no molecules.")
    : h("section", { "aria-labelledby": "molecule-name" }, choosing ?? "", name, note,
      h("div", { class: "molecule" },
        h("div", {}, stage.element, legend, status,
          h("label", { class: "field amount", for: "amount" }, h("span", {}, "Pairs shown")),
          amount, amountWords),
        h("div", {}, facts, summary, h("h3", {}, "The strongest pairs"), tableHost, atomHost,
          distances.element)),
      noteOf(
        `How this was computed: ${page.method}. Files: ${page.files}. bisector ${page.version}.`
      ))
);
for (const [event, isPrinting] of [["beforeprint", true], ["afterprint", false]] as const) {
  addEventListener(event, () => setPrinting(isPrinting));
}
const wanted = new URLSearchParams(location.hash.slice(1)).get("molecule");
const first = page.molecules.findIndex(molecule => molecule.name === wanted);
if (page.molecules.length > 0) choose(Math.max(0, first));
