// Helpers that make elements. Text becomes text nodes only, so data cannot become markup.

export type Child = Node | string | null;
export type Attributes = Record<string, string | number | boolean | ((event: any) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter(child => child !== null));
}

export function h<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Attributes = {},
  ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(name: K, attributes: Attributes = {},
  ...children: Child[]): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

export const section = (id: string, title: string, ...children: Child[]) =>
  h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title),
    ...children);

export const note = (...children: Child[]) => h("p", { class: "note" }, ...children);

/** How to use the page; not printed. */
export const hint = (text: string) => h("span", { class: "hint" }, text);

export const button = (text: Child, click: () => void, attributes: Attributes = {}) =>
  h("button", { type: "button", click, ...attributes }, text);

export const controls = (attributes: Attributes, ...children: Child[]) =>
  h("div", { class: "controls", ...attributes }, ...children);

/** A word with the color of positive or negative contributions. */
export const key = (side: "for" | "against", text: string) =>
  h("span", { class: `key ${side}` }, text);

/** Buttons of which one is pressed. `pressed` is called at every update. */
export function choices<T>(label: string, options: readonly (readonly [T, string])[],
  isPressed: (value: T) => boolean, pick: (value: T) => void, attributes: Attributes = {}) {
  const all = options.map(([value, name]) => ({ value,
    element: button(name, () => pick(value), { "data-choice": String(value),
      keydown: (event: KeyboardEvent) => moveFocus(event, "button") }) })
  );
  const update = () => {
    const stop = all.find(({ value }) => isPressed(value)) ?? all[0];
    for (const own of all) {
      own.element.setAttribute("aria-pressed", String(isPressed(own.value)));
      own.element.tabIndex = own === stop ? 0 : -1;
    }
  };
  update();
  return { update,
    element: controls({ class: "controls roving", role: "group", "aria-label": label,
      ...attributes }, ...all.map(({ element }) => element)) };
}

/** Attributes of an element that acts like a button. Arrow keys move between such elements. */
export const acting = (act: () => void, isFirst: boolean): Attributes => ({
  tabindex: isFirst ? 0 : -1,
  role: "button",
  click: act,
  keydown: (event: KeyboardEvent) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    } else {
      moveFocus(event, "[role=button]");
    }
  }
});

/** Arrow keys move the focus among elements of the same kind, which share one tab stop. */
export function moveFocus(event: KeyboardEvent, kind: string): HTMLElement | null {
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const own = event.currentTarget as HTMLElement, group = own.closest("svg, tbody, .roving");
  if (step === undefined || !group) return null;
  event.preventDefault();
  const all = [...group.querySelectorAll<HTMLElement>(kind)], next = all[all.indexOf(own) + step];
  if (!next) return null;
  own.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
  return next;
}

/** A cell with CSS classes; `share` is the strength of its background, from 0 to 1. */
export interface Cell {
  content: Child;
  class: string;
  title?: string | false;
  share?: number;
}

const asCell = (cell: Child | Cell): Cell =>
  cell === null || typeof cell === "string" || cell instanceof Node ? { content: cell, class: "" }
    : cell;

function cellElement(cell: Child | Cell, place: number): HTMLElement {
  const { content, class: kind, title = false, share } = asCell(cell);
  const made = place === 0 ? h("th", { scope: "row", class: kind, title }, content)
    : h("td", { class: kind, title }, content);
  if (share) made.style.setProperty("--share", `${Math.round(100 * share)}%`);
  return made;
}

/** A table whose first column names the rows. Columns of numbers have their heads at the right. */
export function table(heads: string[], rows: (Child | Cell)[][], attributes: Attributes = {},
  ofRow: (row: number) => Attributes = () => ({})) {
  const headKind = (i: number) => /^number/.exec(asCell(rows[0]?.[i] ?? null).class)?.[0] ?? "";
  return h("table", attributes,
    h("thead", {},
      h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", class: headKind(i) }, head)))),
    h("tbody", {}, ...rows.map((cells, row) => h("tr", ofRow(row), ...cells.map(cellElement)))));
}

export const number = (content: Child, kind = "", more: Partial<Cell> = {}): Cell => ({ content,
  class: `number ${kind}`.trim(), ...more });

/** Content that scrolls if it is wider than the page. Only then is it a tab stop. */
export function scrolling(label: string, ...children: Child[]): HTMLElement {
  const element = h("div", { class: "scroll", role: "region", "aria-label": label }, ...children);
  new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }).observe(element);
  return element;
}

export const details = (summary: string, ...children: Child[]) =>
  h("details", {}, h("summary", {}, summary), ...children);

/** A select whose options are known by their positions. */
export function picker(label: string, names: string[], pick: (choice: number) => void) {
  const select = h("select", { change: () => pick(Number(select.value)) });
  names.forEach((name, i) => select.append(h("option", { value: i }, name)));
  const show = (choice: number) => {
    select.value = String(choice);
  };
  return { element: field(label, select), show };
}

export const field = (label: string, input: HTMLElement) =>
  h("label", { class: "field" }, h("span", {}, label), input);

const charts: (() => void)[] = [];

/** Calls `draw` with the width of `host` whenever it changes. The result draws once more. */
export function onWidth(host: HTMLElement, draw: (width: number) => void): () => void {
  let width = 0;
  const redraw = () => {
    if (width > 0) draw(width);
  };
  const fit = () => {
    width = Math.floor(host.clientWidth);
    redraw();
  };
  charts.push(fit);
  new ResizeObserver(() => {
    if (Math.floor(host.clientWidth) !== width) fit();
  }).observe(host);
  return redraw;
}

/** Draws every chart for its current width, without waiting for the browser's observers. */
export const fitCharts = () => charts.forEach(fit => fit());

export const replace = (element: Element, children: Child[]) =>
  element.replaceChildren(...children.filter(child => child !== null));

/** Replaces a chart. The focus stays at its place among the elements that act like buttons. */
export function replaceChart(host: HTMLElement, ...charts: Element[]): void {
  const parts = () => [...host.querySelectorAll<SVGElement>("[role=button]")];
  const focused = parts().indexOf(document.activeElement as SVGElement);
  host.replaceChildren(...charts);
  parts()[focused]?.focus();
}

/** The result calls `act` if `key` has changed since its last call. */
export function onChange(key: () => string, act: () => void): () => void {
  let last: string | null = null;
  return () => {
    const now = key();
    if (now === last) return;
    last = now;
    act();
  };
}
