// One strip of points for each important feature: a point is a row, its place the relevance, its
// colour the feature's value.
import { scaleLinear } from "d3-scale";
import { axisBottom } from "d3-axis";
import { select } from "d3-selection";
import { PointCloud, type CloudPoint } from "./cloud";
import { formatNumber } from "./data";
import { fitted, h, onWidth, s, section } from "./dom";
import { legend, ranks } from "./legend";
import type { State } from "./state";
import { isDark, sequentialColours } from "./theme";

const kStrip = 34, kShown = 12, kSpacing = 3;

/** Offsets that keep points of one strip apart: those of one pixel column fan out from the middle. */
function fan(xs: number[]): number[] {
  const bins = new Map<number, number[]>();
  xs.forEach((x, i) => {
    const bin = Math.round(x / kSpacing);
    const members = bins.get(bin);
    if (members) members.push(i);
    else bins.set(bin, [i]);
  });
  const offsets = new Array<number>(xs.length);
  for (const members of bins.values()) {
    const step = Math.min(kSpacing, (kStrip - 6) / members.length);
    members.forEach((i, place) => {
      offsets[i] = (place % 2 === 0 ? 1 : -1) * Math.ceil(place / 2) * step;
    });
  }
  return offsets;
}

export function beeswarmSection(state: State): HTMLElement {
  const { report } = state;
  const [positive, negative] = report.commonSides();
  let shown = kShown, width = 0;
  const host = h("div", { class: "chart layered" });
  const axes = s("svg", { "aria-hidden": "true" });
  host.append(axes);
  const cloud = new PointCloud(host,
    `Relevance of every row, a strip for each important feature. Most important: ${report.order.slice(0, 3).map((c) => report.columns[c].name).join(", ")}. Arrow keys go from row to row.`,
    (point) => { if (point.column !== state.column) state.selectColumn(point.column); state.selectRow(point.row); },
    (point) => `Row ${report.numbers[point.row]}: ${report.columns[point.column].name} = ${report.shown(point.column, report.value(point.row, point.column))}, relevance ${report.amount(report.relevance(point.row, point.column))}`);
  let points: CloudPoint[] = [], height = 0, laidOut = "";

  function layout(): void {
    const columns = report.order.slice(0, shown);
    const left = Math.min(170, width * 0.34);
    let low = 0, high = 0;
    for (const column of columns) {
      for (let row = 0; row < report.rows; ++row) {
        const value = report.relevance(row, column);
        if (value < low) low = value;
        else if (value > high) high = value;
      }
    }
    const x = scaleLinear([low, high], [left + 8, width - 24]).nice();
    height = columns.length * kStrip;
    points = [];
    columns.forEach((column, i) => {
      const xs = Array.from({ length: report.rows }, (_, row) => x(report.relevance(row, column)));
      const offsets = fan(xs), colours = ranks(report, column, sequentialColours().length);
      xs.forEach((at, row) => points.push({ x: at, y: (i + 0.5) * kStrip + offsets[row], row, column, colour: colours[row] }));
    });
    drawAxes(columns, left, x);
  }

  function drawAxes(columns: number[], left: number, x: ReturnType<typeof scaleLinear<number, number>>): void {
    const axis = s("g", { class: "axis", transform: `translate(0,${height})` });
    select(axis).call(axisBottom(x).ticks(Math.max(2, width / 110)).tickFormat((value) => formatNumber(Number(value))));
    axes.setAttribute("width", String(width));
    axes.setAttribute("height", String(height + 42));
    axes.replaceChildren(
      ...columns.map((column, i) => s("g", { class: column === state.column ? "strip chosen" : "strip" },
        s("rect", { x: 0, y: i * kStrip + 1, width, height: kStrip - 2, class: "hit" }),
        s("text", { x: left - 4, y: (i + 0.5) * kStrip + 4, "text-anchor": "end" },
          fitted(report.columns[column].name, left - 6)))),
      s("line", { x1: x(0), x2: x(0), y1: 0, y2: height, class: "zero" }),
      axis,
      s("text", { x: width / 2, y: height + 38, "text-anchor": "middle", class: "label" },
        fitted(`← for ${negative} · relevance (${report.raw.unit.name}) · for ${positive} →`, width, 6.5)));
  }

  function draw(): void {
    if (width === 0) return;
    const now = `${width} ${shown} ${state.column}`;
    if (now !== laidOut) layout();
    laidOut = now;
    cloud.draw(`${width} ${shown} ${isDark()} ${state.filtered}`, width, height, points, sequentialColours(), state.passes, state.row);
  }

  onWidth(host, (value) => { width = value; draw(); });
  state.subscribe(draw);
  const most = Math.min(report.columns.length, 40);
  const more = most <= kShown ? null : h("button", { type: "button", click: (event: Event) => {
      shown = shown === kShown ? most : kShown;
      (event.target as HTMLElement).textContent = shown === kShown ? `Show ${most} features` : `Show ${kShown} features`;
      draw();
    } }, `Show ${most} features`);
  const { total } = report.raw.rows;
  const sampled = report.rows < total ? ` ${report.rows} of ${total} rows are drawn, chosen at random (seed ${report.raw.rows.seed}).` : "";
  return section("beeswarm", "Every row, every feature",
    h("p", {}, `Each point is a row. Its place is the relevance of the feature, its colour the feature's value.${sampled} Choose a point to see its row below.`),
    legend("lowest value", "highest value", state), host, more);
}
