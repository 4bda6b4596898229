// The report: its rows and columns, and the words for them.
import { Amounts, counted, decimalsFor, fixed, type Grouping, groupingOf, quantileOf, whole,
  withDecimals } from "./numbers";
import { decimalsOf, floatsOf, unpacked } from "./packed";
import type { Column, Raw } from "./raw";

/** Attribution totals of a row: base + sum + remainder = output. */
export interface Totals {
  base: number;
  sum: number;
  remainder: number;
  output: number;
}

/** Rounding of single precision is no remainder. */
export function totalsOf(base: number, remainder: number, output: number): Totals {
  const isRounding = Math.abs(remainder) <= 2e-6 * (Math.abs(base) + Math.abs(output));
  return { base, sum: output - base - remainder, remainder: isRounding ? 0 : remainder, output };
}

const largest = (values: ArrayLike<number>) => {
  let most = 0;
  for (let i = 0; i < values.length; ++i) most = Math.max(most, Math.abs(values[i]));
  return most;
};

function limitOfClose(decision: Float64Array): number {
  const sizes = Float64Array.from(decision, Math.abs).sort(), { length } = sizes;
  const limit = sizes[Math.ceil(0.1 * length) - 1];
  const isFew = sizes[Math.floor(0.5 * length)] > limit;
  return isFew ? limit : sizes[sizes.indexOf(limit) - 1] ?? -1;
}

export class Report {
  readonly rows: number;
  /** Columns of the data, then groups of them. */
  readonly columns: Column[];
  readonly names: string[];
  /** Columns that have values: all but the groups. */
  readonly dataColumns: number[];
  /** Columns and groups with contributions, by their typical size, largest first. */
  readonly order: number[];
  /** The group of each column, or the column itself. */
  private readonly explainedAs: number[];
  readonly numbers: Float64Array;
  /** The model's decision value; its sign is the decision. */
  readonly decision: Float64Array;
  readonly ties: Set<number>;
  /** Rows far from the training data. */
  readonly far: Set<number>;
  /** Rows whose contributions were changed more than tenfold to add up to the output. */
  readonly stretched: Set<number>;
  /** Rows whose difference from the average the features leave unexplained to a large part. */
  readonly unexplained: Set<number>;
  /** Numbers that concern the report as a whole. */
  readonly amounts: Amounts;
  /** Regressors: digits after the decimal point of predictions and targets. */
  private readonly targetDecimals: number;
  private readonly targetGrouping: Grouping;
  private readonly values: Float64Array[];
  private readonly contributions: Float32Array[];
  private readonly errors: Float32Array[] | null;
  private readonly predictions: Float64Array;
  private readonly actuals: Float64Array | null;
  private readonly pairs: [Float64Array, Float64Array] | null;
  private readonly totalsAt: { base: Float64Array; remainder: Float64Array; output: Float64Array };
  private readonly pointValues: Float64Array[];
  private readonly filled: Set<number>[];
  private readonly columnDecimals: number[];
  private readonly sorted = new Map<number, Float64Array>();
  private close: number | null = null;

  constructor(readonly raw: Raw) {
    const { rows } = raw;
    this.columns = raw.columns;
    this.names = raw.columns.map(({ name }) => name);
    this.dataColumns = Array.from(raw.columns.keys()).filter(c => !this.isGroup(c));
    this.explainedAs = Array.from(raw.columns.keys());
    raw.columns.forEach(({ members }, group) =>
      members?.forEach(member => this.explainedAs[member] = group)
    );
    this.order = raw.order.filter(c => this.explainedAs[c] === c).sort((a, b) =>
      raw.columns[b].typical - raw.columns[a].typical
      || raw.columns[b].importance - raw.columns[a].importance
    );
    this.numbers = unpacked(rows.numbers);
    this.rows = this.numbers.length;
    this.values = rows.values.map(unpacked);
    this.contributions = rows.relevance.map(floatsOf);
    this.errors = rows.standardError?.map(floatsOf) ?? null;
    this.decision = unpacked(rows.decision);
    this.predictions = unpacked(rows.value ?? rows.prediction!);
    this.pairs = rows.positive && rows.negative ? [unpacked(rows.positive), unpacked(rows.negative)]
      : null;
    this.actuals = rows.truth ? unpacked(rows.truth) : null;
    this.filled = this.columns.map((_, c) => new Set(rows.imputed?.[c]));
    this.pointValues = raw.evidence.values.map(unpacked);
    this.totalsAt = { base: unpacked(rows.base), remainder: unpacked(rows.remainder),
      output: unpacked(rows.output) };
    this.ties = new Set(rows.ties);
    this.far = new Set(rows.outside);
    this.stretched = new Set(rows.stretched);
    this.unexplained = new Set(rows.unexplained);
    const typical = largest(raw.columns.map(({ typical, importance }) => typical || importance));
    this.amounts = new Amounts(typical, this.unit);
    this.columnDecimals = this.columns.map(({ least, most }, c) =>
      decimalsOf(rows.values[c]) ?? decimalsFor(most - least, 5)
    );
    const some = this.predictions.subarray(0, 5000);
    const least = Math.min(...some), most = Math.max(...some);
    const digits = decimalsFor(most - least, 4);
    this.targetGrouping = groupingOf(least, most);
    this.targetDecimals = Math.min(rows.truth ? decimalsOf(rows.truth) ?? 12 : 12, digits);
  }

  get unit(): string {
    return this.raw.unit.name;
  }
  /** Every row of the page. */
  readonly all = () => Array.from(this.numbers.keys());
  /** The row's number and identifiers. */
  rowName(row: number): string {
    const cells = this.raw.rows.kept.map(({ cells }) => cells[row]).filter(cell => cell !== "");
    return `Row ${this.numbers[row]}${cells.length === 0 ? "" : ` (${cells.join(", ")})`}`;
  }
  readonly value = (row: number, column: number) => this.values[column][row];
  readonly columnValues = (column: number) => this.values[column];
  readonly rowValues = (row: number) => Float64Array.from(this.values, column => column[row]);
  readonly isGroup = (column: number) => (this.columns[column].members?.length ?? 0) > 0;
  /** The group of a column, or the column itself. */
  readonly explained = (column: number) => this.explainedAs[column];
  /** A column with values: the first one of a group. */
  readonly valueColumn = (column: number) => this.columns[column].members?.[0] ?? column;
  /** Every group is followed by its columns. */
  readonly withMembers = (columns: number[]) =>
    columns.flatMap(c => [c, ...(this.columns[c].members ?? [])]);
  /** The contribution of a column, or of its group. */
  readonly contribution = (row: number, column: number) => this.columnContributions(column)[row];
  /** The method draws at random, so that contributions have standard errors. */
  get hasErrors(): boolean {
    return this.errors !== null;
  }
  /** The standard error of a contribution; 0 if there is none. */
  readonly standardError = (row: number, column: number) =>
    this.errors?.[this.explained(column)][row] ?? 0;
  readonly columnContributions = (column: number) => this.contributions[this.explained(column)];
  /** One per column; 0 for a column of a group. */
  readonly rowContributions = (row: number) =>
    Float64Array.from(this.contributions, column => column[row]);
  /** Columns and groups by the size of their contribution to a row, largest first. */
  strongest(row: number): number[] {
    const parts = this.rowContributions(row);
    return Array.from(parts.keys()).filter(c => this.explained(c) === c).sort((a, b) =>
      Math.abs(parts[b]) - Math.abs(parts[a])
    );
  }
  /** The same, with the columns of a group in its place. */
  readonly strongestColumns = (row: number) =>
    this.strongest(row).flatMap(c => this.columns[c].members ?? [c]);
  /** Sorted values of a column. */
  sortedValues(column: number): Float64Array {
    let known = this.sorted.get(column);
    if (!known) this.sorted.set(column, known = this.values[column].slice().sort());
    return known;
  }
  readonly median = (column: number) => quantileOf(this.sortedValues(column), 0.5);
  /** The interquartile range of a column, or a quarter of its range if that is zero. */
  spread(column: number): number {
    const sorted = this.sortedValues(column);
    return quantileOf(sorted, 0.75) - quantileOf(sorted, 0.25) || (sorted.at(-1)! - sorted[0]) / 4;
  }
  totals(row: number): Totals {
    const { base, remainder, output } = this.totalsAt;
    return totalsOf(base[row], remainder[row], output[row]);
  }
  /** Most rows have a large remainder: a warning in each of them would say nothing. */
  get isMostlyUnexplained(): boolean {
    return 2 * this.unexplained.size > this.rows;
  }
  /** A remainder that a reader of the row should know of. */
  readonly isFlagged = (row: number) => this.unexplained.has(row) && !this.isMostlyUnexplained;
  /** Close calls have decision values of at most this size: about a tenth of the rows, never more
   * than half. −1: none. */
  get closeLimit(): number {
    return this.close ??= this.raw.isRegressor ? -1 : limitOfClose(this.decision);
  }
  /** "3 of the 150 rows of the table", "1 of the 5,000 rows on this page". */
  someRows(count: number): string {
    const place = this.rows < this.raw.rows.total ? "on this page" : "of the table";
    return `${whole(count)} of the ${counted(this.rows, "row")} ${place}`;
  }
  /** Numbers of one row: an extreme row does not change the digits of the others. */
  rowAmounts(row: number): Amounts {
    const { base, output } = this.totals(row);
    return new Amounts(
      largest([base, output, ...this.rowContributions(row)].filter(Number.isFinite)),
      this.unit
    );
  }
  /** The average or the result of a row: a number of the target has no plus sign. */
  totalText(row: number, value: number): string {
    const amounts = this.rowAmounts(row);
    return this.isInTargetUnit ? amounts.plain(value) : amounts.signed(value);
  }
  /** The same with its unit. */
  readonly totalAmount = (row: number, value: number) =>
    `${this.totalText(row, value)} ${this.unit}`;
  /** Contributions add up to the prediction of a regressor. */
  get isInTargetUnit(): boolean {
    return this.raw.isRegressor && this.raw.unit.kind === "decision";
  }
  columnAmounts(column: number): Amounts {
    const { typical, importance } = this.columns[this.explained(column)];
    return new Amounts(typical || importance, this.unit);
  }
  /** The position of the predicted class, or a regressor's prediction. */
  readonly predicted = (row: number) => this.predictions[row];
  /** A class by its position, or a number of the target. */
  readonly targetText = (value: number) =>
    this.raw.isRegressor ? fixed(value, this.targetDecimals, this.targetGrouping)
      : this.raw.labels[value];
  /** The same with its unit, if it was named. */
  targetAmount(value: number): string {
    const isNamed = this.isInTargetUnit && this.unit !== this.raw.targetName
      && this.unit !== "units of the target";
    return `${this.targetText(value)}${isNamed ? ` ${this.unit}` : ""}`;
  }
  readonly prediction = (row: number) => this.targetText(this.predictions[row]);
  /** The prediction with its unit. */
  readonly predictedAmount = (row: number) => this.targetAmount(this.predictions[row]);
  /** What the data say; null if unknown. */
  actual(row: number): number | null {
    const actual = this.actuals?.[row] ?? NaN;
    return Number.isNaN(actual) ? null : actual;
  }
  /** Regressors: the error is larger than the root mean squared error. */
  isWrong(row: number): boolean | null {
    const actual = this.actual(row);
    if (actual === null) return null;
    if (!this.raw.isRegressor) return actual !== this.predictions[row];
    return Math.abs(actual - this.predictions[row]) > this.raw.quality!.rootMeanSquaredError;
  }
  /** Arrays have a target without a name of its own. */
  get hasTargetName(): boolean {
    return !["", "target"].includes(this.raw.targetName);
  }
  get target(): string {
    return this.hasTargetName ? this.raw.targetName : "the target";
  }
  /** Positions of the classes that positive and negative contributions support. */
  readonly pair = (row: number): [number, number] =>
    this.pairs ? [this.pairs[0][row], this.pairs[1][row]] : [-1, -1];
  /** What positive and negative contributions of a row do: "pushes toward ill", "raises load". */
  readonly effects = (row: number) => this.effectsOf(...this.pair(row));
  /** The same for all rows, in general words if the classes differ between rows. */
  commonEffects(): [string, string] {
    const { positive, negative } = this.raw.settings;
    return this.effectsOfNames(positive || "the predicted class", negative || "the runner-up");
  }
  /** The same for two classes by their positions. */
  readonly effectsOf = (positive: number, negative: number) =>
    this.effectsOfNames(this.raw.labels[positive], this.raw.labels[negative]);
  private effectsOfNames(positive: string, negative: string): [string, string] {
    if (this.raw.isRegressor) return [`raises ${this.target}`, `lowers ${this.target}`];
    if (this.raw.isOneClass) return ["makes it more usual", "makes it more unusual"];
    return [`pushes toward ${positive}`, `pushes toward ${negative}`];
  }
  /** 1 if positive contributions support the prediction, −1 if negative ones do. */
  direction(row: number): number {
    if (this.raw.isRegressor) return this.totals(row).sum < 0 ? -1 : 1;
    return this.pair(row)[1] === this.predictions[row] ? -1 : 1;
  }
  /** A value as the reader knows it: a category, or a number with the digits of its column. */
  shown(column: number, value: number): string {
    const { levels, least, most } = this.columns[column];
    const level = levels.length > 0 ? levels[Math.round(value)] : undefined;
    return level ?? withDecimals(value, this.columnDecimals[column], groupingOf(least, most));
  }
  /** The data have no value here: the model filled one in. */
  readonly isFilled = (row: number, column: number) => this.filled[column].has(row);
  /** A value of a row, "27 (filled in)" if the data have none; empty for a group. */
  cell(row: number, column: number, value = this.value(row, column)): string {
    if (this.isGroup(column)) return "";
    const isFilled = this.isFilled(row, column) && value === this.value(row, column);
    return `${this.shown(column, value)}${isFilled ? " (filled in)" : ""}`;
  }
  /** " = 12.3", or nothing for a group. */
  readonly equals = (row: number, column: number) =>
    this.isGroup(column) ? "" : ` = ${this.cell(row, column)}`;
  readonly decimalsOf = (column: number) => this.columnDecimals[column];
  readonly isCategory = (column: number) => this.columns[column].levels.length > 0;
  readonly evidence = (row: number) => this.raw.evidence.rows[row] ?? null;
  readonly pointNumber = (place: number) => this.raw.evidence.points[place];
  readonly pointValue = (place: number, column: number) => this.pointValues[column][place];
}

const textOf = (id: string) => document.getElementById(id)?.textContent ?? "";
export const readReport = () => new Report(JSON.parse(textOf("report-data")) as Raw);
export const readEngine = () => textOf("report-engine");
