// Another model on the same rows: where the two agree, and what each of them uses.
import { Report } from "./data";
import { counted, percent } from "./numbers";
import type { Raw } from "./raw";
import { list, unitBehind } from "./sentences";

/** A feature's part in all relevance of either model; zero where a model does not have it. */
export interface SharedFeature {
  name: string;
  own: number | null;
  theirs: number | null;
  share: number;
  theirShare: number;
}

const sharesOf = ({ columns }: Report) => {
  const all = columns.reduce((sum, { importance }) => sum + importance, 0) || 1;
  return columns.map(({ importance }) => importance / all);
};

export class OtherModel {
  readonly report: Report;
  readonly names: [string, string];
  /** Of both models, those first that either uses most. */
  readonly features: SharedFeature[];
  /** Rows that both models take. */
  readonly rows: number[];
  /** Regressors: predictions farther apart than this differ. */
  readonly usualDistance: number;
  private readonly places: Int32Array;

  constructor(readonly own: Report, raw: Raw) {
    this.report = new Report(raw);
    this.names = [own.raw.words.modelFile, raw.words.modelFile];
    const places = new Map(Array.from(this.report.numbers, (number, row) => [number, row]));
    this.places = Int32Array.from(own.numbers, (number) => places.get(number) ?? -1);
    this.rows = Array.from(own.numbers.keys()).filter((row) => this.places[row] >= 0);
    this.features = this.sharedFeatures();
    const squares = own.raw.isRegressor ? this.rows.reduce((sum, row) => sum + this.distance(row) ** 2, 0) : 0;
    this.usualDistance = Math.sqrt(squares / Math.max(1, this.rows.length));
  }

  private sharedFeatures(): SharedFeature[] {
    const mine = sharesOf(this.own), theirs = sharesOf(this.report), found = this.report.names;
    const common = this.own.names.map((name, own): SharedFeature => {
      const place = found.indexOf(name);
      return { name, own, theirs: place < 0 ? null : place, share: mine[own], theirShare: theirs[place] ?? 0 };
    });
    const alone = found.map((name, place): SharedFeature => ({ name, own: null, theirs: place, share: 0, theirShare: theirs[place] }))
      .filter(({ name }) => !this.own.names.includes(name));
    return [...common, ...alone].sort((a, b) => Math.max(b.share, b.theirShare) - Math.max(a.share, a.theirShare));
  }

  /** The row in the other's report; null where that model could not take it. */
  place(row: number): number | null {
    return this.places[row] < 0 ? null : this.places[row];
  }
  /** How far apart two regressors are. */
  distance(row: number): number {
    return Math.abs(this.own.predicted(row) - this.report.predicted(this.places[row]));
  }
  /** Whether the two say different things; null where one says nothing. */
  differs(row: number): boolean | null {
    if (this.places[row] < 0) return null;
    return this.own.raw.isRegressor ? this.distance(row) > this.usualDistance : this.own.prediction(row) !== this.report.prediction(this.places[row]);
  }
  /** What the other says of a row; empty where it says nothing. */
  prediction(row: number): string {
    return this.places[row] < 0 ? "" : this.report.prediction(this.places[row]);
  }
  isRight(row: number): [boolean, boolean] {
    return [this.own.isWrong(row) === false, this.report.isWrong(this.places[row]) === false];
  }
}

function agreement(other: OtherModel): string {
  const { own, rows, names } = other, apart = rows.filter((row) => other.differs(row));
  const both = `${names[0]} and ${names[1]}`;
  if (apart.length === 0) return `${both} agree on all ${counted(rows.length, "row")}.`;
  const agree = `${both} agree on ${rows.length - apart.length} of ${counted(rows.length, "row")} (${percent(1 - apart.length / rows.length)}).`;
  const known = apart.filter((row) => own.truth(row) !== null), right = (side: 0 | 1) => known.filter((row) => other.isRight(row)[side]).length;
  if (known.length === 0) return agree;
  return `${agree} Of the ${counted(known.length, "row")} on which they differ and the truth is known, ${names[0]} is right on ${right(0)}, ${names[1]} on ${right(1)}.`;
}

function distances(other: OtherModel): string {
  const { own, rows, names } = other, unit = unitBehind(own);
  const mean = rows.reduce((sum, row) => sum + other.distance(row), 0) / rows.length;
  const widest = rows.reduce((best, row) => (other.distance(row) > other.distance(best) ? row : best), rows[0]);
  const apart = `The predictions of ${names[0]} and ${names[1]} are ${own.targetText(mean)}${unit} apart on average, and at most ${own.targetText(other.distance(widest))} (row ${own.numbers[widest]}).`;
  const known = rows.filter((row) => own.truth(row) !== null);
  if (known.length === 0) return apart;
  const error = (report: Report, row: number, truth: number) => Math.abs(report.predicted(row) - truth);
  const closer = known.filter((row) => error(own, row, own.truth(row)!) < error(other.report, other.place(row)!, own.truth(row)!)).length;
  return `${apart} ${names[0]} is closer to the truth on ${closer} of ${counted(known.length, "row")}.`;
}

/** What two models have in common and what not, in a few lines. */
export function modelSentences(other: OtherModel): string[] {
  const { own, rows, names, features } = other;
  if (rows.length === 0) return [`${names[1]} can take none of the rows.`];
  const top = (report: Report) => list(report.order.slice(0, 3).map((column) => report.names[column]));
  const apart = features.reduce((best, feature) => (Math.abs(feature.share - feature.theirShare) > Math.abs(best.share - best.theirShare) ? feature : best));
  const lines = [own.raw.isRegressor ? distances(other) : agreement(other)];
  if (!own.raw.image) {
    lines.push(`${names[0]} uses ${top(own)} most, ${names[1]} ${top(other.report)}.`);
    lines.push(`They differ most in ${apart.name}: ${percent(apart.share)} of all relevance of ${names[0]}, ${percent(apart.theirShare)} of ${names[1]}.`);
  }
  if (rows.length < own.rows) lines.push(`${names[1]} cannot take ${own.rows - rows.length} of the ${own.rows} rows.`);
  return lines;
}

/** What the other model says of a row, beside this one. */
export function otherSentence(other: OtherModel, row: number): string {
  const place = other.place(row), [, name] = other.names, { own, report } = other, unit = unitBehind(own);
  if (place === null) return `${name} cannot take this row.`;
  const truth = report.truth(place), strongest = report.names[report.strongest(place)[0]];
  const both = own.names[own.strongest(row)[0]] === strongest ? `Both rest most on ${strongest}.` : `It rests most on ${strongest}, ${other.names[0]} on ${own.names[own.strongest(row)[0]]}.`;
  if (own.raw.isRegressor) {
    const away = report.predicted(place) - own.predicted(row);
    return `${name} predicts ${report.prediction(place)}${unit}, ${own.targetText(Math.abs(away))} ${away >= 0 ? "more" : "less"}. ${both}`;
  }
  const said = report.prediction(place), judged = truth === null ? "" : report.isWrong(place) ? ", wrongly" : ", rightly";
  return `${name} calls it ${said}${other.differs(row) ? " instead" : " too"}${judged}. ${own.raw.image ? "" : both}`.trim();
}
