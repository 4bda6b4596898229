// A feature's value against its relevance, coloured by another feature.
import { extent } from "d3-array";
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { PointCloud } from "./cloud";
import { formatNumber } from "./data";
import { fitted, h, onWidth, picker, s, section } from "./dom";
import { legend, ranks } from "./legend";
import type { State } from "./state";
import { isDark, sequentialColours } from "./theme";

const kHeight = 340, kMargin = { left: 64, right: 24, top: 10, bottom: 44 };

export function dependenceSection(state: State): HTMLElement {
  const { report } = state;
  const names = report.columns.map((column) => column.name);
  const host = h("div", { class: "chart layered" });
  const axes = s("svg", { "aria-hidden": "true" });
  host.append(axes);
  const note = h("p", { class: "note", "aria-live": "polite" });
  const cloud = new PointCloud(host, "Value against relevance of the chosen feature. Arrow keys go from row to row.",
    (point) => state.selectRow(point.row),
    (point) => `Row ${report.numbers[point.row]}: ${names[state.column]} = ${report.shown(state.column, report.value(point.row, state.column))}, relevance ${report.amount(report.relevance(point.row, state.column))}; ${names[state.colourColumn()]} = ${report.shown(state.colourColumn(), report.value(point.row, state.colourColumn()))}`);
  const ofFeature = picker("Feature", names, state.column, (choice) => state.selectColumn(choice));
  const ofColour = picker("Colour", names, state.colourColumn(), (choice) => state.pickColour(choice));
  const propose = h("button", { type: "button", click: () => state.pickColour(null) }, "Strongest interaction");
  let width = 0;

  function draw(): void {
    const { column } = state, colour = state.colourColumn();
    ofFeature.querySelector("select")!.value = String(column);
    ofColour.querySelector("select")!.value = String(colour);
    const { partner, share } = report.columns[column];
    note.textContent = names.length < 2 ? "" :
      `Strongest interaction: ${names[partner]}. Among rows of like ${names[column]}, its value explains ${Math.round(100 * share)} % of the variance of this relevance (straight lines within up to 20 bins of equal size).`;
    if (width === 0) return;
    const values = Array.from({ length: report.rows }, (_, row) => report.value(row, column));
    const relevance = values.map((_, row) => report.relevance(row, column));
    const [low, high] = extent(values) as [number, number];
    const pad = low === high ? 1 : (high - low) * 0.03;
    const x = scaleLinear([low - pad, high + pad], [kMargin.left, width - kMargin.right]);
    const [least, most] = extent([...relevance, 0]) as [number, number];
    const y = scaleLinear([least, most], [kHeight - kMargin.bottom, kMargin.top]).nice();
    drawAxes(x, y);
    const colours = ranks(report, colour, sequentialColours().length);
    const points = values.map((value, row) => ({ x: x(value), y: y(relevance[row]), row, column, colour: colours[row] }));
    cloud.draw(`${width} ${column} ${colour} ${isDark()} ${state.filtered}`, width, kHeight, points, sequentialColours(), state.passes, state.row);
    cloud.canvas.setAttribute("aria-label", `${names[column]}: value against relevance, coloured by ${names[colour]}. Values from ${report.shown(column, low)} to ${report.shown(column, high)}, relevance from ${formatNumber(Math.min(...relevance))} to ${formatNumber(Math.max(...relevance))} ${report.raw.unit.name}. Arrow keys go from row to row.`);
  }

  type Scale = ReturnType<typeof scaleLinear<number, number>>;
  function drawAxes(x: Scale, y: Scale): void {
    const { column } = state;
    const { levels } = report.columns[column];
    const bottom = s("g", { class: "axis", transform: `translate(0,${kHeight - kMargin.bottom})` });
    const ticks = axisBottom(x).ticks(Math.max(2, width / 100)).tickFormat((value) => formatNumber(Number(value)));
    if (levels.length > 0)
      ticks.tickValues(levels.map((_, i) => i)).tickFormat((value) => fitted(levels[Number(value)] ?? "", width / levels.length, 7));
    select(bottom).call(ticks);
    const side = s("g", { class: "axis", transform: `translate(${kMargin.left},0)` });
    select(side).call(axisLeft(y).ticks(6).tickFormat((value) => formatNumber(Number(value))));
    const middle = (kHeight - kMargin.bottom) / 2;
    axes.setAttribute("width", String(width));
    axes.setAttribute("height", String(kHeight));
    axes.replaceChildren(bottom, side,
      s("line", { x1: kMargin.left, x2: width - kMargin.right, y1: y(0), y2: y(0), class: "zero" }),
      s("text", { x: (kMargin.left + width) / 2, y: kHeight - 6, "text-anchor": "middle", class: "label" }, fitted(names[column], width - kMargin.left)),
      s("text", { x: -middle, y: 13, transform: "rotate(-90)", "text-anchor": "middle", class: "label" }, `relevance (${report.raw.unit.name})`));
  }

  onWidth(host, (value) => { width = value; draw(); });
  state.subscribe(draw);
  draw();
  return section("dependence", "Value against relevance",
    h("p", {}, "How a feature's relevance follows its value. Colour by another feature to see where the two act together."),
    h("div", { class: "controls" }, ofFeature, ofColour, propose), note,
    legend("low", "high values of the colour feature", state), host);
}
