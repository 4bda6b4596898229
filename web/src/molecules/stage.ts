// The area in which a molecule is turned: by pointer, touch, wheel, keys or buttons.
import { button, controls, h, s } from "../dom";
import { Camera } from "./camera";
import type { Molecule } from "./data";
import { Scene, type Target } from "./scene";

const kStep = Math.PI / 18; // of a key or button
const kPerPixel = 0.011; // radians
const kZoomStep = 1.2;

const command = (sign: string, label: string, keys: string[], change: (view: Camera) => void) => ({
  sign,
  label,
  keys,
  change
});
/** What buttons and keys do. */
const kCommands = [command("←", "turn left", ["ArrowLeft"], view => view.turn(-kStep, 0)),
  command("→", "turn right", ["ArrowRight"], view => view.turn(kStep, 0)),
  command("↑", "turn up", ["ArrowUp"], view => view.turn(0, -kStep)),
  command("↓", "turn down", ["ArrowDown"], view => view.turn(0, kStep)),
  command("+", "magnify", ["+", "="], view => view.zoom(kZoomStep)),
  command("−", "make smaller", ["-"], view => view.zoom(1 / kZoomStep)),
  command("Reset", "Reset", ["Home"], view => view.reset())];

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
      this.view(camera => camera.zoom(kZoomStep ** (-event.deltaY / 100)));
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

  private view(change: (camera: Camera) => void): void {
    change(this.scene.camera);
    this.changed();
  }

  private buttons(): HTMLElement {
    return controls({ role: "group", "aria-label": "Turn and magnify" },
      ...kCommands.map(({ sign, label, change }) =>
        button(sign, () => this.view(change), { "aria-label": label, title: label })
      ));
  }

  private key(event: KeyboardEvent): void {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const command = kCommands.find(({ keys }) => isPlain && keys.includes(event.key));
    if (!command) return;
    event.preventDefault();
    this.view(command.change);
  }

  private press(event: PointerEvent): void {
    this.svg.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.pointAt(event);
  }

  private pointAt(event: PointerEvent): void {
    const box = this.svg.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    this.point(this.scene.at(x, y), x, y);
  }

  private release(event: PointerEvent): void {
    this.pointers.delete(event.pointerId);
  }

  private move(event: PointerEvent): void {
    const before = this.pointers.get(event.pointerId);
    if (!before) return this.pointAt(event);
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    const now = { x: event.clientX, y: event.clientY };
    this.pointers.set(event.pointerId, now);
    if (!other) return this.drag(now.x - before.x, now.y - before.y);
    const apart = (at: { x: number; y: number }) =>
      Math.max(1, Math.hypot(at.x - other.x, at.y - other.y));
    this.view(camera => camera.zoom(apart(now) / apart(before)));
  }

  private drag(right: number, down: number): void {
    if (right === 0 && down === 0) return;
    this.tip.hidden = true;
    this.view(camera => camera.turn(kPerPixel * right, kPerPixel * down));
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
