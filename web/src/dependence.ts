// A feature's value against its relevance, colored by another feature.
import { axisBottom } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { bottomAxis, leftAxis, type Scale } from "./axis";
import { PointCloud, type CloudPoint } from "./cloud";
import { kPicked, paintField, type Paint } from "./density";
import { h, onWidth, picker, s, section } from "./dom";
import { saving } from "./export";
import { distinct, fitted, lettersIn } from "./labels";
import { legend, ranks } from "./legend";
import { clampTo, rangeOf, type Range } from "./ranges";
import { rangeNote } from "./range_note";
import type { State } from "./state";
import { isDark, sequentialColors } from "./theme";

const kHeight = 340, kMargin = { left: 64, right: 24, top: 10, bottom: 44 };
const kMostPoints = 20_000;

export function dependenceSection(state: State): HTMLElement {
  const { report } = state;
  const { names } = report;
  const host = h("div", { class: "chart layered" });
  const axes = s("svg", { "aria-hidden": "true" });
  host.append(axes);
  const note = h("p", { class: "note", "aria-live": "polite" }), outside = rangeNote(state);
  const value = (row: number, column: number) => report.shown(column, report.value(row, column));
  const cloud = new PointCloud(host, "Value against relevance of the chosen feature. Arrow keys go from row to row.",
    (point) => state.selectRow(point.row),
    ({ row }) => `${report.rowName(row)}: ${names[state.column]} = ${value(row, state.column)}, relevance ${report.amount(report.relevance(row, state.column))}; ${names[state.colorColumn()]} = ${value(row, state.colorColumn())}`);
  const ofFeature = picker("Feature", names, state.column, (choice) => state.selectColumn(choice));
  const ofColor = picker("Color", names, state.colorColumn(), (choice) => state.pickColor(choice));
  const propose = h("button", { type: "button", click: () => state.pickColor(null) }, "Strongest interaction");
  let width = 0, points: CloudPoint[] = [], paint: Paint | null = null, laidOut = "";
  let point: (row: number) => CloudPoint;

  function layout(column: number, x: Scale, y: Scale, across: Range, up: Range): void {
    const values = report.columnValues(column), relevance = report.columnRelevance(column);
    const colors = ranks(report, state.colorColumn(), sequentialColors().length);
    const isDense = report.rows > kMostPoints, step = isDense ? Math.ceil(report.rows / kPicked) : 1;
    point = (row) => {
      const inside = [clampTo(across, values[row]), clampTo(up, relevance[row])];
      return { x: x(inside[0]), y: y(inside[1]), row, column, color: colors[row], isBeyond: inside[0] !== values[row] || inside[1] !== relevance[row] };
    };
    points = [];
    for (let row = 0; row < report.rows; row += step) points.push(point(row));
    const places = (all: ArrayLike<number>, scale: Scale, range: Range) => {
      const [at, slope] = [scale(0), scale(1) - scale(0)];
      return Float32Array.from(all, (own) => at + slope * clampTo(range, own));
    };
    const [xs, ys] = isDense ? [places(values, x, across), places(relevance, y, up)] : [];
    paint = xs && ys ? (context) => paintField(xs, ys, width, kHeight, colors, sequentialColors(), state.passes)(context) : null;
  }

  /** How many rows are beyond what is drawn, to either side. */
  function beyondCount(column: number, across: Range, up: Range): number {
    const values = report.columnValues(column), relevance = report.columnRelevance(column);
    let count = 0;
    for (let row = 0; row < report.rows; ++row) if (values[row] < across.low || values[row] > across.high || relevance[row] < up.low || relevance[row] > up.high) ++count;
    return count;
  }

  function draw(): void {
    const { column } = state, color = state.colorColumn(), { isWhole } = state.view;
    ofFeature.querySelector("select")!.value = String(column);
    ofColor.querySelector("select")!.value = String(color);
    const { partner, share } = report.columns[column];
    note.textContent = names.length < 2 ? "" :
      `Strongest interaction: ${names[partner]}. Among rows of like ${names[column]}, its value explains ${Math.round(100 * share)} % of the variance of this relevance (straight lines within up to 20 bins of equal size).`;
    if (width === 0) return;
    const now = `${width} ${column} ${color} ${isDark()} ${isWhole}`;
    if (now !== laidOut) place();
    laidOut = now;
    cloud.draw(`${now} ${state.filtered}`, width, kHeight, paint ? [...points, point(state.row)] : points, sequentialColors(), state.passes, state.row, column, paint);
  }

  /** Where everything stands, until another feature, color or range is asked for. */
  function place(): void {
    const { column } = state, { isWhole } = state.view, hasLevels = report.columns[column].levels.length > 0;
    const across = rangeOf([report.columnValues(column)], isWhole || hasLevels), up = rangeOf([report.columnRelevance(column)], isWhole);
    const pad = across.low === across.high ? 1 : (across.high - across.low) * 0.03;
    const x = scaleLinear([across.low - pad, across.high + pad], [kMargin.left, width - kMargin.right]);
    const y = scaleLinear([Math.min(up.low, 0), Math.max(up.high, 0)], [kHeight - kMargin.bottom, kMargin.top]);
    if (up.outside === 0) y.nice();
    drawAxes(x, y);
    layout(column, x, y, across, up);
    const beyond = up.outside > 0 ? up : across;
    outside.show({ ...beyond, outside: beyondCount(column, across, up) }, report.rows,
      (text) => (up.outside > 0 ? `relevance ${report.signed(text)}` : report.shown(column, text)));
    cloud.canvas.setAttribute("aria-label", `${names[column]}: value against relevance, colored by ${names[state.colorColumn()]}. Values from ${report.shown(column, across.least)} to ${report.shown(column, across.most)}, relevance from ${report.signed(up.least)} to ${report.signed(up.most)} ${report.raw.unit.name}. Arrow keys go from row to row.`);
  }

  function drawAxes(x: Scale, y: Scale): void {
    const { column } = state, { levels } = report.columns[column];
    const bottom = levels.length > 0 ? s("g", { class: "axis", transform: `translate(0,${kHeight - kMargin.bottom})` }) : bottomAxis(x, kHeight - kMargin.bottom, width);
    if (levels.length > 0) {
      const words = distinct(levels, lettersIn(width / levels.length));
      select(bottom).call(axisBottom(x).tickValues(levels.map((_, i) => i)).tickFormat((tick) => words[Number(tick)] ?? ""));
    }
    const middle = (kHeight - kMargin.bottom) / 2;
    axes.setAttribute("width", String(width));
    axes.setAttribute("height", String(kHeight));
    axes.replaceChildren(bottom, leftAxis(y, kMargin.left),
      s("line", { x1: kMargin.left, x2: width - kMargin.right, y1: y(0), y2: y(0), class: "zero" }),
      s("text", { x: (kMargin.left + width) / 2, y: kHeight - 6, "text-anchor": "middle", class: "label" }, fitted(names[column], width - kMargin.left)),
      s("text", { x: -middle, y: 13, transform: "rotate(-90)", "text-anchor": "middle", class: "label" }, fitted(`relevance (${report.raw.unit.name})`, kHeight - 60)));
  }

  onWidth(host, (wide) => { width = wide; draw(); });
  state.subscribeChart(draw);
  draw();
  return section("dependence", "Value against relevance",
    h("p", {}, "How a feature's relevance follows its value. Color by another feature to see where the two act together."),
    h("div", { class: "controls" }, ofFeature, ofColor, propose), note,
    legend("low", "high values of the color feature", state), outside.element, host,
    saving("value-against-relevance", host, () => [["row", names[state.column], "relevance", names[state.colorColumn()]], ...points.map(({ row }) =>
      [report.numbers[row], value(row, state.column), report.relevance(row, state.column), value(row, state.colorColumn())])]));
}
