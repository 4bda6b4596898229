// The state in the address: #row=78&feature=texture shows that row and feature again.
import type { Report } from "./data";
import { kWholeView, type State, type View } from "./state";

/** How a value is written as a word of the address and read again; null: it cannot be read. */
interface Codec<T> {
  write: (value: T) => string;
  read: (text: string) => T | null;
}

const numberOf = (text: string | null) =>
  text === null || text === "" || !Number.isFinite(Number(text)) ? null : Number(text);
const find = (names: string[], text: string | null) =>
  text === null || !names.includes(text) ? null : names.indexOf(text);

const text: Codec<string> = { write: value => value, read: own => own };
const number = { write: String, read: numberOf };
const nameIn = (names: string[]): Codec<number> => ({ write: place => names[place],
  read: own => find(names, own) });
const oneOf = <T extends string>(...words: T[]): Codec<T> => ({ write: value => value,
  read: own => words.find(word => word === own) ?? null });
const flag = (word: string): Codec<boolean> => ({ write: () => word, read: own => own === word });

function viewCodecs({ raw: { labels }, names }: Report): { [K in keyof View]: Codec<View[K]> } {
  return { search: text, predicted: nameIn(labels), actual: nameIn(labels),
    judged: oneOf("", "wrong", "right", "uncertain"), models: oneOf("", "agree", "differ"),
    group: text, member: number, where: nameIn(names), least: number, most: number, sort: text,
    isDescending: flag("down"), isWhole: flag("whole") };
}

const kShortNames: Partial<Record<keyof View, string>> = { isDescending: "order",
  isWhole: "range" };

/** The fields of the view with their words in the address. */
const fieldsOf = (report: Report) =>
  Object.entries(viewCodecs(report)).map(([name, codec]) => {
    const key = name as keyof View;
    return { key, word: kShortNames[key] ?? key, codec: codec as Codec<unknown> };
  });

/** Changes are written "name:value"; names may contain any character. */
function changesOf(words: URLSearchParams, names: string[]): Map<number, number> {
  const changes = new Map<number, number>();
  for (const change of words.getAll("set")) {
    const place = change.lastIndexOf(":");
    const column = find(names, change.slice(0, place)), value = numberOf(change.slice(place + 1));
    if (column !== null && value !== null && Math.abs(value) <= 1e100) changes.set(column, value);
  }
  return changes;
}

/** Applies the address to the state; unknown names are ignored. False: it has no state. */
export function readFragment(state: State): boolean {
  const fragment = location.hash.slice(1);
  if (!fragment.includes("=")) return false; // a section of the page
  const words = new URLSearchParams(fragment), { report } = state, { names } = report;
  const rowOf = (name: string) => {
    const place = report.numbers.indexOf(numberOf(words.get(name)) ?? NaN);
    return place < 0 ? null : place;
  };
  state.row = rowOf("row") ?? state.row;
  state.compared = rowOf("beside");
  state.column = find(names, words.get("feature")) ?? state.column;
  state.color = find(names, words.get("color"));
  state.changes = changesOf(words, names.slice(0, report.dataColumns.length));
  state.view = { ...kWholeView };
  for (const { key, word, codec } of fieldsOf(report)) {
    const value = words.has(word) ? codec.read(words.get(word)!) : null;
    if (value !== null) Object.assign(state.view, { [key]: value });
  }
  const [positive, negative] = ["for", "versus"].map(name =>
    find(report.raw.labels, words.get(name))
  );
  state.asked = positive !== null && negative !== null && positive !== negative
    ? [positive, negative] : null;
  return true;
}

export function fragmentOf({ report, view, ...state }: State): string {
  const { names, numbers, raw: { labels } } = report;
  const words = new URLSearchParams({ row: String(numbers[state.row]),
    feature: names[state.column] });
  if (state.color !== null) words.append("color", names[state.color]);
  if (state.compared !== null) words.append("beside", String(numbers[state.compared]));
  state.asked?.forEach((place, i) => words.append(["for", "versus"][i], labels[place]));
  for (const { key, word, codec } of fieldsOf(report)) {
    if (view[key] !== kWholeView[key]) words.append(word, codec.write(view[key]));
  }
  for (const [column, value] of state.changes) words.append("set", `${names[column]}:${value}`);
  return words.toString();
}

export function writeFragment(state: State): void {
  const fragment = `#${fragmentOf(state)}`;
  if (fragment === location.hash) return;
  try {
    history.replaceState(null, "", fragment);
  } catch {
    // Some viewers, such as a mail program's preview, have no address to write to.
  }
}
