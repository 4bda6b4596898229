// The view of a molecule: rotation, magnification and a little perspective.
import type { Vector } from "./data";

type Quaternion = [w: number, x: number, y: number, z: number];

export interface Seen {
  x: number; // pixels
  y: number;
  depth: number; // Angstrom, larger is nearer
  scale: number; // pixels for an Angstrom at this depth
}

const kDistance = 5; // of the viewer, in radii of the molecule
const kMargin = 0.4; // Angstrom around the furthest atom
const kLeastZoom = 0.4, kMostZoom = 6;

function product([a, b, c, d]: Quaternion, [w, x, y, z]: Quaternion): Quaternion {
  return [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y,
    a * y - b * z + c * w + d * x, a * z + b * y - c * x + d * w];
}

export class Camera {
  private turned: Quaternion = [1, 0, 0, 0];
  private magnified = 1;

  constructor(private readonly radius: number) {}

  /** Radians to the right and down, as the viewer sees it. */
  turn(right: number, down: number): void {
    const angle = Math.hypot(right, down);
    if (angle === 0) return;
    const part = Math.sin(angle / 2) / angle;
    const [w, x, y, z] = product([Math.cos(angle / 2), down * part, right * part, 0], this.turned);
    const length = Math.hypot(w, x, y, z); // rounding adds up over many turns
    this.turned = [w / length, x / length, y / length, z / length];
  }

  zoom(factor: number): void {
    this.magnified = Math.min(kMostZoom, Math.max(kLeastZoom, this.magnified * factor));
  }

  reset(): void {
    this.turned = [1, 0, 0, 0];
    this.magnified = 1;
  }

  rotate(place: Vector): Vector {
    const conjugate: Quaternion = [this.turned[0], -this.turned[1], -this.turned[2],
      -this.turned[3]];
    const [, x, y, z] = product(product(this.turned, [0, ...place]), conjugate);
    return [x, y, z];
  }

  /** A place that is already rotated, on a stage of this size. */
  project([x, y, z]: Vector, width: number, height: number): Seen {
    const distance = kDistance * this.radius;
    const scale = ((this.magnified * Math.min(width, height)) / 2 / (this.radius + kMargin))
      * (distance / (distance - z));
    return { x: width / 2 + scale * x, y: height / 2 - scale * y, depth: z, scale };
  }
}
