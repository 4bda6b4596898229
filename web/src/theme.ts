// Light and dark, and the colours of the charts in either.
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

export function startTheme(colours: Palette, changed: () => void): void {
  palette = colours;
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

export const forColour = () => (isDark() ? palette.forDark : palette.for);
export const againstColour = () => (isDark() ? palette.againstDark : palette.against);
export const sideColour = (value: number) => (value >= 0 ? forColour() : againstColour());
export const lineColour = (i: number) => palette.lines[i % palette.lines.length];

function ramp(colours: string[], domain: (step: number) => number): (value: number) => string {
  return scaleLinear<string>()
    .domain(colours.map((_, i) => domain(i / (colours.length - 1))))
    .range(colours)
    .clamp(true);
}

/** From low (0) to high (1). */
export const sequentialColours = () => (isDark() ? palette.sequentialDark : palette.sequential);
/** From −1 (against) over 0 to 1 (for). */
export const diverging = () => ramp(isDark() ? palette.divergingDark : palette.diverging, (t) => 2 * t - 1);

export const cssColour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
