// The report's data as the command writes them into the page.
import type { Packed } from "./packed";

export interface Column {
  name: string;
  /** Categories; empty for numbers. */
  levels: string[];
  /** A group of these columns, which has no value of its own. */
  members?: number[];
  /** Its features in the model. */
  first: number;
  width: number;
  oneHot: boolean;
  /** Mean |contribution| over all rows, and its positive and negative parts. */
  importance: number;
  for: number;
  against: number;
  /** Mean |contribution| of the rows on the page, the smallest and largest tenth left out. */
  typical: number;
  least: number;
  mean: number;
  most: number;
  /** How many rows, also those that are not shown, had no value here, so that it was filled in. */
  imputed: number;
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

/** Position of a point (null: the intercept), and its weight within its side or its share of the
 * vote. */
export type WeightedPoint = [number | null, number];

export interface Quality {
  rows: number;
  /** [actual][predicted], classifiers. */
  confusion: number[][];
  balancedAccuracy: number | null;
  meanAbsoluteError: number;
  rootMeanSquaredError: number;
  rSquared: number | null;
}

/** Pairs of features that act together. */
export interface Interactions {
  /** Positions of columns. */
  columns: number[];
  /** Mean |joint effect| of each pair, symmetric; main effects are on the diagonal. */
  mean_abs: number[][];
  /** How many rows the means are over. */
  rows: number;
  /** In the unit of the output. Otherwise they are in that of g, and not part of the values. */
  exact: boolean;
  unit: string;
}

export interface Provenance {
  /** ISO 8601; empty if unknown. */
  date: string;
  command: string;
  files: { role: string; name: string; sha256: string }[];
  /** Names and texts about the training, if the model file has them. */
  facts?: [string, string][];
}

export interface Raw {
  version: string;
  words: {
    title: string;
    modelFile: string;
    dataFile: string;
    modelKind: string;
    /** What the model's points are: "support vectors". */
    pointName: string;
    preprocessing: string;
  };
  provenance: Provenance;
  settings: {
    method: string;
    /** Why that method was chosen. */
    reason: string;
    /** The method's name for people, what it does, and its parameters. */
    title: string;
    help: string;
    parameters: Record<string, number | string | boolean>;
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
  /** The unit of all contributions, and the name of their total. */
  unit: { kind: "g" | "decision" | "share"; name: string; output: string };
  /** References and neighbors are background rows, not the model's points. */
  hasBackground: boolean;
  pools: Pool[];
  labels: string[];
  isRegressor: boolean;
  isOneClass: boolean;
  /** How many rows of the page are also training rows. */
  ownPoints: number;
  isSeries: boolean;
  targetName: string;
  quality: Quality | null;
  modelPoints: number;
  columns: Column[];
  order: number[];
  rows: {
    total: number;
    seed: number;
    numbers: Packed;
    /** Columns that are only shown, such as identifiers. */
    kept: { name: string; cells: string[] }[];
    values: Packed[];
    relevance: Packed[];
    /** Methods that draw at random; an upper bound for a one-hot column. */
    standardError?: Packed[] | null;
    /** For each column the positions of the shown rows whose missing value was filled in; null if
     * the model fills in nothing. */
    imputed: number[][] | null;
    /** How many rows, also those that are not shown, have a value that was filled in. */
    imputedRows: number;
    decision: Packed;
    value?: Packed;
    prediction?: Packed;
    positive?: Packed;
    negative?: Packed;
    base: Packed;
    remainder: Packed;
    output: Packed;
    ties: number[];
    outside: number[];
    /** Rows whose contributions were changed more than tenfold to add up to the output. */
    stretched: number[];
    /** Rows whose difference from the average the features leave unexplained to a large part. */
    unexplained: number[];
    truth: Packed | null;
  };
  /** What a reader of the report should know: sentences without a full stop. */
  notes: { kind: string; text: string }[];
  /** The most influential points for and against, row by row. */
  evidence: {
    rows: [WeightedPoint[], WeightedPoint[]][];
    /** Numbers of the points: rows of the training table, or points of the model. */
    points: number[];
    areRows: boolean;
    /** The points are the neighbors that vote. */
    areVotes: boolean;
    values: Packed[];
  };
  model: string | null;
  whyNoModel: string;
  interactions?: Interactions | null;
  pixelFlipping: { rows: number; samples: number; curves: Curve[] } | null;
  palette: Palette;
  image: [number, number] | null;
  /** Rows are embeddings of this network, and contributions are those of its inputs. */
  network?: string | null;
  /** Another model on the same rows. */
  against: Raw | null;
}
