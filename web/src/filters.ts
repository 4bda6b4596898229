// Which rows are chosen: by words, by class, by what is true, by a feature's values.
import { isLarge, type Report } from "./data";
import { h, picker } from "./dom";
import { groupingOf } from "./groups";
import { quantileOf } from "./numbers";
import { kWholeView, type State } from "./state";

const kWarnings = ["tie", "outside the data", "large remainder"];

export function warningOf(report: Report, row: number): string {
  const [tie, outside, remainder] = kWarnings;
  return [report.ties.has(row) ? tie : "", report.outside.has(row) ? outside : "", isLarge(report.account(row)) ? remainder : ""]
    .filter((word) => word !== "").join(", ");
}

/** The three strongest features of a row, with their relevance. */
export function reasonOf(report: Report, row: number): string {
  return report.strongest(row).slice(0, 3).map((column) => `${report.names[column]} ${report.signed(report.relevance(row, column))}`).join(", ");
}

/** A row is uncertain where nine of ten rows have a larger decision value. */
function uncertainBelow(report: Report): number {
  return quantileOf(Float64Array.from(report.decision, Math.abs).sort(), 0.1);
}

/** The places of a row's three strongest features, for all rows. */
function strongestThree(report: Report): Uint16Array {
  const result = new Uint16Array(3 * report.rows), columns = report.columns.map((_, c) => report.columnRelevance(c));
  for (let row = 0; row < report.rows; ++row) {
    let a = -1, b = -1, c = -1; // sizes
    for (let column = 0; column < columns.length; ++column) {
      const size = Math.abs(columns[column][row]), at = 3 * row;
      if (size <= c) continue;
      if (size > a) {
        c = b, b = a, a = size;
        result[at + 2] = result[at + 1], result[at + 1] = result[at], result[at] = column;
      } else if (size > b) {
        c = b, b = size;
        result[at + 2] = result[at + 1], result[at + 1] = column;
      } else {
        c = size;
        result[at + 2] = column;
      }
    }
  }
  return result;
}

/** Decides which rows pass. */
export class Filter {
  private readonly strongest: Uint16Array;
  private readonly limit: number;
  private applied = "";
  private searched: [search: string, rest: string] = ["", ""];

  constructor(private readonly state: State) {
    this.limit = uncertainBelow(state.report);
    this.strongest = strongestThree(state.report); // before the first key, which shall not wait for it
  }

  /** Whether a word is in a row's number or what was kept of it, its prediction, the names of its three strongest features or its warnings. */
  private finder(word: string): (row: number) => boolean {
    const { report } = this.state, { isRegressor, labels } = report.raw, has = (text: string) => text.toLowerCase().includes(word);
    const { kept } = report.raw.rows, ofLabel = labels.map(has), ofColumn = report.names.map(has), top = this.strongest;
    const isWarning = kWarnings.some(has), isNumber = /^\d+$/.test(word), width = Math.min(3, report.columns.length);
    return (row) => {
      if (isRegressor ? has(report.prediction(row)) : ofLabel[report.predicted(row)]) return true;
      for (let i = 0; i < width; ++i) if (ofColumn[top[3 * row + i]]) return true;
      if (kept.some(({ cells }) => has(cells[row]))) return true;
      return (isNumber && String(report.numbers[row]).includes(word)) || (isWarning && has(warningOf(report, row)));
    };
  }

  private isJudged(row: number, judged: string): boolean {
    const { report } = this.state;
    if (judged === "uncertain") return Math.abs(report.decision[row]) <= this.limit;
    return report.isWrong(row) === (judged === "wrong");
  }

  private passes(row: number, finders: ((row: number) => boolean)[]): boolean {
    const { report, view } = this.state;
    if (view.predicted >= 0 && report.predicted(row) !== view.predicted) return false;
    if (view.truth >= 0 && report.truth(row) !== view.truth) return false;
    if (view.judged !== "" && !this.isJudged(row, view.judged)) return false;
    if (view.models !== "" && this.state.other?.differs(row) !== (view.models === "differ")) return false;
    if (view.member >= 0 && (groupingOf(report, view.group)?.of[row] ?? view.member) !== view.member) return false;
    if (view.where >= 0) {
      const value = report.value(row, view.where);
      if (value < (view.least ?? -Infinity) || value > (view.most ?? Infinity)) return false;
    }
    return finders.every((finds) => finds(row));
  }

  /** Returns whether anything is different from before. */
  apply(): boolean {
    const { state } = this, { search, sort: _, isDescending: __, isWhole: ___, ...rest } = state.view;
    const now = JSON.stringify([search, rest]);
    if (now === this.applied) return false;
    this.applied = now;
    const finders = search.trim().toLowerCase().split(/\s+/).filter((word) => word !== "").map((word) => this.finder(word));
    // A longer word finds no row that a shorter one did not find.
    const narrows = this.searched[1] === JSON.stringify(rest) && search.startsWith(this.searched[0]);
    this.searched = [search, JSON.stringify(rest)];
    state.passing = 0;
    for (let row = 0; row < state.report.rows; ++row) {
      if (narrows && state.passes[row] === 0) continue;
      state.passes[row] = this.passes(row, finders) ? 1 : 0;
      state.passing += state.passes[row];
    }
    ++state.filtered;
    return true;
  }
}

/** Calls `act` once nothing more has come for a moment. */
function debounced(act: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(act, 120);
  };
}

export function filterControls(state: State): { element: HTMLElement; draw: () => void } {
  const { report } = state, { labels, isRegressor } = report.raw;
  const search: HTMLInputElement = h("input", { type: "search", placeholder: "row, class or feature", input: debounced(() => state.look({ search: search.value }, true)) });
  const limit = (name: string, key: "least" | "most") => {
    const input: HTMLInputElement = h("input", { type: "number", step: "any", input: debounced(() => state.look({ [key]: input.value === "" ? null : Number(input.value) }, true)) });
    return { input, field: h("label", { class: "field" }, h("span", {}, name), input) };
  };
  const least = limit("at least", "least"), most = limit("at most", "most");
  const where = picker("Where", ["any feature", ...report.names], state.view.where + 1, (choice) => state.look({ where: choice - 1 }));
  const predicted = picker("Predicted", ["all classes", ...labels], 0, (choice) => state.look({ predicted: choice - 1 }));
  const truth = picker("In truth", ["all classes", ...labels], 0, (choice) => state.look({ truth: choice - 1 }));
  const kinds = report.raw.quality
    ? ([["", "All"], ["wrong", isRegressor ? "Large errors" : "Wrong"], ["right", isRegressor ? "Small errors" : "Right"], ...(isRegressor ? [] : [["uncertain", "Uncertain"]])] as const)
    : isRegressor ? [] : ([["", "All"], ["uncertain", "Uncertain"]] as const);
  const judged = kinds.map(([kind, name]) => ({ kind, button: h("button", { type: "button", "data-judged": kind,
    title: kind === "uncertain" ? "The tenth of the rows with the smallest decision values" : kind === "wrong" && isRegressor ? "Farther off than the root of the mean squared error" : "",
    click: () => state.look({ judged: kind as typeof state.view.judged }) }, name) }));
  const reset = h("button", { type: "button", click: () => state.look({ ...kWholeView, sort: state.view.sort, isDescending: state.view.isDescending, isWhole: state.view.isWhole }) }, "Choose all rows");

  function draw(): void {
    const { view } = state, shown = (value: number | null) => (value === null ? "" : String(value));
    if (document.activeElement !== search) search.value = view.search;
    if (document.activeElement !== least.input) least.input.value = shown(view.least);
    if (document.activeElement !== most.input) most.input.value = shown(view.most);
    where.querySelector("select")!.value = String(view.where + 1);
    predicted.querySelector("select")!.value = String(view.predicted + 1);
    truth.querySelector("select")!.value = String(view.truth + 1);
    for (const { kind, button } of judged) button.setAttribute("aria-pressed", String(kind === view.judged));
    reset.hidden = !state.isFiltered;
  }
  const element = h("div", {},
    judged.length > 0 ? h("div", { class: "controls", id: "judged", role: "group", "aria-label": "Rows by what is true" }, ...judged.map(({ button }) => button)) : "",
    h("div", { class: "controls" }, h("label", { class: "field" }, h("span", {}, "Search"), search),
      ...(isRegressor ? [] : [predicted, ...(report.raw.quality ? [truth] : [])]), where, least.field, most.field, reset));
  return { element, draw };
}
