// Numbers as a reader writes them: in the locale's way, with the digits that mean something.

const formats = new Map<string, Intl.NumberFormat>();

function format(value: number, least: number, most: number): string {
  const key = `${least}/${most}`;
  let known = formats.get(key);
  if (!known) {
    // "min2": years keep together, 233,211 does not. Older browsers group whatever is long.
    const options = { minimumFractionDigits: least, maximumFractionDigits: most, useGrouping: "min2" };
    known = new Intl.NumberFormat(undefined, options as unknown as Intl.NumberFormatOptions);
    formats.set(key, known);
  }
  // What rounds to zero has no sign.
  const text = known.format(Math.abs(value) < 0.5 * 10 ** -most ? 0 : value);
  return text.replace("-", "−");
}

function unusual(value: number): string | null {
  if (!Number.isFinite(value)) return value > 0 ? "∞" : value < 0 ? "−∞" : "?";
  return Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-9) ? value.toExponential(2).replaceAll("-", "−") : null;
}

/** At most so many digits behind the point. */
export const withDecimals = (value: number, most: number) =>
  (Number.isFinite(value) && Math.abs(value) < 1e15 ? format(value, 0, most) : unusual(value)!);

/** Exactly so many digits behind the point, for columns of numbers. */
export function fixed(value: number, decimals: number): string {
  if (!Number.isFinite(value) || Math.abs(value) >= 1e15) return unusual(value)!;
  return Math.abs(value) < 0.5 * 10 ** -decimals ? "0" : format(value, decimals, decimals);
}

/** Digits behind the point that leave so many that count of a number of this size. */
export function decimalsFor(size: number, digits: number): number {
  if (!(size > 0) || !Number.isFinite(size)) return 0;
  return Math.min(12, Math.max(0, digits - 1 - Math.floor(Math.log10(size))));
}

/** A number on its own: four digits that count, and all digits before the point. */
export const formatNumber = (value: number) => unusual(value) ?? withDecimals(value, decimalsFor(Math.abs(value), 4));

export const withSign = (text: string, value: number) => (value > 0 && text !== "0" ? `+${text}` : text);

/** Ticks of an axis need the digits that tell them apart, and no more. */
export function tickFormat(step: number): (value: number) => string {
  const decimals = decimalsFor(Math.abs(step), 2);
  return (value) => withDecimals(value, decimals);
}

export const percent = (part: number) => `${withDecimals(100 * part, part > 0 && part < 0.01 ? 1 : 0)} %`;

/** "1 row", "2 rows". */
export const counted = (count: number, word: string) => `${withDecimals(count, 0)} ${word}${count === 1 ? "" : "s"}`;

/** The q-quantile of sorted numbers, between neighbors. */
export function quantileOf(sorted: ArrayLike<number>, q: number): number {
  if (sorted.length === 0) return NaN;
  const place = q * (sorted.length - 1), low = Math.floor(place), high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

/** A number on its own with its sign. */
export const formatSigned = (value: number) => withSign(formatNumber(value), value);
