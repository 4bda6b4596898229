// Pairs of features that act together, and their strongest one in words.
import type { Report } from "./data";
import { Amounts, capital } from "./numbers";

/** Two columns, and the mean size of their joint effect. */
export interface Pair {
  a: number;
  b: number;
  size: number;
}

/** All pairs of columns, the strongest first. */
export function pairsOf({ names, raw: { interactions } }: Report): Pair[] {
  if (!interactions) return [];
  const columns = interactions.features.map((name) => names.lastIndexOf(name));
  const pairs = interactions.mean_abs.flatMap((sizes, i) =>
    sizes.slice(0, i).map((size, j) => ({ a: columns[i], b: columns[j], size }))
  );
  return pairs.filter(({ a, b }) => a >= 0 && b >= 0).sort((p, q) => q.size - p.size);
}

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
  const strongest = pairs[0], amounts = new Amounts(strongest?.size ?? 0, report.unit);
  if (!strongest || strongest.size === 0) return "No two features act together.";
  const names = [strongest.a, strongest.b].map((c) => report.names[c]);
  const alone = report.columns.reduce((most, { importance }) => Math.max(most, importance), 0);
  const compared = alone > 0
    ? ` The mean effect of the most important feature is ${amounts.plain(alone)}.` : "";
  return `${capital(names[0])} and ${names[1]} act together most: their joint effect is `
    + `${amounts.plain(strongest.size)} ${report.unit} on average.${compared}`;
}
