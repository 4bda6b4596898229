// Very many points as a density: what is full is high or dark, in the mean color of the points there.

export const kManyPoints = 60_000;
/** So many of them can be pointed at. */
export const kPicked = 12_000;

const kCell = 3; // pixels

export type Paint = (context: CanvasRenderingContext2D) => void;

/** Points that pass are full, others pale behind them. */
interface Bins {
  all: Float64Array;
  passing: Float64Array;
  /** Sum of the colors' places, of those that pass. */
  color: Float64Array;
}

function count(bins: ArrayLike<number>, size: number, colors: Uint8Array, passes: Uint8Array): Bins {
  const all = new Float64Array(size), passing = new Float64Array(size), color = new Float64Array(size);
  for (let row = 0; row < bins.length; ++row) {
    const bin = bins[row];
    ++all[bin];
    if (passes[row] === 0) continue;
    ++passing[bin];
    color[bin] += colors[row];
  }
  return { all, passing, color };
}

const mostOf = (counts: Float64Array) => counts.reduce((most, own) => Math.max(most, own), 1);

/** Which bin of a strip a number falls into. */
export function stripBins(values: ArrayLike<number>, low: number, high: number, width: number): Uint16Array {
  const last = Math.max(1, Math.floor(width / kCell)) - 1, scale = high > low ? (last + 1) / (high - low) : 0;
  const bins = new Uint16Array(values.length);
  for (let row = 0; row < values.length; ++row) bins[row] = Math.min(last, Math.max(0, Math.floor((values[row] - low) * scale)));
  return bins;
}

export interface Strip {
  bins: Uint16Array;
  colors: Uint8Array;
  left: number;
  middle: number;
  height: number;
}

/** A strip for each feature, as high as it is full. */
export const paintStrips = (strips: Strip[], palette: string[], passes: Uint8Array): Paint => (context) => {
  for (const { bins, colors, left, middle, height } of strips) {
    const counts = count(bins, 1 << 12, colors, passes), scale = height / mostOf(counts.all);
    const bar = (bin: number, rows: number) => context.fillRect(left + kCell * bin, middle - (rows * scale) / 2 - 0.5, kCell, rows * scale + 1);
    counts.all.forEach((rows, bin) => {
      if (rows === 0) return;
      context.globalAlpha = 0.2;
      context.fillStyle = palette[Math.floor(palette.length / 2)];
      if (counts.passing[bin] < rows) bar(bin, rows);
      if (counts.passing[bin] === 0) return;
      context.globalAlpha = 0.9;
      context.fillStyle = palette[Math.round(counts.color[bin] / counts.passing[bin])];
      bar(bin, counts.passing[bin]);
    });
  }
};

/** Points of a plane, each cell the darker the fuller. */
export const paintField = (xs: Float32Array, ys: Float32Array, width: number, height: number, colors: Uint8Array, palette: string[], passes: Uint8Array): Paint => (context) => {
  const across = Math.ceil(width / kCell), up = Math.ceil(height / kCell), bins = new Uint32Array(xs.length);
  for (let i = 0; i < xs.length; ++i)
    bins[i] = Math.min(up - 1, Math.max(0, Math.floor(ys[i] / kCell))) * across + Math.min(across - 1, Math.max(0, Math.floor(xs[i] / kCell)));
  const counts = count(bins, across * up, colors, passes), most = Math.log1p(mostOf(counts.all));
  counts.all.forEach((rows, bin) => {
    if (rows === 0) return;
    const own = counts.passing[bin];
    context.globalAlpha = own > 0 ? 0.25 + (0.75 * Math.log1p(own)) / most : 0.1;
    context.fillStyle = palette[own > 0 ? Math.round(counts.color[bin] / own) : Math.floor(palette.length / 2)];
    context.fillRect((bin % across) * kCell, Math.floor(bin / across) * kCell, kCell, kCell);
  });
};
