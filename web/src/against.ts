// Another model on the same rows: where the two agree, and what each of them uses.
import { greatest, mean, sum } from "d3-array";
import { Report } from "./data";
import { capital, counted, list, percent, whole } from "./numbers";
import type { Raw } from "./raw";

/** A feature's share of the reasons of either model; null positions: the model does not have it. */
export interface SharedFeature {
  name: string;
  own: number | null;
  theirs: number | null;
  share: number;
  theirShare: number;
}

const sharesOf = ({ columns }: Report) => {
  const all = sum(columns, ({ typical }) => typical) || 1;
  return columns.map(({ typical }) => typical / all);
};

const largerShare = ({ share, theirShare }: SharedFeature) => Math.max(share, theirShare);
const shareGap = ({ share, theirShare }: SharedFeature) => Math.abs(share - theirShare);

export class OtherModel {
  readonly report: Report;
  readonly names: [string, string];
  /** Features of both models, by their larger share. */
  readonly features: SharedFeature[];
  /** Rows that both models can use. */
  readonly rows: number[];
  /** Regressors: predictions farther apart than this differ. */
  readonly usualDistance: number;
  private readonly places: Int32Array;

  constructor(readonly own: Report, raw: Raw) {
    this.report = new Report(raw);
    this.names = [own.raw.words.modelFile, raw.words.modelFile];
    const places = new Map(Array.from(this.report.numbers, (number, row) => [number, row]));
    this.places = Int32Array.from(own.numbers, number => places.get(number) ?? -1);
    this.rows = own.all().filter(row => this.places[row] >= 0);
    this.features = this.sharedFeatures();
    const squares = own.raw.isRegressor ? mean(this.rows, row => this.distance(row) ** 2) : 0;
    this.usualDistance = Math.sqrt(squares ?? 0);
  }

  private sharedFeatures(): SharedFeature[] {
    const mine = sharesOf(this.own), theirs = sharesOf(this.report), found = this.report.names;
    const common = this.own.names.map((name, own): SharedFeature => {
      const place = found.indexOf(name);
      return { name, own, theirs: place < 0 ? null : place, share: mine[own],
        theirShare: theirs[place] ?? 0 };
    });
    const alone = found.map((name, place): SharedFeature => ({ name, own: null, theirs: place,
      share: 0, theirShare: theirs[place] })
    ).filter(({ name }) => !this.own.names.includes(name));
    return [...common, ...alone].sort((a, b) => largerShare(b) - largerShare(a));
  }

  /** The row's position in the other report; null if that model cannot use it. */
  readonly place = (row: number) => this.places[row] < 0 ? null : this.places[row];
  /** Regressors: how far apart the predictions are. */
  readonly distance = (row: number) =>
    Math.abs(this.own.predicted(row) - this.report.predicted(this.places[row]));
  /** Whether the predictions differ; null if there is only one. */
  differs(row: number): boolean | null {
    if (this.places[row] < 0) return null;
    return this.own.raw.isRegressor ? this.distance(row) > this.usualDistance
      : this.own.prediction(row) !== this.report.prediction(this.places[row]);
  }
  /** The other model's prediction; empty if there is none. */
  readonly prediction = (row: number) =>
    this.places[row] < 0 ? "" : this.report.prediction(this.places[row]);
  readonly isRight = (
    row: number
  ): [boolean, boolean] => [this.own.isWrong(row) === false,
    this.report.isWrong(this.places[row]) === false];
}

function agreement(other: OtherModel): string {
  const { own, rows, names } = other, apart = rows.filter(row => other.differs(row));
  const both = `${names[0]} and ${names[1]}`;
  if (apart.length === 0) return `${both} agree on all ${counted(rows.length, "row")}.`;
  const agree = `${both} agree on ${whole(rows.length - apart.length)} of `
    + `${counted(rows.length, "row")} (${percent(1 - apart.length / rows.length)}).`;
  const known = apart.filter(row => own.actual(row) !== null);
  const right = (side: 0 | 1) => whole(known.filter(row => other.isRight(row)[side]).length);
  return known.length === 0 ? agree
    : `${agree} Of the ${counted(known.length, "row")} on which `
      + `they differ, ${names[0]} is correct on ${right(0)}, ${names[1]} on ${right(1)}.`;
}

function distances(other: OtherModel): string {
  const { own, rows, names } = other;
  const far = (row: number) => other.distance(row), widest = greatest(rows, far)!;
  const apart = `The predictions of ${names[0]} and ${names[1]} differ by `
    + `${own.targetAmount(mean(rows, far)!)} on average and by at most `
    + `${own.targetAmount(other.distance(widest))} (row ${own.numbers[widest]}).`;
  const known = rows.filter(row => own.actual(row) !== null);
  const error = (report: Report, place: number, row: number) =>
    Math.abs(report.predicted(place) - own.actual(row)!);
  const closer =
    known.filter(row => error(own, row, row) < error(other.report, other.place(row)!, row)).length;
  return known.length === 0 ? apart
    : `${apart} ${names[0]} is closer on ${whole(closer)} of ${counted(known.length, "row")}.`;
}

/** What two models have in common, in a few sentences. */
export function modelSentences(other: OtherModel): string[] {
  const { own, rows, names, features } = other;
  if (rows.length === 0) return [`${names[1]} cannot use any of the rows.`];
  const top = (report: Report) => list(report.order.slice(0, 3).map(c => report.names[c]));
  const apart = greatest(features, shareGap)!;
  const lines = [own.raw.isRegressor ? distances(other) : agreement(other)];
  if (!own.raw.image) {
    lines.push(`${names[0]} uses ${top(own)} most, ${names[1]} ${top(other.report)}.`,
      `They differ most in ${apart.name}: ${percent(apart.share)} of the reasons of ${names[0]}, `
        + `${percent(apart.theirShare)} of ${names[1]}.`);
  }
  if (rows.length < own.rows) {
    lines.push(`${names[1]} cannot use ${own.rows - rows.length} of ${counted(own.rows, "row")}.`);
  }
  return lines;
}

/** What the other model predicts for a row. */
export function otherSentence(other: OtherModel, row: number): string {
  const place = other.place(row), [mine, name] = other.names, { own, report } = other;
  if (place === null) return `${name} cannot use this row.`;
  const strongest = report.names[report.strongest(place)[0]];
  const first = own.names[own.strongest(row)[0]];
  const both = first === strongest ? `${capital(strongest)} is the strongest feature in both.`
    : `Its strongest feature is ${strongest}; that of ${mine} is ${first}.`;
  if (own.raw.isRegressor) {
    const away = report.predicted(place) - own.predicted(row);
    return `${name} predicts ${own.targetAmount(report.predicted(place))}, `
      + `${own.targetText(Math.abs(away))} ${away >= 0 ? "more" : "less"}. ${both}`;
  }
  const judged =
    { true: ": incorrect", false: ": correct", null: "" }[String(report.isWrong(place))];
  return `${name} ${other.differs(row) ? "predicts" : "also predicts"} ${report.prediction(place)}`
    + `${judged}. ${own.raw.image ? "" : both}`.trimEnd();
}
