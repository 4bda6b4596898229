// The state of the page: one row, one feature, the selected rows. All sections subscribe to it, and
// the address holds it, so that a link shows the same page.
import { OtherModel } from "./against";
import { rankedCases } from "./cases";
import type { Report } from "./data";
import { readFragment, writeFragment } from "./fragment";
import { strongestWith } from "./pairs";

/** Which rows are selected, how they are sorted, and what the charts show of them. */
export interface View {
  search: string;
  /** Positions of classes; −1: all. */
  predicted: number;
  actual: number;
  judged: "" | "wrong" | "right" | "uncertain";
  /** Rows on which two models agree or differ. */
  models: "" | "agree" | "differ";
  /** What rows are grouped by (see groups.ts), and the selected group; −1: all. */
  group: string;
  member: number;
  /** A column whose values are limited; −1: none. */
  where: number;
  least: number | null;
  most: number | null;
  sort: string;
  isDescending: boolean;
  /** Charts show extreme values too. */
  isWhole: boolean;
}

export const kWholeView: View = { search: "", predicted: -1, actual: -1, judged: "", models: "",
  group: "", member: -1, where: -1, least: null, most: null, sort: "Row", isDescending: false,
  isWhole: false };

/** What selects all rows again: grouping, order and range stay. */
export const kSelectAll: Partial<View> = { search: "", predicted: -1, actual: -1, judged: "",
  models: "", member: -1, where: -1, least: null, most: null };

const kPause = 250; // milliseconds

export class State {
  row: number;
  column: number;
  /** The column that colors the dependence plot; null: the proposed one. */
  color: number | null = null;
  /** The row that the selected one is compared with; null: none. */
  compared: number | null = null;
  view: View = { ...kWholeView };
  /** The two classes that the what-if panel compares; null: those of the row. */
  asked: [number, number] | null = null;
  readonly other: OtherModel | null;
  /** Values that were changed in the what-if panel, by column. */
  changes = new Map<number, number>();
  /** 1 for selected rows. */
  readonly passes: Uint8Array;
  /** 1 for rows that would be selected without the choice of a group. */
  readonly inGroups: Uint8Array;
  passing: number;
  /** How often the selection has changed. */
  filtered = 0;
  private readonly listeners: (() => void)[] = [];
  private readonly charts: (() => void)[] = [];
  private isScheduled = false;
  private waiting = 0;
  /** The selection was changed by hand: the row has to be one of it. */
  private isRowDue = false;

  constructor(readonly report: Report) {
    this.column = report.order[0];
    this.passes = new Uint8Array(report.rows).fill(1);
    this.inGroups = new Uint8Array(report.rows).fill(1);
    this.passing = report.rows;
    this.row = rankedCases(report)[0].rows[0];
    this.other = report.raw.against ? new OtherModel(report, report.raw.against) : null;
    readFragment(this);
    addEventListener("hashchange", () => {
      if (readFragment(this)) this.changed();
    });
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** For charts, which wait until the user stops typing. */
  subscribeChart(listener: () => void): void {
    this.charts.push(listener);
  }

  subscribeFirst(listener: () => void): void {
    this.listeners.unshift(listener);
  }

  /** Draws everything at once: a printer does not wait for the next frame. */
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

  /** Draws once per frame. While the user types, charts and address wait for a pause. */
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
    this.isRowDue = true;
    this.changed(isTyped);
  }

  /** Moves to the first selected row if the current one is not selected. */
  followSelection(): void {
    if (!this.isRowDue) return;
    this.isRowDue = false;
    const first = this.passes.indexOf(1);
    if (this.passes[this.row] === 1 || first < 0) return;
    this.selectRow(first);
  }

  /** By default the column with the strongest exact interaction, or the most important one. */
  colorColumn(): number {
    if (this.color !== null) return this.color;
    const { report } = this, own = report.valueColumn(this.column);
    const pair = strongestWith(report, own);
    if (pair) return pair.a === own ? pair.b : pair.a;
    return report.withMembers(report.order).find(c => c !== own && !report.isGroup(c)) ?? own;
  }

  get isFiltered(): boolean {
    return this.passing < this.report.rows;
  }
}
