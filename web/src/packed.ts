// Numbers as the command packs them: base64 of integers with a scale, or of floats.

export interface Packed {
  type: "u8" | "i16" | "i32" | "f32" | "f64";
  /** Integers are so many times the numbers: a power of ten. */
  scale: number;
  data: string;
}

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export const doublesOf = (base64: string) => new Float64Array(bytesOf(base64).buffer);

const kArrays = { u8: Uint8Array, i16: Int16Array, i32: Int32Array, f32: Float32Array, f64: Float64Array };

/** What the command had; the division gives back the very number that the data file had. */
export function unpacked({ type, scale, data }: Packed): Float64Array {
  const whole = new kArrays[type](bytesOf(data).buffer);
  const numbers = new Float64Array(whole.length);
  for (let i = 0; i < whole.length; ++i) numbers[i] = whole[i] / scale;
  return numbers;
}

/** Without a copy as doubles, where seven digits do. */
export const floatsOf = ({ data }: Packed) => new Float32Array(bytesOf(data).buffer);

/** Digits behind the point that the data have; null where they have no end. */
export const decimalsOf = ({ type, scale }: Packed) => (type === "f32" || type === "f64" || scale > 1e6 ? null : Math.round(Math.log10(scale)));
