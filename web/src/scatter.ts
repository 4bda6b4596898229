// One number of every row against another of the same unit; on the line they agree.
import { scaleLinear } from "d3-scale";
import { bottomAxis, leftAxis } from "./axis";
import { PointCloud } from "./cloud";
import { kPicked, paintField } from "./density";
import { h, onWidth, s } from "./dom";
import { saving } from "./export";
import type { State } from "./state";
import { isDark, sequentialColors } from "./theme";

const kHeight = 320, kLeft = 70, kMost = 20_000;

export interface Scatter {
  name: string;
  rows: number[];
  x: (row: number) => number;
  y: (row: number) => number;
  /** In the color of high values. */
  isMarked: (row: number) => boolean;
  label: string;
  xName: string;
  yName: string;
  describe: (row: number) => string;
  note: string;
}

export function scatter(state: State, { name, rows, x: across, y: up, isMarked, label, xName, yName, describe, note }: Scatter): HTMLElement {
  const host = h("div", { class: "chart layered" }), axes = s("svg", { "aria-hidden": "true" });
  host.append(axes);
  const cloud = new PointCloud(host, label, (point) => state.selectRow(point.row), ({ row }) => describe(row));
  let width = 0, low = Infinity, high = -Infinity;
  for (const row of rows) {
    low = Math.min(low, across(row), up(row));
    high = Math.max(high, across(row), up(row));
  }
  function draw(): void {
    if (width === 0) return;
    const x = scaleLinear([low, high], [kLeft, width - 16]).nice(), y = scaleLinear([low, high], [kHeight - 44, 10]).nice();
    const ends = x.domain(), colors = sequentialColors(), isDense = rows.length > kMost, step = isDense ? Math.ceil(rows.length / kPicked) : 1;
    const color = (row: number) => (isMarked(row) ? colors.length - 1 : Math.floor(colors.length / 3));
    axes.setAttribute("width", String(width));
    axes.setAttribute("height", String(kHeight));
    axes.replaceChildren(bottomAxis(x, kHeight - 44, width), leftAxis(y, kLeft),
      s("line", { x1: x(ends[0]), y1: y(ends[0]), x2: x(ends[1]), y2: y(ends[1]), class: "zero" }),
      s("text", { x: (kLeft + width) / 2, y: kHeight - 6, "text-anchor": "middle", class: "label" }, xName),
      s("text", { x: -(kHeight - 44) / 2, y: 13, transform: "rotate(-90)", "text-anchor": "middle", class: "label" }, yName));
    const points = rows.filter((row, i) => i % step === 0 || row === state.row)
      .map((row) => ({ x: x(across(row)), y: y(up(row)), row, column: 0, color: color(row), isBeyond: false }));
    const paint = (context: CanvasRenderingContext2D) => paintField(Float32Array.from(rows, (row) => x(across(row))), Float32Array.from(rows, (row) => y(up(row))), width, kHeight,
      Uint8Array.from(rows, color), colors, Uint8Array.from(rows, (row) => state.passes[row]))(context);
    cloud.draw(`${width} ${isDark()} ${state.filtered}`, width, kHeight, points, colors, state.passes, state.row, 0, isDense ? paint : null);
  }
  onWidth(host, (value) => { width = value; draw(); });
  state.subscribeChart(draw);
  return h("div", {}, h("p", { class: "note" }, note), host,
    saving(name, host, () => [["row", xName, yName, "apart"], ...rows.map((row) => [state.report.numbers[row], across(row), up(row), up(row) - across(row)])]));
}
