// The bar at the top, always visible: which rows are selected, and the verdict of the current one.
import { button, h, picker } from "./dom";
import { selectionWords } from "./filters";
import { counted, whole } from "./numbers";
import { kSelectAll, type State } from "./state";

function verdictOf({ report, row }: State): string {
  const actual = report.actual(row), isWrong = report.isWrong(row);
  const said = `${report.rowName(row)}: predicted ${report.predictedAmount(row)}`;
  if (actual === null) return said;
  if (report.raw.isRegressor || isWrong) return `${said}, actual ${report.targetText(actual)}`;
  return `${said}, correct`;
}

/** "58 of 300 rows selected ✕", or how many rows there are. */
function selection(state: State): { element: HTMLElement; draw: () => void } {
  const count = h("span", { role: "status", id: "selected" }),
    words = h("span", { class: "words" });
  const clear = button("✕", () => state.look(kSelectAll), { class: "small", id: "select-all",
    "aria-label": "Select all rows" });
  const element = h("span", { class: "selection" }, count, words, clear);
  const draw = () => {
    const { isFiltered, passing, report } = state;
    count.textContent = isFiltered ? `${whole(passing)} of ${counted(report.rows, "row")} selected`
      : `All ${counted(report.rows, "row")}`;
    words.textContent = isFiltered ? ` (${selectionWords(state)})` : "";
    clear.hidden = !isFiltered;
    element.classList.toggle("active", isFiltered);
  };
  return { element, draw };
}

export function selectionBar(state: State): HTMLElement {
  const { report } = state, { labels, isRegressor } = report.raw;
  const verdict = h("a", { href: "#row", id: "verdict" }), selected = selection(state);
  /** The next selected row in the order of the file. */
  const go = (step: number) => {
    for (let row = state.row + step; row >= 0 && row < report.rows; row += step) {
      if (state.passes[row] === 1) return state.selectRow(row);
    }
  };
  const classes = isRegressor || labels.length < 3 ? null
    : picker("Class", ["all classes", ...labels], choice => state.look({ predicted: choice - 1 }));
  function draw(): void {
    selected.draw();
    classes?.show(state.view.predicted + 1);
    verdict.textContent = verdictOf(state);
    verdict.className = report.isWrong(state.row) === true ? "wrong" : "";
  }
  state.subscribe(draw);
  draw();
  const step = (text: string, label: string, by: number) =>
    button(text, () => go(by), { class: "small", "aria-label": label });
  return h("div", { class: "selection-bar", role: "group", "aria-label": "Selection" },
    selected.element, classes && classes.element,
    h("span", { class: "stepper" }, step("◀", "Previous row", -1), verdict,
      step("▶", "Next row", 1)));
}
