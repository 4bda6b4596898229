// Very many points as densities: full cells are high or dark, in the average color of their points.
import { max } from "d3-array";

export const kManyPoints = 60_000;
/** This many of them can be selected with the pointer. */
export const kPicked = 12_000;

const kCell = 3; // pixels

export type Paint = (context: CanvasRenderingContext2D) => void;

/** Points per cell: all, selected ones, and the sum of the color positions of the selected. */
interface Bins {
  all: Float64Array;
  passing: Float64Array;
  color: Float64Array;
}

function count(bins: ArrayLike<number>, size: number, colors: Uint8Array,
  passes: Uint8Array): Bins {
  const all = new Float64Array(size), passing = new Float64Array(size);
  const color = new Float64Array(size);
  for (let row = 0; row < bins.length; ++row) {
    const bin = bins[row];
    ++all[bin];
    if (passes[row] === 0) continue;
    ++passing[bin];
    color[bin] += colors[row];
  }
  return { all, passing, color };
}

const mostOf = (counts: Float64Array) => Math.max(1, max(counts) ?? 0);

/** The cell of a strip for each value. */
export function stripBins(values: ArrayLike<number>, low: number, high: number, width: number) {
  const last = Math.max(1, Math.floor(width / kCell)) - 1;
  const scale = high > low ? (last + 1) / (high - low) : 0;
  const bins = new Uint16Array(values.length);
  for (let row = 0; row < values.length; ++row) {
    bins[row] = Math.min(last, Math.max(0, Math.floor((values[row] - low) * scale)));
  }
  return bins;
}

export interface Strip {
  bins: Uint16Array;
  colors: Uint8Array;
  left: number;
  middle: number;
  height: number;
}

/** One strip per feature; its height shows how many rows there are. */
export const paintStrips =
  (strips: Strip[], palette: string[], passes: Uint8Array): Paint => context => {
    for (const { bins, colors, left, middle, height } of strips) {
      const counts = count(bins, 1 << 12, colors, passes), scale = height / mostOf(counts.all);
      const bar = (bin: number, rows: number) =>
        context.fillRect(left + kCell * bin, middle - (rows * scale) / 2 - 0.5, kCell,
          rows * scale + 1);
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

/** Points of a plane, in pixels. */
export interface Field {
  xs: Float32Array;
  ys: Float32Array;
  width: number;
  height: number;
  colors: Uint8Array;
}

/** The darker a cell, the more points it has. */
export const paintField =
  ({ xs, ys, width, height, colors }: Field, palette: string[], passes: Uint8Array): Paint =>
  context => {
    const across = Math.ceil(width / kCell), up = Math.ceil(height / kCell);
    const cell = (place: number, cells: number) =>
      Math.min(cells - 1, Math.max(0, Math.floor(place / kCell)));
    const bins = Uint32Array.from(xs, (x, i) => cell(ys[i], up) * across + cell(x, across));
    const counts = count(bins, across * up, colors, passes), most = Math.log1p(mostOf(counts.all));
    counts.all.forEach((rows, bin) => {
      if (rows === 0) return;
      const own = counts.passing[bin],
        mean = own > 0 ? counts.color[bin] / own : palette.length / 2;
      context.globalAlpha = own > 0 ? 0.25 + (0.75 * Math.log1p(own)) / most : 0.1;
      context.fillStyle = palette[own > 0 ? Math.round(mean) : Math.floor(mean)];
      context.fillRect((bin % across) * kCell, Math.floor(bin / across) * kCell, kCell, kCell);
    });
  };
