// Axis ranges that a few extreme values do not stretch.
import { quantileOf } from "./numbers";

export interface Range {
  low: number;
  high: number;
  /** How many values are outside, and the extremes of all values. */
  outside: number;
  least: number;
  most: number;
}

const kSample = 20000;

/** The whole range, or the middle 99 % with a margin if the rest would stretch it by half. */
export function rangeOf(parts: ArrayLike<number>[], isWhole: boolean): Range {
  let least = Infinity, most = -Infinity, count = 0;
  for (const values of parts) {
    count += values.length;
    for (let i = 0; i < values.length; ++i) {
      if (values[i] < least) least = values[i];
      if (values[i] > most) most = values[i];
    }
  }
  if (count === 0) return { low: 0, high: 1, outside: 0, least: 0, most: 1 };
  const whole = { low: least, high: most, outside: 0, least, most };
  if (isWhole || count < 20) return whole;
  const step = Math.max(1, Math.floor(count / kSample)), sample: number[] = [];
  let next = 0, seen = 0;
  for (const values of parts) {
    for (; next < seen + values.length; next += step) sample.push(values[next - seen]);
    seen += values.length;
  }
  const sorted = Float64Array.from(sample).sort();
  const inner = { low: quantileOf(sorted, 0.005), high: quantileOf(sorted, 0.995) };
  const room = 0.15 * (inner.high - inner.low);
  const low = Math.max(least, inner.low - room), high = Math.min(most, inner.high + room);
  // Leaving out extremes that are near gains nothing.
  if (!(high > low) || most - least < 1.5 * (high - low)) return whole;
  let outside = 0;
  for (const values of parts) {
    for (let i = 0; i < values.length; ++i) if (values[i] < low || values[i] > high) ++outside;
  }
  return { low, high, outside, least, most };
}

export const clampTo = ({ low, high }: Range, value: number) =>
  Math.min(Math.max(value, low), high);
