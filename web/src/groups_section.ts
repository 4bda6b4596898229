// What matters in each group of rows, side by side.
import { h, number, picker, scrolling, section, table } from "./dom";
import { saveCsv } from "./export";
import { groupingOf, groupKinds } from "./groups";
import { importanceOf, type Importance } from "./importance";
import { counted, percent } from "./numbers";
import { meanHeat } from "./picture";
import { list } from "./sentences";
import type { State } from "./state";
import { isDark } from "./theme";

const kShown = 12;

interface Group {
  name: string;
  place: number;
  rows: number[];
  parts: Importance[];
}

export function groupsOf({ report, view }: State): Group[] {
  const grouping = groupingOf(report, view.group);
  if (!grouping) return [];
  const rows = grouping.names.map((): number[] => []);
  grouping.of.forEach((group, row) => { if (group >= 0) rows[group].push(row); });
  return grouping.names.map((name, place) => {
    const passes = new Uint8Array(report.rows);
    for (const row of rows[place]) passes[row] = 1;
    return { name, place, rows: rows[place], parts: report.raw.image ? [] : report.columns.map((_, column) => importanceOf(report, column, passes)) };
  }).filter((group) => group.rows.length > 0);
}

/** "cluster 2, 31 rows (27 %), 90 % of them called malignant: mean concavity, then worst area." */
function groupSentence({ report }: State, { name, rows, parts }: Group): string {
  const { isRegressor, labels, quality } = report.raw;
  const most = isRegressor ? -1 : labels.map((_, c) => rows.filter((row) => report.predicted(row) === c).length).reduce((best, count, c, all) => (count > all[best] ? c : best), 0);
  const mean = rows.reduce((sum, row) => sum + report.predicted(row), 0) / rows.length;
  const said = isRegressor ? `predicted ${report.targetText(mean)} on average` : `${percent(rows.filter((row) => report.predicted(row) === most).length / rows.length)} of them called ${labels[most]}`;
  const known = rows.filter((row) => report.isWrong(row) !== null);
  const right = quality && known.length > 0 && !isRegressor ? `, ${percent(known.filter((row) => !report.isWrong(row)).length / known.length)} rightly called` : "";
  const order = Array.from(parts.keys()).sort((a, b) => parts[b].typical - parts[a].typical);
  const matters = order.length === 0 ? "" : `: ${report.names[order[0]]} matters most${order.length > 1 ? `, then ${list(order.slice(1, 3).map((c) => report.names[c]))}` : ""}`;
  return `${name}, ${counted(rows.length, "row")} (${percent(rows.length / report.rows)}), ${said}${right}${matters}.`;
}

function importanceTable(state: State, groups: Group[]): HTMLElement {
  const { report } = state, most = (column: number) => Math.max(...groups.map(({ parts }) => parts[column].typical));
  const order = Array.from(report.columns.keys()).sort((a, b) => most(b) - most(a)), largest = most(order[0]) || 1;
  const heads = ["Feature", ...groups.map(({ name }) => name)];
  const made = table(heads, order.slice(0, kShown).map((column) => [report.names[column], ...groups.map(({ parts }) => number(report.unsigned(parts[column].typical)))]), { id: "group-importance", class: "groups" });
  made.querySelectorAll<HTMLElement>("tbody tr").forEach((tr, i) => tr.querySelectorAll("td").forEach((td, g) => td.style.setProperty("--share", `${Math.round((30 * groups[g].parts[order[i]].typical) / largest)}%`)));
  return h("div", {}, h("p", { class: "note" }, `Typical |relevance| (${report.raw.unit.name}) of each feature within each group, as in What matters; the darker, the larger.`),
    scrolling("What matters in each group", made),
    h("div", { class: "controls" }, h("button", { type: "button", click: () => saveCsv("groups", [heads, ...order.map((column) => [report.names[column], ...groups.map(({ parts }) => parts[column].typical)])]) }, "Save the groups as CSV")));
}

export function groupsSection(state: State): HTMLElement {
  const { report } = state, kinds = groupKinds(report), host = h("div", { "aria-live": "polite" });
  const choice = picker("Group rows by", ["nothing", ...kinds.map(({ name }) => name)], 0, (place) => state.look({ group: kinds[place - 1]?.key ?? "", member: -1 }));
  let drawn = "";
  function draw(): void {
    const { group, member } = state.view, now = `${group} ${member} ${isDark()}`;
    if (now === drawn) return;
    drawn = now;
    choice.querySelector("select")!.value = String(kinds.findIndex(({ key }) => key === group) + 1);
    const groups = groupsOf(state);
    const button = ({ name, place, rows }: Group) => h("button", { type: "button", "data-member": place, "aria-pressed": place === member, click: () => state.look({ member: place === member ? -1 : place }) }, `${name}: ${counted(rows.length, "row")}`);
    host.replaceChildren(...(groups.length === 0 ? [] : [
      h("div", { class: "controls", role: "group", "aria-label": "Choose the rows of a group" }, ...groups.map(button)),
      h("ul", { id: "group-lines" }, ...groups.map((own) => h("li", {}, groupSentence(state, own)))),
      group === "cluster" ? h("p", { class: "note" }, "Rows are alike where each feature has a like part, with its sign, in the row's relevance: k-means, from two to six clusters, as many as are best apart; the same data give the same clusters.") : "",
      report.raw.image ? h("div", { class: "pictures" }, ...groups.map(({ name, rows }) => h("figure", {}, meanHeat(report, rows, `Mean relevance of ${name}`), h("figcaption", {}, `${name}: ${counted(rows.length, "row")}`)))) : importanceTable(state, groups)]));
  }
  state.subscribeChart(draw);
  draw();
  return section("groups", "Groups of rows",
    h("p", {}, "What matters may differ from group to group. Choose what to group by; a group's button chooses its rows in all charts."), h("div", { class: "controls" }, choice), host);
}
