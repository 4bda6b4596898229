// Rows that are images, and their contributions as colors.
import { extent, max, mean } from "d3-array";
import type { Report } from "./data";
import { h } from "./dom";
import { divergingLegend } from "./legend";
import { formatNumber } from "./numbers";
import { diverging } from "./theme";

type Color = [number, number, number];

function paint([height, width]: [number, number], kind: string, color: (pixel: number) => Color) {
  const canvas = h("canvas", { width, height, class: kind, role: "img" });
  const context = canvas.getContext("2d")!, image = context.createImageData(width, height);
  for (let pixel = 0; pixel < height * width; ++pixel) {
    image.data.set([...color(pixel), 255], 4 * pixel);
  }
  context.putImageData(image, 0, 0);
  return canvas;
}

const channels = (color: string) =>
  (color.match(/\d+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number) as Color;

const sizeOf = (parts: Iterable<number>) => max(parts, Math.abs) || 1;

/** Gray values from 0 to 1. */
function grays(values: Float64Array | number[]): (pixel: number) => number {
  const [low = 0, high = 0] = extent(values);
  return pixel => high > low ? (values[pixel] - low) / (high - low) : 0.5;
}

const grayColor = (gray: number): Color => [255 * gray, 255 * gray, 255 * gray];

/** The image of a row, its contributions, and both together. */
export function pictures(report: Report, row: number): HTMLElement {
  const shape = report.raw.image!, gray = grays(report.rowValues(row));
  const parts = report.rowContributions(row), largest = sizeOf(parts), ramp = diverging();
  const heat = (pixel: number) => channels(ramp(parts[pixel] / largest));
  const both = (pixel: number) => {
    const strength = Math.min(1, Math.abs(parts[pixel]) / largest) ** 0.6;
    const base = 60 + 150 * gray(pixel);
    return channels(ramp(Math.sign(parts[pixel]))).map(channel =>
      strength * channel + (1 - strength) * base
    ) as Color;
  };
  const [positive, negative] = report.effects(row);
  const all: [string, (pixel: number) => Color][] = [["the image", pixel => grayColor(gray(pixel))],
    ["contributions", heat], ["contributions over the image", both]];
  return h("div", {},
    divergingLegend(negative, `${positive} (full color: ${formatNumber(largest)} ${report.unit})`),
    h("div", { class: "pictures" }, ...all.map(([label, color]) => {
      const canvas = paint(shape, "picture", color);
      canvas.setAttribute("aria-label", `Row ${report.numbers[row]}: ${label}`);
      return h("figure", {}, canvas, h("figcaption", {}, label));
    })));
}

/** A small image; `value` is that of a pixel. */
export function thumbnail(report: Report, value: (pixel: number) => number): HTMLCanvasElement {
  const [height, width] = report.raw.image!;
  const gray = grays(Array.from({ length: height * width }, (_, pixel) => value(pixel)));
  const canvas = paint([height, width], "thumbnail", pixel => grayColor(gray(pixel)));
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

/** Mean contributions of some rows, with the same meaning of the colors as for one row. */
export function meanHeat(report: Report, rows: number[], label: string): HTMLCanvasElement {
  const ramp = diverging(), means = report.columns.map((_, pixel) => {
    const parts = report.columnContributions(pixel);
    return mean(rows, row => parts[row]) ?? 0;
  });
  const largest = sizeOf(means);
  const canvas = paint(report.raw.image!, "picture",
    pixel => channels(ramp(means[pixel] / largest)));
  canvas.setAttribute("aria-label", label);
  return canvas;
}
