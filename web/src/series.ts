// A row whose features have an order, as a line with the contributions along it.
import { max } from "d3-array";
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { bottomAxis, leftAxis, xLabel } from "./axis";
import type { Report } from "./data";
import { s } from "./dom";
import { cssColor, sideColor } from "./theme";

const kHeight = 240, kLeft = 64, kBottom = 40, kTop = 12;

export function seriesChart(report: Report, row: number, width: number): SVGElement {
  const values = report.rowValues(row), parts = report.rowContributions(row);
  const largest = max(parts, Math.abs) || 1;
  const x = scaleLinear([0, Math.max(1, values.length - 1)], [kLeft, width - 16]);
  const y = scaleLinear([Math.min(...values), Math.max(...values)], [kHeight - kBottom, kTop])
    .nice();
  const wide = (width - 16 - kLeft) / values.length, amounts = report.rowAmounts(row);
  // A bar behind each value: its height is the contribution, up or down from the middle.
  const middle = (kHeight - kBottom + kTop) / 2, reach = (kHeight - kBottom - kTop) / 2;
  const bars = Array.from(parts, (part, i) => {
    const height = (Math.abs(part) / largest) * reach;
    return s("rect", { x: x(i) - wide / 2, width: Math.max(1, wide),
      y: part >= 0 ? middle - height : middle, height, fill: sideColor(part), opacity: 0.55 },
      s("title", {}, `${report.names[i]} = ${report.cell(row, i)}: ${amounts.withUnit(part)}`));
  });
  const path = line<number>().x((_, i) => x(i)).y(value => y(value))(Array.from(values)) ?? "";
  const [positive, negative] = report.effects(row);
  return s("svg", { width, height: kHeight, role: "img",
    "aria-label": `The row as a line of `
      + `${values.length} values. Bars upward: ${positive}; downward: ${negative}.` }, ...bars,
    s("path", { d: path, fill: "none", stroke: cssColor("--ink"), "stroke-width": 2 }),
    bottomAxis(x, kHeight - kBottom, width), leftAxis(y, kLeft),
    xLabel(
      `${report.names[0]} … ${report.names.at(-1)}; bars: contributions up to `
        + `±${amounts.plain(largest)} ${report.unit}`,
      (kLeft + width) / 2,
      kHeight - 4,
      width - kLeft
    ));
}
