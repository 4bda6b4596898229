// Numbers as text: in the reader's locale, with the digits that carry information.

const formats = new Map<string, Intl.NumberFormat>();

/** "min2" writes years without a separator and 23,211 with one. Older browsers ignore it. */
export type Grouping = "min2" | "always";

/** Numbers that may all be years have no separators. */
export const groupingOf = (least: number, most: number): Grouping =>
  least >= 1000 && most < 3000 ? "min2" : "always";

function format(value: number, least: number, most: number, useGrouping: Grouping): string {
  const key = `${least}/${most}/${useGrouping}`;
  let known = formats.get(key);
  if (!known) {
    const options = { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping };
    known = new Intl.NumberFormat(undefined, options as unknown as Intl.NumberFormatOptions);
    formats.set(key, known);
  }
  // A number that rounds to zero has no sign.
  const text = known.format(Math.abs(value) < 0.5 * 10 ** -most ? 0 : value);
  return text.replace("-", "−");
}

/** Infinite, missing, huge and tiny numbers; null for all others. */
function unusual(value: number): string | null {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "?";
  const size = Math.abs(value);
  return size >= 1e15 || (value !== 0 && size < 1e-9) ? value.toExponential(2).replaceAll("-", "−")
    : null;
}

const isLarge = (value: number) => !Number.isFinite(value) || Math.abs(value) >= 1e15;

/** At most `most` digits after the decimal point. */
export const withDecimals = (value: number, most: number, grouping: Grouping = "min2") =>
  isLarge(value) ? unusual(value)! : format(value, 0, most, grouping);

/** Exactly `decimals` digits after the decimal point, for columns of numbers. */
export function fixed(value: number, decimals: number, grouping: Grouping = "always"): string {
  if (isLarge(value)) return unusual(value)!;
  return Math.abs(value) < 0.5 * 10 ** -decimals ? "0"
    : format(value, decimals, decimals, grouping);
}

/** The digits after the decimal point that give a number of this size `digits` significant ones. */
export function decimalsFor(size: number, digits: number): number {
  if (!(size > 0) || !Number.isFinite(size)) return 0;
  return Math.min(12, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

/** A single number with four significant digits. */
export const formatNumber = (value: number) =>
  unusual(value) ?? withDecimals(value, decimalsFor(Math.abs(value), 4));

export const withSign = (text: string, value: number) =>
  value > 0 && text !== "0" ? `+${text}` : text;

/** Ticks of an axis need the digits that distinguish them. */
export function tickFormat(ticks: number[]): (value: number) => string {
  const decimals = decimalsFor(Math.abs(ticks.length > 1 ? ticks[1] - ticks[0] : ticks[0] ?? 1), 2);
  const grouping = groupingOf(ticks[0], ticks.at(-1) ?? 0);
  return value => withDecimals(value, decimals, grouping);
}

/** Shares that are almost nothing or almost all keep a digit: 249 of 250 are not 100 %. */
export function percent(part: number): string {
  const least = 100 * Math.min(part, 1 - part);
  return `${
    withDecimals(100 * part, least > 0 && least < 1 ? Math.min(2, decimalsFor(least, 1)) : 0)
  } %`;
}

/** No line ends between a number and its percent sign. */
export const unbroken = (text: string) => text.replaceAll(" %", "\u00a0%");

/** A count with thousands separators. */
export const whole = (count: number) => format(count, 0, 0, "always");

/** "1 row", "2 rows". */
export const counted = (count: number, word: string) =>
  `${whole(count)} ${word}${count === 1 ? "" : "s"}`;

/** "a, b and c". */
export const list = (words: string[]) =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

/** Begins a sentence. Names that are no words, such as "credit_amount" and "pH", stay the same. */
export const capital = (text: string) =>
  /^[a-z]+([\s,.:;)]|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;

/** The q-quantile of sorted numbers, interpolated. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return NaN;
  const place = q * (sorted.length - 1), low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

/** Numbers of one row or one column: all with the same digits, chosen by the largest of them. */
export class Amounts {
  private readonly decimals: number;

  constructor(size: number, private readonly unit: string) {
    this.decimals = decimalsFor(size, 3);
  }
  readonly plain = (value: number) => fixed(value, this.decimals);
  readonly signed = (value: number) => withSign(this.plain(value), value);
  readonly withUnit = (value: number) =>
    `${this.signed(value)}${this.unit === "" ? "" : ` ${this.unit}`}`;
}
