// What if this row were different? Sliders, and the library computes anew in the page.
import { scaleLinear } from "d3-scale";
import { accountOf, isLarge } from "./data";
import { h, picker, s, section } from "./dom";
import { Engine, type Explained } from "./engine";
import { nearestOpposite } from "./opposite";
import { list } from "./sentences";
import { SliderList } from "./sliders";
import type { State } from "./state";
import { cssColor, sideColor } from "./theme";

const kMost = 40, kWidth = 150;

export function whatIfSection(state: State, code: string): HTMLElement {
  const { report } = state, { unit, isRegressor, labels } = report.raw;
  if (code === "" || report.raw.model === null) {
    const why = report.raw.whyNoModel || "this bisector was built without WebAssembly";
    return section("what-if", "What if?", h("p", { class: "note" }, `Left out: ${why}.`));
  }
  const verdict = h("p", { "aria-live": "polite", id: "what-if-result" }), key = h("p", { class: "note", id: "what-if-key" }), steps = h("p", { "aria-live": "polite", id: "what-if-steps" });
  const title = h("h3");
  let row = -1, values: Float64Array = new Float64Array(), columns: number[] = [], engine: Engine | null = null, bars: SVGElement[] = [];
  const sliders = new SliderList(report, (column, value) => set(column, value));

  /** Bars and lines are all about the two classes that were asked about, whatever is predicted now. */
  const asked = (): [number, number] => (labels.length > 2 ? (state.asked ?? report.pair(row)) : [-1, -1]);
  /** The same row as it stands in the data, for the same question. */
  const asItWas = () => (state.asked && engine ? engine.explain(report.rowValues(row), asked()) : null);
  const predicted = (now: Explained) => (isRegressor ? report.targetText(now.value) : labels[now.prediction]);
  const isFlipped = (now: Explained) => (isRegressor ? Math.sign(now.decision) !== Math.sign(report.decision[row]) : now.prediction !== report.predicted(row));

  function compute(): void {
    asks.forEach((field, which) => { field.querySelector("select")!.value = String(asked()[which]); });
    if (!engine) return;
    const now = engine.explain(values, asked());
    const former = asItWas(), was = former ? accountOf(former.base, former.relevance, report.output(former.g, former.decision)) : report.account(row);
    const account = accountOf(now.base, now.relevance, report.output(now.g, now.decision));
    const [positive, negative] = state.asked ? state.asked.map((c) => labels[c]) : report.sides(row), isOther = isFlipped(now);
    verdict.replaceChildren(h("b", {}, `Predicted ${predicted(now)}`),
      predicted(now) !== report.prediction(row) ? h("span", { class: "warn" }, ` (was ${report.prediction(row)})`) : " (as before)",
      `, ${unit.output} ${report.signed(account.output)} (was ${report.signed(was.output)}): base ${report.signed(account.base)}, relevance ${report.signed(account.sum)}, remainder ${report.signed(account.remainder)} (${unit.name}).`,
      now.isOutside ? h("span", { class: "warn" }, " Far from all data: this explanation says little.") : "",
      isLarge(account) ? h("span", { class: "warn" }, " The remainder is large.") : "");
    key.replaceChildren("Bars: ", h("span", { class: "key for" }, `for ${positive}`), " and ", h("span", { class: "key against" }, `for ${negative}`),
      `, now; the black line is what it was.${isOther && !isRegressor ? ` The prediction has changed, but all bars and lines still ask the same: ${positive} or ${negative}?` : ""}`);
    Object.assign(verdict.dataset, { g: String(now.g), base: String(account.base), remainder: String(account.remainder), relevance: JSON.stringify(Array.from(now.relevance)) });
    const before = former?.relevance ?? report.rowRelevance(row);
    const largest = columns.reduce((most, c) => Math.max(most, Math.abs(before[c]), Math.abs(now.relevance[c])), 0) || 1;
    const x = scaleLinear([-largest, largest], [2, kWidth - 2]);
    columns.forEach((column, i) => drawBar(bars[i], x, before[column], now.relevance[column]));
  }

  function drawBar(bar: SVGElement, x: (value: number) => number, before: number, now: number): void {
    bar.setAttribute("aria-label", `relevance ${report.amount(now)}, was ${report.signed(before)}`);
    bar.replaceChildren(
      s("line", { x1: x(0), x2: x(0), y1: 0, y2: 20, class: "zero" }),
      s("rect", { x: Math.min(x(0), x(now)), y: 4, width: Math.abs(x(now) - x(0)), height: 12, fill: sideColor(now) }),
      s("line", { x1: x(before), x2: x(before), y1: 1, y2: 19, stroke: cssColor("--ink"), "stroke-width": 2 }));
  }

  function set(column: number, value: number): void {
    values[column] = value;
    if (value === report.value(row, column)) state.changes.delete(column);
    else state.changes.set(column, value);
    state.changed();
  }

  /** The change to the other row's value that moves the decision most; null where none is left. */
  function bestStep(other: number): { column: number; now: Explained } | null {
    let best: { column: number; now: Explained } | null = null;
    const way = Math.sign(report.decision[row]) || 1;
    for (const column of columns) {
      const theirs = report.value(other, column);
      if (values[column] === theirs) continue;
      const before = values[column];
      values[column] = theirs;
      const now = engine!.explain(values, asked());
      values[column] = before;
      if (!best || way * now.decision < way * best.now.decision) best = { column, now };
    }
    return best;
  }

  function walk(most: number): void {
    const other = nearestOpposite(report, row), taken: number[] = [];
    if (!engine || other === null) return;
    state.asked = null; // the way to a flip is about the row's own two classes
    let now = engine.explain(values, asked());
    while (taken.length < most && !isFlipped(now)) {
      const step = bestStep(other);
      if (!step) break;
      set(step.column, report.value(other, step.column));
      taken.push(step.column);
      now = step.now;
    }
    sliders.fill(values);
    const changed = [...state.changes.keys()].map((c) => `${report.names[c]} ${report.shown(c, report.value(row, c))} → ${report.shown(c, values[c])}`);
    steps.textContent = changed.length === 0 ? "" : `Towards row ${report.numbers[other]} (${report.prediction(other)}), ${changed.length === 1 ? "1 feature" : `${changed.length} features`} changed: ${list(changed)}. ${isFlipped(now) ? `The decision has flipped to ${predicted(now)}.` : "The decision has not flipped yet."}`;
  }

  /** Another question about the row: this class rather than that one. */
  function ask(which: 0 | 1, choice: number): void {
    const pair: [number, number] = [...asked()];
    if (pair[1 - which] === choice) pair.reverse();
    else pair[which] = choice;
    const own = report.pair(row);
    state.asked = pair[0] === own[0] && pair[1] === own[1] ? null : pair;
    state.changed();
  }
  const asks = isRegressor || labels.length < 3 ? [] : ([0, 1] as const).map((which) => picker(which === 0 ? "Why" : "rather than", labels, 0, (choice) => ask(which, choice)));

  /** Begins anew with the selected row and what is changed of it. */
  function start(): void {
    row = state.row;
    values = report.rowValues(row);
    for (const [column, value] of state.changes) values[column] = value;
    const order = report.strongest(row);
    columns = [...new Set([...order.slice(0, kMost), ...state.changes.keys()])];
    bars = columns.map(() => s("svg", { width: kWidth, height: 20, role: "img" }));
    sliders.show(columns, values, bars);
    title.textContent = `${report.rowName(row)}, changed`;
    steps.textContent = "";
    const other = nearestOpposite(report, row);
    for (const button of [one, flip]) button.disabled = other === null;
    one.textContent = other === null ? "One step" : `One step towards row ${report.numbers[other]}`;
    compute();
  }

  const reset = h("button", { type: "button", id: "what-if-reset", click: () => { state.changes.clear(); start(); state.changed(); } }, "As it was");
  const one = h("button", { type: "button", id: "what-if-step", click: () => walk(1) });
  const flip = h("button", { type: "button", id: "what-if-flip", click: () => walk(kMost) }, "Until the decision flips");
  Engine.start(code, report).then((started) => { engine = started; compute(); },
    (error: unknown) => { verdict.textContent = `This browser does not run the calculation: ${String(error)}`; });
  start();
  let known = JSON.stringify([...state.changes]);
  state.subscribe(() => {
    const now = JSON.stringify([...state.changes]), isForeign = now !== known && [...state.changes].some(([column, value]) => values[column] !== value);
    known = now;
    if (row !== state.row || isForeign) start();
    else compute();
  });
  const left = report.columns.length > kMost ? ` The ${kMost} most relevant features are shown.` : "";
  return section("what-if", "What if?",
    h("p", { class: "note" }, `Move a feature and see the decision follow, in ${unit.name}. The library itself computes here, in the page.${left} The two buttons take over values of the nearest row that is decided otherwise, one feature at a time, always the one that moves the decision most.`),
    title, asks.length === 0 ? null : h("div", { class: "controls", id: "what-if-classes", role: "group", "aria-label": "The question" }, ...asks),
    verdict, key, h("div", { class: "controls" }, reset, one, flip), steps, sliders.element);
}
