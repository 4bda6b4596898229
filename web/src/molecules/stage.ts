// The area in which a molecule is turned: by pointer, touch, wheel, keys or buttons.
import { h, s } from "../dom";
import { Camera } from "./camera";
import type { Molecule } from "./data";
import { Scene, type Target } from "./scene";

const kStep = Math.PI / 18; // of a key or button
const kPerPixel = 0.011; // radians
const kZoomStep = 1.2;

export class Stage {
  readonly element: HTMLElement;
  scene!: Scene;
  private readonly svg: SVGSVGElement;
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private width = 0;
  private height = 0;
  private isScheduled = false;

  constructor(private readonly pick: (target: Target) => void,
    private readonly describe: (target: Target) => string)
  {
    this.svg = s("svg", { class: "stage", tabindex: 0, role: "application",
      "aria-roledescription": "molecule that can be turned", "aria-describedby": "molecule-words",
      pointerdown: (event: PointerEvent) => this.press(event),
      pointermove: (event: PointerEvent) => this.move(event),
      pointerup: (event: PointerEvent) => this.release(event),
      pointercancel: (event: PointerEvent) => this.release(event),
      pointerleave: () => this.point(null, 0, 0),
      keydown: (event: KeyboardEvent) => this.key(event) });
    this.svg.addEventListener("wheel", event => {
      event.preventDefault();
      this.zoom(kZoomStep ** (-event.deltaY / 100));
    }, { passive: false });
    const host = h("div", { class: "chart" }, this.svg, this.tip);
    new ResizeObserver(() => {
      [this.width, this.height] = [this.svg.clientWidth, this.svg.clientHeight];
      this.changed();
    }).observe(this.svg);
    this.element = h("div", {}, host, this.buttons());
  }

  show(molecule: Molecule): void {
    this.scene = new Scene(molecule, new Camera(molecule.radius), this.svg);
    this.svg.setAttribute("aria-label",
      `${molecule.name}: arrow keys turn it, plus and minus magnify, Home resets it`);
    this.point(null, 0, 0);
    this.changed();
  }

  /** Draws once per frame. */
  changed(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      if (this.width > 0 && this.height > 0) this.scene.draw(this.width, this.height);
    });
  }

  private turn(right: number, down: number): void {
    this.scene.camera.turn(right, down);
    this.changed();
  }
  private zoom(factor: number): void {
    this.scene.camera.zoom(factor);
    this.changed();
  }
  private reset(): void {
    this.scene.camera.reset();
    this.changed();
  }

  private buttons(): HTMLElement {
    const button = (label: string, sign: string, click: () => void) =>
      h("button", { type: "button", "aria-label": label, title: label, click }, sign);
    return h("div", { class: "controls", role: "group", "aria-label": "Turn and magnify" },
      button("turn left", "←", () => this.turn(-kStep, 0)),
      button("turn right", "→", () => this.turn(kStep, 0)),
      button("turn up", "↑", () => this.turn(0, -kStep)),
      button("turn down", "↓", () => this.turn(0, kStep)),
      button("magnify", "+", () => this.zoom(kZoomStep)),
      button("make smaller", "−", () => this.zoom(1 / kZoomStep)),
      h("button", { type: "button", click: () => this.reset() }, "Reset"));
  }

  private key(event: KeyboardEvent): void {
    const actions: Record<string, () => void> = { ArrowLeft: () => this.turn(-kStep, 0),
      ArrowRight: () => this.turn(kStep, 0), ArrowUp: () => this.turn(0, -kStep),
      ArrowDown: () => this.turn(0, kStep), "+": () => this.zoom(kZoomStep),
      "=": () => this.zoom(kZoomStep), "-": () => this.zoom(1 / kZoomStep),
      Home: () => this.reset() };
    const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  private press(event: PointerEvent): void {
    this.svg.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const box = this.svg.getBoundingClientRect();
    this.point(this.scene.at(event.clientX - box.left, event.clientY - box.top),
      event.clientX - box.left, event.clientY - box.top);
  }

  private release(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) {
      const box = this.svg.getBoundingClientRect();
      const [x, y] = [event.clientX - box.left, event.clientY - box.top];
      this.point(this.scene.at(x, y), x, y);
      return;
    }
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const now = { x: event.clientX, y: event.clientY };
    this.pointers.set(event.pointerId, now);
    if (!other) return this.drag(now.x - before.x, now.y - before.y);
    const apart = (at: { x: number; y: number }) =>
      Math.max(1, Math.hypot(at.x - other.x, at.y - other.y));
    this.zoom(apart(now) / apart(before));
  }

  private drag(right: number, down: number): void {
    if (right === 0 && down === 0) return;
    this.tip.hidden = true;
    this.turn(kPerPixel * right, kPerPixel * down);
  }

  private point(target: Target, x: number, y: number): void {
    this.tip.hidden = target === null;
    this.svg.classList.toggle("hit", target !== null);
    this.pick(target);
    if (!target) return;
    this.tip.textContent = this.describe(target);
    this.tip.style.left = `${
      Math.max(0, Math.min(x + 14, this.width - this.tip.offsetWidth - 4))
    }px`;
    this.tip.style.top = `${y + 14}px`;
  }
}
