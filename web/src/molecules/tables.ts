// Pairs and atoms as tables: the numbers of the picture, for reading and for the keyboard.
import { h } from "../dom";
import { formatNumber, formatSigned } from "../numbers";
import type { Molecule } from "./data";
import { sideOf, type Target } from "./scene";

const kMostRows = 25;

type Cell = string | HTMLElement;

function table(label: string, heads: string[], rows: [Target, Cell[]][],
  pick: (target: Target) => void): HTMLElement {
  const body = rows.map(([own, [first, ...others]]) =>
    h("tr", { pointerenter: () => pick(own), pointerleave: () => pick(null) },
      h("th", { scope: "row" }, h("button", { type: "button", class: "plain", focus: () =>
        pick(own), blur: () =>
          pick(null), click: () => pick(own) }, first)), ...others.map(cell =>
        h("td", { class: "number" }, cell)
      ))
  );
  const head = heads.map((text, i) =>
    h("th", i === 0 ? { scope: "col" } : { scope: "col", class: "number" }, text)
  );
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label },
    h("table", {}, h("thead", {}, h("tr", {}, ...head)), h("tbody", {}, ...body)));
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
    index): [Target, Cell[]] => [{ kind: "pair", index }, [pair.name,
    pair.first === pair.second ? "–" : `${pair.distance.toFixed(3)} Å`, colored(pair.relevance),
    `${((100 * Math.abs(pair.relevance)) / (molecule.absoluteSum || 1)).toFixed(1)} %`]]
  );
  return withMark(
    table("The strongest pairs", ["Pair", "Distance", contribution(unit), "Share"], rows, pick),
    "pair"
  );
}

export function atomTable(molecule: Molecule, unit: string, pick: (target: Target) => void): Rows {
  const rows = molecule.atoms.map((atom,
    index): [Target, Cell[]] => [{ kind: "atom", index }, [atom.name, colored(atom.relevance)]]
  );
  return withMark(table("All atoms", ["Atom", contribution(unit)], rows, pick), "atom");
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
