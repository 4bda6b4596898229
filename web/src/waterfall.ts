// From the base, feature by feature, to the model's output.
import { axisBottom } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { formatNumber, formatSigned, type Account, type Report } from "./data";
import { fitted, s, type Attributes } from "./dom";
import { cssColour, sideColour } from "./theme";

const kBar = 24, kShown = 12, kRemainder = "remainder";

interface Step {
  name: string;
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
  const add = (name: string, part: number, column: number | null) => {
    result.push({ name, part, from: at, to: at + part, column });
    at += part;
  };
  for (const column of own) add(`${report.columns[column].name} = ${report.shown(column, values[column])}`, relevance[column], column);
  const others = order.slice(own.length);
  if (others.length > 0) add(`${others.length} other features`, others.reduce((sum, column) => sum + relevance[column], 0), null);
  if (remainder !== 0 && Number.isFinite(remainder)) add(kRemainder, remainder, null);
  return result;
}

export function waterfall(report: Report, row: number, width: number, choose: (column: number) => void): SVGElement {
  const account = report.account(row), { unit } = report.raw;
  const parts = steps(report, report.rowValues(row), report.rowRelevance(row), account);
  const end = parts.at(-1)?.to ?? account.base; // the output, or as near as a bar can come
  const left = Math.min(270, width * 0.45), right = width - 64;
  const ends = [0, account.base, ...parts.flatMap((part) => [part.from, part.to])];
  const x = scaleLinear([Math.min(...ends), Math.max(...ends)], [left, right]).nice();
  const height = (parts.length + 2) * kBar;
  const line = (name: string, at: number, value: number, i: number) => s("g", {},
    s("text", { x: left - 8, y: i * kBar + 16, "text-anchor": "end", class: "strong" }, fitted(name, left - 8)),
    s("line", { x1: x(at), x2: x(at), y1: i * kBar + 3, y2: (i + 1) * kBar - 3, stroke: cssColour("--ink"), "stroke-width": 3 }),
    s("text", { x: x(at) + 7, y: i * kBar + 16, class: "strong" }, formatSigned(value)));
  const bars = parts.map((part, i) => bar(part, i + 1, left, x, choose));
  const axis = s("g", { class: "axis", transform: `translate(0,${height + 2})` });
  select(axis).call(axisBottom(x).ticks(Math.max(2, (right - left) / 90)).tickFormat((value) => formatNumber(Number(value))));
  const [positive, negative] = report.sides(row);
  return s("svg", { width, height: height + 44, role: "group", "aria-label": `Waterfall: from the base ${formatSigned(account.base)} to the ${unit.output} ${report.amount(account.output)}` },
    s("line", { x1: x(0), x2: x(0), y1: 0, y2: height, class: "zero" }),
    line("base", account.base, account.base, 0), ...bars, line(unit.output, end, account.output, parts.length + 1), axis,
    s("text", { x: width / 2, y: height + 40, "text-anchor": "middle", class: "label" }, fitted(`← for ${negative} · ${unit.name} · for ${positive} →`, width, 6.5)));
}

function bar(part: Step, i: number, left: number, x: (value: number) => number, choose: (column: number) => void): SVGElement {
  const begin = Math.min(x(part.from), x(part.to)), size = Math.max(1, Math.abs(x(part.to) - x(part.from)));
  const { column } = part;
  const act: Attributes = column === null ? {} : {
    tabindex: 0, role: "button", class: "bar",
    click: () => choose(column),
    keydown: (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(column);
    },
  };
  return s("g", act, s("title", {}, `${part.name}: relevance ${formatSigned(part.part)}`),
    s("rect", { x: 0, y: (i) * kBar, width: Math.max(left, begin + size), height: kBar, class: "hit" }),
    s("text", { x: left - 8, y: i * kBar + 16, "text-anchor": "end" }, fitted(part.name, left - 8)),
    s("rect", { x: begin, y: i * kBar + 4, width: size, height: kBar - 8, fill: part.name === kRemainder ? cssColour("--soft") : sideColour(part.part) }),
    s("text", { x: Math.max(x(part.from), x(part.to)) + 5, y: i * kBar + 16, class: "small" }, formatSigned(part.part)));
}
