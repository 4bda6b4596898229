// Many points on a canvas, each of them a row. Pointer and keyboard select them.
import type { Paint } from "./density";
import { type Child, h, s } from "./dom";
import { cssColor } from "./theme";

export interface CloudPoint {
  x: number;
  y: number;
  row: number;
  column: number;
  /** Index into the colors. */
  color: number;
  /** Outside the drawn range: the point is drawn at the edge. */
  isBeyond: boolean;
}

/** What is drawn. The points are drawn again only if `key` has changed. */
export interface Cloud {
  key: string;
  width: number;
  height: number;
  points: CloudPoint[];
  colors: string[];
  passes: Uint8Array;
  /** The current row. */
  selected: number;
  /** The column that left and right keys move in; −1: any. */
  strip: number;
  /** Draws very many points at once, in place of `points`. */
  paint: Paint | null;
}

const kRadius = 2.6;
const kReach = 12; // pixels around a point that still hit it

export class PointCloud {
  /** Axes and canvas on top of each other. */
  readonly host = h("div", { class: "chart layered" });
  readonly canvas: HTMLCanvasElement;
  private readonly axes = s("svg", { "aria-hidden": "true" });
  private readonly all = h("canvas"); // every point, without the mark of the current row
  private readonly tip = h("div", { class: "tip", hidden: true });
  private cloud: Cloud | null = null;
  private drawn = "";

  constructor(label: string, private readonly select: (point: CloudPoint) => void,
    private readonly describe: (point: CloudPoint) => string)
  {
    this.canvas = h("canvas", { tabindex: 0, role: "application",
      "aria-roledescription": "interactive chart", "aria-label": label,
      pointermove: (event: PointerEvent) => this.showTip(this.at(event)),
      pointerleave: () => this.showTip(null), blur: () => this.showTip(null),
      click: (event: MouseEvent) => {
        const point = this.at(event);
        if (point) this.select(point);
      }, keydown: (event: KeyboardEvent) => this.key(event) });
    this.host.append(this.axes, this.canvas, this.tip);
    addEventListener("scroll", () => this.showTip(null), { passive: true, capture: true });
  }

  drawAxes(width: number, height: number, ...children: Child[]): void {
    this.axes.setAttribute("width", String(width));
    this.axes.setAttribute("height", String(height));
    this.axes.replaceChildren(...children.filter(child => child !== null));
  }

  draw(cloud: Cloud): void {
    this.cloud = cloud;
    const ratio = devicePixelRatio || 1, { width, height } = cloud;
    if (cloud.key !== this.drawn) {
      this.drawn = cloud.key;
      for (const canvas of [this.canvas, this.all]) {
        canvas.width = Math.round(width * ratio);
        canvas.height = Math.round(height * ratio);
      }
      this.canvas.style.width = `${width}px`;
      this.canvas.style.height = `${height}px`;
      const all = this.all.getContext("2d")!;
      all.scale(ratio, ratio);
      if (cloud.paint) cloud.paint(all);
      else drawPoints(all, cloud, ratio);
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    context.drawImage(this.all, 0, 0);
    context.scale(ratio, ratio);
    context.lineWidth = 2;
    context.strokeStyle = cssColor("--ink");
    for (const point of cloud.points) {
      if (point.row !== cloud.selected) continue;
      context.beginPath();
      context.arc(point.x, point.y, kRadius + 2.5, 0, 2 * Math.PI);
      context.stroke();
    }
  }

  private at(event: MouseEvent): CloudPoint | null {
    const box = this.canvas.getBoundingClientRect();
    const x = event.clientX - box.left, y = event.clientY - box.top;
    let best: CloudPoint | null = null, least = kReach * kReach;
    for (const point of this.cloud?.points ?? []) {
      const distance = (point.x - x) ** 2 + (point.y - y) ** 2;
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  }

  private showTip(point: CloudPoint | null): void {
    this.tip.hidden = point === null;
    if (!point) return;
    this.tip.textContent = this.describe(point);
    const box = this.canvas.getBoundingClientRect(), { offsetWidth, offsetHeight } = this.tip;
    const x = box.left + point.x + 12, y = box.top + point.y;
    const right = document.documentElement.clientWidth - offsetWidth - 4;
    const isBelow = y + 14 + offsetHeight <= innerHeight;
    this.tip.style.left = `${Math.max(4, Math.min(x, right))}px`;
    this.tip.style.top = `${isBelow ? y + 14 : Math.max(4, y - 14 - offsetHeight)}px`;
  }

  /** Left and right move within a strip, up and down between strips, Escape hides the tip. */
  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") return this.showTip(null);
    const next = this.neighbor(event.key);
    if (!next) return;
    event.preventDefault();
    this.select(next);
    this.showTip(next);
  }

  private neighbor(key: string): CloudPoint | null {
    const { points, selected, strip } = this.cloud!;
    const strips = [...new Set(points.map(point => point.column))];
    if (strips.length === 0) return null;
    const now = Math.max(0, strips.indexOf(strip)), up = { ArrowUp: -1, ArrowDown: 1 }[key] ?? 0;
    if (up !== 0 && strips.length > 1) {
      const column = strips[Math.min(Math.max(now + up, 0), strips.length - 1)];
      return points.find(point => point.column === column && point.row === selected) ?? null;
    }
    const own = points.filter(point => point.column === strips[now]).sort((a, b) =>
      a.x - b.x || a.row - b.row
    );
    const at = own.findIndex(point => point.row === selected);
    const place =
      { ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1,
        PageDown: at + 20, PageUp: at - 20, Home: 0, End: own.length - 1 }[key];
    return place === undefined ? null : own[Math.min(Math.max(place, 0), own.length - 1)];
  }
}

/** Rows that are not selected are pale and behind the others. */
function drawPoints(context: CanvasRenderingContext2D, cloud: Cloud, ratio: number): void {
  const sprites = cloud.colors.map(color => sprite(color, ratio)), size = 2 * (kRadius + 1);
  context.strokeStyle = cssColor("--soft");
  for (const isPassing of [0, 1]) {
    context.globalAlpha = isPassing ? 0.85 : 0.12;
    for (const { x, y, row, color, isBeyond } of cloud.points) {
      if (cloud.passes[row] !== isPassing) continue;
      context.drawImage(sprites[color], x - size / 2, y - size / 2, size, size);
      if (isBeyond) context.strokeRect(x - size / 2, y - size / 2, size, size);
    }
  }
}

function sprite(color: string, ratio: number): HTMLCanvasElement {
  const size = Math.ceil(2 * (kRadius + 1) * ratio),
    canvas = h("canvas", { width: size, height: size });
  const context = canvas.getContext("2d")!;
  context.fillStyle = color;
  context.beginPath();
  context.arc(size / 2, size / 2, kRadius * ratio, 0, 2 * Math.PI);
  context.fill();
  return canvas;
}
