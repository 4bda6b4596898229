// What is selected, shared by all charts, and kept in the address so that a link shows the same.
import { OtherModel } from "./against";
import type { Report } from "./data";
import { readFragment, writeFragment } from "./fragment";
import { rankedCases } from "./cases";

/** Which rows are chosen, how they are sorted, and what the charts show of them. */
export interface View {
  search: string;
  /** Positions of classes; −1: all. */
  predicted: number;
  truth: number;
  judged: "" | "wrong" | "right" | "uncertain";
  /** Rows on which two models say the same, or not. */
  models: "" | "agree" | "differ";
  /** What rows are grouped by (see groups.ts), and the group that is chosen; −1: all. */
  group: string;
  member: number;
  /** A column whose values are limited; −1: none. */
  where: number;
  least: number | null;
  most: number | null;
  sort: string;
  isDescending: boolean;
  /** Charts show extreme points too. */
  isWhole: boolean;
}

export const kWholeView: View = {
  search: "", predicted: -1, truth: -1, judged: "", models: "", group: "", member: -1, where: -1, least: null, most: null, sort: "Row", isDescending: false, isWhole: false,
};

const kPause = 250; // milliseconds

export class State {
  row: number;
  column: number;
  /** The column that colors the chart of values against relevance; null: the proposed one. */
  color: number | null = null;
  /** The row beside the selected one; null: none. */
  compared: number | null = null;
  view: View = { ...kWholeView };
  /** The two classes that the what-if panel asks about; null: those of the row. */
  asked: [number, number] | null = null;
  readonly other: OtherModel | null;
  /** Values that were changed in the what-if panel, by column. */
  changes = new Map<number, number>();
  /** 1 for the rows that pass the filters. */
  readonly passes: Uint8Array;
  passing: number;
  /** How often the filters have changed. */
  filtered = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly charts: (() => void)[] = [];
  private isScheduled = false;
  private waiting = 0;

  constructor(readonly report: Report) {
    this.column = report.order[0];
    this.passes = new Uint8Array(report.rows).fill(1);
    this.passing = report.rows;
    this.row = rankedCases(report)[0].rows[0];
    this.other = report.raw.against ? new OtherModel(report, report.raw.against) : null;
    readFragment(this);
    addEventListener("hashchange", () => { if (readFragment(this)) this.changed(); });
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** For what may wait until nothing more is typed. */
  subscribeChart(listener: () => void): void {
    this.charts.push(listener);
  }

  subscribeFirst(listener: () => void): void {
    this.listeners.unshift(listener);
  }

  /** Everything is drawn anew at once, for a printer that does not wait. */
  drawNow(): void {
    for (const listener of this.listeners) listener();
    this.drawCharts();
  }

  private drawCharts(): void {
    clearTimeout(this.waiting);
    this.waiting = 0;
    for (const chart of this.charts) chart();
    writeFragment(this);
  }

  /** Everything is drawn once per frame, however many changes there were; while somebody types, charts and address wait for a moment without a key. */
  changed(isTyped = false): void {
    clearTimeout(this.waiting);
    this.waiting = isTyped ? window.setTimeout(() => this.drawCharts(), kPause) : 0;
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      for (const listener of this.listeners) listener();
      if (this.waiting === 0) this.drawCharts();
    });
  }

  selectRow(row: number): void {
    if (row !== this.row) {
      this.changes.clear();
      this.asked = null;
    }
    this.row = row;
    this.changed();
  }

  selectColumn(column: number): void {
    this.column = column;
    this.color = null;
    this.changed();
  }

  pickColor(column: number | null): void {
    this.color = column;
    this.changed();
  }

  compare(row: number | null): void {
    this.compared = row === this.row ? null : row;
    this.changed();
  }

  look(view: Partial<View>, isTyped = false): void {
    Object.assign(this.view, view);
    this.changed(isTyped);
  }

  colorColumn(): number {
    return this.color ?? this.report.columns[this.column].partner;
  }

  get isFiltered(): boolean {
    return this.passing < this.report.rows;
  }
}
