// The report's data, as the command writes them into the page.

export interface Column {
  name: string;
  levels: string[];
  first: number;
  width: number;
  oneHot: boolean;
  importance: number;
  for: number;
  against: number;
  least: number;
  mean: number;
  most: number;
  partner: number;
  share: number;
}

export interface Pool {
  name: string;
  points: number;
  hasIntercept: boolean;
}

export interface Curve {
  method: string;
  aufc: number;
  standardError: number | null;
  removed: number[];
  mean: number[];
}

export interface Palette {
  diverging: string[];
  divergingDark: string[];
  sequential: string[];
  sequentialDark: string[];
  for: string;
  forDark: string;
  against: string;
  againstDark: string;
  lines: string[];
}

/** Place of the point for and of the point against (null: the intercept), weight and activation. */
export type Pair = [number | null, number | null, number, number | null];

interface Raw {
  version: string;
  words: {
    title: string;
    modelFile: string;
    dataFile: string;
    modelKind: string;
    pointName: string;
    preprocessing: string;
  };
  settings: {
    method: string;
    /** Why that rule was taken. */
    reason: string;
    pathSteps: number | null;
    references: number | null;
    side: "all" | "other" | "both" | null;
    neighborhood: number | null;
    eta: number | null;
    gamma: number | null;
    beta: number | null;
    medianDistance: number | null;
    k: number | null;
    kappa: number | null;
    level: number | null;
    reference: string;
    positive: string;
    negative: string;
  };
  /** What numbers are counted in, and what they add up to. */
  unit: { kind: "g" | "decision" | "share"; name: string; output: string };
  /** References and neighbours are rows of a background, not the model's points. */
  hasBackground: boolean;
  pools: Pool[];
  labels: string[];
  isRegressor: boolean;
  modelPoints: number;
  columns: Column[];
  order: number[];
  rows: {
    total: number;
    seed: number;
    numbers: number[];
    values: string;
    relevance: string;
    g: string;
    decision: string;
    value?: string;
    prediction?: number[];
    positive?: number[];
    negative?: number[];
    base: string;
    ties: number[];
    outside: number[];
  };
  evidence: { rows: Pair[][]; points: number[]; values: string };
  model: string | null;
  whyNoModel: string;
  pixelFlipping: { rows: number; samples: number; curves: Curve[] } | null;
  palette: Palette;
  image: [number, number] | null;
}

/** base + sum + remainder = output. */
export interface Account {
  base: number;
  sum: number;
  remainder: number;
  output: number;
}

export function accountOf(base: number, relevance: Float64Array, output: number): Account {
  const sum = relevance.reduce((total, part) => total + part, 0);
  const left = output - base - sum;
  // What rounding leaves is nothing.
  const remainder = Math.abs(left) <= 1e-9 * Math.max(Math.abs(output), Math.abs(base)) ? 0 : left;
  return { base, sum, remainder, output };
}

/** Where relevance leaves so much open, a reader has to know. */
export const isLarge = ({ remainder, output }: Account) => !(Math.abs(remainder) <= 0.2 * Math.abs(output));

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export const numbersOf = (base64: string) => new Float64Array(bytesOf(base64).buffer);

function textOf(id: string): string {
  return document.getElementById(id)?.textContent ?? "";
}

export class Report {
  readonly raw: Raw;
  readonly rows: number;
  readonly columns: Column[];
  /** Columns by importance, the most important first. */
  readonly order: number[];
  readonly numbers: number[];
  readonly g: Float64Array;
  readonly decision: Float64Array;
  readonly bases: Float64Array;
  readonly ties: Set<number>;
  /** Rows far from all data. */
  readonly outside: Set<number>;
  private readonly values: Float64Array;
  private readonly relevances: Float64Array;
  private readonly regression: Float64Array | null;
  private readonly pointValues: Float64Array;

  constructor(raw: Raw) {
    this.raw = raw;
    this.columns = raw.columns;
    this.order = raw.order;
    this.numbers = raw.rows.numbers;
    this.rows = raw.rows.numbers.length;
    this.values = numbersOf(raw.rows.values);
    this.relevances = numbersOf(raw.rows.relevance);
    this.g = numbersOf(raw.rows.g);
    this.decision = numbersOf(raw.rows.decision);
    this.regression = raw.rows.value === undefined ? null : numbersOf(raw.rows.value);
    this.pointValues = numbersOf(raw.evidence.values);
    this.bases = numbersOf(raw.rows.base);
    this.ties = new Set(raw.rows.ties);
    this.outside = new Set(raw.rows.outside);
  }

  value(row: number, column: number): number {
    return this.values[row * this.columns.length + column];
  }
  rowValues(row: number): Float64Array {
    return this.values.slice(row * this.columns.length, (row + 1) * this.columns.length);
  }
  relevance(row: number, column: number): number {
    return this.relevances[row * this.columns.length + column];
  }
  rowRelevance(row: number): Float64Array {
    return this.relevances.subarray(row * this.columns.length, (row + 1) * this.columns.length);
  }
  /** What base, relevance and remainder add up to, in the report's unit. */
  output(g: number, decision: number): number {
    const { kind } = this.raw.unit;
    return kind === "g" ? g : kind === "decision" ? decision : 100 * Math.sign(g);
  }
  /** How a row adds up. */
  account(row: number): Account {
    return accountOf(this.bases[row], this.rowRelevance(row), this.output(this.g[row], this.decision[row]));
  }
  /** A number of the report with its sign and its unit. */
  amount(value: number): string {
    return `${formatSigned(value)} ${this.raw.unit.name}`;
  }
  /** The predicted class, or a regressor's value. */
  prediction(row: number): string {
    if (this.regression) return formatNumber(this.regression[row]);
    return this.raw.labels[this.raw.rows.prediction![row]];
  }
  /** Whom positive and negative relevance speak for. */
  sides(row: number): [string, string] {
    if (this.raw.isRegressor) {
      const level = formatNumber(this.raw.settings.level ?? 0);
      return [`above ${level}`, `below ${level}`];
    }
    const { positive, negative } = this.raw.rows;
    return [this.raw.labels[positive![row]], this.raw.labels[negative![row]]];
  }
  /** The same where it holds for all rows, else in general words. */
  commonSides(): [string, string] {
    const { positive, negative } = this.raw.settings;
    if (this.raw.isRegressor) return this.sides(0);
    return [positive || "the row's class", negative || "its rival"];
  }
  /** A value as the reader knows it: a level's name or a number. */
  shown(column: number, value: number): string {
    const { levels } = this.columns[column];
    return levels.length > 0 ? (levels[Math.round(value)] ?? formatNumber(value)) : formatNumber(value);
  }
  evidence(row: number): Pair[] | null {
    return this.raw.evidence.rows[row] ?? null;
  }
  pointNumber(place: number): number {
    return this.raw.evidence.points[place];
  }
  pointValue(place: number, column: number): number {
    return this.pointValues[place * this.columns.length + column];
  }
}

export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "?";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
  return text.replace("-", "−").replace("e-", "e−");
}

/** With its sign, as relevance is written. */
export const formatSigned = (value: number) => (value > 0 ? "+" : "") + formatNumber(value);

export const readReport = () => new Report(JSON.parse(textOf("report-data")) as Raw);
export const readEngine = () => textOf("report-engine");
