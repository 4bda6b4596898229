// The molecules as the command writes them into the page.
import { sum } from "d3-array";

/** Right, up and towards the viewer, in Angstrom. */
export type Vector = [number, number, number];

interface RawMolecule {
  name: string;
  formula: string;
  note: string;
  prediction: number;
  /** The value in the file, if it has one. */
  truth: number | null;
  /** base + relevance of all pairs + padding + remainder is what the method explains. */
  base: number;
  remainder: number;
  atoms: [element: string, x: number, y: number, z: number, relevance: number][];
  bonds: [number, number][];
  pairs: [first: number, second: number, distance: number, relevance: number][];
  padding: number;
}

interface RawPage {
  title: string;
  /** The predicted property and its unit; both may be empty. */
  quantity: string;
  unit: string;
  description: string;
  level: number | null;
  method: string;
  /** The error over all molecules of the file, and that of always predicting their mean. */
  error: { molecules: number; mean: number; ofTheMean: number } | null;
  files: string;
  version: string;
  molecules: RawMolecule[];
}

export interface Atom {
  name: string; // "O8": the element and its position in the file
  element: string;
  place: Vector;
  relevance: number;
}

/** Two atoms, or one alone if the model has features of single atoms. */
export interface Pair {
  name: string;
  first: number;
  second: number;
  distance: number;
  relevance: number;
}

/** Pairs below this share of the strongest are hidden at first. */
const kLeastShare = 0.05;

export class Molecule {
  readonly atoms: Atom[];
  /** The strongest first. */
  readonly pairs: Pair[];
  readonly largest: number;
  readonly sum: number;
  readonly absoluteSum: number;
  /** From the middle to the furthest atom. */
  readonly radius: number;

  constructor(readonly raw: RawMolecule) {
    this.atoms = raw.atoms.map(([element, x, y, z, relevance], i) => ({ name: `${element}${i + 1}`,
      element, place: [x, y, z], relevance })
    );
    this.pairs = raw.pairs.map(([first, second, distance, relevance]) => ({
      name: this.pairName(first, second),
      first,
      second,
      distance,
      relevance
    })).sort((a, b) => Math.abs(b.relevance) - Math.abs(a.relevance));
    this.largest = Math.abs(this.pairs[0]?.relevance ?? 0);
    this.sum = sum(this.pairs, ({ relevance }) => relevance);
    this.absoluteSum = sum(this.pairs, ({ relevance }) => Math.abs(relevance));
    this.radius = Math.max(...this.atoms.map(({ place }) => Math.hypot(...place)), 0.5);
  }

  get name(): string {
    return this.raw.name || this.raw.formula;
  }
  /** The strength of a pair relative to the strongest, from 0 to 1. */
  readonly share = (pair: Pair) => this.largest > 0 ? Math.abs(pair.relevance) / this.largest : 0;
  /** How many pairs are shown at first. */
  get worthShowing(): number {
    return this.pairs.filter(pair => pair.relevance !== 0 && this.share(pair) >= kLeastShare)
      .length;
  }
  private readonly pairName = (first: number, second: number) =>
    first === second ? `${this.atoms[first].name} alone`
      : `${this.atoms[first].name}–${this.atoms[second].name}`;
}

export type MoleculePage = Omit<RawPage, "molecules"> & { molecules: Molecule[] };

export function readPage(): MoleculePage {
  const raw = JSON.parse(document.getElementById("molecule-data")!.textContent!) as RawPage;
  return { ...raw, molecules: raw.molecules.map(molecule => new Molecule(molecule)) };
}
