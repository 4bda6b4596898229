// Making elements. Text only ever becomes text nodes, so nothing in the data can become markup.

type Child = Node | string | null;
export type Attributes = Record<string, string | number | boolean | ((event: any) => void)>;

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null));
}

export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  fill(element, attributes, children);
  return element;
}

export function s<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  fill(element, attributes, children);
  return element;
}

export function section(id: string, title: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
}

/** What makes an element a button: it acts on a click, Enter and the space bar. */
export const acting = (act: () => void): Attributes => ({
  tabindex: 0, role: "button", click: act,
  keydown: (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  },
});

export interface Cell {
  text: string;
  isNumber?: boolean;
  class?: string;
}

/** A table whose first column names the rows. */
export function table(heads: string[], rows: (string | Cell)[][], attributes: Attributes = {}): HTMLTableElement {
  const cellOf = (cell: string | Cell, i: number) => {
    const { text, isNumber, class: own } = typeof cell === "string" ? { text: cell, isNumber: false, class: "" } : cell;
    const kind = [isNumber ? "number" : "", own ?? ""].join(" ").trim();
    return i === 0 ? h("th", { scope: "row", class: kind }, text) : h("td", { class: kind }, text);
  };
  const isNumber = (i: number) => rows.length > 0 && typeof rows[0][i] !== "string" && (rows[0][i] as Cell | undefined)?.isNumber === true;
  return h("table", attributes,
    h("thead", {}, h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", class: isNumber(i) ? "number" : "" }, head)))),
    h("tbody", {}, ...rows.map((cells) => h("tr", {}, ...cells.map(cellOf)))));
}

export const number = (text: string, kind = ""): Cell => ({ text, isNumber: true, class: kind });

/** What is wider than the page scrolls on its own. */
export const scrolling = (label: string, ...children: Child[]) =>
  h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, ...children);

/** A select over columns or other things, by position. */
export function picker(label: string, names: string[], chosen: number, pick: (choice: number) => void): HTMLLabelElement {
  const select = h("select", { change: () => pick(Number(select.value)) });
  names.forEach((name, i) => select.append(h("option", { value: i, selected: i === chosen }, name)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

const charts: { host: HTMLElement; draw: (width: number) => void }[] = [];

/** Calls `draw` with the width of `host`, now and whenever it changes. */
export function onWidth(host: HTMLElement, draw: (width: number) => void): void {
  let last = 0;
  charts.push({ host, draw: (width) => draw((last = width)) });
  new ResizeObserver(() => {
    const width = Math.floor(host.clientWidth);
    if (width > 0 && width !== last) draw((last = width));
  }).observe(host);
}

/** Draws every chart for the width that it has now, without waiting for the browser to say so. */
export function fitCharts(): void {
  for (const { host, draw } of charts) {
    const width = Math.floor(host.clientWidth);
    if (width > 0) draw(width);
  }
}
