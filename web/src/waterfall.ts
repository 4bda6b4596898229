// From the base, feature by feature, to the model's output.
import { scaleLinear } from "d3-scale";
import { bottomAxis } from "./axis";
import type { Account, Report } from "./data";
import { acting, s } from "./dom";
import { distinct, fitted, lettersIn } from "./labels";
import { cssColor, sideColor } from "./theme";

const kBar = 24, kShown = 12, kRemainder = "remainder";

interface Step {
  name: string;
  /** Behind the name. */
  value: string;
  part: number;
  from: number;
  to: number;
  column: number | null;
}

/** The parts of a row, largest first; small ones together, and what is left over. */
function steps(report: Report, values: ArrayLike<number>, relevance: Float64Array, { base, remainder }: Account): Step[] {
  const order = Array.from(relevance.keys()).sort((a, b) => Math.abs(relevance[b]) - Math.abs(relevance[a]));
  const own = order.slice(0, order.length <= kShown + 1 ? order.length : kShown);
  const result: Step[] = [];
  let at = base;
  const add = (name: string, value: string, part: number, column: number | null) => {
    result.push({ name, value, part, from: at, to: at + part, column });
    at += part;
  };
  for (const column of own) add(report.names[column], ` = ${report.shown(column, values[column])}`, relevance[column], column);
  const others = order.slice(own.length);
  if (others.length > 0) add(`${others.length} other features`, "", others.reduce((sum, column) => sum + relevance[column], 0), null);
  if (remainder !== 0 && Number.isFinite(remainder)) add(kRemainder, "", remainder, null);
  return result;
}

export function waterfall(report: Report, row: number, width: number, choose: (column: number) => void): SVGElement {
  const account = report.account(row), { unit } = report.raw;
  const parts = steps(report, report.rowValues(row), report.rowRelevance(row), account);
  const end = parts.at(-1)?.to ?? account.base; // the output, or as near as a bar can come
  const left = Math.min(300, width * 0.45), right = width - 64;
  const ends = [0, account.base, ...parts.flatMap((part) => [part.from, part.to])];
  const x = scaleLinear([Math.min(...ends), Math.max(...ends)], [left, right]).nice();
  const height = (parts.length + 2) * kBar;
  const line = (name: string, at: number, value: number, i: number) => s("g", {},
    s("text", { x: left - 8, y: i * kBar + 16, "text-anchor": "end", class: "strong" }, fitted(name, left - 8)),
    s("line", { x1: x(at), x2: x(at), y1: i * kBar + 3, y2: (i + 1) * kBar - 3, stroke: cssColor("--ink"), "stroke-width": 3 }),
    s("text", { x: x(at) + 7, y: i * kBar + 16, class: "strong" }, report.signed(value)));
  const longest = Math.max(...parts.map(({ value }) => value.length), 0);
  const short = distinct(parts.map(({ name }) => name), lettersIn(left - 8) - longest);
  const names = parts.map(({ value }, i) => short[i] + value);
  const bars = parts.map((part, i) => bar(report, part, names[i], i + 1, left, x, choose));
  const axis = bottomAxis(x, height + 2, right - left);
  const [positive, negative] = report.sides(row);
  return s("svg", { width, height: height + 44, role: "group", "aria-label": `Waterfall: from the base ${report.signed(account.base)} to the ${unit.output} ${report.amount(account.output)}` },
    s("line", { x1: x(0), x2: x(0), y1: 0, y2: height, class: "zero" }),
    line("base", account.base, account.base, 0), ...bars, line(unit.output, end, account.output, parts.length + 1), axis,
    s("text", { x: width / 2, y: height + 40, "text-anchor": "middle", class: "label" }, fitted(`← for ${negative} · ${unit.name} · for ${positive} →`, width)));
}

function bar(report: Report, part: Step, name: string, i: number, left: number, x: (value: number) => number, choose: (column: number) => void): SVGElement {
  const begin = Math.min(x(part.from), x(part.to)), size = Math.max(1, Math.abs(x(part.to) - x(part.from)));
  const { column } = part;
  const act = column === null ? {} : { ...acting(() => choose(column)), class: "bar" };
  return s("g", act, s("title", {}, `${part.name}${part.value}: relevance ${report.signed(part.part)}`),
    s("rect", { x: 0, y: i * kBar, width: Math.max(left, begin + size), height: kBar, class: "hit" }),
    s("text", { x: left - 8, y: i * kBar + 16, "text-anchor": "end" }, name),
    s("rect", { x: begin, y: i * kBar + 4, width: size, height: kBar - 8, fill: part.name === kRemainder ? cssColor("--soft") : sideColor(part.part) }),
    s("text", { x: Math.max(x(part.from), x(part.to)) + 5, y: i * kBar + 16, class: "small" }, report.signed(part.part)));
}
