// What if this row were different? The library computes the answer in the page.
import { scaleLinear } from "d3-scale";
import { bar, zeroLine } from "./axis";
import { approachingValues, copiedValues, isFlipped, kMostChanged, kSteps, originOf, type Question,
  rowsAlong, smallestChange } from "./change_search";
import type { Report } from "./data";
import { button, controls, field, h, key, note, picker, s, section } from "./dom";
import { canUnpack, Engine, type Explained, type FlipAnswer } from "./engine";
import { counted, formatNumber, list, whole } from "./numbers";
import { nearestOpposite } from "./opposite";
import { baseWord } from "./sentences";
import { type Slider, sliderOf } from "./sliders";
import type { State } from "./state";
import { cssColor, sideColor } from "./theme";
import { whisker } from "./waterfall";

const kFew = 8, kMost = 40, kBarWidth = 150, kBarHeight = 20;

function whyNot({ report }: State, code: string): string {
  if (report.raw.model === null) {
    return report.raw.whyNoModel.replaceAll(/\d+/g, digits => whole(Number(digits)));
  }
  if (code === "") return "this bisector was built without WebAssembly";
  return canUnpack() ? "" : "this browser is too old to run the calculation";
}

/** Regressors and two classes have one value to draw, many classes have one of each pair. */
const hasOneValue = ({ raw }: Report) => raw.isRegressor || raw.labels.length < 3;

/** The panel of one page. It is restarted for every row. */
class WhatIf {
  readonly verdict = h("p", { "aria-live": "polite", id: "what-if-result" });
  readonly keys = h("p", { class: "note", id: "what-if-key" });
  readonly steps = h("p", { "aria-live": "polite", id: "what-if-steps" });
  readonly title = h("h3");
  readonly lines = h("div", { class: "sliders" });
  readonly one = button("", () => this.copy(1), { id: "what-if-step" });
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
  /** The bars of columns and groups. */
  private bars = new Map<number, SVGElement>();
  private isAll = false;
  /** Features that cannot change: the buttons leave them as they are. */
  private readonly locked = new Set<number>();
  /** False after the library could not search this model. */
  private canFlip = true;

  constructor(private readonly state: State, code: string) {
    const { labels } = state.report.raw;
    this.asks = hasOneValue(state.report) ? []
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
    return report.raw.labels.length > 2 ? asked ?? report.pair(this.row) : [-1, -1];
  }

  private predicted(now: Explained): string {
    const { report } = this.state, { isRegressor, labels } = report.raw;
    return isRegressor ? report.targetAmount(now.value) : labels[now.prediction];
  }

  private compute(): void {
    const { state, engine, row } = this, { report } = state;
    this.asks.forEach((field, which) => field.show(this.asked()[which]));
    if (!engine) return;
    const now = engine.explain(this.values, this.asked());
    const former = state.asked ? engine.explain(report.rowValues(row), this.asked()) : null;
    this.describe(now, former);
    const before = former?.contributions ?? report.rowContributions(row);
    const largest =
      [...this.bars.keys()].reduce(
        (most, c) =>
          Math.max(most, Math.abs(before[c]), Math.abs(now.contributions[c]) + now.errors[c]),
        0
      ) || 1;
    const x = scaleLinear([-largest, largest], [2, kBarWidth - 2]);
    for (const [column, svg] of this.bars) this.drawBar(svg, x, before[column], now, column);
    if (hasOneValue(report)) this.drawCurves(engine);
  }

  private describe(now: Explained, former: Explained | null): void {
    const { state, row } = this, { report } = state, { labels, isRegressor } = report.raw;
    const { base, sum, remainder, output } = now.totals, amounts = report.rowAmounts(row);
    const was = former?.totals ?? report.totals(row);
    const effects = state.asked ? state.asked.map(c => `pushes toward ${labels[c]}`)
      : report.effects(row);
    const isOther = this.predicted(now) !== report.targetAmount(report.predicted(row));
    this.verdict.replaceChildren(h("b", {}, `Predicted ${this.predicted(now)}`),
      isOther ? h("span", { class: "warn" }, ` (was ${report.prediction(row)})`) : " (as before)",
      `. ${baseWord(report)} ${report.totalText(row, base)}, features ${amounts.signed(sum)}`
        + `${remainder === 0 ? "" : `, unexplained ${amounts.signed(remainder)}`}, result `
        + `${report.totalAmount(row, output)} (was ${report.totalText(row, was.output)}).`,
      now.isFar
        ? h("span", { class: "warn" },
          " Far from the training data: this explanation is unreliable.") : "",
      report.isFlagged(now.totals)
        ? h("span", { class: "warn" }, " It misses more than a fifth of the result.") : "");
    this.keys.replaceChildren("Bars: ", key("for", effects[0]), ", ", key("against", effects[1]),
      `; thin line: before the changes${report.hasErrors ? "; whiskers: one standard error" : ""}.${
        isFlipped(report, row, now) && !isRegressor
          ? " The prediction has changed, but the bars still compare the same two classes." : ""
      }${hasOneValue(report) && !isRegressor ? ` A rising curve ${effects[0]}.` : ""}`);
    Object.assign(this.verdict.dataset, { base: String(base), remainder: String(remainder),
      output: String(output), contributions: JSON.stringify(Array.from(now.contributions)) });
  }

  private drawBar(svg: SVGElement, x: (value: number) => number, before: number,
    { contributions, errors }: Explained, column: number): void {
    const amounts = this.state.report.rowAmounts(this.row);
    const now = contributions[column], error = errors[column];
    const range = error > 0 ? ` ± ${amounts.plain(error)}` : "";
    svg.setAttribute("aria-label",
      `${amounts.withUnit(now)}${range}, was ${amounts.signed(before)}`);
    svg.replaceChildren(zeroLine(x(0), 0, x(0), kBarHeight),
      bar(x(0), x(now), 4, kBarHeight - 8, { fill: sideColor(now) }),
      s("line", { x1: x(before), x2: x(before), y1: 1, y2: kBarHeight - 1, "stroke-width": 2,
        stroke: cssColor("--ink") }), whisker(now, error, kBarHeight / 2, x) ?? "");
  }

  private drawCurves(engine: Engine): void {
    const sliders = this.sliders.filter(({ low, high }) => high > low);
    if (sliders.length === 0) return;
    const sign = this.curveSign(engine);
    const predictions = engine.predict(rowsAlong(this.values, sliders)).map(own => sign * own);
    const range: [number, number] = [Math.min(...predictions), Math.max(...predictions)];
    sliders.forEach((slider, i) =>
      slider.drawCurve(predictions.subarray(i * kSteps, (i + 1) * kSteps), range,
        this.values[slider.column])
    );
  }

  /** Curves rise in the direction of positive contributions, as the bars do. */
  private curveSign(engine: Engine): number {
    const { state: { report }, row } = this;
    if (report.raw.isRegressor) return 1;
    return engine.predict([report.rowValues(row)])[0] * report.totals(row).output < 0 ? -1 : 1;
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

  /** What was found, in words; `goal` completes "no shorter change …". */
  private describeFlip(engine: Engine, { flip, radius }: FlipAnswer, goal: string): void {
    const { report } = this.state, own = originOf(this.question(engine));
    const isRadius = radius > 0 && Number.isFinite(radius);
    const sure = `no change shorter than ${formatNumber(radius)} ${goal}`;
    const isSome = report.dataColumns.length - this.locked.size > kMostChanged;
    const among = isSome ? ` among the ${kMostChanged} strongest features of this row` : "";
    Object.assign(this.steps.dataset, { radius: String(radius), distance: String(flip?.distance),
      values: JSON.stringify(Array.from(flip?.values ?? [])) });
    if (!flip) {
      this.steps.textContent = "No change of the features that are not fixed was found"
        + `${among} that ${goal}.${isRadius ? ` For certain, ${sure}.` : ""}`;
      return;
    }
    const changed = report.dataColumns.flatMap(c =>
      own[c] === flip.values[c] ? []
        : [`${report.names[c]} ${report.shown(c, own[c])} → ${report.shown(c, flip.values[c])}`]
    );
    const scaled = report.raw.words.preprocessing === "none" ? ""
      : ", measured after the model's scaling";
    this.steps.textContent = `Smallest change found${among}: ${list(changed)}. The prediction is `
      + `now ${this.predicted(engine.explain(flip.values, this.asked()))}. The distance is ${
        formatNumber(flip.distance)
      }${scaled}${isRadius ? `; ${sure}` : ""}.`;
  }

  private takeFlip(engine: Engine, answer: FlipAnswer, goal: string): void {
    const values = answer.flip?.values, { report } = this.state;
    if (values) this.take(new Map(report.dataColumns.map(c => [c, values[c]])), false);
    this.describeFlip(engine, answer, goal);
  }

  /** Finds the smallest change that leads to another class, or to the other side of the level. */
  private flipDecision(): void {
    const { engine, state: { report: { raw } } } = this, { level } = raw.settings;
    if (!engine) return;
    const answer = raw.isRegressor && level === null ? null : this.search(engine, level ?? 0);
    if (answer) this.takeFlip(engine, answer, this.flipGoal());
    else this.copy(kMostChanged);
  }

  /** What the smallest change does: "changes the prediction", "crosses 35.7 MPa". */
  private flipGoal(): string {
    const { report } = this.state, { isRegressor, settings: { level } } = report.raw;
    return !isRegressor ? "changes the prediction"
      : `crosses ${level === null ? "the level" : report.targetAmount(level)}`;
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
    this.describeSteps("changed", engine);
  }

  private set(column: number, value: number): void {
    this.values[column] = value;
    if (value === this.state.report.value(this.row, column)) this.state.changes.delete(column);
    else this.state.changes.set(column, value);
    this.state.changed();
  }

  /** Copies values from the most similar row with another outcome. */
  private copy(most: number): void {
    const { state, row, engine } = this, { report } = state, other = nearestOpposite(report, row);
    if (!engine || other === null) return;
    state.asked = null; // the steps are about the row's own two classes
    this.take(copiedValues(this.question(engine), most), true);
    this.describeSteps(
      `copied from row ${report.numbers[other]} (predicted ${report.prediction(other)})`,
      engine
    );
  }

  private describeSteps(how: string, engine: Engine): void {
    const { state, row } = this, { report } = state;
    const now = engine.explain(this.values, this.asked());
    const changed = [...state.changes.keys()].map(c =>
      `${report.names[c]} ${report.cell(row, c)} → ${report.shown(c, this.values[c])}`
    );
    const result = report.raw.isRegressor || isFlipped(report, row, now)
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
    const changed = [...state.changes.keys()].map(c => report.explained(c));
    this.bars.clear();
    this.sliders = [];
    this.lines.replaceChildren(
      ...[...new Set([...shown, ...changed])].flatMap(c => this.linesOf(c))
    );
    this.title.textContent = `${report.rowName(this.row)}, changed`;
    this.steps.textContent = "";
    const other = nearestOpposite(report, this.row), most = Math.min(kMost, report.order.length);
    this.one.disabled = other === null;
    this.flip.disabled = other === null && !this.canFlip;
    this.one.textContent = "Copy one value";
    this.flip.textContent = this.canFlip ? `Find the smallest change that ${this.flipGoal()}`
      : report.raw.isRegressor ? `Copy values until it ${this.flipGoal()}`
      : "Copy values until the prediction changes";
    this.more.textContent = `Show ${this.isAll ? kFew : most} features`;
    this.more.hidden = most <= kFew;
    this.compute();
  }

  /** The line of a feature; a group has a line of its own above its columns. */
  private linesOf(column: number): HTMLElement[] {
    const { report } = this.state, { name, members } = report.columns[column];
    const drawn = s("svg", { width: kBarWidth, height: kBarHeight, role: "img" });
    this.bars.set(column, drawn);
    if (!members) return [this.sliderLine(column, [drawn, this.lock(column)])];
    return [h("div", { class: "slider" }, h("b", { class: "name" }, name), h("span"), drawn),
      ...members.map(member => this.sliderLine(member, [this.lock(member)]))];
  }

  private sliderLine(column: number, end: Element[]): HTMLElement {
    const { report } = this.state;
    const slider = sliderOf({ report, column, end, value: this.values[column],
      onChange: value => this.set(column, value) });
    this.sliders.push(slider);
    return slider.element;
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
      "Change a value and see the prediction follow. "
        + (hasOneValue(state.report)
          ? "The curve above a slider is the prediction over the range of the feature, and the "
            + "gray bars are the histogram of the rows. " : "")
        + "Copied values come from the most "
        + "similar row with another outcome, the most effective first. The search for the "
        + "smallest change starts from the original row. Fixed features keep their current value."
    ), panel.title,
    panel.asks.length === 0 ? null
      : controls({ id: "what-if-classes", role: "group", "aria-label": "Compared classes" },
        ...panel.asks.map(({ element }) => element)), panel.verdict, panel.keys,
    controls({}, reset, panel.one, panel.flip), state.report.raw.isRegressor ? panel.goal() : null,
    panel.steps, panel.lines, controls({}, panel.more));
}
