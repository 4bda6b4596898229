// The inputs of the what-if panel: a slider and a number, or a choice of categories.
import { line } from "d3-shape";
import { zeroLine } from "./axis";
import type { Report } from "./data";
import { histogramOf } from "./dependence";
import { type Child, h, replace, s } from "./dom";
import { cssColor } from "./theme";

const kWidth = 200, kHeight = 34, kBins = 25;

export interface Slider {
  column: number;
  /** The range of a number. */
  low: number;
  high: number;
  element: HTMLElement;
  /** Moves the inputs without an event. */
  show(value: number): void;
  drawCurve(curve: Curve): void;
}

/** Predictions at equal steps over the range of a slider. */
export interface Curve {
  predictions: number[];
  /** The smallest and the largest prediction of all sliders. */
  range: [number, number];
  /** Where the decision changes; null: nowhere. */
  boundary: number | null;
  /** The current value of the slider, which is marked. */
  value: number;
}

export interface SliderProps {
  report: Report;
  column: number;
  value: number;
  /** Behind the name. */
  mark: HTMLElement;
  /** Shown at the end of the line. */
  end: Child[];
  onChange: (value: number) => void;
}

function lineOf({ report, column, mark, end }: SliderProps, input: HTMLElement): HTMLElement {
  const name = report.names[column];
  return h("div", { class: "slider" }, h("span", { class: "name", title: name }, name, mark), input,
    h("span", { class: "inputs" }, ...end));
}

function categorySlider(props: SliderProps): Slider {
  const { report, column, value, onChange } = props, { name, levels } = report.columns[column];
  const choice: HTMLSelectElement = h("select", { "aria-label": name,
    change: () => onChange(Number(choice.value)) });
  levels.forEach((level, i) => choice.append(h("option", { value: i }, level)));
  const show = (now: number) => {
    choice.value = String(Math.round(now));
  };
  show(value);
  return { column, low: 0, high: 0, element: lineOf(props, choice), show, drawCurve: () => {} };
}

/** The histogram of a column behind the curve of the predictions. */
function curveOf({ report, column }: SliderProps, low: number, high: number) {
  const svg = s("svg", { viewBox: `0 0 ${kWidth} ${kHeight}`, preserveAspectRatio: "none",
    class: "ice", role: "img", "aria-label": `Predictions over ${report.names[column]}` });
  const counts = histogramOf(report.columnValues(column), low, high, kBins);
  const most = Math.max(...counts, 1), wide = kWidth / kBins;
  const bars = () =>
    counts.map((count, i) =>
      s("rect", { x: i * wide, width: wide - 1, y: kHeight - (10 * count) / most,
        height: (10 * count) / most, fill: cssColor("--line") })
    );
  return { svg, draw: ({ predictions, range: [least, largest], boundary, value }: Curve) => {
    const y = (own: number) =>
      largest > least ? 2 + ((kHeight - 14) * (largest - own)) / (largest - least) : kHeight / 2;
    const step = kWidth / (predictions.length - 1),
      at = (kWidth * (value - low)) / (high - low || 1);
    const path = line<number>().x((_, i) => i * step).y(own => y(own))(predictions);
    const isCrossed = boundary !== null && least < boundary && boundary < largest;
    replace(svg, [...bars(), isCrossed ? zeroLine(0, y(boundary), kWidth, y(boundary)) : null,
      s("path", { d: path ?? "", fill: "none", stroke: cssColor("--accent"), "stroke-width": 2,
        "vector-effect": "non-scaling-stroke" }),
      s("line", { x1: at, x2: at, y1: 0, y2: kHeight, stroke: cssColor("--ink"),
        "vector-effect": "non-scaling-stroke" })]);
  } };
}

function numberSlider(props: SliderProps): Slider {
  const { report, column, value, onChange } = props, { name, least, most } = report.columns[column];
  const low = Math.min(least, value), high = Math.max(most, value);
  const decimals = report.decimalsOf(column), curve = curveOf(props, low, high);
  const step = Math.max((high - low) / 200, 10 ** -decimals) || 0.01;
  const show = (now: number) => {
    slider.value = number.value = String(now);
  };
  const slider: HTMLInputElement = h("input", { type: "range", min: low, max: high, step: "any",
    "aria-label": name, input: () => {
      // One digit more than the data have.
      show(Number(Number(slider.value).toFixed(Math.min(decimals + 1, 12))));
      onChange(Number(number.value));
    }, keydown: (event: KeyboardEvent) => {
      const by =
        { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10,
          PageDown: -10 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      slider.value = String(Number(slider.value) + by * step);
      slider.dispatchEvent(new Event("input"));
    } });
  const number: HTMLInputElement = h("input", { type: "number", step: "any",
    "aria-label": `${name}, exactly`, input: () => {
      const typed = Number(number.value);
      if (number.value === "" || !Number.isFinite(typed) || Math.abs(typed) > 1e100) return;
      slider.value = number.value;
      onChange(typed);
    } });
  show(value);
  const inputs = h("span", { class: "inputs" }, h("span", { class: "track" }, curve.svg, slider),
    number);
  return { column, low, high, element: lineOf(props, inputs), show, drawCurve: curve.draw };
}

export const sliderOf = (props: SliderProps): Slider =>
  props.report.isCategory(props.column) ? categorySlider(props) : numberSlider(props);
