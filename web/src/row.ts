// One row: its prediction, explained feature by feature.
import { rankedCases } from "./cases";
import { beside } from "./compare";
import { button, controls, h, key, note, onChange, onWidth, replaceChart, section } from "./dom";
import { evidence } from "./evidence";
import { saving } from "./export";
import { otherModelRow } from "./models";
import { unbroken } from "./numbers";
import { pictures } from "./picture";
import { printOneCase } from "./print";
import { rowSentences, rowWarnings, totalsSentence } from "./row_sentences";
import { seriesChart } from "./series";
import type { State } from "./state";
import { againstColor, forColor, isDark } from "./theme";
import { waterfall } from "./waterfall";

/** Buttons for rows worth opening first; each press goes to the next of its kind. */
function caseButtons(state: State): HTMLElement {
  let last = rankedCases(state.report)[0].name;
  const buttons = rankedCases(state.report).map(({ name, why, rows }) => {
    const made = button(name, () => {
      const next = (rows.indexOf(state.row) + 1) % rows.length;
      state.selectRow(rows[name === last ? next : 0]);
      last = name;
    }, { title: why });
    const draw = () => {
      const place = rows.indexOf(state.row);
      made.textContent = place < 0 ? name : `${name}: ${place + 1} of ${rows.length}`;
      made.setAttribute("aria-pressed", String(place >= 0));
    };
    state.subscribe(draw);
    draw();
    return made;
  });
  return controls({ id: "cases", role: "group", "aria-label": "Rows worth opening first" },
    ...buttons, button("Print this row", printOneCase, { id: "print-case" }));
}

export function rowSection(state: State): HTMLElement {
  const { report } = state, { image, isSeries } = report.raw;
  const facts = h("div", { "aria-live": "polite" }), chart = h("div", { class: "chart" });
  const line = h("div", { class: "chart" }), points = h("div"), picture = h("div");
  const other = beside(state), model = otherModelRow(state);

  const describe = onChange(() => String(state.row), () => {
    const { row } = state;
    const [positive, negative] = report.effects(row), [first, ...rest] = rowSentences(report, row);
    facts.replaceChildren(h("h3", { id: "row-name" }, report.rowName(row)),
      h("div", { id: "row-sentences" }, h("p", { class: "lead" }, first),
        ...rest.map(text => h("p", {}, unbroken(text)))),
      h("p", { id: "row-totals" }, totalsSentence(report, row)),
      ...rowWarnings(report, row).map(({ id, text }) => h("p", { class: "warn", id }, text)),
      image ? ""
        : note(key("for", positive), ", ", key("against", negative),
          report.hasErrors ? ". Whiskers show one standard error: the method draws rows at random."
            : "."));
    points.replaceChildren(evidence(report, row));
  });
  const drawCharts = onWidth(chart, width => {
    const { row } = state, onSelect = (column: number) => state.selectColumn(column);
    // Single pixels mean nothing to a reader: images have no bars.
    if (!image) replaceChart(chart, waterfall({ report, row, width, onSelect }));
    if (isSeries) line.replaceChildren(seriesChart(report, row, width));
  });
  const drawRow = onChange(() => `${state.row} ${isDark()}`, () => {
    if (image) picture.replaceChildren(pictures(report, state.row));
    drawCharts();
  });
  const draw = () => [describe, other.draw, model.draw, drawRow].forEach(part => part());
  state.subscribe(draw);
  draw();
  const numbers =
    () => [["feature", "value", "contribution", ...(report.hasErrors ? ["standard error"] : [])],
      ...report.strongest(state.row).map(
        c => [report.names[c], report.cell(state.row, c), report.contribution(state.row, c),
          ...(report.hasErrors ? [report.standardError(state.row, c)] : [])]
      )];
  const legends =
    () => [
      ...report.effects(state.row).map((text, i) => ({
        colors: [i === 0 ? forColor() : againstColor()],
        text
      })),
      ...(report.hasErrors ? [{ colors: [], text: "whiskers: one standard error" }] : [])
    ];
  return section("row", "One row", caseButtons(state), facts, picture, isSeries ? line : null,
    chart, image ? null : saving("row", chart, numbers, legends),
    state.other ? model.element : null, points, other.element);
}
