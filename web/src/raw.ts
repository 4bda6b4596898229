// The report's data, as the command writes them into the page.
import type { Packed } from "./packed";

export interface Column {
  name: string;
  levels: string[];
  first: number;
  width: number;
  oneHot: boolean;
  /** Mean |relevance| over all rows, and its parts above and below zero. */
  importance: number;
  for: number;
  against: number;
  /** Mean |relevance| of the shown rows without the smallest and the largest tenth. */
  typical: number;
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

/** Place of a point (null: the intercept) and its weight within its side. */
export type WeightedPoint = [number | null, number];

export interface Quality {
  rows: number;
  /** [target][prediction], classifiers. */
  confusion: number[][];
  meanAbsoluteError: number;
  rootMeanSquaredError: number;
  rSquared: number | null;
}

export interface Raw {
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
  /** What numbers are counted in, and what they add up to. */
  unit: { kind: "g" | "decision" | "share"; name: string; output: string };
  /** References and neighbors are rows of a background, not the model's points. */
  hasBackground: boolean;
  pools: Pool[];
  labels: string[];
  isRegressor: boolean;
  isOneClass: boolean;
  /** Of the rows, those that are points of the model. */
  ownPoints: number;
  /** Regressors: the level is the mean of the training targets. */
  levelIsMean: boolean;
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
    /** Columns that only go along, such as identifiers. */
    kept: { name: string; cells: string[] }[];
    values: Packed[];
    relevance: Packed[];
    g: Packed;
    decision: Packed;
    value?: Packed;
    prediction?: Packed;
    positive?: Packed;
    negative?: Packed;
    base: Packed;
    ties: number[];
    outside: number[];
    truth: Packed | null;
  };
  /** For and against, row by row. */
  evidence: { rows: [WeightedPoint[], WeightedPoint[]][]; points: number[]; values: Packed[] };
  model: string | null;
  whyNoModel: string;
  pixelFlipping: { rows: number; samples: number; curves: Curve[] } | null;
  palette: Palette;
  image: [number, number] | null;
  /** Another model on the same rows. */
  against: Raw | null;
}
