// The table of rows: sort, filter, search; a click opens the row.
import { formatSigned, isLarge } from "./data";
import { h, picker, section } from "./dom";
import type { State } from "./state";

const kPage = 15;

interface Head {
  name: string;
  key: (row: number) => number | string;
  cell: (row: number) => string;
  isNumber: boolean;
}

function beware(warnings: string[]): string {
  const count = (word: string) => warnings.filter((text) => text.includes(word)).length;
  const large = count("large remainder"), outside = count("outside"), all = warnings.length;
  return (large > 0 ? `In ${large} of ${all} rows more than a fifth of the output is left over. ` : "") +
    (outside > 0 ? `${outside} of ${all} are far from all data: their explanations say little. ` : "");
}

export function rowsSection(state: State): HTMLElement {
  const { report } = state;
  const names = report.columns.map((column) => column.name);
  const { unit } = report.raw;
  const outputName = unit.kind === "g" ? "g" : unit.kind === "share" ? "Decision value" : unit.output[0].toUpperCase() + unit.output.slice(1);
  const reasons = Array.from({ length: report.rows }, (_, row) => strongest(row));
  const accounts = reasons.map((_, row) => report.account(row));
  const warnings = accounts.map((account, row) => [report.ties.has(row) ? "tie" : "", report.outside.has(row) ? "outside the data" : "", isLarge(account) ? "large remainder" : ""]
    .filter((word) => word !== "").join(", "));
  let sorted = { head: 0, direction: 1 }, page = 0, order: number[] = [];
  let words = "", label = 0, limited = -1, least = -Infinity, most = Infinity;

  function strongest(row: number): string {
    const parts = report.rowRelevance(row);
    return Array.from(parts.keys()).sort((a, b) => Math.abs(parts[b]) - Math.abs(parts[a])).slice(0, 3)
      .map((column) => `${names[column]} ${formatSigned(parts[column])}`).join(", ");
  }

  const number = (name: string, value: (row: number) => number): Head =>
    ({ name, key: value, cell: (row) => formatSigned(value(row)), isNumber: true });
  const heads = (): Head[] => [
    { name: "Row", key: (row) => report.numbers[row], cell: (row) => String(report.numbers[row]), isNumber: true },
    { name: "Prediction", key: (row) => report.prediction(row), cell: (row) => report.prediction(row), isNumber: report.raw.isRegressor },
    number(outputName, (row) => unit.kind === "g" ? report.g[row] : report.decision[row]),
    number("Base", (row) => accounts[row].base),
    number("Sum", (row) => accounts[row].sum),
    number("Remainder", (row) => accounts[row].remainder),
    { name: names[state.column], key: (row) => report.value(row, state.column), cell: (row) => report.shown(state.column, report.value(row, state.column)), isNumber: true },
    number("its relevance", (row) => report.relevance(row, state.column)),
    ...(warnings.some((text) => text !== "") ? [{ name: "Beware", key: (row: number) => warnings[row], cell: (row: number) => warnings[row], isNumber: false }] : []),
    { name: "Strongest features", key: (row) => reasons[row], cell: (row) => reasons[row], isNumber: false },
  ];

  function passes(row: number): boolean {
    if (label > 0 && report.prediction(row) !== report.raw.labels[label - 1]) return false;
    if (limited >= 0) {
      const value = report.value(row, limited);
      if (value < least || value > most) return false;
    }
    if (words === "") return true;
    const text = `${report.numbers[row]} ${report.prediction(row)} ${reasons[row]} ${warnings[row]}`.toLowerCase();
    return words.split(/\s+/).every((word) => text.includes(word));
  }

  function filter(): void {
    for (let row = 0; row < report.rows; ++row) state.passes[row] = passes(row) ? 1 : 0;
    ++state.filtered;
    page = 0;
    sort();
    state.changed();
  }

  function sort(): void {
    const head = heads()[sorted.head];
    const compare = (a: number | string, b: number | string) =>
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true });
    order = Array.from(state.passes.keys()).filter((row) => state.passes[row] === 1);
    order.sort((a, b) => sorted.direction * compare(head.key(a), head.key(b)) || a - b);
  }

  const count = h("p", { class: "note", role: "status" });
  const table = h("table", { class: "rows" });
  const back = h("button", { type: "button", click: () => turn(-1) }, "Previous");
  const onward = h("button", { type: "button", click: () => turn(1) }, "Next");

  function turn(step: number): void {
    page += step;
    draw();
  }

  function headCell(head: Head, i: number): HTMLElement {
    const direction = i !== sorted.head ? "none" : sorted.direction > 0 ? "ascending" : "descending";
    const arrow = { none: "", ascending: " ▲", descending: " ▼" }[direction];
    return h("th", { scope: "col", "aria-sort": direction, class: head.isNumber ? "number" : "" },
      h("button", { type: "button", class: "plain", click: () => {
        sorted = { head: i, direction: i === sorted.head ? -sorted.direction : i === 0 ? 1 : -1 };
        page = 0;
        sort();
        draw();
        table.querySelectorAll<HTMLElement>("th button")[i].focus();
      } }, head.name, h("span", { "aria-hidden": "true" }, arrow)));
  }

  function bodyRow(row: number, columns: Head[]): HTMLElement {
    const open = () => state.selectRow(row);
    return h("tr", { class: row === state.row ? "chosen" : "", click: open },
      ...columns.map((head, i) => i === 0
        ? h("th", { scope: "row", class: "number" }, h("button", { type: "button", class: "plain", "aria-label": `Show row ${head.cell(row)}`, click: open }, head.cell(row)))
        : h("td", { class: head.isNumber ? "number" : head.name === "Beware" ? "warn" : i === 1 ? "" : "words" }, head.cell(row))));
  }

  function draw(): void {
    const columns = heads();
    const pages = Math.max(1, Math.ceil(order.length / kPage));
    page = Math.min(Math.max(page, 0), pages - 1);
    const shown = order.slice(page * kPage, (page + 1) * kPage);
    table.replaceChildren(h("thead", {}, h("tr", {}, ...columns.map(headCell))),
      h("tbody", {}, ...shown.map((row) => bodyRow(row, columns))));
    count.textContent = `${order.length} of ${report.rows} rows, page ${page + 1} of ${pages}`;
    back.disabled = page === 0;
    onward.disabled = page === pages - 1;
  }

  function limit(name: string, set: (value: number) => void, open: number): HTMLElement {
    const input = h("input", { type: "number", step: "any", input: () => {
      set(input.value === "" ? open : Number(input.value));
      filter();
    } });
    return h("label", { class: "field" }, h("span", {}, name), input);
  }

  const search = h("input", { type: "search", placeholder: "row, class or feature", input: () => {
    words = search.value.trim().toLowerCase();
    filter();
  } });
  const controls = h("div", { class: "controls" }, h("label", { class: "field" }, h("span", {}, "Search"), search));
  if (!report.raw.isRegressor)
    controls.append(picker("Predicted", ["all classes", ...report.raw.labels], 0, (choice) => { label = choice; filter(); }));
  controls.append(picker("Where", ["any feature", ...names], 0, (choice) => { limited = choice - 1; filter(); }),
    limit("at least", (value) => (least = value), -Infinity), limit("at most", (value) => (most = value), Infinity));

  sort();
  draw();
  state.subscribe(draw);
  return section("rows", "The rows",
    h("p", {}, `Base, sum of relevance and remainder add up; they are in ${unit.name}. ${beware(warnings)}Filters also fade the points of the charts above.`),
    controls, count,
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Table of rows" }, table),
    h("div", { class: "controls" }, back, onward));
}
