// Many points on a canvas, each one a row: pointer and keyboard select them.
import type { Paint } from "./density";
import { h } from "./dom";
import { cssColor } from "./theme";

export interface CloudPoint {
  x: number;
  y: number;
  row: number;
  column: number;
  color: number; // into the colors
  /** Beyond the drawn range: it stands at the edge. */
  isBeyond: boolean;
}

const kRadius = 2.6;
const kReach = 12; // pixels around a point that still hit it

export class PointCloud {
  readonly canvas: HTMLCanvasElement;
  private readonly all = h("canvas"); // every point, without the selection
  private readonly tip: HTMLElement;
  private points: CloudPoint[] = [];
  private drawn = "";
  private selected = -1;
  private strip = -1; // the column that the keys move in

  constructor(
    host: HTMLElement,
    label: string,
    private readonly select: (point: CloudPoint) => void,
    private readonly describe: (point: CloudPoint) => string,
  ) {
    this.canvas = h("canvas", {
      tabindex: 0,
      role: "application",
      "aria-roledescription": "interactive chart",
      "aria-label": label,
      pointermove: (event: PointerEvent) => this.hover(event),
      pointerleave: () => this.showTip(null),
      click: (event: MouseEvent) => this.click(event),
      keydown: (event: KeyboardEvent) => this.key(event),
    });
    // Fixed to the window, so that no chart's edge cuts it off.
    this.tip = h("div", { class: "tip", hidden: true });
    host.append(this.canvas, this.tip);
    this.canvas.addEventListener("blur", () => this.showTip(null));
    addEventListener("scroll", () => this.showTip(null), { passive: true, capture: true });
  }

  /** Draws all points anew only where `key` is another than before; a new selection is cheap. Very many points have a `paint` of their own. */
  draw(key: string, width: number, height: number, points: CloudPoint[], colors: string[], passes: Uint8Array, selected: number, strip = -1, paint: Paint | null = null): void {
    this.strip = strip;
    const ratio = devicePixelRatio || 1;
    this.points = points;
    this.selected = selected;
    if (key !== this.drawn) {
      this.drawn = key;
      for (const canvas of [this.canvas, this.all]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
      const all = this.all.getContext("2d")!;
      all.scale(ratio, ratio);
      if (paint) paint(all);
      else this.drawAll(all, colors.map((color) => sprite(color, ratio)), passes);
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.all, 0, 0);
    context.scale(ratio, ratio);
    context.lineWidth = 2;
    context.strokeStyle = cssColor("--ink");
    for (const point of points) {
      if (point.row !== selected) continue;
      context.beginPath();
      context.arc(point.x, point.y, kRadius + 2.5, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  private drawAll(context: CanvasRenderingContext2D, sprites: HTMLCanvasElement[], passes: Uint8Array): void {
    context.strokeStyle = cssColor("--soft");
    const size = 2 * (kRadius + 1);
    for (const isPassing of [0, 1]) {
      context.globalAlpha = isPassing ? 0.85 : 0.12;
      for (const point of this.points) {
        if (passes[point.row] !== isPassing) continue;
        context.drawImage(sprites[point.color], point.x - size / 2, point.y - size / 2, size, size);
        if (point.isBeyond) context.strokeRect(point.x - kRadius - 1, point.y - kRadius - 1, 2 * kRadius + 2, 2 * kRadius + 2);
      }
    }
  }

  private at(event: MouseEvent): CloudPoint | null {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let best: CloudPoint | null = null, least = kReach * kReach;
    for (const point of this.points) {
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  }

  private click(event: MouseEvent): void {
    const point = this.at(event);
    if (point) this.select(point);
  }

  private hover(event: PointerEvent): void {
    this.showTip(this.at(event));
  }

  private showTip(point: CloudPoint | null): void {
    this.tip.hidden = point === null;
    if (!point) return;
    this.tip.textContent = this.describe(point);
    const box = this.canvas.getBoundingClientRect(), { offsetWidth, offsetHeight } = this.tip;
    const x = box.left + point.x, y = box.top + point.y;
    const below = y + 14 + offsetHeight <= innerHeight;
    this.tip.style.left = `${Math.max(4, Math.min(x + 12, document.documentElement.clientWidth - offsetWidth - 4))}px`;
    this.tip.style.top = `${below ? y + 14 : Math.max(4, y - 14 - offsetHeight)}px`;
  }

  /** Left and right go through the points of a strip by position, up and down from strip to strip, Escape puts the tip away. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") return this.showTip(null);
    const next = this.neighbor(event.key);
    if (!next) return;
    event.preventDefault();
    this.select(next);
    this.showTip(next);
  }

  private neighbor(key: string): CloudPoint | null {
    const strips = [...new Set(this.points.map((point) => point.column))];
    if (strips.length === 0) return null;
    const now = Math.max(0, strips.indexOf(this.strip));
    const up = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
    if (up !== 0 && strips.length > 1) {
      const column = strips[Math.min(Math.max(now + up, 0), strips.length - 1)];
      return this.points.find((point) => point.column === column && point.row === this.selected) ?? null;
    }
    const strip = this.points.filter((point) => point.column === strips[now]).sort((a, b) => a.x - b.x || a.row - b.row);
    const at = strip.findIndex((point) => point.row === this.selected);
    const place = { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageDown: at + 20, PageUp: at - 20, Home: 0, End: strip.length - 1 }[key];
    return place === undefined ? null : strip[Math.min(Math.max(place, 0), strip.length - 1)];
  }
}

function sprite(color: string, ratio: number): HTMLCanvasElement {
  const size = Math.ceil(2 * (kRadius + 1) * ratio);
  const canvas = h("canvas", { width: size, height: size });
  const context = canvas.getContext("2d")!;
  context.fillStyle = color;
  context.beginPath();
  context.arc(size / 2, size / 2, kRadius * ratio, 0, 2 * Math.PI);
  context.fill();
  return canvas;
}
