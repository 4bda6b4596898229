// The report: its rows, columns and what they mean.
import { decimalsFor, fixed, quantileOf, withDecimals, withSign } from "./numbers";
import { decimalsOf, floatsOf, unpacked } from "./packed";
import type { Column, Raw, WeightedPoint } from "./raw";

/** base + sum + remainder = output. */
export interface Account {
  base: number;
  sum: number;
  remainder: number;
  output: number;
}

/** `size` is the sum of the parts' sizes; what a relative rounding leaves of it is nothing. */
function balance(base: number, sum: number, size: number, output: number, rounding: number): Account {
  const left = output - base - sum;
  return { base, sum, remainder: Math.abs(left) <= rounding * (size + Math.abs(output) + Math.abs(base)) ? 0 : left, output };
}

export function accountOf(base: number, relevance: Float64Array, output: number): Account {
  let sum = 0, size = 0;
  for (const part of relevance) {
    sum += part;
    size += Math.abs(part);
  }
  return balance(base, sum, size, output, 1e-14);
}

/** Where relevance leaves so much open, a reader has to know. */
export const isLarge = ({ remainder, output }: Account) => remainder !== 0 && !(Math.abs(remainder) <= 0.2 * Math.abs(output));

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

export class Report {
  readonly rows: number;
  readonly columns: Column[];
  readonly names: string[];
  /** Columns by importance, the most important first. */
  readonly order: number[];
  readonly numbers: Float64Array;
  readonly g: Float64Array;
  readonly decision: Float64Array;
  readonly bases: Float64Array;
  readonly ties: Set<number>;
  /** Rows far from all data. */
  readonly outside: Set<number>;
  /** Digits behind the point of relevance and output. */
  readonly decimals: number;
  /** Digits behind the point of predictions and targets, regressors. */
  readonly targetDecimals: number;
  private readonly values: Float64Array[];
  private readonly relevances: Float32Array[];
  private readonly predictions: Float64Array;
  private readonly truths: Float64Array | null;
  private readonly sidesOf: [Float64Array, Float64Array] | null;
  private readonly pointValues: Float64Array[];
  private readonly columnDecimals: number[];
  private readonly sums: Float64Array; // of a row's relevance
  private readonly sizes: Float64Array; // of its absolute values
  private readonly medians = new Map<number, number>();
  private large = -1;

  constructor(readonly raw: Raw) {
    const { rows } = raw;
    this.columns = raw.columns;
    this.names = raw.columns.map(({ name }) => name);
    // The command's order is by the mean; here what is typical counts, and the mean where that is nothing.
    this.order = raw.order.slice().sort((a, b) => raw.columns[b].typical - raw.columns[a].typical || raw.columns[b].importance - raw.columns[a].importance);
    this.numbers = unpacked(rows.numbers);
    this.rows = this.numbers.length;
    this.values = rows.values.map(unpacked);
    this.relevances = rows.relevance.map(floatsOf);
    this.g = unpacked(rows.g);
    this.decision = unpacked(rows.decision);
    this.predictions = unpacked(rows.value ?? rows.prediction!);
    this.sidesOf = rows.positive && rows.negative ? [unpacked(rows.positive), unpacked(rows.negative)] : null;
    this.truths = rows.truth ? unpacked(rows.truth) : null;
    this.pointValues = raw.evidence.values.map(unpacked);
    this.bases = unpacked(rows.base);
    this.ties = new Set(rows.ties);
    this.outside = new Set(rows.outside);
    this.sums = new Float64Array(this.rows);
    this.sizes = new Float64Array(this.rows);
    for (const column of this.relevances) {
      for (let row = 0; row < this.rows; ++row) {
        this.sums[row] += column[row];
        this.sizes[row] += Math.abs(column[row]);
      }
    }
    this.decimals = this.amountDecimals();
    this.columnDecimals = this.columns.map((column, c) => decimalsOf(rows.values[c]) ?? decimalsFor(column.most - column.least, 5));
    const spread = Math.max(...this.predictions.subarray(0, 5000)) - Math.min(...this.predictions.subarray(0, 5000));
    this.targetDecimals = Math.min(decimalsOf(rows.truth ?? rows.g) ?? 12, decimalsFor(spread, 4));
  }

  /** Four digits of what is large among the rows. */
  private amountDecimals(): number {
    const outputs = Array.from({ length: Math.min(this.rows, 2000) }, (_, row) => Math.abs(this.output(this.g[row], this.decision[row])))
      .filter(Number.isFinite).sort((a, b) => a - b);
    const largest = this.columns.reduce((most, { typical, importance }) => Math.max(most, typical || importance), 0);
    return decimalsFor(Math.max(quantileOf(outputs, 0.5) || 0, largest), 4);
  }

  /** Its number, and what was kept of it. */
  rowName(row: number): string {
    const cells = this.raw.rows.kept.map((column) => column.cells[row]).filter((cell) => cell !== "");
    return `Row ${this.numbers[row]}${cells.length === 0 ? "" : ` (${cells.join(", ")})`}`;
  }
  value(row: number, column: number): number {
    return this.values[column][row];
  }
  columnValues(column: number): Float64Array {
    return this.values[column];
  }
  rowValues(row: number): Float64Array {
    return Float64Array.from(this.values, (column) => column[row]);
  }
  relevance(row: number, column: number): number {
    return this.relevances[column][row];
  }
  columnRelevance(column: number): Float32Array {
    return this.relevances[column];
  }
  rowRelevance(row: number): Float64Array {
    return Float64Array.from(this.relevances, (column) => column[row]);
  }
  /** Columns by the size of their relevance in a row, the largest first. */
  strongest(row: number): number[] {
    const parts = this.rowRelevance(row);
    return Array.from(parts.keys()).sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a]));
  }
  /** The usual value of a column: the median of the shown rows. */
  median(column: number): number {
    let known = this.medians.get(column);
    if (known === undefined) this.medians.set(column, (known = quantileOf(this.values[column].slice().sort(), 0.5)));
    return known;
  }
  /** What base, relevance and remainder add up to, in the report's unit. */
  output(g: number, decision: number): number {
    const { kind } = this.raw.unit;
    return kind === "g" ? g : kind === "decision" ? decision : 100 * Math.sign(g);
  }
  /** How a row adds up. */
  account(row: number): Account {
    return balance(this.bases[row], this.sums[row], this.sizes[row], this.output(this.g[row], this.decision[row]), 1e-6); // the page has seven digits of each
  }
  /** How many rows leave more than a fifth of the output open. */
  get largeRemainders(): number {
    if (this.large < 0) for (let row = (this.large = 0); row < this.rows; ++row) if (isLarge(this.account(row))) ++this.large;
    return this.large;
  }
  /** A number of the report's unit with its sign. */
  signed(value: number): string {
    return withSign(fixed(value, this.decimals), value);
  }
  unsigned(value: number): string {
    return fixed(value, this.decimals);
  }
  /** The same with its unit. */
  amount(value: number): string {
    return `${this.signed(value)} ${this.raw.unit.name}`;
  }
  /** The predicted class's position, or a regressor's value. */
  predicted(row: number): number {
    return this.predictions[row];
  }
  /** A class by its position, or a number of the target's unit. */
  targetText(value: number): string {
    return this.raw.isRegressor ? withDecimals(value, this.targetDecimals) : this.raw.labels[value];
  }
  prediction(row: number): string {
    return this.targetText(this.predictions[row]);
  }
  /** What the data say; null where they say nothing. */
  truth(row: number): number | null {
    const truth = this.truths?.[row] ?? NaN;
    return Number.isNaN(truth) ? null : truth;
  }
  /** Predicted otherwise than the data say; regressors: farther off than the root of the mean squared error. */
  isWrong(row: number): boolean | null {
    const truth = this.truth(row);
    if (truth === null) return null;
    if (!this.raw.isRegressor) return truth !== this.predictions[row];
    return Math.abs(truth - this.predictions[row]) > this.raw.quality!.rootMeanSquaredError;
  }
  /** Positions of the classes that positive and negative relevance speak for; −1: a regressor's. */
  pair(row: number): [number, number] {
    return this.sidesOf ? [this.sidesOf[0][row], this.sidesOf[1][row]] : [-1, -1];
  }
  /** Whom positive and negative relevance speak for. */
  sides(row: number): [string, string] {
    if (this.raw.isRegressor) {
      const level = this.targetText(this.raw.settings.level ?? 0);
      return [`above ${level}`, `below ${level}`];
    }
    const [positive, negative] = this.pair(row);
    return [this.raw.labels[positive], this.raw.labels[negative]];
  }
  /** The same where it holds for all rows, else in general words. */
  commonSides(): [string, string] {
    const { positive, negative } = this.raw.settings;
    if (this.raw.isRegressor) return this.sides(0);
    return [positive || "the row's class", negative || "its rival"];
  }
  /** 1 where positive relevance speaks for the prediction, −1 where negative does. */
  way(row: number): number {
    if (this.raw.isRegressor) return this.output(this.g[row], this.decision[row]) < 0 ? -1 : 1;
    return this.pair(row)[1] === this.predictions[row] ? -1 : 1;
  }
  /** A value as the reader knows it: a level's name, or a number with the digits of its column. */
  shown(column: number, value: number): string {
    const { levels } = this.columns[column];
    return (levels.length > 0 ? levels[Math.round(value)] : undefined) ?? withDecimals(value, this.columnDecimals[column]);
  }
  decimalsOf(column: number): number {
    return this.columnDecimals[column];
  }
  evidence(row: number): [WeightedPoint[], WeightedPoint[]] | null {
    return this.raw.evidence.rows[row] ?? null;
  }
  pointNumber(place: number): number {
    return this.raw.evidence.points[place];
  }
  pointValue(place: number, column: number): number {
    return this.pointValues[column][place];
  }
}

export const readReport = () => new Report(JSON.parse(textOf("report-data")) as Raw);
export const readEngine = () => textOf("report-engine");
