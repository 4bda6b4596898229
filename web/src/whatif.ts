// What if this row were different? The library computes the answer in the page.
import { scaleLinear } from "d3-scale";
import { bar, zeroLine } from "./axis";
import { isLarge } from "./data";
import { button, controls, field, h, key, note, picker, s, section } from "./dom";
import { canUnpack, Engine, type Explained, type FlipAnswer } from "./engine";
import { counted, formatNumber, list } from "./numbers";
import { nearestOpposite } from "./opposite";
import { baseWord } from "./sentences";
import { type Slider, sliderOf } from "./sliders";
import type { State } from "./state";
import { cssColor, sideColor } from "./theme";

const kFew = 8, kMost = 40, kBarWidth = 150, kBarHeight = 20, kSteps = 21;

function whyNot({ report }: State, code: string): string {
  if (report.raw.model === null) return report.raw.whyNoModel;
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
  readonly one = button("", () => this.walk(1), { id: "what-if-step" });
  readonly flip = button("", () => this.flipDecision(), { id: "what-if-flip" });
  readonly more = button("", () => {
    this.isAll = !this.isAll;
    this.start();
  }, { id: "what-if-more" });
  readonly asks: ReturnType<typeof picker>[];
  private engine: Engine | null = null;
  private row = -1;
  private values: Float64Array = new Float64Array();
  private sliders: Slider[] = [];
  private bars: SVGElement[] = [];
  private isAll = false;
  /** Features that cannot change: the buttons leave them as they are. */
  private readonly locked = new Set<number>();
  /** False after the library could not search this model. */
  private canFlip = true;

  constructor(private readonly state: State, code: string) {
    const { isRegressor, labels } = state.report.raw;
    this.asks = isRegressor || labels.length < 3 ? []
      : ([0, 1] as const).map((which) =>
        picker(which === 0 ? "Why" : "rather than", labels, (choice) => this.ask(which, choice))
      );
    Engine.start(code, state.report).then((started) => {
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
    return report.raw.labels.length > 2 ? asked ?? report.pair(this.row) : [-1, -1];
  }

  private predicted(now: Explained): string {
    const { report } = this.state, { isRegressor, labels } = report.raw;
    return isRegressor ? report.targetAmount(now.value) : labels[now.prediction];
  }

  /** The outcome is another one: another class, or the other side of the level. */
  private isFlipped(now: Explained): boolean {
    const { report } = this.state;
    return report.raw.isRegressor ? Math.sign(now.decision) !== Math.sign(report.decision[this.row])
      : now.prediction !== report.predicted(this.row);
  }

  private compute(): void {
    const { state, engine, row } = this, { report } = state;
    this.asks.forEach((field, which) => field.show(this.asked()[which]));
    if (!engine) return;
    const now = engine.explain(this.values, this.asked());
    const former = state.asked ? engine.explain(report.rowValues(row), this.asked()) : null;
    this.describe(now, former);
    const before = former?.contributions ?? report.rowContributions(row);
    const columns = this.sliders.map(({ column }) => column);
    const largest =
      columns.reduce(
        (most, c) => Math.max(most, Math.abs(before[c]), Math.abs(now.contributions[c])),
        0
      ) || 1;
    const x = scaleLinear([-largest, largest], [2, kBarWidth - 2]);
    columns.forEach((column, i) =>
      this.drawBar(this.bars[i], x, before[column], now.contributions[column])
    );
    if (report.raw.isRegressor || report.raw.labels.length < 3) this.drawCurves(engine);
  }

  private describe(now: Explained, former: Explained | null): void {
    const { state, row } = this, { report } = state, { labels, isRegressor } = report.raw;
    const { base, sum, remainder, output } = now.totals, amounts = report.rowAmounts(row);
    const was = former?.totals ?? report.totals(row);
    const effects = state.asked ? state.asked.map((c) => `pushes toward ${labels[c]}`)
      : report.effects(row);
    const isOther = this.predicted(now) !== report.targetAmount(report.predicted(row));
    this.verdict.replaceChildren(h("b", {}, `Predicted ${this.predicted(now)}`),
      isOther ? h("span", { class: "warn" }, ` (was ${report.prediction(row)})`) : " (as before)",
      `. ${baseWord(report)} ${amounts.signed(base)}, features ${amounts.signed(sum)}`
        + `${remainder === 0 ? "" : `, unexplained ${amounts.signed(remainder)}`}, result `
        + `${amounts.withUnit(output)} (was ${amounts.signed(was.output)}).`,
      now.isFar
        ? h("span", { class: "warn" },
          " Far from the training data: this explanation is unreliable.") : "",
      isLarge(now.totals)
        ? h("span", { class: "warn" }, " It misses more than a fifth of the result.") : "");
    this.keys.replaceChildren("Bars: ", key("for", effects[0]), ", ", key("against", effects[1]),
      `; black line: before the changes.${
        this.isFlipped(now) && !isRegressor
          ? " The prediction has changed, but the bars still compare the same two classes." : ""
      }`);
    Object.assign(this.verdict.dataset, { base: String(base), remainder: String(remainder),
      output: String(output), contributions: JSON.stringify(Array.from(now.contributions)) });
  }

  private drawBar(svg: SVGElement, x: (value: number) => number, before: number,
    now: number): void {
    const amounts = this.state.report.rowAmounts(this.row);
    svg.setAttribute("aria-label", `${amounts.withUnit(now)}, was ${amounts.signed(before)}`);
    svg.replaceChildren(zeroLine(x(0), 0, x(0), kBarHeight),
      bar(x(0), x(now), 4, kBarHeight - 8, { fill: sideColor(now) }),
      s("line", { x1: x(before), x2: x(before), y1: 1, y2: kBarHeight - 1, "stroke-width": 2,
        stroke: cssColor("--ink") }));
  }

  /** Rows with equal steps along each slider of a number, all other values as they are. */
  private rowsAlong(sliders: Slider[]): Float64Array[] {
    return sliders.flatMap(({ column, low, high }) =>
      Array.from({ length: kSteps }, (_, i) => {
        const values = this.values.slice();
        values[column] = low + ((high - low) * i) / (kSteps - 1);
        return values;
      })
    );
  }

  private drawCurves(engine: Engine): void {
    const sliders = this.sliders.filter(({ low, high }) => high > low);
    if (sliders.length === 0) return;
    const predictions = engine.predict(this.rowsAlong(sliders));
    const range: [number, number] = [Math.min(...predictions), Math.max(...predictions)];
    sliders.forEach((slider, i) =>
      slider.drawCurve(predictions.subarray(i * kSteps, (i + 1) * kSteps), range,
        this.values[slider.column])
    );
  }

  /** The row with the current values of the fixed features. */
  private origin(): Float64Array {
    const values = this.state.report.rowValues(this.row);
    for (const column of this.locked) values[column] = this.values[column];
    return values;
  }

  /** The library finds the smallest change. Long lists of changes are of no use to a reader. */
  get hasFlips(): boolean {
    return this.canFlip && this.state.report.columns.length <= kMost;
  }

  private search(engine: Engine, reach: number): FlipAnswer | null {
    if (!this.hasFlips) return null;
    try {
      return engine.flip(this.origin(), this.locked, reach);
    } catch {
      this.canFlip = false; // such as a row without any neighbor in reach
      return null;
    }
  }

  /** Shows the values of an answer. */
  private take(values: Float64Array): void {
    const { state, row } = this;
    state.asked = null; // the answer is about the row's own two classes
    state.changes.clear();
    values.forEach((value, column) => {
      if (value !== state.report.value(row, column)) state.changes.set(column, value);
    });
    this.start();
    state.changed();
  }

  /** What was found, in words; `goal` completes "no shorter change …". */
  private describeFlip(engine: Engine, { flip, radius }: FlipAnswer, goal: string): void {
    const { report } = this.state, own = this.origin();
    const isRadius = radius > 0 && Number.isFinite(radius);
    const sure = `no change shorter than ${formatNumber(radius)} ${goal}`;
    Object.assign(this.steps.dataset, { radius: String(radius), distance: String(flip?.distance),
      values: JSON.stringify(Array.from(flip?.values ?? [])) });
    if (!flip) {
      this.steps.textContent = "No change of the features that are not fixed was found that "
        + `${goal}.${isRadius ? ` For certain, ${sure}.` : ""}`;
      return;
    }
    const changed = report.columns.flatMap((_, c) =>
      own[c] === flip.values[c] ? []
        : [`${report.names[c]} ${report.shown(c, own[c])} → ${report.shown(c, flip.values[c])}`]
    );
    const scaled = report.raw.words.preprocessing === "none" ? ""
      : ", measured after the model's scaling";
    this.steps.textContent = `Smallest change found: ${list(changed)}. The prediction is now ${
      this.predicted(engine.explain(flip.values, this.asked()))
    }. The distance is ${formatNumber(flip.distance)}${scaled}${isRadius ? `; ${sure}` : ""}.`;
  }

  /** Finds the smallest change that leads to another class, or to the other side of the level. */
  private flipDecision(): void {
    const { engine, state: { report: { raw } } } = this, { level } = raw.settings;
    if (!engine) return;
    const answer = raw.isRegressor && level === null ? null : this.search(engine, level ?? 0);
    if (!answer) return this.walk(kMost);
    if (answer.flip) this.take(answer.flip.values);
    this.describeFlip(engine, answer,
      raw.isRegressor ? "crosses the level" : "changes the prediction");
  }

  /** Regressors: the smallest change that reaches the goal, else the values that come closest. */
  private reach(goal: number): void {
    const { engine, state: { report } } = this;
    if (!engine || !Number.isFinite(goal)) return;
    const answer = this.search(engine, goal);
    if (!answer?.flip) return this.approach(goal);
    this.take(answer.flip.values);
    this.describeFlip(engine, answer, `reaches ${report.targetAmount(goal)}`);
  }

  /** Changes up to five values, each the one that leads closest to the goal. */
  private approach(goal: number): void {
    const { engine, state: { report } } = this;
    const sliders = this.sliders.filter(({ column, low, high }) =>
      high > low && !this.locked.has(column)
    );
    if (!engine || sliders.length === 0) return;
    for (let taken = 0; taken < 5; ++taken) {
      const rows = this.rowsAlong(sliders), predictions = engine.predict([this.values, ...rows]);
      const far = predictions.map((prediction) => Math.abs(prediction - goal));
      const best = far.reduce((least, own, i) => own < far[least] ? i : least, 0);
      if (best === 0 || far[best] > 0.95 * far[0]) break;
      const { column } = sliders[Math.floor((best - 1) / kSteps)];
      this.set(column, Number(rows[best - 1][column].toFixed(report.decimalsOf(column))));
    }
    for (const slider of this.sliders) slider.show(this.values[slider.column]);
    this.describeSteps("changed", engine.explain(this.values, this.asked()));
  }

  private set(column: number, value: number): void {
    this.values[column] = value;
    if (value === this.state.report.value(this.row, column)) this.state.changes.delete(column);
    else this.state.changes.set(column, value);
    this.state.changed();
  }

  /** The single change to the other row's value that moves the decision most. */
  private bestStep(engine: Engine, other: number): { column: number; now: Explained } | null {
    const { report } = this.state, direction = Math.sign(report.decision[this.row]) || 1;
    let best: { column: number; now: Explained } | null = null;
    for (const column of report.strongest(this.row).slice(0, kMost)) {
      const before = this.values[column], theirs = report.value(other, column);
      if (before === theirs || this.locked.has(column)) continue;
      this.values[column] = theirs;
      const now = engine.explain(this.values, this.asked());
      this.values[column] = before;
      if (!best || direction * now.decision < direction * best.now.decision) best = { column, now };
    }
    return best;
  }

  /** Copies values from the most similar row with another outcome. */
  private walk(most: number): void {
    const { state, row, engine } = this, { report } = state, other = nearestOpposite(report, row);
    if (!engine || other === null) return;
    state.asked = null; // the steps are about the row's own two classes
    let now = engine.explain(this.values, this.asked());
    for (let taken = 0; taken < most && !this.isFlipped(now); ++taken) {
      const step = this.bestStep(engine, other);
      if (!step) break;
      this.set(step.column, report.value(other, step.column));
      now = step.now;
    }
    if ([...state.changes.keys()].some((c) => !this.sliders.some(({ column }) => column === c))) {
      this.start();
    }
    for (const slider of this.sliders) slider.show(this.values[slider.column]);
    this.describeSteps(
      `copied from row ${report.numbers[other]} (predicted ${report.prediction(other)})`,
      now
    );
  }

  private describeSteps(how: string, now: Explained): void {
    const { state, row } = this, { report } = state;
    const changed = [...state.changes.keys()].map((c) =>
      `${report.names[c]} ${report.cell(row, c)} → ${report.shown(c, this.values[c])}`
    );
    const result = report.raw.isRegressor || this.isFlipped(now)
      ? `The prediction is now ${this.predicted(now)}.` : "The prediction has not changed yet.";
    this.steps.textContent = changed.length === 0 ? ""
      : `${counted(changed.length, "value")} ${how}: ${list(changed)}. ${result}`;
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
    const { state } = this, { report } = state;
    this.row = state.row;
    this.values = report.rowValues(this.row);
    for (const [column, value] of state.changes) this.values[column] = value;
    const shown = report.strongest(this.row).slice(0, this.isAll ? kMost : kFew);
    const columns = [...new Set([...shown, ...state.changes.keys()])];
    this.bars = columns.map(() => s("svg", { width: kBarWidth, height: kBarHeight, role: "img" }));
    this.sliders = columns.map((column, i) =>
      sliderOf({ report, column, end: [this.bars[i], this.lock(column)], value: this.values[column],
        onChange: (value) => this.set(column, value) })
    );
    this.lines.replaceChildren(...this.sliders.map(({ element }) => element));
    this.title.textContent = `${report.rowName(this.row)}, changed`;
    this.steps.textContent = "";
    const other = nearestOpposite(report, this.row), most = Math.min(kMost, report.columns.length);
    this.one.disabled = other === null;
    this.flip.disabled = other === null && !this.hasFlips;
    this.one.textContent = "Copy one value";
    const [find, copy] = report.raw.isRegressor ? ["crosses the level", "it crosses the level"]
      : ["changes the prediction", "the prediction changes"];
    this.flip.textContent = this.hasFlips ? `Find the smallest change that ${find}`
      : `Copy until ${copy}`;
    this.more.textContent = `Show ${this.isAll ? kFew : most} features`;
    this.more.hidden = most <= kFew;
    this.compute();
  }

  private lock(column: number): HTMLElement {
    const input: HTMLInputElement = h("input", { type: "checkbox", checked: this.locked.has(column),
      "aria-label": `${this.state.report.names[column]} cannot change`, change: () => {
        if (input.checked) this.locked.add(column);
        else this.locked.delete(column);
      } });
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
        + "over the range of the feature; gray bars: rows. Copied values come from the most "
        + "similar row with another outcome, the most effective first. The search for the "
        + "smallest change starts from the original row. Fixed features keep their current value."
    ), panel.title,
    panel.asks.length === 0 ? null
      : controls({ id: "what-if-classes", role: "group", "aria-label": "Compared classes" },
        ...panel.asks.map(({ element }) => element)), panel.verdict, panel.keys,
    controls({}, reset, panel.one, panel.flip), state.report.raw.isRegressor ? panel.goal() : null,
    panel.steps, panel.lines, controls({}, panel.more));
}
