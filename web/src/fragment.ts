// The state in the address: #row=78&feature=texture shows that row and feature again.
import { kWholeView, type State, type View } from "./state";

function find(names: string[], text: string | null): number | null {
  const place = text === null ? -1 : names.indexOf(text);
  return place < 0 ? null : place;
}

function number(text: string | null): number | null {
  return text === null || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
}

function viewOf(words: URLSearchParams, state: State): View {
  const { labels } = state.report.raw;
  const judged = words.get("judged") ?? "", models = words.get("models");
  return {
    search: words.get("search") ?? "",
    predicted: find(labels, words.get("predicted")) ?? -1,
    truth: find(labels, words.get("truth")) ?? -1,
    models: models === "agree" || models === "differ" ? models : "",
    group: words.get("group") ?? "",
    member: number(words.get("member")) ?? -1,
    judged: judged === "wrong" || judged === "right" || judged === "uncertain" ? judged : "",
    where: find(state.report.names, words.get("where")) ?? -1,
    least: number(words.get("least")),
    most: number(words.get("most")),
    sort: words.get("sort") ?? kWholeView.sort,
    isDescending: words.get("order") === "down",
    isWhole: words.get("range") === "whole",
  };
}

/** "name:value" for every change; names may hold anything. */
function changesOf(words: URLSearchParams, names: string[]): Map<number, number> {
  const changes = new Map<number, number>();
  for (const text of words.getAll("set")) {
    const place = text.lastIndexOf(":");
    const column = find(names, text.slice(0, place)), value = number(text.slice(place + 1));
    if (column !== null && value !== null && Math.abs(value) <= 1e100) changes.set(column, value);
  }
  return changes;
}

/** Takes what the address says; what it does not say, or says of something that is not there, stays. Returns whether it said anything. */
export function readFragment(state: State): boolean {
  const text = location.hash.slice(1);
  if (!text.includes("=")) return false; // a part of the page
  const words = new URLSearchParams(text), { report } = state;
  const rowOf = (name: string) => {
    const wanted = number(words.get(name));
    const place = wanted === null ? -1 : report.numbers.indexOf(wanted);
    return place < 0 ? null : place;
  };
  state.row = rowOf("row") ?? state.row;
  state.compared = rowOf("beside");
  state.column = find(report.names, words.get("feature")) ?? state.column;
  state.color = find(report.names, words.get("color"));
  state.changes = changesOf(words, report.names);
  state.view = viewOf(words, state);
  const [positive, negative] = [words.get("for"), words.get("versus")].map((label) => find(report.raw.labels, label));
  state.asked = positive !== null && negative !== null && positive !== negative ? [positive, negative] : null;
  return true;
}

export function fragmentOf(state: State): string {
  const { report, view } = state;
  const { labels } = report.raw;
  const words = new URLSearchParams({ row: String(report.numbers[state.row]), feature: report.names[state.column] });
  const add = (name: string, value: string | null | undefined) => { if (value !== null && value !== undefined && value !== "") words.append(name, value); };
  add("color", state.color === null ? null : report.names[state.color]);
  add("beside", state.compared === null ? null : String(report.numbers[state.compared]));
  add("search", view.search);
  add("predicted", labels[view.predicted]);
  add("truth", labels[view.truth]);
  add("judged", view.judged);
  add("models", view.models);
  add("group", view.group);
  add("member", view.member < 0 ? null : String(view.member));
  add("for", state.asked && labels[state.asked[0]]);
  add("versus", state.asked && labels[state.asked[1]]);
  add("where", report.names[view.where]);
  add("least", view.least === null ? null : String(view.least));
  add("most", view.most === null ? null : String(view.most));
  if (view.sort !== kWholeView.sort || view.isDescending) {
    words.append("sort", view.sort);
    words.append("order", view.isDescending ? "down" : "up");
  }
  add("range", view.isWhole ? "whole" : null);
  for (const [column, value] of state.changes) words.append("set", `${report.names[column]}:${value}`);
  return words.toString();
}

export function writeFragment(state: State): void {
  const text = `#${fragmentOf(state)}`;
  if (text === location.hash) return;
  try {
    history.replaceState(null, "", text);
  } catch {
    // Some places, such as a mail program's preview, have no address to write to.
  }
}
