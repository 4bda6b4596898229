// Columns of numbers as the command packs them: base64 of scaled integers or of floats.

export interface Packed {
  type: "u8" | "i16" | "i32" | "f32" | "f64";
  /** The integers are the numbers times this power of ten. */
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

const kArrays = { u8: Uint8Array, i16: Int16Array, i32: Int32Array, f32: Float32Array,
  f64: Float64Array };

/** Dividing by the scale gives exactly the number of the data file. */
export function unpacked({ type, scale, data }: Packed): Float64Array {
  const stored = new kArrays[type](bytesOf(data).buffer);
  const numbers = new Float64Array(stored.length);
  for (let i = 0; i < stored.length; ++i) numbers[i] = stored[i] / scale;
  return numbers;
}

/** Floats as they are stored, without a copy in double precision. */
export const floatsOf = ({ data }: Packed) => new Float32Array(bytesOf(data).buffer);

/** Digits after the decimal point in the data; null if they are unlimited. */
export const decimalsOf = ({ type, scale }: Packed) =>
  type === "f32" || type === "f64" || scale > 1e6 ? null : Math.round(Math.log10(scale));
