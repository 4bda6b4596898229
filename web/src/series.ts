// A row whose features have an order, as a line with its relevance along it.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { bottomAxis, leftAxis } from "./axis";
import type { Report } from "./data";
import { s } from "./dom";
import { fitted } from "./labels";
import { cssColor, sideColor } from "./theme";

const kHeight = 240, kLeft = 64, kBottom = 40;

export function seriesChart(report: Report, row: number, width: number): SVGElement {
  const values = report.rowValues(row), relevance = report.rowRelevance(row);
  const largest = relevance.reduce((most, part) => Math.max(most, Math.abs(part)), 0) || 1;
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [kLeft, width - 16]);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [kHeight - kBottom, 12]).nice();
  const wide = (width - 16 - kLeft) / values.length;
  // A bar behind each value: its height and color are the relevance, from the middle up or down.
  const middle = (kHeight - kBottom + 12) / 2, reach = (kHeight - kBottom - 12) / 2;
  const bars = Array.from(relevance, (part, i) => s("rect", {
    x: x(i) - wide / 2, width: Math.max(1, wide), y: part >= 0 ? middle - (part / largest) * reach : middle, height: (Math.abs(part) / largest) * reach,
    fill: sideColor(part), opacity: 0.55 }, s("title", {}, `${report.names[i]} = ${report.shown(i, values[i])}, relevance ${report.amount(part)}`)));
  const path = line<number>().x((_, i) => x(i)).y((value) => y(value))(Array.from(values)) ?? "";
  const [positive, negative] = report.sides(row);
  return s("svg", { width, height: kHeight, role: "img", "aria-label": `The row as a line of ${values.length} values, with the relevance of each behind it: up for ${positive}, down for ${negative}.` },
    ...bars, s("path", { d: path, fill: "none", stroke: cssColor("--ink"), "stroke-width": 2 }), bottomAxis(x, kHeight - kBottom, width), leftAxis(y, kLeft),
    s("text", { x: (kLeft + width) / 2, y: kHeight - 4, "text-anchor": "middle", class: "label" },
      fitted(`${report.names[0]} … ${report.names.at(-1)}; bars: relevance, up to ±${report.unsigned(largest)} ${report.raw.unit.name}`, width - kLeft)));
}
