// What if this row were different? The library computes the answer in the page.
import { scaleLinear } from "d3-scale";
import { bar, zeroLine } from "./axis";
import { approachingValues, copiedValues, kMostChanged, kSteps, type Question, rowsAlong,
  smallestChange } from "./change_search";
import { button, controls, field, h, note, picker, replace, s, section } from "./dom";
import { canUnpack, Engine, type Explained, type FlipAnswer } from "./engine";
import { whole } from "./numbers";
import { nearestOpposite } from "./opposite";
import { type Slider, sliderOf } from "./sliders";
import type { State } from "./state";
import { cssColor, sideColor } from "./theme";
import { whisker } from "./waterfall";
import { flipGoal, flipWords, legendWords, stepWords, verdict } from "./whatif_words";

const kFew = 8, kMost = 40, kBarWidth = 150, kBarHeight = 20;

function whyNot({ report }: State, code: string): string {
  if (report.raw.model === null) {
    return report.raw.whyNoModel.replaceAll(/\d+/g, digits => whole(Number(digits)));
  }
  if (code === "") return "this bisector was built without WebAssembly";
  return canUnpack() ? "" : "this browser is too old to run the calculation";
}

/** The panel of one page. It is restarted for every row. */
class WhatIf {
  readonly verdict = h("p", { "aria-live": "polite", id: "what-if-result" });
  readonly keys = h("p", { class: "note", id: "what-if-key" });
  readonly steps = h("p", { "aria-live": "polite", id: "what-if-steps" });
  readonly title = h("h3");
  readonly lines = h("div", { class: "sliders" });
  readonly one = button("Copy one value", () => this.copy(1), { id: "what-if-step" });
  readonly flip = button("", () => this.flipDecision(), { id: "what-if-flip" });
  readonly more = button("", () => {
    this.isAll = !this.isAll;
    this.start();
  }, { id: "what-if-more" });
  /** Many classes: which two of them are compared. */
  readonly asks: ReturnType<typeof picker>[];
  private engine: Engine | null = null;
  private row = -1;
  private values: Float64Array = new Float64Array();
  private sliders: Slider[] = [];
  /** The bars of columns and groups. */
  private bars = new Map<number, SVGElement>();
  private isAll = false;
  /** Features that cannot change: the buttons leave them as they are. */
  private readonly locked = new Set<number>();
  /** False after the library could not search this model. */
  private canFlip = true;

  constructor(private readonly state: State, code: string) {
    const { isRegressor, labels } = state.report.raw;
    this.asks = isRegressor || labels.length < 3 ? []
      : ([0, 1] as const).map(which =>
        picker(which === 0 ? "Why" : "rather than", labels, choice => this.ask(which, choice))
      );
    Engine.start(code, state.report).then(started => {
      this.engine = started;
      this.compute();
    }, (error: unknown) => {
      this.verdict.textContent = `This browser cannot run the calculation: ${String(error)}`;
    });
    this.start();
    let known = JSON.stringify([...state.changes]);
    state.subscribe(() => {
      const now = JSON.stringify([...state.changes]), isNew = now !== known;
      known = now;
      const isForeign = [...state.changes].some(([column, value]) => this.values[column] !== value);
      if (this.row !== state.row || (isNew && isForeign)) this.start();
      else this.compute();
    });
  }

  /** The compared classes stay the same, even if the prediction changes. */
  private asked(): [number, number] {
    const { report, asked } = this.state;
    return this.asks.length > 0 ? asked ?? report.pair(this.row) : [-1, -1];
  }

  private compute(): void {
    const { state, engine, row } = this, { report } = state, asked = this.asked();
    this.asks.forEach((choice, which) => choice.show(asked[which]));
    if (!engine) return;
    const now = engine.explain(this.values, asked);
    const former = state.asked ? engine.explain(report.rowValues(row), asked) : null;
    const effects = state.asked ? report.effectsOf(...state.asked) : report.effects(row);
    replace(this.verdict, verdict(report, row, now, former?.totals ?? report.totals(row)));
    replace(this.keys, legendWords(report, row, now, effects));
    const { base, remainder, output } = now.totals;
    Object.assign(this.verdict.dataset, { base, remainder, output,
      contributions: JSON.stringify(Array.from(now.contributions)) });
    this.drawBars(former?.contributions ?? report.rowContributions(row), now);
    this.drawCurves(engine);
  }

  private drawBars(before: Float64Array, { contributions, errors }: Explained): void {
    const amounts = this.state.report.rowAmounts(this.row), middle = kBarHeight / 2;
    const ends = [...this.bars.keys()].flatMap(
      c => [Math.abs(before[c]), Math.abs(contributions[c]) + errors[c]]
    );
    const largest = Math.max(...ends) || 1;
    const x = scaleLinear([-largest, largest], [2, kBarWidth - 2]);
    for (const [c, svg] of this.bars) {
      const now = contributions[c], was = before[c], error = errors[c];
      svg.setAttribute("aria-label",
        `${amounts.withUnit(now)}${error > 0 ? ` ± ${amounts.plain(error)}` : ""}, was ${
          amounts.signed(was)
        }`);
      replace(svg, [zeroLine(x(0), 0, x(0), kBarHeight),
        bar(x(0), x(now), 4, kBarHeight - 8, { fill: sideColor(now) }),
        s("line", { x1: x(was), x2: x(was), y1: 1, y2: kBarHeight - 1, "stroke-width": 2,
          stroke: cssColor("--ink") }), whisker(now, error, middle, x)]);
    }
  }

  /** Curves rise in the direction of positive contributions, as the bars do. */
  private drawCurves(engine: Engine): void {
    const { state: { report }, row, values } = this, { isRegressor } = report.raw;
    const sliders = this.sliders.filter(({ low, high }) => high > low);
    const [own, ...along] = engine.predict([report.rowValues(row), ...rowsAlong(values, sliders)],
      this.asked());
    const isTurned = !isRegressor && this.asks.length === 0 && own * report.totals(row).output < 0;
    const curve = isTurned ? along.map(value => -value) : along;
    const range: [number, number] = [Math.min(...curve), Math.max(...curve)];
    sliders.forEach((slider, i) =>
      slider.drawCurve({ predictions: curve.slice(i * kSteps, (i + 1) * kSteps), range,
        boundary: isRegressor ? null : 0, value: values[slider.column] })
    );
  }

  private question(engine: Engine): Question {
    const { state: { report }, row, values, locked } = this;
    return { engine, report, row, values, fixed: locked, asked: this.asked() };
  }

  private search(engine: Engine, reach: number): FlipAnswer | null {
    if (!this.canFlip) return null;
    try {
      return smallestChange(this.question(engine), reach);
    } catch {
      this.canFlip = false; // such as a row without any neighbor in reach
      return null;
    }
  }

  /** Shows changed values; without `isAdded`, instead of earlier changes. */
  private take(changes: Map<number, number>, isAdded: boolean): void {
    const { state, row } = this;
    state.asked = null; // the answer is about the row's own two classes
    if (!isAdded) state.changes.clear();
    for (const [column, value] of changes) {
      if (value === state.report.value(row, column)) state.changes.delete(column);
      else state.changes.set(column, value);
    }
    this.start();
    state.changed();
  }

  private takeFlip(engine: Engine, answer: FlipAnswer, goal: string): void {
    const { report } = this.state, { flip, radius } = answer;
    if (flip) this.take(new Map(report.dataColumns.map(c => [c, flip.values[c]])), false);
    this.steps.textContent = flipWords(this.question(engine), answer, goal);
    Object.assign(this.steps.dataset, { radius, distance: flip?.distance,
      values: JSON.stringify(Array.from(flip?.values ?? [])) });
  }

  /** Finds the smallest change that leads to another class, or to the other side of the level. */
  private flipDecision(): void {
    const { engine, state: { report } } = this, { isRegressor, settings: { level } } = report.raw;
    if (!engine) return;
    const answer = isRegressor && level === null ? null : this.search(engine, level ?? 0);
    if (answer) this.takeFlip(engine, answer, flipGoal(report));
    else this.copy(kMostChanged);
  }

  /** Regressors: the smallest change that reaches the goal, else the values that come closest. */
  private reach(goal: number): void {
    const { engine, state: { report } } = this;
    if (!engine || !Number.isFinite(goal)) return;
    const answer = this.search(engine, goal);
    if (answer?.flip) {
      return this.takeFlip(engine, answer, `reaches ${report.targetAmount(goal)}`);
    }
    this.take(approachingValues(this.question(engine), this.sliders, goal), true);
    this.describeSteps(engine, "changed");
  }

  /** Copies values from the most similar row with another outcome. */
  private copy(most: number): void {
    const { state, row, engine } = this, { report } = state, other = nearestOpposite(report, row);
    if (!engine || other === null) return;
    state.asked = null; // the steps are about the row's own two classes
    this.take(copiedValues(this.question(engine), most), true);
    this.describeSteps(engine,
      `copied from row ${report.numbers[other]} (predicted ${report.prediction(other)})`);
  }

  private describeSteps(engine: Engine, how: string): void {
    const columns = [...this.state.changes.keys()];
    this.steps.textContent = stepWords(this.question(engine), columns, how);
  }

  private set(column: number, value: number): void {
    const { changes, report } = this.state;
    this.values[column] = value;
    if (value === report.value(this.row, column)) changes.delete(column);
    else changes.set(column, value);
    this.state.changed();
  }

  /** Compares other classes: this one rather than that one. */
  private ask(which: 0 | 1, choice: number): void {
    const pair: [number, number] = [...this.asked()], own = this.state.report.pair(this.row);
    if (pair[1 - which] === choice) pair.reverse();
    else pair[which] = choice;
    this.state.asked = pair[0] === own[0] && pair[1] === own[1] ? null : pair;
    this.state.changed();
  }

  /** Begins with the current row and its changes. */
  private start(): void {
    const { state, canFlip } = this, { report, row, changes } = state;
    this.row = row;
    this.values = report.rowValues(row);
    for (const [column, value] of changes) this.values[column] = value;
    const shown = report.strongest(row).slice(0, this.isAll ? kMost : kFew);
    const changed = [...changes.keys()].map(report.explained);
    this.bars.clear();
    this.sliders = [];
    this.lines.replaceChildren(
      ...[...new Set([...shown, ...changed])].flatMap(c => this.linesOf(c))
    );
    this.title.textContent = `${report.rowName(row)}, changed`;
    this.steps.textContent = "";
    const isAlone = nearestOpposite(report, row) === null;
    const most = Math.min(kMost, report.order.length);
    this.one.disabled = isAlone;
    this.flip.disabled = isAlone && !canFlip;
    this.flip.textContent = canFlip ? `Find the smallest change that ${flipGoal(report)}`
      : report.raw.isRegressor ? `Copy values until it ${flipGoal(report)}`
      : "Copy values until the prediction changes";
    this.more.textContent = `Show ${this.isAll ? kFew : most} features`;
    this.more.hidden = most <= kFew;
    this.compute();
  }

  /** The line of a feature; a group has a line of its own above its columns. */
  private linesOf(column: number): HTMLElement[] {
    const { name, members } = this.state.report.columns[column];
    const drawn = s("svg", { width: kBarWidth, height: kBarHeight, role: "img" });
    this.bars.set(column, drawn);
    if (!members) return [this.sliderLine(column, drawn)];
    return [h("div", { class: "slider" }, h("b", { class: "name" }, name), h("span"), drawn),
      ...members.map(member => this.sliderLine(member, null))];
  }

  private sliderLine(column: number, drawn: Element | null): HTMLElement {
    const { state: { report }, row } = this, mark = h("span", { class: "filled" }, " (filled in)");
    const draw = (value: number) => {
      mark.hidden = !report.isFilled(row, column) || value !== report.value(row, column);
    };
    draw(this.values[column]);
    const slider = sliderOf({ report, column, mark, end: [drawn, this.lock(column)],
      value: this.values[column], onChange: value => {
        draw(value);
        this.set(column, value);
      } });
    this.sliders.push(slider);
    return slider.element;
  }

  private lock(column: number): HTMLElement {
    const input: HTMLInputElement = h("input", { type: "checkbox", checked: this.locked.has(column),
      "aria-label": `${this.state.report.names[column]} cannot change`,
      change: () => this.locked[input.checked ? "add" : "delete"](column) });
    return h("label", { class: "lock" }, input, "fixed");
  }

  /** The goal of a regressor. */
  goal(): HTMLElement {
    const input: HTMLInputElement = h("input", { type: "number", step: "any", id: "goal" });
    return controls({}, field(`Goal for ${this.state.report.target}`, input),
      button("Find values", () => this.reach(input.valueAsNumber), { id: "what-if-reach" }));
  }

  reset(): void {
    this.state.changes.clear();
    this.start();
    this.state.changed();
  }
}

export function whatIfSection(state: State, code: string): HTMLElement {
  const why = whyNot(state, code), title = "What if?";
  if (why !== "") return section("what-if", title, note(`Not available: ${why}.`));
  const panel = new WhatIf(state, code);
  const reset = button("Undo the changes", () => panel.reset(), { id: "what-if-reset" });
  return section("what-if", title,
    note(
      "Change a value and see the prediction follow. The curve above a slider is the prediction "
        + "over the range of the feature, and the gray bars are the histogram of the rows. Copied "
        + "values come from the most similar row with another outcome, the most effective first. "
        + "The search for the smallest change starts from the original row. Fixed features keep "
        + "their current value."
    ), panel.title,
    panel.asks.length === 0 ? null
      : controls({ id: "what-if-classes", role: "group", "aria-label": "Compared classes" },
        ...panel.asks.map(({ element }) => element)), panel.verdict, panel.keys,
    controls({}, reset, panel.one, panel.flip), state.report.raw.isRegressor ? panel.goal() : null,
    panel.steps, panel.lines, controls({}, panel.more));
}
