// Axes, their labels and the parts that all charts share.
import { type Axis, axisBottom, axisLeft } from "d3-axis";
import type { ScaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { type Attributes, s } from "./dom";
import { fitted, shortened } from "./labels";
import { tickFormat } from "./numbers";

export type Scale = ScaleLinear<number, number>;

function drawn(axis: Axis<number | { valueOf(): number }>, scale: Scale, count: number,
  place: string): SVGGElement {
  const ticks = scale.ticks(count), group = s("g", { class: "axis", transform: place });
  const text = tickFormat(ticks);
  select(group).call(axis.tickValues(ticks).tickFormat(value => text(Number(value))));
  return group;
}

/** The tick labels of 100 pixels each do not overlap. */
export const bottomAxis = (x: Scale, y: number, width: number) =>
  drawn(axisBottom(x), x, Math.max(2, Math.floor(width / 100)), `translate(0,${y})`);
export const leftAxis = (y: Scale, x: number, count = 6) =>
  drawn(axisLeft(y), y, count, `translate(${x},0)`);

/** An axis with names at whole numbers. */
export function namedAxis(x: Scale, y: number, names: string[]): SVGGElement {
  const group = s("g", { class: "axis", transform: `translate(0,${y})` });
  select(group).call(
    axisBottom(x).tickValues(names.map((_, i) => i)).tickFormat(tick => names[Number(tick)] ?? "")
  );
  return group;
}

/** The label of a horizontal axis, around `x`. */
export const xLabel = (text: string, x: number, y: number, width: number) =>
  s("text", { x, y, "text-anchor": "middle", class: "label" }, s("title", {}, text),
    fitted(text, width));

export interface Sides {
  negative: string;
  /** In the middle, if there is space for it. */
  unit: string;
  positive: string;
  y: number;
  width: number;
}

/** What both directions of a horizontal axis mean. */
export function sidesLabel({ negative, unit, positive, y, width }: Sides): SVGTextElement {
  const texts = [`← ${negative} · ${positive} →`, `← ${negative} · ${unit} · ${positive} →`];
  return xLabel(shortened(texts, width), width / 2, y, width);
}

/** The label of a vertical axis from the top to `height`. */
export const yLabel = (text: string, height: number) =>
  s("text", { x: -height / 2, y: 13, transform: "rotate(-90)", "text-anchor": "middle",
    class: "label" }, fitted(text, height));

export const zeroLine = (x1: number, y1: number, x2: number, y2: number) =>
  s("line", { x1, y1, x2, y2, class: "zero" });

/** A horizontal bar from one place to another. */
export const bar = (from: number, to: number, y: number, height: number, attributes: Attributes) =>
  s("rect", { x: Math.min(from, to), y, width: Math.abs(to - from), height, ...attributes });
