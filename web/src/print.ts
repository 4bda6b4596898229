// On paper: charts as wide as the page, light colors, and one row on one page where that is asked for.
import { fitCharts } from "./dom";
import type { State } from "./state";
import { setPrinting } from "./theme";

function prepare(state: State): void {
  document.documentElement.classList.add("printing");
  setPrinting(true);
  fitCharts();
  state.drawNow();
}

function restore(state: State): void {
  document.documentElement.classList.remove("printing", "one-case");
  setPrinting(false);
  fitCharts();
  state.drawNow();
}

export function startPrinting(state: State): void {
  addEventListener("beforeprint", () => prepare(state));
  addEventListener("afterprint", () => restore(state));
}

export function printOneCase(): void {
  document.documentElement.classList.add("one-case");
  print();
}
