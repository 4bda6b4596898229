import { formatNumber, formatSigned } from "../numbers";
import { h, picker, s } from "../dom";
import { toggleTheme } from "../theme";
import { type Molecule, readPage } from "./data";
import type { Target } from "./scene";
import { distanceHistograms } from "./histograms";
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
const stage = new Stage(point, (target) => words(page.molecules[chosen], target));

const distances = distanceHistograms();

const amount = h("input", { type: "range", min: 0, step: 1, id: "amount", input: () => show(Number(amount.value)) });
const amountWords = h("output", { for: "amount", id: "amount-words" });

/** Puts an atom or a pair forward, wherever it stands. */
function point(target: Target): void {
  status.textContent = words(page.molecules[chosen], target) || "Point at an atom or a pair, or go through the table.";
  for (const rows of tables) rows.mark(target);
  if (!stage?.scene) return;
  stage.scene.target = target;
  stage.changed();
}

/** So many pairs, the strongest ones. */
function show(count: number): void {
  const molecule = page.molecules[chosen];
  const part = molecule.pairs.slice(0, count).reduce((sum, pair) => sum + Math.abs(pair.relevance), 0);
  stage.scene.shownPairs = count;
  amount.value = String(count);
  const share = molecule.absoluteSum > 0 ? Math.round((100 * part) / molecule.absoluteSum) : 0;
  amountWords.textContent = `the ${count} strongest of ${molecule.pairs.length} pairs, ${share} % of all |relevance|`;
  amount.setAttribute("aria-valuetext", amountWords.textContent);
  stage.changed();
}

const inUnit = (text: string) => `${text} ${page.unit}`.trim();

function factsOf(molecule: Molecule): [string, string][] {
  const { formula, prediction, truth, base, remainder, padding } = molecule.raw;
  return [
    ["Formula", formula],
    [`Predicted ${page.quantity}`.trim(), inUnit(formatNumber(prediction))],
    ...(truth === null ? [] : [["Actual", inUnit(formatNumber(truth))], ["Error", inUnit(formatSigned(prediction - truth))]] as [string, string][]),
    ...(page.level === null ? [] : [["Level", inUnit(formatNumber(page.level))] as [string, string]]),
    ["Average", formatSigned(base)],
    ["from pairs", formatSigned(molecule.sum)],
    ...(padding === 0 ? [] : [["from missing pairs", formatSigned(padding)] as [string, string]]),
    ["not explained", formatSigned(remainder)],
  ];
}

/** What the picture shows, for those who do not see it. */
function sentence(molecule: Molecule): string {
  const [best, worst] = [molecule.pairs.find(({ relevance }) => relevance > 0), molecule.pairs.find(({ relevance }) => relevance < 0)];
  const strongest = (pair: typeof best, side: string) => pair ? ` The strongest pair for a ${side} value is ${pair.name} (${formatSigned(pair.relevance)}).` : "";
  const { atoms, bonds, prediction, truth } = molecule.raw, error = truth === null ? 0 : prediction - truth;
  const judged = truth === null ? "" : ` The prediction is ${inUnit(formatNumber(Math.abs(error)))} too ${error > 0 ? "high" : "low"}.`;
  return `${atoms.length} atoms, ${bonds.length} bonds, ${molecule.pairs.length} pairs.${judged}` + strongest(best, "larger") + strongest(worst, "smaller");
}

/** Lines from the strongest against over zero to the strongest for. */
function legendOf(molecule: Molecule): (Node | string)[] {
  const steps = [-1, -0.6, -0.2, 0.2, 0.6, 1];
  const samples = s("svg", { width: 156, height: 16, "aria-hidden": "true" }, ...steps.map((step, i) =>
    s("line", { x1: i * 26 + 2, x2: i * 26 + 24, y1: 8, y2: 8, class: `pair ${step > 0 ? "for" : "against"}`, "stroke-width": 12 * Math.abs(step), "stroke-opacity": 0.25 + 0.7 * Math.abs(step) })));
  return ["Relevance", h("span", { class: "key against" }, formatSigned(-molecule.largest)), samples,
    h("span", { class: "key for" }, formatSigned(molecule.largest))];
}

function choose(index: number): void {
  chosen = (index + page.molecules.length) % page.molecules.length;
  const molecule = page.molecules[chosen];
  const select = molecules.querySelector("select");
  if (select) select.value = String(chosen);
  name.textContent = molecule.name;
  note.textContent = molecule.raw.note;
  facts.replaceChildren(...factsOf(molecule).map(([term, value]) => h("div", {}, h("dt", {}, term), h("dd", {}, value))));
  summary.textContent = sentence(molecule);
  legend.replaceChildren(...legendOf(molecule));
  tables = [pairTable(molecule, point), atomTable(molecule, point)];
  tableHost.replaceChildren(tables[0].element);
  atomHost.replaceChildren(h("summary", {}, "All atoms"), h("p", { class: "note" }, "An atom has half of each of its pairs, and what it has alone."), tables[1].element);
  amount.max = String(molecule.pairs.length);
  distances.show(molecule);
  stage.show(molecule);
  show(molecule.worthShowing);
}

const molecules = h("div", { class: "controls" });
if (page.molecules.length > 1) {
  const label = ({ name, raw }: Molecule) => `${name}${raw.name ? ` (${raw.formula})` : ""}: ${formatNumber(raw.prediction)}`;
  molecules.append(picker("Molecule", page.molecules.map(label), 0, choose),
    h("button", { type: "button", click: () => choose(chosen - 1) }, "Previous"),
    h("button", { type: "button", click: () => choose(chosen + 1) }, "Next"),
    h("span", { class: "note" }, `${page.molecules.length} molecules, with their predictions.`));
}

const level = page.level === null ? "as large as it is" : `above the level ${inUnit(formatNumber(page.level))}`;
document.getElementById("page")!.replaceChildren(
  h("header", {}, h("h1", {}, page.title),
    h("p", {}, `Why is the prediction${page.quantity === "" ? "" : ` of ${page.quantity}`} ${level}? A line between two atoms is what their distance says: `,
      h("span", { class: "key for" }, "for a larger value"), " or ", h("span", { class: "key against" }, "for a smaller one"),
      `, the wider the stronger. Method: ${page.method}. ${page.description}`),
    h("nav", { "aria-label": "Page" }, h("button", { type: "button", click: () => toggleTheme() }, "Light or dark"))),
  page.molecules.length === 0
    ? h("p", { class: "warn" }, "The file had no molecule.")
    : h("section", { "aria-labelledby": "molecule-name" }, molecules, name, note,
      h("div", { class: "molecule" },
        h("div", {}, stage.element, legend, status,
          h("label", { class: "field amount", for: "amount" }, h("span", {}, "Pairs shown")), amount, amountWords),
        h("div", {}, facts, summary, h("h3", {}, "The strongest pairs"), tableHost, atomHost, distances.element))));
if (page.molecules.length > 0) choose(0);
