// The table of rows: sort, filter, search; a click opens the row.
import { h, scrolling, section } from "./dom";
import { saveCsv } from "./export";
import { Filter, filterControls, reasonOf, warningOf } from "./filters";
import { thumbnail } from "./picture";
import { bewareSentence } from "./sentences";
import type { State } from "./state";

const kPage = 15;

interface Head {
  /** In the address; the name on the page may change. */
  key: string;
  name: string;
  value: (row: number) => number | string;
  cell: (row: number) => string;
  isNumber: boolean;
}

/** Labels that are numbers are sorted as such. */
const asNumber = (text: string) => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text);

function headsOf(state: State): Head[] {
  const { report } = state, { unit, isRegressor, labels } = report.raw;
  const outputName = unit.kind === "g" ? "g" : unit.kind === "share" ? "Decision value" : unit.output[0].toUpperCase() + unit.output.slice(1);
  const amount = (key: string, name: string, value: (row: number) => number): Head => ({ key, name, value, cell: (row) => report.signed(value(row)), isNumber: true });
  const target = (key: string, name: string, value: (row: number) => number | null): Head => ({
    key, name, isNumber: isRegressor,
    value: (row) => { const own = value(row); return own === null ? "" : isRegressor ? own : asNumber(labels[own]); },
    cell: (row) => { const own = value(row); return own === null ? "" : report.targetText(own); } });
  const hasWarnings = report.ties.size + report.outside.size > 0 || report.largeRemainders > 0;
  const ofColumn: Head[] = [
    { key: "Value", name: report.names[state.column], value: (row) => report.value(row, state.column), cell: (row) => report.shown(state.column, report.value(row, state.column)), isNumber: true },
    amount("Relevance", "its relevance", (row) => report.relevance(row, state.column))];
  return [
    { key: "Row", name: "Row", value: (row) => report.numbers[row], cell: (row) => String(report.numbers[row]), isNumber: true },
    ...report.raw.rows.kept.map(({ name, cells }, i) => ({ key: `Kept${i}`, name, value: (row: number) => asNumber(cells[row]), cell: (row: number) => cells[row], isNumber: false })),
    target("Prediction", "Prediction", (row) => report.predicted(row)),
    ...(state.other ? [{ key: "Other", name: state.other.names[1], isNumber: isRegressor, cell: (row: number) => state.other!.prediction(row),
      value: (row: number) => { const place = state.other!.place(row); return place === null ? "" : isRegressor ? state.other!.report.predicted(place) : state.other!.prediction(row); } }] : []),
    ...(report.raw.quality ? [target("Truth", "Truth", (row) => report.truth(row))] : []),
    ...(report.raw.quality && isRegressor ? [{ key: "Error", name: "Error", isNumber: true, value: (row: number) => (report.truth(row) === null ? "" : report.predicted(row) - report.truth(row)!),
      cell: (row: number) => (report.truth(row) === null ? "" : report.targetText(report.predicted(row) - report.truth(row)!)) }] : []),
    amount("Output", outputName, (row) => (unit.kind === "g" ? report.g[row] : report.decision[row])),
    amount("Base", "Base", (row) => report.account(row).base),
    amount("Sum", "Sum", (row) => report.account(row).sum),
    amount("Remainder", "Remainder", (row) => report.account(row).remainder),
    ...(report.raw.image ? [] : ofColumn),
    ...(hasWarnings ? [{ key: "Beware", name: "Beware", value: (row: number) => warningOf(report, row), cell: (row: number) => warningOf(report, row), isNumber: false }] : []),
    ...(report.raw.image ? [] : [{ key: "Strongest", name: "Strongest features", value: (row: number) => reasonOf(report, row), cell: (row: number) => reasonOf(report, row), isNumber: false }]),
  ];
}

function compare(a: number | string, b: number | string): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1; // what is known comes first
  return String(a).localeCompare(String(b), undefined, { numeric: true });
}

export function rowsSection(state: State): HTMLElement {
  const { report } = state, { unit } = report.raw;
  const filter = new Filter(state), controls = filterControls(state);
  let page = 0, order: number[] = [], sorted = "", columns = headsOf(state), headColumn = state.column;

  function sort(): void {
    const { sort: key, isDescending } = state.view, head = columns.find((own) => own.key === key) ?? columns[0];
    const now = `${head.key} ${isDescending} ${state.filtered} ${["Value", "Relevance"].includes(head.key) ? state.column : ""}`;
    if (now === sorted) return;
    sorted = now;
    page = 0;
    order = [];
    for (let row = 0; row < report.rows; ++row) if (state.passes[row] === 1) order.push(row);
    if (head.key === "Row") {
      if (isDescending) order.reverse(); // they come by their numbers
      return;
    }
    const values: (number | string)[] = new Array(report.rows), way = isDescending ? -1 : 1;
    for (const row of order) values[row] = head.value(row);
    order.sort((a, b) => way * compare(values[a], values[b]) || a - b);
  }

  const count = h("p", { class: "note", role: "status" });
  const body = h("table", { class: "rows" });
  const back = h("button", { type: "button", click: () => turn(-1) }, "Previous");
  const onward = h("button", { type: "button", click: () => turn(1) }, "Next");
  /** The chosen feature and the strongest ones are among all features. */
  const plain = () => columns.filter(({ key }) => !["Value", "Relevance", "Strongest"].includes(key));
  const save = h("button", { type: "button", id: "save-rows", click: () => saveCsv("rows",
    [[...plain().map(({ name }) => name), ...report.names, ...report.names.map((name) => `relevance of ${name}`)],
      ...order.map((row) => [...plain().map(({ value }) => value(row)), ...report.names.map((_, c) => report.shown(c, report.value(row, c))), ...report.rowRelevance(row)])]) }, "Save the chosen rows as CSV");

  function turn(step: number): void {
    page += step;
    draw();
  }

  function headCell(head: Head, i: number): HTMLElement {
    const isSorted = head.key === state.view.sort, { isDescending } = state.view;
    const direction = !isSorted ? "none" : isDescending ? "descending" : "ascending";
    const arrow = { none: "", ascending: " ▲", descending: " ▼" }[direction];
    return h("th", { scope: "col", "aria-sort": direction, class: head.isNumber ? "number" : "" },
      h("button", { type: "button", class: "plain", click: () => {
        state.look({ sort: head.key, isDescending: isSorted ? !isDescending : i !== 0 });
        draw();
        body.querySelectorAll<HTMLElement>("th button")[i].focus();
      } }, head.name, h("span", { "aria-hidden": "true" }, arrow)));
  }

  function bodyRow(row: number): HTMLElement {
    const open = () => state.selectRow(row), isWrong = report.isWrong(row) === true;
    const picture = report.raw.image ? thumbnail(report, (pixel) => report.value(row, pixel)) : null;
    return h("tr", { class: row === state.row ? "chosen" : "", click: open },
      ...columns.map((head, i) => i === 0
        ? h("th", { scope: "row", class: "number" }, picture, h("button", { type: "button", class: "plain", "aria-label": `Show row ${head.cell(row)}`, click: open, keydown: step }, head.cell(row)))
        : h("td", { class: head.isNumber ? "number" : head.key === "Beware" || (head.key === "Truth" && isWrong) ? "warn" : head.key === "Strongest" ? "words" : "" }, head.cell(row))));
  }

  /** Up and down go from row to row. */
  function step(event: KeyboardEvent): void {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const all = [...body.querySelectorAll<HTMLElement>("tbody th button")], place = all.indexOf(event.target as HTMLElement) + way;
    if (!all[place]) return;
    const row = order[page * kPage + place];
    state.selectRow(row);
    draw();
    body.querySelectorAll<HTMLElement>("tbody th button")[place]?.focus();
  }

  function draw(): void {
    if (headColumn !== state.column) [columns, headColumn] = [headsOf(state), state.column];
    controls.draw();
    sort();
    const pages = Math.max(1, Math.ceil(order.length / kPage));
    page = Math.min(Math.max(page, 0), pages - 1);
    const focused = body.contains(document.activeElement) ? document.activeElement!.getAttribute("aria-label") : null;
    body.replaceChildren(h("thead", {}, h("tr", {}, ...columns.map(headCell))),
      h("tbody", {}, ...order.slice(page * kPage, (page + 1) * kPage).map(bodyRow)));
    if (focused) body.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
    count.textContent = `${order.length} of ${report.rows} rows, page ${page + 1} of ${pages}`;
    back.disabled = page === 0;
    onward.disabled = page === pages - 1;
  }

  // Before all others, so that they find the rows that pass.
  state.subscribeFirst(() => { filter.apply(); });
  filter.apply();
  draw();
  state.subscribe(draw);
  return section("rows", "The rows",
    h("p", {}, `Base, sum of relevance and remainder add up; they are in ${unit.name}. ${bewareSentence(report)} The chosen rows are those of the charts too: others fade.`),
    controls.element, count, scrolling("Table of rows", body), h("div", { class: "controls" }, back, onward, save));
}
