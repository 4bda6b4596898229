// Counts for every threshold of the decision value of two classes.
import type { Report } from "./data";

/** Rows at or above the threshold that are (right) and are not (wrong) of the class. */
export interface Counts {
  threshold: number;
  right: number;
  wrong: number;
}

/** The counts for every threshold that changes them, highest threshold first. */
export function countsOf(scores: number[], isClass: boolean[]): Counts[] {
  const order = scores.map((_, i) => i).sort((a, b) => scores[b] - scores[a]);
  const result: Counts[] = [{ threshold: Infinity, right: 0, wrong: 0 }];
  let right = 0, wrong = 0;
  order.forEach((i, place) => {
    if (isClass[i]) ++right;
    else ++wrong;
    if (scores[order[place + 1]] === scores[i]) return;
    result.push({ threshold: scores[i], right, wrong });
  });
  return result;
}

/** The area under the ROC curve. */
export function aucOf(counts: Counts[]): number {
  const { right, wrong } = counts.at(-1)!;
  let area = 0;
  for (let i = 1; i < counts.length; ++i) {
    area += ((counts[i].wrong - counts[i - 1].wrong) / wrong)
      * ((counts[i].right + counts[i - 1].right) / 2 / right);
  }
  return area;
}

/** Two classes, each with rows: the counts for the class of positive decision values. */
export function countsIn(report: Report): Counts[] | null {
  const { labels, quality, isRegressor, isOneClass } = report.raw;
  if (!quality || isRegressor || isOneClass || labels.length !== 2) return null;
  const known = report.all().filter(row => report.actual(row) !== null);
  const [positive] = report.pair(known[0] ?? 0);
  if (!known.every(row => report.pair(row)[0] === positive)) return null;
  const counts = countsOf(known.map(row => report.decision[row]),
    known.map(row => report.actual(row) === positive));
  const { right, wrong } = counts.at(-1)!;
  return right > 0 && wrong > 0 ? counts : null;
}
