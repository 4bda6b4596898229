// One strip of points for each important feature: a point is a row, its place the relevance, its
// color the feature's value.
import { scaleLinear } from "d3-scale";
import { bottomAxis, type Scale } from "./axis";
import { PointCloud, type CloudPoint } from "./cloud";
import { kManyPoints, kPicked, paintStrips, stripBins, type Strip } from "./density";
import { h, onWidth, s, section } from "./dom";
import { saving } from "./export";
import { distinct, fitted, lettersIn } from "./labels";
import { legend, ranks } from "./legend";
import { clampTo, rangeOf, type Range } from "./ranges";
import { rangeNote } from "./range_note";
import type { State } from "./state";
import { isDark, sequentialColors } from "./theme";

const kStrip = 34, kShown = 12, kSpacing = 3;
/** Offsets that keep points of one strip apart: those of one pixel column fan out from the middle. */
function fan(xs: ArrayLike<number>): Float32Array {
  const bins = new Map<number, number[]>();
  for (let i = 0; i < xs.length; ++i) {
    const bin = Math.round(xs[i] / kSpacing);
    const members = bins.get(bin);
    if (members) members.push(i);
    else bins.set(bin, [i]);
  }
  const offsets = new Float32Array(xs.length);
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
  const note = rangeNote(state);
  const cloud = new PointCloud(host,
    `Relevance of every row, a strip for each important feature. Most important: ${report.order.slice(0, 3).map((c) => report.names[c]).join(", ")}. Left and right go from row to row, up and down from feature to feature.`,
    (point) => { if (point.column !== state.column) state.selectColumn(point.column); state.selectRow(point.row); },
    (point) => `${report.rowName(point.row)}: ${report.names[point.column]} = ${report.shown(point.column, report.value(point.row, point.column))}, relevance ${report.amount(report.relevance(point.row, point.column))}`);
  const isDense = () => report.rows * shown > kManyPoints;
  let points: CloudPoint[] = [], strips: Strip[] = [], ofRow: (row: number) => CloudPoint[] = () => [], height = 0, laidOut = "";

  function layout(): void {
    const columns = report.order.slice(0, shown), left = Math.min(200, width * 0.34);
    const range = rangeOf([...columns.map((column) => report.columnRelevance(column)), [0]], state.view.isWhole);
    const x = scaleLinear([range.low, range.high], [left + 8, width - 24]);
    if (range.outside === 0) x.nice();
    height = columns.length * kStrip;
    const step = isDense() ? Math.ceil((report.rows * columns.length) / kPicked) : 1;
    const sample = Array.from({ length: Math.ceil(report.rows / step) }, (_, i) => i * step);
    points = columns.flatMap((column, i) => strip(column, i, sample, x, range));
    strips = !isDense() ? [] : columns.map((column, i) => ({ left: left + 8, middle: (i + 0.5) * kStrip, height: kStrip - 6, colors: ranks(report, column, sequentialColors().length),
      bins: stripBins(report.columnRelevance(column), x.domain()[0], x.domain()[1], width - 32 - left) }));
    ofRow = (row) => (isDense() ? columns.flatMap((column, i) => strip(column, i, [row], x, range)) : []);
    note.show(range, report.rows * columns.length, (value) => report.signed(value));
    drawAxes(columns, left, x);
  }

  function strip(column: number, i: number, rows: number[], x: Scale, range: Range): CloudPoint[] {
    const parts = report.columnRelevance(column);
    const xs = rows.map((row) => x(clampTo(range, parts[row])));
    const offsets = fan(xs), colors = ranks(report, column, sequentialColors().length);
    return rows.map((row, k) => ({ x: xs[k], y: (i + 0.5) * kStrip + offsets[k], row, column, color: colors[row], isBeyond: parts[row] < range.low || parts[row] > range.high }));
  }

  function drawAxes(columns: number[], left: number, x: Scale): void {
    const names = distinct(columns.map((column) => report.names[column]), lettersIn(left - 6));
    axes.setAttribute("width", String(width));
    axes.setAttribute("height", String(height + 42));
    axes.replaceChildren(
      ...columns.map((column, i) => s("g", { class: column === state.column ? "strip chosen" : "strip" },
        s("rect", { x: 0, y: i * kStrip + 1, width, height: kStrip - 2, class: "hit" }),
        s("text", { x: left - 4, y: (i + 0.5) * kStrip + 4, "text-anchor": "end" }, names[i]))),
      s("line", { x1: x(0), x2: x(0), y1: 0, y2: height, class: "zero" }),
      bottomAxis(x, height, width - left),
      s("text", { x: width / 2, y: height + 38, "text-anchor": "middle", class: "label" },
        fitted(`← for ${negative} · relevance (${report.raw.unit.name}) · for ${positive} →`, width)));
  }

  function draw(): void {
    if (width === 0) return;
    const now = `${width} ${shown} ${state.column} ${state.view.isWhole}`;
    if (now !== laidOut) layout();
    laidOut = now;
    cloud.draw(`${width} ${shown} ${state.view.isWhole} ${isDark()} ${state.filtered}`, width, height, [...points, ...ofRow(state.row)], sequentialColors(), state.passes, state.row, state.column,
      isDense() ? paintStrips(strips, sequentialColors(), state.passes) : null);
  }

  onWidth(host, (value) => { width = value; draw(); });
  state.subscribeChart(draw);
  const most = Math.min(report.columns.length, 40);
  const more = most <= kShown ? null : h("button", { type: "button", click: (event: Event) => {
      shown = shown === kShown ? most : kShown;
      (event.target as HTMLElement).textContent = shown === kShown ? `Show ${most} features` : `Show ${kShown} features`;
      draw();
    } }, `Show ${most} features`);
  const { total, seed } = report.raw.rows;
  const sampled = report.rows < total ? ` ${report.rows} of ${total} rows are in the page, chosen at random (seed ${seed}).` : "";
  const dense = report.rows * Math.min(kShown, report.columns.length) > kManyPoints;
  return section("beeswarm", "Every row, every feature",
    h("p", {}, dense ? `A strip is the higher, the more rows have that relevance of the feature; its color is the mean of the feature's values there.${sampled} Choose a place to see a row from there.`
      : `Each point is a row. Its place is the relevance of the feature, its color the feature's value.${sampled} Choose a point to see its row.`),
    legend("lowest value", "highest value", state), note.element, host,
    saving("every-row", host, () => [["row", "feature", "value", "relevance"], ...points.map(({ row, column }) =>
      [report.numbers[row], report.names[column], report.shown(column, report.value(row, column)), report.relevance(row, column)])]),
    more && h("div", { class: "controls" }, more));
}
