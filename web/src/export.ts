// Every chart as SVG, PNG or CSV: what is seen, in a file of its own.
import { h } from "./dom";

function save(name: string, type: string, content: BlobPart): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A spreadsheet takes a cell that begins like a formula for one. */
function cell(value: string | number): string {
  const text = typeof value === "string" && /^[=+@\t\r]|^-[^\d.]/.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (rows: (string | number)[][]) => rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

export const saveCsv = (name: string, rows: (string | number)[][]) => save(`${name}.csv`, "text/csv;charset=utf-8", csvOf(rows));

const kStyles = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family", "font-weight", "opacity", "text-anchor"];

/** The drawing on its own: styles are written into it, points become a picture inside. */
export function svgOf(host: HTMLElement): string {
  const drawn = host.querySelector("svg")!;
  const copy = drawn.cloneNode(true) as SVGSVGElement;
  const originals = drawn.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of kStyles) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const width = drawn.getAttribute("width")!, height = drawn.getAttribute("height")!;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const canvas = host.querySelector("canvas");
  if (canvas) {
    const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
    image.setAttribute("width", canvas.style.width);
    image.setAttribute("height", canvas.style.height);
    image.setAttribute("href", canvas.toDataURL("image/png"));
    copy.append(image);
  }
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(document.documentElement).getPropertyValue("--card").trim());
  copy.prepend(paper);
  return new XMLSerializer().serializeToString(copy);
}

async function pngOf(host: HTMLElement): Promise<Blob> {
  const drawn = host.querySelector("svg")!;
  const width = Number(drawn.getAttribute("width")), height = Number(drawn.getAttribute("height"));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(host))}`;
  await image.decode();
  const canvas = h("canvas", { width: 2 * width, height: 2 * height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) => canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("no picture"))), "image/png"));
}

/** Buttons that save a chart; `rows` are its numbers, names first. */
export function saving(name: string, host: HTMLElement, rows: () => (string | number)[][]): HTMLElement {
  const button = (kind: string, act: () => void) =>
    h("button", { type: "button", class: "small", "aria-label": `Save this chart as ${kind}`, click: act }, kind);
  return h("p", { class: "saving" }, "Save as ",
    button("SVG", () => save(`${name}.svg`, "image/svg+xml", svgOf(host))), " ",
    button("PNG", () => { void pngOf(host).then((blob) => save(`${name}.png`, "image/png", blob)); }), " ",
    button("CSV", () => saveCsv(name, rows())));
}
