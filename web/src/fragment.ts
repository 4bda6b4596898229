// The state in the address: #row=78&feature=texture shows that row and feature again.
import { kWholeView, type State, type View } from "./state";

function find(names: string[], text: string | null): number | null {
  const place = text === null ? -1 : names.indexOf(text);
  return place < 0 ? null : place;
}

const number = (text: string | null) =>
  text === null || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);

/** One of the allowed words, or nothing. */
const oneOf = <T extends string>(text: string | null, words: readonly T[]) =>
  words.find(word => word === text) ?? "";

function viewOf(words: URLSearchParams, { report }: State): View {
  const { labels } = report.raw;
  return { search: words.get("search") ?? "", predicted: find(labels, words.get("predicted")) ?? -1,
    actual: find(labels, words.get("actual")) ?? -1,
    models: oneOf(words.get("models"), ["agree", "differ"] as const),
    group: words.get("group") ?? "", member: number(words.get("member")) ?? -1,
    judged: oneOf(words.get("judged"), ["wrong", "right", "uncertain"] as const),
    where: find(report.names, words.get("where")) ?? -1, least: number(words.get("least")),
    most: number(words.get("most")), sort: words.get("sort") ?? kWholeView.sort,
    isDescending: words.get("order") === "down", isWhole: words.get("range") === "whole" };
}

/** Changes are written "name:value"; names may contain any character. */
function changesOf(words: URLSearchParams, names: string[]): Map<number, number> {
  const changes = new Map<number, number>();
  for (const text of words.getAll("set")) {
    const place = text.lastIndexOf(":");
    const column = find(names, text.slice(0, place)), value = number(text.slice(place + 1));
    if (column !== null && value !== null && Math.abs(value) <= 1e100) changes.set(column, value);
  }
  return changes;
}

/** Applies the address to the state; unknown names are ignored. False: it has no state. */
export function readFragment(state: State): boolean {
  const text = location.hash.slice(1);
  if (!text.includes("=")) return false; // a section of the page
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
  state.changes = changesOf(words, report.names.slice(0, report.dataColumns.length));
  state.view = viewOf(words, state);
  const [positive, negative] = ["for", "versus"].map(name =>
    find(report.raw.labels, words.get(name))
  );
  state.asked = positive !== null && negative !== null && positive !== negative
    ? [positive, negative] : null;
  return true;
}

const textOf = (value: number | null) => value === null ? null : String(value);

export function fragmentOf(state: State): string {
  const { report, view } = state, { labels } = report.raw;
  const words = new URLSearchParams({ row: String(report.numbers[state.row]),
    feature: report.names[state.column] });
  const isSorted = view.sort !== kWholeView.sort || view.isDescending;
  const parts: Record<string, string | null | undefined> = {
    color: state.color === null ? null : report.names[state.color],
    beside: state.compared === null ? null : String(report.numbers[state.compared]),
    search: view.search,
    predicted: labels[view.predicted],
    actual: labels[view.actual],
    judged: view.judged,
    models: view.models,
    group: view.group,
    member: view.member < 0 ? null : String(view.member),
    for: state.asked && labels[state.asked[0]],
    versus: state.asked && labels[state.asked[1]],
    where: report.names[view.where],
    least: textOf(view.least),
    most: textOf(view.most),
    sort: isSorted ? view.sort : null,
    order: isSorted ? (view.isDescending ? "down" : "up") : null,
    range: view.isWhole ? "whole" : null
  };
  for (const [name, value] of Object.entries(parts)) if (value) words.append(name, value);
  for (const [column, value] of state.changes) {
    words.append("set", `${report.names[column]}:${value}`);
  }
  return words.toString();
}

export function writeFragment(state: State): void {
  const text = `#${fragmentOf(state)}`;
  if (text === location.hash) return;
  try {
    history.replaceState(null, "", text);
  } catch {
    // Some viewers, such as a mail program's preview, have no address to write to.
  }
}
