// Every chart as SVG, PNG or CSV.
import { button, h, s } from "./dom";

function save(name: string, type: string, content: BlobPart): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([content], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Spreadsheets would run a cell that begins like a formula. */
function cell(value: string | number): string {
  const isFormula = typeof value === "string" && /^[=+@\t\r]|^-[^\d.]/.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvOf = (rows: (string | number)[][]) =>
  rows.map(row => row.map(cell).join(",")).join("\r\n") + "\r\n";

export const saveCsv = (name: string, rows: (string | number)[][]) =>
  save(`${name}.csv`, "text/csv;charset=utf-8", csvOf(rows));

/** Colors and what they mean, below a saved chart. */
export interface Legend {
  colors: string[];
  text: string;
  isHollow?: boolean;
}

const kStyles = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-size", "font-family",
  "font-weight", "opacity", "paint-order", "text-anchor"];
const kLine = 20, kSwatch = 12;

function legendLine({ colors, text, isHollow }: Legend, y: number,
  style: CSSStyleDeclaration): SVGElement {
  return s("g", {},
    ...colors.map((fill, i) =>
      s("rect", { x: 8 + i * kSwatch, y: y + 4, width: kSwatch, height: kSwatch, stroke: fill,
        fill: isHollow ? "none" : fill })
    ),
    s("text", { x: 14 + colors.length * kSwatch, y: y + 14, "font-size": "12px",
      "font-family": style.fontFamily, fill: style.color }, text));
}

/** The chart as a file: styles are written into it, points become an image, legends are added. */
export function svgOf(host: HTMLElement, legends: Legend[] = []): string {
  const drawn = host.querySelector("svg")!, originals = drawn.querySelectorAll("*");
  const copy = drawn.cloneNode(true) as SVGSVGElement, body = getComputedStyle(document.body);
  copy.querySelectorAll("*").forEach((element, i) => {
    const style = getComputedStyle(originals[i]);
    for (const name of kStyles) element.setAttribute(name, style.getPropertyValue(name));
    element.removeAttribute("class");
  });
  const width = Number(drawn.getAttribute("width")), chart = Number(drawn.getAttribute("height"));
  const height = chart + kLine * legends.length, canvas = host.querySelector("canvas");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("height", String(height));
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  if (canvas) {
    copy.append(
      s("image", { width: canvas.style.width, height: canvas.style.height,
        href: canvas.toDataURL("image/png") })
    );
  }
  copy.append(...legends.map((legend, i) => legendLine(legend, chart + i * kLine, body)));
  const paper = getComputedStyle(document.documentElement).getPropertyValue("--card").trim();
  copy.prepend(s("rect", { width: "100%", height: "100%", fill: paper }));
  return new XMLSerializer().serializeToString(copy);
}

async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = h("canvas", { width: 2 * image.width, height: 2 * image.height });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done, fail) =>
    canvas.toBlob(blob => blob ? done(blob) : fail(new Error("no image")), "image/png")
  );
}

/** Buttons that save a chart; `rows` are its numbers, column names first. */
export function saving(name: string, host: HTMLElement, rows: () => (string | number)[][],
  legends: () => Legend[] = () => []): HTMLElement {
  const kind = (text: string, act: () => void) =>
    button(text, act, { class: "small", "aria-label": `Save this chart as ${text}` });
  return h("details", { class: "saving" }, h("summary", {}, "Save this chart"),
    kind("SVG", () => save(`${name}.svg`, "image/svg+xml", svgOf(host, legends()))),
    kind("PNG", () => {
      void pngOf(svgOf(host, legends())).then(blob => save(`${name}.png`, "image/png", blob));
    }), kind("CSV", () => saveCsv(name, rows())));
}
