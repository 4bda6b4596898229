import { aboutSection } from "./about";
import { beeswarmSection } from "./beeswarm";
import { readEngine, readReport } from "./data";
import { dependenceSection } from "./dependence";
import { h } from "./dom";
import { pixelFlippingSection } from "./pixel_flipping";
import { importanceSection } from "./importance";
import { rowSection } from "./row";
import { rowsSection } from "./rows";
import { State } from "./state";
import { startTheme, toggleTheme } from "./theme";
import { whatIfSection } from "./whatif";

function header(title: string, sections: HTMLElement[], recolour: () => void): HTMLElement {
  const links = sections.map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent));
  const theme = h("button", { type: "button", click: () => { toggleTheme(); recolour(); } }, "Light or dark");
  return h("header", {}, h("h1", {}, title), h("nav", { "aria-label": "Parts of the report" }, ...links, theme));
}

const report = readReport();
const state = new State(report);
startTheme(report.raw.palette, () => state.changed());
const sections = [
  aboutSection(report),
  importanceSection(state),
  beeswarmSection(state),
  dependenceSection(state),
  rowsSection(state),
  rowSection(state),
  whatIfSection(state, readEngine()),
  pixelFlippingSection(state),
].filter((part) => part !== null);
document.getElementById("page")!.replaceChildren(header(report.raw.words.title, sections, () => state.changed()), ...sections);
