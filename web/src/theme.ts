// Light and dark, and the colors of the charts in either.
import { scaleLinear } from "d3-scale";
import type { Palette } from "./raw";

let palette: Palette;
let isPrinting = false;
const kKey = "bisector-theme";

/** Browsers may refuse to remember anything for a page that came from a file. */
function remembered(): "light" | "dark" | null {
  try {
    const word = localStorage.getItem(kKey);
    return word === "light" || word === "dark" ? word : null;
  } catch {
    return null;
  }
}
function remember(word: string): void {
  try {
    localStorage.setItem(kKey, word);
  } catch {
    // Then it holds for this visit.
  }
}

let chosen = remembered();
const system = matchMedia("(prefers-color-scheme: dark)");

/** Paper is light. */
export const isDark = () => !isPrinting && (chosen ?? (system.matches ? "dark" : "light")) === "dark";

function show(): void {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
}
system.addEventListener("change", show);
show();

export function startTheme(colors: Palette, changed: () => void): void {
  palette = colors;
  system.addEventListener("change", changed);
}

export function toggleTheme(): void {
  chosen = isDark() ? "light" : "dark";
  remember(chosen);
  show();
}

export function setPrinting(value: boolean): void {
  isPrinting = value;
  show();
}

export const forColor = () => (isDark() ? palette.forDark : palette.for);
export const againstColor = () => (isDark() ? palette.againstDark : palette.against);
export const sideColor = (value: number) => (value >= 0 ? forColor() : againstColor());
export const lineColor = (i: number) => palette.lines[i % palette.lines.length];

function ramp(colors: string[], domain: (step: number) => number): (value: number) => string {
  return scaleLinear<string>()
    .domain(colors.map((_, i) => domain(i / (colors.length - 1))))
    .range(colors)
    .clamp(true);
}

/** From low (0) to high (1). */
export const sequentialColors = () => (isDark() ? palette.sequentialDark : palette.sequential);
/** From −1 (against) over 0 to 1 (for). */
export const diverging = () => ramp(isDark() ? palette.divergingDark : palette.diverging, (t) => 2 * t - 1);

export const cssColor = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
