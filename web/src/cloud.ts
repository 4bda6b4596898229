// Many points on a canvas, each one a row: pointer and keyboard select them.
import { h } from "./dom";
import { cssColour } from "./theme";

export interface CloudPoint {
  x: number;
  y: number;
  row: number;
  column: number;
  colour: number; // into the colours
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

  constructor(
    private readonly host: HTMLElement,
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
    this.tip = h("div", { class: "tip", hidden: true });
    host.append(this.canvas, this.tip);
  }

  /** Draws all points anew only where `key` is another than before; a new selection is cheap. */
  draw(key: string, width: number, height: number, points: CloudPoint[], colours: string[], passes: Uint8Array, selected: number): void {
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
      this.drawAll(colours.map((colour) => sprite(colour, ratio)), passes, ratio);
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.all, 0, 0);
    context.scale(ratio, ratio);
    context.lineWidth = 2;
    context.strokeStyle = cssColour("--ink");
    for (const point of points) {
      if (point.row !== selected) continue;
      context.beginPath();
      context.arc(point.x, point.y, kRadius + 2.5, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  private drawAll(sprites: HTMLCanvasElement[], passes: Uint8Array, ratio: number): void {
    const context = this.all.getContext("2d")!;
    context.scale(ratio, ratio);
    const size = 2 * (kRadius + 1);
    for (const isPassing of [0, 1]) {
      context.globalAlpha = isPassing ? 0.85 : 0.12;
      for (const point of this.points) {
        if (passes[point.row] === isPassing)
          context.drawImage(sprites[point.colour], point.x - size / 2, point.y - size / 2, size, size);
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
    const left = Math.min(point.x + 12, Math.max(0, this.host.clientWidth - this.tip.offsetWidth - 4));
    this.tip.style.left = `${left}px`;
    this.tip.style.top = `${point.y + 12}px`;
  }

  /** Left and right go through the points of the selected row's strip by position. */
  private key(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (step === undefined || this.points.length === 0) return;
    event.preventDefault();
    const column = (this.points.find((point) => point.row === this.selected) ?? this.points[0]).column;
    const strip = this.points.filter((point) => point.column === column).sort((a, b) => a.x - b.x || a.row - b.row);
    const now = strip.findIndex((point) => point.row === this.selected);
    const next = strip[Math.min(Math.max(now + step, 0), strip.length - 1)];
    this.showTip(next);
    this.select(next);
  }
}

function sprite(colour: string, ratio: number): HTMLCanvasElement {
  const size = Math.ceil(2 * (kRadius + 1) * ratio);
  const canvas = h("canvas", { width: size, height: size });
  const context = canvas.getContext("2d")!;
  context.fillStyle = colour;
  context.beginPath();
  context.arc(size / 2, size / 2, kRadius * ratio, 0, 2 * Math.PI);
  context.fill();
  return canvas;
}
