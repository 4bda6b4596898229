// What matters in each group of rows.
import { maxIndex, mean } from "d3-array";
import { button, controls, h, hint, note, number, onChange, picker, scrolling, section,
  table } from "./dom";
import { saveCsv } from "./export";
import { groupingOf, groupKinds } from "./groups";
import { type Importance, importanceOf } from "./importance";
import { counted, list, percent } from "./numbers";
import { meanHeat } from "./picture";
import type { State } from "./state";
import { isDark } from "./theme";

const kShown = 12;

interface Group {
  name: string;
  place: number;
  rows: number[];
  parts: Importance[];
}

/** The groups among the selected rows; the choice of a group does not hide the others. */
function groupsOf({ report, view, inGroups }: State): Group[] {
  const grouping = groupingOf(report, view.group);
  if (!grouping) return [];
  const rows = grouping.names.map((): number[] => []);
  grouping.of.forEach((group, row) => {
    if (group >= 0 && inGroups[row] === 1) rows[group].push(row);
  });
  const importance = (own: number[]) => {
    const passes = new Uint8Array(report.rows);
    for (const row of own) passes[row] = 1;
    return report.columns.map((_, column) => importanceOf(report, column, passes));
  };
  return grouping.names.map((name, place) => ({ name, place, rows: rows[place],
    parts: report.raw.image ? [] : importance(rows[place]) })
  ).filter(group => group.rows.length > 0);
}

/** "benign: 31 rows (27 %), 90 % predicted malignant, 97 % correct; worst area matters most." */
function groupSentence({ report }: State, { name, rows, parts }: Group): string {
  const { isRegressor, labels } = report.raw;
  const counts = labels.map((_, c) => rows.filter(row => report.predicted(row) === c).length);
  const most = maxIndex(counts), average = mean(rows, report.predicted)!;
  const said = isRegressor ? `predicted ${report.targetText(average)} on average`
    : `${percent(counts[most] / rows.length)} predicted ${labels[most]}`;
  const known = rows.filter(row => report.isWrong(row) !== null);
  const right = known.filter(row => !report.isWrong(row)).length / known.length;
  const correct = isRegressor || known.length === 0 ? "" : `, ${percent(right)} correct`;
  const order = parts.length === 0 ? []
    : report.order.slice().sort((a, b) => parts[b].typical - parts[a].typical);
  const then = order.slice(1, 3).map(c => report.names[c]);
  const matters = order.length === 0 ? ""
    : `; ${report.names[order[0]]} matters most` + (then.length > 0 ? `, then ${list(then)}` : "");
  const share = percent(rows.length / report.rows);
  return `${name}: ${counted(rows.length, "row")} (${share}), ${said}${correct}${matters}.`;
}

function importanceTable({ report }: State, groups: Group[]): HTMLElement {
  const most = (column: number) => Math.max(...groups.map(({ parts }) => parts[column].typical));
  const order = report.order.slice().sort((a, b) => most(b) - most(a));
  const largest = most(order[0]) || 1, heads = ["Feature", ...groups.map(({ name }) => name)];
  const cell = (value: number) =>
    number(report.amounts.plain(value), "", { share: (0.3 * value) / largest });
  const made = table(heads,
    order.slice(0, kShown).map(
      column => [report.names[column], ...groups.map(({ parts }) => cell(parts[column].typical))]
    ), { id: "group-importance", class: "groups" });
  const save = () =>
    saveCsv("groups", [heads,
      ...order.map(column => [report.names[column], ...groups.map(({ parts }) =>
        parts[column].typical
      )])]);
  return h("div", {}, note(`Typical effect of each feature (${report.unit}) in each group.`),
    scrolling("What matters in each group", made),
    controls({}, button("Save the groups as CSV", save)));
}

function groupHeats({ report }: State, groups: Group[]): HTMLElement {
  return h("div", { class: "pictures" },
    ...groups.map(({ name, rows }) =>
      h("figure", {}, meanHeat(report, rows, `Mean contributions of ${name}`),
        h("figcaption", {}, `${name}: ${counted(rows.length, "row")}`))
    ));
}

export function groupsSection(state: State): HTMLElement {
  const { report } = state, kinds = groupKinds(report), host = h("div", { "aria-live": "polite" });
  const choice = picker("Group rows by", ["nothing", ...kinds.map(({ name }) => name)],
    place => state.look({ group: kinds[place - 1]?.key ?? "", member: -1 }));
  const key = () => `${state.view.group} ${state.filtered} ${isDark()}`;
  const draw = onChange(key, () => {
    const { group, member } = state.view;
    choice.show(kinds.findIndex(({ key }) => key === group) + 1);
    const groups = groupsOf(state);
    if (groups.length === 0) return host.replaceChildren();
    host.replaceChildren(
      controls({ role: "group", "aria-label": "Select the rows of a group" },
        ...groups.map(({ name, place, rows }) =>
          button(`${name}: ${counted(rows.length, "row")}`, () =>
            state.look({ member: place === member ? -1 : place }), { "data-member": place,
            "aria-pressed": String(place === member) })
        )),
      h("ul", { id: "group-lines" }, ...groups.map(own => h("li", {}, groupSentence(state, own)))),
      report.raw.image ? groupHeats(state, groups) : importanceTable(state, groups)
    );
  });
  state.subscribeChart(draw);
  draw();
  return section("groups", "Groups",
    h("p", {}, "What matters may differ between groups. ",
      hint("The button of a group selects its rows.")), controls({}, choice.element), host);
}
