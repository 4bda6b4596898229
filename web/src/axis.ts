// Axes with as many digits as their ticks need.
import { axisBottom, axisLeft, type Axis } from "d3-axis";
import type { ScaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { s } from "./dom";
import { tickFormat } from "./numbers";

export type Scale = ScaleLinear<number, number>;

function drawn(axis: Axis<number | { valueOf(): number }>, scale: Scale, count: number, place: string): SVGGElement {
  const ticks = scale.ticks(count), group = s("g", { class: "axis", transform: place });
  const text = tickFormat(ticks.length > 1 ? ticks[1] - ticks[0] : (ticks[0] ?? 1));
  select(group).call(axis.tickValues(ticks).tickFormat((value) => text(Number(value))));
  return group;
}

export const bottomAxis = (x: Scale, y: number, width: number) => drawn(axisBottom(x), x, Math.max(2, Math.floor(width / 100)), `translate(0,${y})`);
export const leftAxis = (y: Scale, x: number, count = 6) => drawn(axisLeft(y), y, count, `translate(${x},0)`);
