// Pairs and atoms as tables: the numbers of the picture, for reading and for the keyboard.
import { button, type Child, h, number, table } from "../dom";
import { formatNumber, formatSigned } from "../numbers";
import type { Molecule } from "./data";
import { sideOf, type Target } from "./scene";

const kMostRows = 25;

/** Pointing at a row, or focusing its button, picks the atom or pair. */
function pickingTable(label: string, heads: string[], rows: [Target, Child[]][],
  pick: (target: Target) => void): HTMLElement {
  const body = rows.map((
    [own, [first, ...others]]
  ) => [
    button(first, () => pick(own), { class: "plain", focus: () => pick(own), blur: () =>
      pick(null) }),
    ...others.map(cell => number(cell))
  ]);
  const made = table(heads, body, {},
    row => ({ pointerenter: () => pick(rows[row][0]), pointerleave: () => pick(null) }));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, made);
}

const colored = (relevance: number) =>
  h("span", { class: `side ${sideOf({ relevance })}` }, formatSigned(relevance));

/** `mark` marks the current row without making the table again, which would lose the focus. */
export interface Rows {
  element: HTMLElement;
  mark(target: Target): void;
}

function withMark(element: HTMLElement, kind: "atom" | "pair"): Rows {
  const rows = [...element.querySelectorAll("tbody tr")];
  return { element,
    mark: target =>
      rows.forEach((row, i) =>
        row.classList.toggle("chosen", target?.kind === kind && target.index === i)
      ) };
}

const contribution = (unit: string) => unit === "" ? "Contribution" : `Contribution (${unit})`;

export function pairTable(molecule: Molecule, unit: string, pick: (target: Target) => void): Rows {
  const rows = molecule.pairs.slice(0, kMostRows).map((pair,
    index): [Target, Child[]] => [{ kind: "pair", index }, [pair.name,
    pair.first === pair.second ? "–" : `${pair.distance.toFixed(3)} Å`, colored(pair.relevance),
    `${((100 * Math.abs(pair.relevance)) / (molecule.absoluteSum || 1)).toFixed(1)} %`]]
  );
  return withMark(
    pickingTable("The strongest pairs", ["Pair", "Distance", contribution(unit), "Share"], rows,
      pick),
    "pair"
  );
}

export function atomTable(molecule: Molecule, unit: string, pick: (target: Target) => void): Rows {
  const rows = molecule.atoms.map((atom,
    index): [Target, Child[]] => [{ kind: "atom", index }, [atom.name, colored(atom.relevance)]]
  );
  return withMark(pickingTable("All atoms", ["Atom", contribution(unit)], rows, pick), "atom");
}

/** The target in words. */
export function words(molecule: Molecule, target: Target): string {
  if (!target) return "";
  if (target.kind === "atom") {
    const { name, relevance } = molecule.atoms[target.index];
    return `${name}: contribution ${formatSigned(relevance)}, half of each of its pairs`;
  }
  const { name, distance, relevance, first, second } = molecule.pairs[target.index];
  return `${name}: contribution ${formatSigned(relevance)}`
    + (first === second ? "" : `, ${formatNumber(distance)} Å apart`);
}
