// Light and dark, and the colors of the charts in either.
import { scaleLinear } from "d3-scale";
import type { Palette } from "./raw";

let palette: Palette;
let isPrinting = false;
const kKey = "bisector-theme";

/** Browsers may refuse to store anything for a page from a file. */
function stored(): "light" | "dark" | null {
  try {
    const word = localStorage.getItem(kKey);
    return word === "light" || word === "dark" ? word : null;
  } catch {
    return null;
  }
}
function store(word: string): void {
  try {
    localStorage.setItem(kKey, word);
  } catch {
    // The choice then holds for this visit.
  }
}

let chosen = stored();
const system = matchMedia("(prefers-color-scheme: dark)");

/** Prints are always light. */
export const isDark = () =>
  !isPrinting && (chosen ?? (system.matches ? "dark" : "light")) === "dark";

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
  store(chosen);
  show();
}

export function setPrinting(value: boolean): void {
  isPrinting = value;
  show();
}

export const forColor = () => isDark() ? palette.forDark : palette.for;
export const againstColor = () => isDark() ? palette.againstDark : palette.against;
export const sideColor = (value: number) => value >= 0 ? forColor() : againstColor();
export const lineColor = (i: number) => palette.lines[i % palette.lines.length];

/** Ramps for light and dark. */
export const sequentialRamps = (): [
  string[],
  string[]
] => [palette.sequential, palette.sequentialDark];
export const divergingRamps = (): [
  string[],
  string[]
] => [palette.diverging, palette.divergingDark];

/** From low to high values. */
export const sequentialColors = () => sequentialRamps()[Number(isDark())];
/** From nothing to the largest size; sizes have no direction, so these are not its colors. */
export function heatColors(): string[] {
  const shade = scaleLinear<string>([0, 1], [cssColor("--card"), sequentialColors()[2]]);
  return [0, 0.25, 0.5, 0.75, 1].map(shade);
}
/** From −1 (negative) over 0 to 1 (positive contributions). */
export function diverging(): (value: number) => string {
  const colors = divergingRamps()[Number(isDark())], last = colors.length - 1;
  return scaleLinear<string>().domain(colors.map((_, i) => (2 * i) / last - 1)).range(colors).clamp(
    true
  );
}

export const cssColor = (name: string) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();
