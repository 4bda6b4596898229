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

/** A select over columns or other things, by position. */
export function picker(label: string, names: string[], chosen: number, pick: (choice: number) => void): HTMLLabelElement {
  const select = h("select", { change: () => pick(Number(select.value)) });
  names.forEach((name, i) => select.append(h("option", { value: i, selected: i === chosen }, name)));
  return h("label", { class: "field" }, h("span", {}, label), select);
}

/** Text cut to fit `width` pixels at about `size` pixels per letter; the whole goes into a tooltip. */
export function fitted(text: string, width: number, size = 6.6): string {
  const letters = Math.max(3, Math.floor(width / size));
  return text.length <= letters ? text : text.slice(0, letters - 1) + "…";
}

/** Calls `draw` with the width of `host`, now and whenever it changes. */
export function onWidth(host: HTMLElement, draw: (width: number) => void): void {
  let last = 0;
  new ResizeObserver(() => {
    const width = Math.floor(host.clientWidth);
    if (width > 0 && width !== last) draw((last = width));
  }).observe(host);
}
