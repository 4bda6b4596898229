// Prints: charts as wide as the paper, light colors, and one row on a page of its own.
import { fitCharts } from "./dom";
import type { State } from "./state";
import { setPrinting } from "./theme";

function setMode(state: State, isPrinting: boolean): void {
  document.documentElement.classList.toggle("printing", isPrinting);
  if (!isPrinting) document.documentElement.classList.remove("one-case");
  setPrinting(isPrinting);
  fitCharts();
  state.drawNow();
}

export function startPrinting(state: State): void {
  addEventListener("beforeprint", () => setMode(state, true));
  addEventListener("afterprint", () => setMode(state, false));
}

export function printOneCase(): void {
  document.documentElement.classList.add("one-case");
  print();
}
