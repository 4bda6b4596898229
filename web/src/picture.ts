// Rows that are pictures: the picture, and relevance over it.
import type { Report } from "./data";
import { h } from "./dom";
import { diverging } from "./theme";

function paint(height: number, width: number, color: (pixel: number) => [number, number, number]): HTMLCanvasElement {
  const canvas = h("canvas", { width, height, class: "picture", role: "img" });
  const context = canvas.getContext("2d")!;
  const image = context.createImageData(width, height);
  for (let pixel = 0; pixel < height * width; ++pixel) image.data.set([...color(pixel), 255], 4 * pixel);
  context.putImageData(image, 0, 0);
  return canvas;
}

function channels(color: string): [number, number, number] {
  return (color.match(/\d+/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number) as [number, number, number];
}

export function pictures(report: Report, row: number, values: ArrayLike<number>, relevance: Float64Array): HTMLElement {
  const [height, width] = report.raw.image!;
  const largest = relevance.reduce((most, part) => Math.max(most, Math.abs(part)), 0) || 1;
  let low = Infinity, high = -Infinity;
  for (let i = 0; i < values.length; ++i) [low, high] = [Math.min(low, values[i]), Math.max(high, values[i])];
  const gray = (pixel: number) => (high > low ? (values[pixel] - low) / (high - low) : 0.5);
  const ramp = diverging();
  const plain = paint(height, width, (pixel) => Array(3).fill(255 * gray(pixel)) as [number, number, number]);
  const heat = paint(height, width, (pixel) => channels(ramp(relevance[pixel] / largest)));
  const both = paint(height, width, (pixel) => {
    const strength = Math.min(1, Math.abs(relevance[pixel]) / largest) ** 0.6;
    const color = channels(ramp(Math.sign(relevance[pixel])));
    const base = 60 + 150 * gray(pixel);
    return color.map((channel) => strength * channel + (1 - strength) * base) as [number, number, number];
  });
  const [positive, negative] = report.sides(row);
  const labels: [HTMLCanvasElement, string][] = [[plain, "the picture"], [heat, "relevance"], [both, "relevance over the picture"]];
  return h("div", {}, h("h3", {}, "As a picture"),
    h("p", { class: "note" }, h("span", { class: "key for" }, `for ${positive}`), " and ", h("span", { class: "key against" }, `for ${negative}`), `; full color at relevance ±${report.unsigned(largest)} ${report.raw.unit.name}.`),
    h("div", { class: "pictures" }, ...labels.map(([canvas, label]) => {
      canvas.setAttribute("aria-label", `Row ${report.numbers[row]}: ${label}`);
      return h("figure", {}, canvas, h("figcaption", {}, label));
    })));
}

/** A small picture; `value` is that of a pixel. */
export function thumbnail(report: Report, value: (pixel: number) => number): HTMLCanvasElement {
  const [height, width] = report.raw.image!, values = Array.from({ length: height * width }, (_, pixel) => value(pixel));
  const low = Math.min(...values), high = Math.max(...values);
  const canvas = paint(height, width, (pixel) => Array(3).fill(high > low ? (255 * (values[pixel] - low)) / (high - low) : 128) as [number, number, number]);
  canvas.className = "thumbnail";
  canvas.setAttribute("aria-hidden", "true");
  return canvas;
}

/** Mean relevance of some rows over the pixels, in the diverging colors. */
export function meanHeat(report: Report, rows: number[], label: string): HTMLCanvasElement {
  const [height, width] = report.raw.image!, ramp = diverging();
  const means = report.columns.map((_, pixel) => rows.reduce((sum, row) => sum + report.relevance(row, pixel) * report.way(row), 0) / Math.max(1, rows.length));
  const largest = means.reduce((most, mean) => Math.max(most, Math.abs(mean)), 0) || 1;
  const canvas = paint(height, width, (pixel) => channels(ramp(means[pixel] / largest)));
  canvas.setAttribute("aria-label", label);
  return canvas;
}
