// The verdict of the chosen row, always in view, and the way to the next.
import { h } from "./dom";
import type { State } from "./state";

export function verdictBar(state: State): HTMLElement {
  const { report } = state;
  const words = h("a", { href: "#row", id: "verdict" });
  /** To the next row that passes the filters. */
  const go = (step: number) => {
    for (let row = state.row + step; row >= 0 && row < report.rows; row += step) {
      if (state.passes[row] === 1) return state.selectRow(row);
    }
  };
  function draw(): void {
    const { row } = state, isWrong = report.isWrong(row), truth = report.truth(row);
    const judged = isWrong === null ? "" : report.raw.isRegressor ? `, in truth ${report.targetText(truth!)}` : isWrong ? `, wrong: ${report.targetText(truth!)}` : ", right";
    words.textContent = `${report.rowName(row)}: ${report.prediction(row)}${judged}`;
    words.className = isWrong === true ? "wrong" : "";
  }
  state.subscribe(draw);
  draw();
  const button = (text: string, label: string, step: number) => h("button", { type: "button", "aria-label": label, click: () => go(step) }, text);
  return h("div", { class: "verdict", role: "group", "aria-label": "The chosen row" }, button("◀", "Previous row", -1), words, button("▶", "Next row", 1));
}
