// What if this row were different? Sliders, and the library computes anew in the page.
import { scaleLinear } from "d3-scale";
import { accountOf, formatNumber, formatSigned, isLarge } from "./data";
import { h, s, section } from "./dom";
import { Engine, type Explained } from "./engine";
import type { State } from "./state";
import { cssColour, sideColour } from "./theme";

const kMost = 40, kWidth = 150;

export function whatIfSection(state: State, code: string): HTMLElement {
  const { report } = state;
  if (code === "" || report.raw.model === null) {
    const why = report.raw.whyNoModel || "this bisector was built without WebAssembly";
    return section("what-if", "What if?", h("p", { class: "note" }, `Left out: ${why}.`));
  }
  const verdict = h("p", { "aria-live": "polite", id: "what-if-result" });
  const list = h("div", { class: "sliders" });
  const reset = h("button", { type: "button", click: () => start() }, "As it was");
  let values: Float64Array = new Float64Array(), row = -1, columns: number[] = [], engine: Engine | null = null;
  let bars: SVGElement[] = [];

  function predicted(now: Explained): string {
    return report.raw.isRegressor ? formatNumber(now.value) : report.raw.labels[now.prediction];
  }

  function compute(): void {
    if (!engine) return;
    const now = engine.explain(values);
    const { unit } = report.raw, account = accountOf(now.base, now.relevance, report.output(now.g, now.decision));
    const isOther = predicted(now) !== report.prediction(row);
    verdict.replaceChildren(h("b", {}, `Predicted ${predicted(now)}`),
      isOther ? h("span", { class: "warn" }, ` (was ${report.prediction(row)})`) : " (as before)",
      `, ${unit.output} ${formatSigned(account.output)} (was ${formatSigned(report.account(row).output)}): base ${formatSigned(account.base)}, relevance ${formatSigned(account.sum)}, remainder ${formatSigned(account.remainder)} (${unit.name}).`,
      now.isOutside ? h("span", { class: "warn" }, " Far from all data: this explanation says little.") : "",
      isLarge(account) ? h("span", { class: "warn" }, " The remainder is large.") : "");
    verdict.dataset.g = String(now.g);
    verdict.dataset.base = String(account.base);
    verdict.dataset.remainder = String(account.remainder);
    verdict.dataset.relevance = JSON.stringify(Array.from(now.relevance));
    const before = report.rowRelevance(row);
    const largest = columns.reduce((most, c) => Math.max(most, Math.abs(before[c]), Math.abs(now.relevance[c])), 0) || 1;
    const x = scaleLinear([-largest, largest], [2, kWidth - 2]);
    columns.forEach((column, i) => drawBar(bars[i], x, before[column], now.relevance[column]));
  }

  function drawBar(bar: SVGElement, x: (value: number) => number, before: number, now: number): void {
    bar.setAttribute("aria-label", `relevance ${report.amount(now)}, was ${formatSigned(before)}`);
    bar.replaceChildren(
      s("line", { x1: x(0), x2: x(0), y1: 0, y2: 20, class: "zero" }),
      s("rect", { x: Math.min(x(0), x(now)), y: 4, width: Math.abs(x(now) - x(0)), height: 12, fill: sideColour(now) }),
      s("line", { x1: x(before), x2: x(before), y1: 1, y2: 19, stroke: cssColour("--ink"), "stroke-width": 2 }));
  }

  function set(column: number, value: number): void {
    values[column] = value;
    requestAnimationFrame(compute);
  }

  function levelInput(column: number): HTMLElement {
    const { name, levels } = report.columns[column];
    const choice = h("select", { "aria-label": name, change: () => set(column, Number(choice.value)) });
    levels.forEach((level, i) => choice.append(h("option", { value: i, selected: i === values[column] }, level)));
    return choice;
  }

  function numberInput(column: number): HTMLElement {
    const { name, least, most } = report.columns[column];
    const low = Math.min(least, values[column]), high = Math.max(most, values[column]);
    const step = (high - low) / 200 || 0.01;
    const slider = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": name,
      input: () => { number.value = String(Number(Number(slider.value).toPrecision(6))); set(column, Number(slider.value)); },
      keydown: (event: KeyboardEvent) => {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
        if (way === undefined) return;
        event.preventDefault();
        slider.value = String(Number(slider.value) + way * step);
        slider.dispatchEvent(new Event("input"));
      } });
    const number = h("input", { type: "number", step: "any", "aria-label": `${name}, exactly`,
      input: () => {
        const value = Number(number.value);
        if (number.value === "" || !Number.isFinite(value) || Math.abs(value) > 1e100) return;
        slider.value = number.value;
        set(column, value);
      } });
    slider.value = number.value = String(values[column]);
    return h("span", { class: "inputs" }, slider, number);
  }

  /** Begins anew with the selected row. */
  function start(): void {
    row = state.row;
    values = report.rowValues(row);
    const relevance = report.rowRelevance(row);
    columns = Array.from(relevance.keys()).sort((a, b) => Math.abs(relevance[b]) - Math.abs(relevance[a])).slice(0, kMost);
    bars = columns.map(() => s("svg", { width: kWidth, height: 20, role: "img" }));
    list.replaceChildren(...columns.map((column, i) => h("div", { class: "slider" },
      h("span", { class: "name", title: report.columns[column].name }, report.columns[column].name),
      report.columns[column].levels.length > 0 ? levelInput(column) : numberInput(column), bars[i])));
    title.textContent = `Row ${report.numbers[row]}, changed`;
    compute();
  }

  const title = h("h3");
  Engine.start(code, report).then((started) => { engine = started; compute(); },
    (error: unknown) => { verdict.textContent = `This browser does not run the calculation: ${String(error)}`; });
  start();
  state.subscribe(() => { if (row !== state.row) start(); else compute(); });
  const left = report.columns.length > kMost ? ` The ${kMost} most relevant features are shown.` : "";
  return section("what-if", "What if?",
    h("p", { class: "note" }, `Move a feature and see the decision follow. The library itself computes here, in the page. A bar is the relevance now (${report.raw.unit.name}), the thin line what it was.${left}`),
    title, verdict, h("div", { class: "controls" }, reset), list);
}
