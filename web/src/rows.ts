// The table of rows: sort, filter, search. A click opens a row.
import { button, controls, h, hint, moveFocus, scrolling, section } from "./dom";
import { saveCsv } from "./export";
import { Filter, filterControls, reasonOf, warningOf } from "./filters";
import { whole } from "./numbers";
import { thumbnail } from "./picture";
import { warningSentence } from "./report_sentences";
import type { State } from "./state";

const kPage = 15;

interface Head {
  /** In the address; the name on the page may change. */
  key: string;
  name: string;
  value: (row: number) => number | string;
  cell: (row: number) => string;
  isNumber: boolean;
  /** A column of the current feature or a summary of all: not in the CSV, which has them all. */
  isDerived?: boolean;
  class?: string;
}

/** Labels that are numbers are sorted as numbers. */
const asNumber = (text: string) =>
  text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;

function textHead(key: string, name: string, cell: (row: number) => string,
  rest: Partial<Head> = {}) {
  return { key, name, value: cell, cell, isNumber: false, ...rest };
}

/** Predictions or actual values: numbers of a regressor, else classes. */
function targetHead({ report }: State, key: string, name: string,
  value: (row: number) => number | null): Head {
  const { isRegressor, labels } = report.raw;
  return { key, name, isNumber: isRegressor, value: row => {
    const own = value(row);
    return own === null ? "" : isRegressor ? own : asNumber(labels[own]);
  }, cell: row => {
    const own = value(row);
    return own === null ? "" : report.targetText(own);
  } };
}

function featureHeads({ report, column }: State): Head[] {
  const amounts = report.columnAmounts(column), own = report.explained(column);
  const value: Head = { key: "Value", name: report.names[column], isNumber: true, isDerived: true,
    value: row => report.value(row, column), cell: row => report.cell(row, column) };
  return [...(report.isGroup(column) ? [] : [value]), { key: "Contribution",
    name: own === column && !report.isGroup(own) ? "its contribution"
      : `contribution of ${report.names[own]}`, isNumber: true, isDerived: true,
    value: row => report.contribution(row, column),
    cell: row => amounts.signed(report.contribution(row, column)) }];
}

function headsOf(state: State): Head[] {
  const { report, other } = state,
    { unit, isRegressor, image, quality, rows: { kept } } = report.raw;
  const hasWarnings = report.all().some(row => warningOf(report, row) !== "");
  const output = unit.output.charAt(0).toUpperCase() + unit.output.slice(1);
  return [{ key: "Row", name: "Row", value: row => report.numbers[row],
    cell: row => String(report.numbers[row]), isNumber: true },
    ...kept.map(({ name, cells }, i) =>
      textHead(`Kept${i}`, name, row => cells[row], {
        value: (row: number) => asNumber(cells[row])
      })
    ), targetHead(state, "Prediction", "Prediction", row => report.predicted(row)),
    ...(other
      ? [
        textHead("Other", other.names[1], row => other.prediction(row), { isNumber: isRegressor,
          value: (row: number) => asNumber(other.prediction(row)) })
      ] : []),
    ...(quality ? [targetHead(state, "Actual", "Actual", row => report.actual(row))] : []),
    ...(isRegressor && unit.kind === "decision" ? []
      : [{ key: "Output", name: output, isNumber: true,
        value: (row: number) => report.totals(row).output,
        cell: (row: number) => report.rowAmounts(row).signed(report.totals(row).output) }]),
    ...(image ? [] : featureHeads(state)),
    ...(hasWarnings
      ? [textHead("Warnings", "Warnings", row => warningOf(report, row), { class: "warn" })] : []),
    ...(image ? []
      : [
        textHead("Strongest", "Strongest features", row => reasonOf(report, row), { class: "words",
          isDerived: true })
      ])];
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1; // missing values are last
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

export function rowsSection(state: State): HTMLElement {
  const { report } = state, filter = new Filter(state), filters = filterControls(state);
  let page = 0, order: number[] = [], sorted = "", columns = headsOf(state),
    headColumn = state.column;

  function sort(): void {
    const { sort: key, isDescending } = state.view;
    const head = columns.find(own => own.key === key) ?? columns[0];
    const now = `${head.key} ${isDescending} ${state.filtered} ${
      head.isDerived ? state.column : ""
    }`;
    if (now === sorted) return;
    sorted = now;
    page = 0;
    order = report.all().filter(row => state.passes[row] === 1);
    if (head.key === "Row") {
      if (isDescending) order.reverse();
      return;
    }
    const values: (number | string)[] = [], sign = isDescending ? -1 : 1;
    for (const row of order) values[row] = head.value(row);
    order.sort((a, b) => sign * compare(values[a], values[b]) || a - b);
  }

  const count = h("p", { class: "note", role: "status" }), body = h("table", { class: "rows" });
  const turn = (step: number) => {
    page += step;
    draw();
  };
  const back = button("Previous", () => turn(-1)), onward = button("Next", () => turn(1));
  const save = button("Save the selected rows as CSV", () => {
    const plain = columns.filter(({ isDerived }) => !isDerived);
    const { dataColumns, names } = report;
    const explained = Array.from(names.keys()).filter(c => report.explained(c) === c);
    const filled = (row: number) =>
      dataColumns.filter(c => report.isFilled(row, c)).map(c => names[c]).join(", ");
    const isFilled = Boolean(report.raw.rows.imputed);
    const heads = [...plain.map(({ name }) => name), ...(isFilled ? ["filled in"] : []),
      ...dataColumns.map(c => names[c]), ...explained.map(c => `contribution of ${names[c]}`)];
    saveCsv("rows", [heads,
      ...order.map(
        row => [...plain.map(({ value }) => value(row)), ...(isFilled ? [filled(row)] : []),
          ...dataColumns.map(c => report.shown(c, report.value(row, c))),
          ...explained.map(c => report.contribution(row, c))]
      )]);
  }, { id: "save-rows" });

  function headCell(head: Head, i: number): HTMLElement {
    const isSorted = head.key === state.view.sort, { isDescending } = state.view;
    const direction = !isSorted ? "none" : isDescending ? "descending" : "ascending";
    const arrow = { none: "", ascending: " ▲", descending: " ▼" }[direction];
    const made = button(head.name, () => {
      state.look({ sort: head.key, isDescending: isSorted ? !isDescending : i !== 0 });
      draw();
      body.querySelectorAll<HTMLElement>("thead button")[i].focus();
    }, { class: "plain" });
    made.append(h("span", { "aria-hidden": "true" }, arrow));
    return h("th", { scope: "col", "aria-sort": direction, class: head.isNumber ? "number" : "" },
      made);
  }

  function bodyRow(row: number, place: number): HTMLElement {
    const open = () => state.selectRow(row), isWrong = report.isWrong(row) === true;
    const picture = report.raw.image ? thumbnail(report, pixel => report.value(row, pixel)) : null;
    const kind = ({ key, isNumber, class: own }: Head) =>
      [isNumber ? "number" : "", own ?? "", key === "Actual" && isWrong ? "warn" : ""].join(" ")
        .trim();
    return h("tr", { class: row === state.row ? "chosen" : "", click: open },
      ...columns.map((head, i) =>
        i > 0 ? h("td", { class: kind(head) }, head.cell(row))
          : h("th", { scope: "row", class: "number" }, picture,
            button(head.cell(row), open, { class: "plain",
              "aria-label": `Show row ${head.cell(row)}`, tabindex: place === 0 ? 0 : -1,
              keydown: (event: KeyboardEvent) => moveFocus(event, "th button")?.click() }))
      ));
  }

  function draw(): void {
    if (headColumn !== state.column) [columns, headColumn] = [headsOf(state), state.column];
    filters.draw();
    sort();
    const pages = Math.max(1, Math.ceil(order.length / kPage));
    page = Math.min(Math.max(page, 0), pages - 1);
    const focused = body.contains(document.activeElement)
      ? document.activeElement!.getAttribute("aria-label") : null;
    body.replaceChildren(h("thead", {}, h("tr", {}, ...columns.map(headCell))),
      h("tbody", {}, ...order.slice(page * kPage, (page + 1) * kPage).map(bodyRow)));
    if (focused) body.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    const { total } = report.raw.rows;
    const drawn = report.rows < total ? ` (drawn from ${whole(total)})` : "";
    count.textContent = `${whole(order.length)} of ${whole(report.rows)} rows${drawn}, page `
      + `${whole(page + 1)} of ${whole(pages)}`;
    back.disabled = page === 0;
    onward.disabled = page === pages - 1;
  }

  // The selection is updated before all other listeners use it.
  state.subscribeFirst(() => filter.apply());
  filter.apply();
  draw();
  state.subscribe(draw);
  return section("rows", "The rows",
    h("p", {}, hint("All charts show the selected rows. "), warningSentence(report)),
    filters.element, count, scrolling("Table of rows", body), controls({}, back, onward, save));
}
