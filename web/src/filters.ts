// Which rows are selected: by words, by class, by error, by a feature's values.
import type { Report } from "./data";
import { choices, controls, field, h, picker } from "./dom";
import { groupingOf } from "./groups";
import { list } from "./numbers";
import type { State, View } from "./state";

const kWarnings = ["tie", "far from the training data", "large unexplained part",
  "unreliable sizes"];

export function warningOf(report: Report, row: number): string {
  const is = [report.ties.has(row), report.far.has(row), report.isFlagged(row),
    report.stretched.has(row)];
  return kWarnings.filter((_, i) => is[i]).join(", ");
}

/** The three strongest features of a row with their contributions. */
export function reasonOf(report: Report, row: number): string {
  const amounts = report.rowAmounts(row);
  return report.strongest(row).slice(0, 3).map(column =>
    `${report.names[column]} ${amounts.signed(report.contribution(row, column))}`
  ).join(", ");
}

/** The positions of the three strongest features of every row. */
function strongestThree(report: Report): Uint16Array {
  const result = new Uint16Array(3 * report.rows);
  const columns = report.order, parts = columns.map(c => report.columnContributions(c));
  const sizes = [0, 0, 0];
  for (let row = 0; row < report.rows; ++row) {
    sizes.fill(-1);
    for (let i = 0; i < columns.length; ++i) {
      const size = Math.abs(parts[i][row]);
      let place = 3;
      while (place > 0 && size > sizes[place - 1]) --place;
      for (let lower = 2; lower > place; --lower) {
        sizes[lower] = sizes[lower - 1];
        result[3 * row + lower] = result[3 * row + lower - 1];
      }
      if (place === 3) continue;
      sizes[place] = size;
      result[3 * row + place] = columns[i];
    }
  }
  return result;
}

/** The selection in words: "predicted bad, actual good". */
export function selectionWords({ report, view, other }: State): string {
  const { labels } = report.raw, name = report.names[view.where];
  const judged = { "": "", wrong: report.raw.isRegressor ? "large error" : "incorrect",
    right: report.raw.isRegressor ? "small error" : "correct", uncertain: "close calls" };
  const shown = (value: number | null) => value === null ? "" : report.shown(view.where, value);
  const limits = [view.least === null ? "" : `at least ${shown(view.least)}`,
    view.most === null ? "" : `at most ${shown(view.most)}`].filter(text => text !== "");
  return [view.actual < 0 ? "" : `actual ${labels[view.actual]}`,
    view.predicted < 0 ? "" : `predicted ${labels[view.predicted]}`, judged[view.judged],
    other === null || view.models === "" ? "" : `the models ${view.models}`,
    view.member < 0 ? "" : groupingOf(report, view.group)?.names[view.member] ?? "",
    name === undefined || limits.length === 0 ? "" : `${name} ${list(limits)}`,
    view.search.trim() === "" ? "" : `"${view.search.trim()}"`].filter(text => text !== "").join(
      ", "
    );
}

/** Decides which rows are selected. */
export class Filter {
  private readonly strongest: Uint16Array;
  private applied = "";
  private searched: [search: string, rest: string] = ["", ""];

  constructor(private readonly state: State) {
    const { report } = state;
    this.strongest = strongestThree(report); // now, so that the first key does not wait for it
  }

  /** Finds a word in a row's number, identifiers, prediction, strongest features and warnings. */
  private finder(word: string): (row: number) => boolean {
    const { report } = this.state, { isRegressor, labels, rows: { kept } } = report.raw;
    const has = (text: string) => text.toLowerCase().includes(word);
    const ofLabel = labels.map(has), ofColumn = report.names.map(has), top = this.strongest;
    const isWarning = kWarnings.some(has), isNumber = /^\d+$/.test(word);
    const width = Math.min(3, report.order.length);
    return row => {
      if (isRegressor ? has(report.prediction(row)) : ofLabel[report.predicted(row)]) return true;
      for (let i = 0; i < width; ++i) if (ofColumn[top[3 * row + i]]) return true;
      if (kept.some(({ cells }) => has(cells[row]))) return true;
      return (isNumber && String(report.numbers[row]).includes(word))
        || (isWarning && has(warningOf(report, row)));
    };
  }

  private isJudged(row: number, judged: string): boolean {
    const { report } = this.state;
    if (judged === "uncertain") return Math.abs(report.decision[row]) <= report.closeLimit;
    return report.isWrong(row) === (judged === "wrong");
  }

  private passes(row: number, finders: ((row: number) => boolean)[]): boolean {
    const { report, view, other } = this.state;
    if (view.predicted >= 0 && report.predicted(row) !== view.predicted) return false;
    if (view.actual >= 0 && report.actual(row) !== view.actual) return false;
    if (view.judged !== "" && !this.isJudged(row, view.judged)) return false;
    if (view.models !== "" && other?.differs(row) !== (view.models === "differ")) return false;
    if (view.where >= 0) {
      const value = report.value(row, view.where);
      if (value < (view.least ?? -Infinity) || value > (view.most ?? Infinity)) return false;
    }
    return finders.every(finds => finds(row));
  }

  /** Updates the selection if the view has changed. */
  apply(): void {
    const { state } = this,
      { search, sort: _, isDescending: __, isWhole: ___, ...others } = state.view;
    const rest = JSON.stringify(others), now = `${search}\n${rest}`;
    if (now === this.applied) return;
    this.applied = now;
    const finders = search.trim().toLowerCase().split(/\s+/).filter(word => word !== "").map(word =>
      this.finder(word)
    );
    // A longer word finds no row that a shorter one did not find.
    const narrows = this.searched[1] === rest && search.startsWith(this.searched[0]);
    this.searched = [search, rest];
    const { member, group } = state.view;
    const groups = member >= 0 ? groupingOf(state.report, group)?.of : undefined;
    state.passing = 0;
    for (let row = 0; row < state.report.rows; ++row) {
      if (narrows && state.inGroups[row] === 0) continue;
      state.inGroups[row] = this.passes(row, finders) ? 1 : 0;
      state.passes[row] = groups && groups[row] !== member ? 0 : state.inGroups[row];
      state.passing += state.passes[row];
    }
    ++state.filtered;
    state.followSelection();
  }
}

/** Calls `act` after a short pause without further calls. */
function debounced(act: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(act, 120);
  };
}

/** An input whose text follows the state unless the user is typing in it. */
function typed(attributes: Record<string, string>, act: (text: string) => void,
  shown: () => string) {
  const input: HTMLInputElement = h("input", { ...attributes,
    input: debounced(() => act(input.value)) });
  return { input, draw: () => {
    if (document.activeElement !== input) input.value = shown();
  } };
}

function judgedChoices({ raw: { quality, isRegressor } }: Report) {
  const errors = isRegressor ? [["wrong", "Large errors"], ["right", "Small errors"]] as const
    : [["wrong", "Incorrect"], ["right", "Correct"]] as const;
  const uncertain = isRegressor ? [] : [["uncertain", "Close calls"]] as const;
  const all = [...(quality ? errors : []), ...uncertain];
  return all.length === 0 ? [] : [["", "All"] as const, ...all];
}

export function filterControls(state: State): { element: HTMLElement; draw: () => void } {
  const { report } = state, { labels, isRegressor } = report.raw;
  const limit = (key: "least" | "most") =>
    typed({ type: "number", step: "any" }, text =>
      state.look({ [key]: text === "" ? null : Number(text) }, true), () =>
      String(state.view[key] ?? ""));
  const search = typed({ type: "search", placeholder: "row, class or feature" },
    text => state.look({ search: text }, true), () => state.view.search);
  const least = limit("least"), most = limit("most");
  const where = picker("Where", ["any feature", ...report.dataColumns.map(c => report.names[c])],
    choice => state.look({ where: choice - 1 }));
  const predicted = picker("Predicted", ["all classes", ...labels],
    choice => state.look({ predicted: choice - 1 }));
  const actual = picker("Actual", ["all classes", ...labels],
    choice => state.look({ actual: choice - 1 }));
  const judged = choices<View["judged"]>("Rows by error", judgedChoices(report),
    value => value === state.view.judged, value => state.look({ judged: value }), { id: "judged" });

  function draw(): void {
    for (const { draw } of [search, least, most]) draw();
    where.show(state.view.where + 1);
    predicted.show(state.view.predicted + 1);
    actual.show(state.view.actual + 1);
    judged.update();
  }
  const ofClass = isRegressor ? []
    : [predicted.element, report.raw.quality ? actual.element : null];
  const element = h("div", {}, judgedChoices(report).length > 0 ? judged.element : null,
    controls({}, field("Search", search.input), ...ofClass, where.element,
      field("at least", least.input), field("at most", most.input)));
  return { element, draw };
}
