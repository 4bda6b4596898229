// From the average to the result, feature by feature.
import { sum } from "d3-array";
import { scaleLinear } from "d3-scale";
import { bar, bottomAxis, type Scale, sidesLabel, zeroLine } from "./axis";
import type { Report, Totals } from "./data";
import { acting, s } from "./dom";
import { distinct, fitted, lettersIn } from "./labels";
import type { Amounts } from "./numbers";
import { baseWord } from "./row_sentences";
import { cssColor, sideColor } from "./theme";

const kBar = 24, kShown = 12, kUnexplained = "unexplained";
/** Below this width the labels stand above the bars. */
const kNarrow = 480, kNarrowBar = 36;

export interface Step {
  name: string;
  /** " = 12.3", after the name. */
  value: string;
  part: number;
  from: number;
  to: number;
  /** The standard error of the contribution; 0 if there is none. */
  error: number;
  column: number | null;
}

/** The largest contributions first, the small ones together, then the unexplained part. */
export function stepsOf(report: Report, row: number, { base, remainder }: Totals): Step[] {
  const order = report.strongest(row), steps: Step[] = [];
  const parts = report.rowContributions(row);
  const shown = order.length <= kShown + 1 ? order : order.slice(0, kShown);
  const others = order.slice(shown.length);
  let at = base;
  const add = (name: string, value: string, part: number, column: number | null) => {
    steps.push({ name, value, part, from: at, to: at + part, column,
      error: column === null ? 0 : report.standardError(row, column) });
    at += part;
  };
  for (const c of shown) add(report.names[c], report.equals(row, c), parts[c], c);
  if (others.length > 0) {
    add(`${others.length} other features`, "", sum(others, c => parts[c]), null);
  }
  if (remainder !== 0 && Number.isFinite(remainder)) add(kUnexplained, "", remainder, null);
  return steps;
}

/** Where lines of the chart are drawn. */
interface Frame {
  left: number;
  height: number;
  x: Scale;
  amounts: Amounts;
}

/** The label of a line: left of the bars, or above them in a narrow chart. */
function label(text: string, i: number, { left, height }: Frame, kind = ""): SVGElement {
  const isAbove = left === 0;
  return s("text", { x: isAbove ? 0 : left - 8, y: i * height + (isAbove ? 13 : 16), class: kind,
    "text-anchor": isAbove ? "start" : "end" }, text);
}

/** The first or last line: a mark at a value. */
function mark(name: string, value: number, text: string, i: number, frame: Frame): SVGElement {
  const { x, height, left } = frame, top = (i + 1) * height - kBar, at = x(value);
  const shown = left === 0 ? name : fitted(name, left - 8);
  return s("g", {}, label(shown, i, frame, "strong"),
    s("line", { x1: at, x2: at, y1: top + 4, y2: top + kBar - 2, stroke: cssColor("--ink"),
      "stroke-width": 3 }), s("text", { x: at + 7, y: top + 17, class: "strong over" }, text));
}

/** One standard error to both sides of the end of a bar. */
export function whisker(to: number, error: number, middle: number, x: (value: number) => number):
  | SVGElement
  | null {
  if (!(error > 0)) return null;
  const low = x(to - error), high = x(to + error), cap = 4;
  return s("path", {
    d: `M${low} ${middle}H${high}M${low} ${middle - cap}v${2 * cap}M${high} ${middle - cap}v${
      2 * cap
    }`,
    class: "whisker",
    fill: "none",
    stroke: cssColor("--ink")
  });
}

function stepBar(step: Step, name: string, i: number, frame: Frame, onSelect: (c: number) => void) {
  const { x, height, amounts } = frame, { column, part, from, to } = step;
  const top = (i + 1) * height - kBar, end = Math.max(x(from), x(to), x(to + step.error));
  const error = step.error > 0 ? ` ± ${amounts.plain(step.error)}` : "";
  const act = column === null ? {} : { ...acting(() => onSelect(column), i === 1), class: "bar" };
  return s("g", act, s("title", {}, `${step.name}${step.value}: ${amounts.withUnit(part)}${error}`),
    s("rect", { x: 0, y: i * height, width: end, height, class: "hit" }), label(name, i, frame),
    bar(x(from), Math.abs(x(to) - x(from)) < 1 ? x(from) + 1 : x(to), top + 4, kBar - 8, {
      fill: step.name === kUnexplained ? cssColor("--soft") : sideColor(part)
    }), whisker(to, step.error, top + kBar / 2, x),
    s("text", { x: end + 5, y: top + 17, class: "small over" }, amounts.signed(part)));
}

export interface WaterfallProps {
  report: Report;
  row: number;
  width: number;
  onSelect: (column: number) => void;
}

export function waterfall({ report, row, width, onSelect }: WaterfallProps): SVGElement {
  const totals = report.totals(row), steps = stepsOf(report, row, totals);
  const amounts = report.rowAmounts(row), isNarrow = width < kNarrow;
  const left = isNarrow ? 0 : Math.min(300, width * 0.45), right = width - 64;
  const ends = [0, totals.base,
    ...steps.flatMap(({ from, to, error }) => [from, to - error, to + error])];
  const isZeroNear = !report.raw.isRegressor || report.raw.unit.kind !== "decision";
  const shown = isZeroNear ? ends : ends.slice(1);
  const x = scaleLinear([Math.min(...shown), Math.max(...shown)], [left + 2, right]).nice();
  const frame: Frame = { left, height: isNarrow ? kNarrowBar : kBar, x, amounts };
  const height = (steps.length + 2) * frame.height;
  const longest = Math.max(...steps.map(({ value }) => value.length), 0);
  const letters = lettersIn(isNarrow ? width - 8 : left - 8);
  const short = distinct(steps.map(({ name }) => name), letters - Math.min(longest, letters / 2));
  const names = steps.map(({ value }, i) => fitted(short[i] + value, isNarrow ? width : left - 8));
  const [positive, negative] = report.effects(row), base = baseWord(report);
  const total = (value: number) => report.totalText(row, value);
  return s("svg", { width, height: height + 44, role: "group",
    "aria-label": `${base} ${total(totals.base)}, result ${
      report.totalAmount(row, totals.output)
    }` }, isZeroNear ? zeroLine(x(0), 0, x(0), height) : null,
    mark(base, totals.base, total(totals.base), 0, frame),
    ...steps.map((step, i) => stepBar(step, names[i], i + 1, frame, onSelect)),
    mark(report.raw.unit.output, totals.output, total(totals.output), steps.length + 1, frame),
    bottomAxis(x, height + 2, right - left),
    sidesLabel({ negative, unit: report.unit, positive, y: height + 40, width }));
}
