// Pairs of features that act together, and their strongest one in words.
import { max } from "d3-array";
import type { Report } from "./data";
import { Amounts, capital } from "./numbers";

/** Two columns, and the mean size of their joint effect. */
export interface Pair {
  a: number;
  b: number;
  size: number;
}

/** All pairs of columns, the strongest first. */
export function pairsOf({ raw: { interactions } }: Report): Pair[] {
  if (!interactions) return [];
  const { columns, mean_abs } = interactions;
  return mean_abs.flatMap((sizes, i) =>
    sizes.slice(0, i).map((size, j) => ({ a: columns[i], b: columns[j], size }))
  ).sort((p, q) => q.size - p.size);
}

/** The pair of a column with the largest joint effect, if these are exact. */
export const strongestWith = (report: Report, column: number): Pair | undefined =>
  report.raw.interactions?.exact ? pairsOf(report).find(({ a, b, size }) =>
    size > 0 && (a === column || b === column)
  ) : undefined;

/** The columns of the map: those with the largest joint effects, in this order. */
export function mapColumns(pairs: Pair[], count: number): number[] {
  const sums = new Map<number, number>();
  for (const { a, b, size } of pairs) {
    for (const column of [a, b]) sums.set(column, (sums.get(column) ?? 0) + size);
  }
  return [...sums.keys()].sort((a, b) => sums.get(b)! - sums.get(a)!).slice(0, count);
}

/** "Cement and age act together most: …", or that no pair does. */
export function interactionSentence(report: Report, pairs: Pair[]): string {
  const strongest = pairs[0], { unit = "", exact = false } = report.raw.interactions ?? {};
  if (!strongest || strongest.size === 0) return "No two features act together.";
  const amounts = new Amounts(strongest.size, ""), [a, b] = [strongest.a, strongest.b];
  const alone = max(report.columns, ({ importance }) => importance)!;
  // Only numbers of the same unit can be compared.
  const compared = exact && report.raw.unit.kind === "decision"
    ? ` The mean effect of the most important feature is ${amounts.plain(alone)}.` : "";
  return `${capital(report.names[a])} and ${report.names[b]} act together most: their joint effect `
    + `is ${amounts.plain(strongest.size)} ${unit} on average.${compared}`;
}
