// One molecule as SVG: atoms, bonds and pairs, drawn from back to front.
import { s } from "../dom";
import type { Camera, Seen } from "./camera";
import type { Molecule, Pair, Vector } from "./data";
import { lookOf } from "./elements";

/** The atom or pair that pointer, keyboard or table select. */
export type Target = { kind: "atom" | "pair"; index: number } | null;

const kBondWidth = 0.11, kPairWidth = 0.17, kLeastPairWidth = 0.02; // Angstrom
const kReach = 6; // pixels from a line that still hit it

interface Piece {
  element: SVGElement;
  depth: number;
}

/** One color gradient for each element of the molecule. */
function shades(molecule: Molecule): SVGDefsElement {
  const elements = [...new Set(molecule.atoms.map(atom => atom.element))];
  return s("defs", {}, ...elements.map(element => {
    const { light, dark } = lookOf(element);
    return s("radialGradient", { id: `shade-${element}`, cx: 0.35, cy: 0.32, r: 0.75 },
      s("stop", { offset: 0, "stop-color": light }), s("stop", { offset: 1, "stop-color": dark }));
  }));
}

const between = (a: Vector, b: Vector, t: number) =>
  a.map((from, i) => from + t * (b[i] - from)) as Vector;

export class Scene {
  /** How many of the strongest pairs are shown. */
  shownPairs = 0;
  target: Target = null;
  private readonly layer = s("g");
  private readonly mark = s("g", { class: "mark" });
  private width = 0;
  private height = 0;
  private seen: Seen[] = [];

  constructor(readonly molecule: Molecule, readonly camera: Camera,
    private readonly svg: SVGSVGElement)
  {
    svg.replaceChildren(shades(molecule), this.layer, this.mark);
    this.shownPairs = molecule.worthShowing;
  }

  draw(width: number, height: number): void {
    [this.width, this.height] = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const turned = this.molecule.atoms.map(({ place }) => this.camera.rotate(place));
    this.seen = turned.map(place => this.camera.project(place, width, height));
    const pieces = [...this.bonds(turned), ...this.pairs(turned),
      ...this.molecule.atoms.map((_, n) => this.atom(n))];
    pieces.sort((a, b) => a.depth - b.depth);
    this.layer.replaceChildren(...pieces.map(({ element }) => element));
    this.mark.replaceChildren(...this.marks());
  }

  /** The atom under a place of the stage, else the nearest line of a pair. */
  at(x: number, y: number): Target {
    let front: Target = null, depth = -Infinity;
    this.seen.forEach((atom, index) => {
      const isHit =
        Math.hypot(atom.x - x, atom.y - y)
          <= Math.max(8, atom.scale * lookOf(this.molecule.atoms[index].element).radius);
      if (isHit && atom.depth > depth) [front, depth] = [{ kind: "atom", index }, atom.depth];
    });
    return front ?? this.pairAt(x, y);
  }

  private pairAt(x: number, y: number): Target {
    let best: Target = null, least = kReach;
    for (let index = 0; index < this.shownPairs; ++index) {
      const { first, second } = this.molecule.pairs[index];
      const [a, b] = [this.seen[first], this.seen[second]];
      const length = (b.x - a.x) ** 2 + (b.y - a.y) ** 2;
      const t = length > 0
        ? Math.min(1, Math.max(0, ((x - a.x) * (b.x - a.x) + (y - a.y) * (b.y - a.y)) / length))
        : 0;
      const away = Math.hypot(a.x + t * (b.x - a.x) - x, a.y + t * (b.y - a.y) - y);
      if (away < least) [best, least] = [{ kind: "pair", index }, away];
    }
    return best;
  }

  private atom(n: number): Piece {
    const { element, name } = this.molecule.atoms[n];
    const { x, y, scale, depth } = this.seen[n];
    const look = lookOf(element);
    const label = s("text", { class: look.isDark ? "on-dark" : "on-light", x, y: y + 0.12 * scale,
      "text-anchor": "middle" }, name);
    // The label has to fit into the circle.
    label.style.fontSize = `${((look.radius * scale * 2.1) / (name.length + 0.6)).toFixed(1)}px`;
    return {
      element: s("g", { class: "atom", "data-atom": name },
        s("circle", { cx: x, cy: y, r: look.radius * scale, fill: `url(#shade-${element})` }),
        label),
      depth
    };
  }

  /** A line in two halves: it may pass behind one atom and in front of another. */
  private stick(turned: Vector[], first: number, second: number, width: number,
    attributes: Record<string, string | number>): Piece[] {
    const [a, b] = [turned[first], turned[second]];
    const length = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) || 1;
    // The ends lie inside the spheres, which hide them.
    const trim = (n: number) =>
      Math.min(0.45, (0.8 * lookOf(this.molecule.atoms[n].element).radius) / length);
    // The halves overlap a little to leave no gap.
    const ends = [between(a, b, trim(first)), between(a, b, 0.501), between(a, b, 0.499),
      between(b, a, trim(second))];
    const [p, q, r, t] = ends.map(end => this.camera.project(end, this.width, this.height));
    return [[p, q], [r, t]].map(([from, to]) => ({
      element: s("line", { ...attributes, x1: from.x, y1: from.y, x2: to.x, y2: to.y,
        "stroke-width": (width * (from.scale + to.scale)) / 2 }),
      depth: (from.depth + to.depth) / 2
    }));
  }

  private readonly bonds = (turned: Vector[]): Piece[] =>
    this.molecule.raw.bonds.flatMap(([first, second]) =>
      this.stick(turned, first, second, kBondWidth, { class: "bond" })
    );

  private pairs(turned: Vector[]): Piece[] {
    return this.molecule.pairs.slice(0, this.shownPairs).flatMap((pair, index) => {
      const share = this.molecule.share(pair);
      const width = Math.max(kLeastPairWidth, kPairWidth * share);
      const attributes = { class: `pair ${sideOf(pair)}`, "data-pair": index,
        "stroke-opacity": 0.25 + 0.7 * share };
      return pair.first === pair.second ? [this.ring(pair, width, attributes)]
        : this.stick(turned, pair.first, pair.second, width, attributes);
    });
  }

  /** The contribution of a single atom. */
  private ring(pair: Pair, width: number, attributes: Record<string, string | number>): Piece {
    const { x, y, scale, depth } = this.seen[pair.first];
    const radius = lookOf(this.molecule.atoms[pair.first].element).radius + width / 2;
    return {
      element: s("circle", { ...attributes, cx: x, cy: y, r: radius * scale,
        "stroke-width": width * scale }),
      depth: depth + 1e-6
    };
  }

  /** Around the target, above everything. */
  private marks(): SVGElement[] {
    if (!this.target) return [];
    const around = (n: number) => {
      const { x, y, scale } = this.seen[n];
      return s("circle", { cx: x, cy: y,
        r: (lookOf(this.molecule.atoms[n].element).radius + 0.1) * scale });
    };
    if (this.target.kind === "atom") return [around(this.target.index)];
    const { first, second } = this.molecule.pairs[this.target.index];
    const [a, b] = [this.seen[first], this.seen[second]];
    return [s("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y }), around(first), around(second)];
  }
}

export const sideOf = (
  { relevance }: { relevance: number }
) => (relevance >= 0 ? "for" : "against");
