// Which rows are chosen: by words, by class, by what is true, by a feature's values.
import { isLarge, type Report } from "./data";
import { h, picker } from "./dom";
import { groupingOf } from "./groups";
import { quantileOf } from "./numbers";
import { kWholeView, type State } from "./state";

export function warningOf(report: Report, row: number): string {
  return [report.ties.has(row) ? "tie" : "", report.outside.has(row) ? "outside the data" : "", isLarge(report.account(row)) ? "large remainder" : ""]
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

/** Decides which rows pass, and keeps the texts that are searched. */
export class Filter {
  private readonly texts: (string | undefined)[] = [];
  private readonly limit: number;
  private applied = "";

  constructor(private readonly state: State) {
    this.limit = uncertainBelow(state.report);
  }

  private textOf(row: number): string {
    const { report } = this.state;
    return (this.texts[row] ??= `${report.numbers[row]} ${report.prediction(row)} ${reasonOf(report, row)} ${warningOf(report, row)}`.toLowerCase());
  }

  private isJudged(row: number, judged: string): boolean {
    const { report } = this.state;
    if (judged === "uncertain") return Math.abs(report.decision[row]) <= this.limit;
    return report.isWrong(row) === (judged === "wrong");
  }

  private passes(row: number, words: string[]): boolean {
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
    return words.length === 0 || words.every((word) => this.textOf(row).includes(word));
  }

  /** Returns whether anything is different from before. */
  apply(): boolean {
    const { state } = this, { search, sort: _, isDescending: __, isWhole: ___, ...rest } = state.view;
    const now = JSON.stringify([search, rest]);
    if (now === this.applied) return false;
    this.applied = now;
    const words = search.trim().toLowerCase().split(/\s+/).filter((word) => word !== "");
    state.passing = 0;
    for (let row = 0; row < state.report.rows; ++row) {
      state.passes[row] = this.passes(row, words) ? 1 : 0;
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
  const search: HTMLInputElement = h("input", { type: "search", placeholder: "row, class or feature", input: debounced(() => state.look({ search: search.value })) });
  const limit = (name: string, key: "least" | "most") => {
    const input: HTMLInputElement = h("input", { type: "number", step: "any", input: debounced(() => state.look({ [key]: input.value === "" ? null : Number(input.value) })) });
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
