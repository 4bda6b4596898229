// What is selected, shared by all charts.
import type { Report } from "./data";

export class State {
  row: number;
  column: number;
  /** The column that colours the chart of values against relevance; null: the proposed one. */
  colour: number | null = null;
  /** 1 for the rows that pass the table's filters. */
  readonly passes: Uint8Array;
  /** How often the filters have changed. */
  filtered = 0;
  private readonly listeners: (() => void)[] = [];
  private isScheduled = false;

  constructor(readonly report: Report) {
    this.column = report.order[0];
    this.passes = new Uint8Array(report.rows).fill(1);
    this.row = 0;
    for (let r = 1; r < report.rows; ++r) if (report.g[r] > report.g[this.row]) this.row = r;
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Charts are drawn once per frame, however many changes there were. */
  changed(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      for (const listener of this.listeners) listener();
    });
  }

  selectRow(row: number): void {
    this.row = row;
    this.changed();
  }

  selectColumn(column: number): void {
    this.column = column;
    this.colour = null;
    this.changed();
  }

  pickColour(column: number | null): void {
    this.colour = column;
    this.changed();
  }

  colourColumn(): number {
    return this.colour ?? this.report.columns[this.column].partner;
  }
}
