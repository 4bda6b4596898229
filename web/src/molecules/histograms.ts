// Distances between the atoms of each pair of elements, with their contributions.
import { scaleLinear } from "d3-scale";
import { bottomAxis } from "../axis";
import { h, number, onWidth, s, scrolling, table } from "../dom";
import { counted, formatSigned, withDecimals } from "../numbers";
import type { Molecule } from "./data";
import { sideOf } from "./scene";

const kBin = 0.5, kStrip = 40, kLeft = 48; // Angstrom, pixels

export interface Bin {
  from: number;
  count: number;
  relevance: number;
}

/** By pair of elements in alphabetical order; bins of half an Angstrom, starting at zero. */
export function histogramsOf(molecule: Molecule): Map<string, Bin[]> {
  const found = new Map<string, Bin[]>();
  for (const { first, second, distance, relevance } of molecule.pairs) {
    if (first === second) continue;
    const name = [molecule.atoms[first].element, molecule.atoms[second].element].sort().join("–");
    const bins = found.get(name) ?? found.set(name, []).get(name)!,
      place = Math.floor(distance / kBin);
    while (bins.length <= place) bins.push({ from: bins.length * kBin, count: 0, relevance: 0 });
    ++bins[place].count;
    bins[place].relevance += relevance;
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const words = (name: string, { from, count, relevance }: Bin) =>
  `${name}, ${withDecimals(from, 1)} to ${withDecimals(from + kBin, 1)} Å: ${
    counted(count, "pair")
  }, contribution ${formatSigned(relevance)}`;

function drawing(histograms: Map<string, Bin[]>, width: number): SVGElement {
  const all = [...histograms.values()].flat(),
    farthest = Math.max(...all.map(({ from }) => from + kBin));
  const largest = Math.max(...all.map(({ relevance }) => Math.abs(relevance))) || 1;
  const x = scaleLinear([0, farthest], [kLeft, width - 12]), height = histograms.size * kStrip;
  const strip = ([name, bins]: [string, Bin[]], i: number) => {
    const bottom = (i + 1) * kStrip, most = Math.max(...bins.map(({ count }) => count));
    const bar = (bin: Bin) => {
      const tall = ((kStrip - 8) * bin.count) / most,
        box = { x: x(bin.from), y: bottom - tall,
          width: Math.max(1, x(bin.from + kBin) - x(bin.from) - 1), height: tall };
      return s("g", {}, s("title", {}, words(name, bin)), s("rect", { ...box, class: "empty" }),
        s("rect", { ...box, class: `bin ${sideOf(bin)}`,
          "fill-opacity": Math.abs(bin.relevance) / largest }));
    };
    return s("g", {}, s("text", { x: kLeft - 6, y: bottom - 3, "text-anchor": "end" }, name),
      ...bins.filter(({ count }) => count > 0).map(bar),
      s("line", { x1: kLeft, x2: width - 12, y1: bottom, y2: bottom, stroke: "currentColor" }));
  };
  return s("svg", { width, height: height + 42, role: "img",
    "aria-label": `Distances of ${histograms.size} pairs of elements, colored by contribution` },
    ...[...histograms].map(strip), bottomAxis(x, height + 2, width - kLeft),
    s("text", { x: (kLeft + width) / 2, y: height + 38, "text-anchor": "middle", class: "label" },
      "distance (Å)"));
}

/** `show` draws the histograms of a molecule. */
export function distanceHistograms(): { element: HTMLElement; show: (molecule: Molecule) => void } {
  const chart = h("div", { class: "chart" }), details = h("div");
  let histograms = new Map<string, Bin[]>();
  const draw = onWidth(chart,
    width => chart.replaceChildren(...(histograms.size > 0 ? [drawing(histograms, width)] : [])));
  return {
    element: h("div", { id: "distances" }, h("h3", {}, "Distances and their contributions"),
      h("p", { class: "note" },
        "Height: how many pairs of atoms have this distance. Color: their contributions together."),
      chart, h("details", {}, h("summary", {}, "As a table"), details)),
    show: molecule => {
      histograms = histogramsOf(molecule);
      details.replaceChildren(
        scrolling("Distances and their contributions",
          table(["Elements", "from (Å)", "to (Å)", "pairs", "contribution"],
            [...histograms].flatMap(([name, bins]) =>
              bins.filter(({ count }) => count > 0).map((
                { from, count, relevance }
              ) => [name, number(withDecimals(from, 1)), number(withDecimals(from + kBin, 1)),
                number(String(count)), number(formatSigned(relevance))]
              )
            )))
      );
      draw();
    }
  };
}
