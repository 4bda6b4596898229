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
  private points: CloudPoint[] = [];
  private readonly tip: HTMLElement;

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

  draw(width: number, height: number, points: CloudPoint[], colours: string[], passes: Uint8Array, selected: number): void {
    this.points = points;
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext("2d")!;
    context.scale(ratio, ratio);
    const sprites = colours.map((colour) => sprite(colour, ratio));
    const size = 2 * (kRadius + 1);
    for (const isPassing of [0, 1]) {
      context.globalAlpha = isPassing ? 0.85 : 0.12;
      for (const point of points) {
        if (passes[point.row] === isPassing)
          context.drawImage(sprites[point.colour], point.x - size / 2, point.y - size / 2, size, size);
      }
    }
    context.globalAlpha = 1;
    context.lineWidth = 2;
    context.strokeStyle = cssColour("--ink");
    for (const point of points) {
      if (point.row !== selected) continue;
      context.beginPath();
      context.arc(point.x, point.y, kRadius + 2.5, 0, 2 * Math.PI);
      context.stroke();
    }
    this.selected = selected;
  }

  private selected = -1;

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
