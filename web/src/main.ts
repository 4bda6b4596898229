import { aboutSection } from "./about";
import { beeswarmSection } from "./beeswarm";
import { readEngine, readReport } from "./data";
import { dependenceSection } from "./dependence";
import { h } from "./dom";
import { groupsSection } from "./groups_section";
import { modelsSection } from "./models";
import { pixelFlippingSection } from "./pixel_flipping";
import { importanceSection } from "./importance";
import { startPrinting } from "./print";
import { qualitySection } from "./quality";
import { rowSection } from "./row";
import { rowsSection } from "./rows";
import { State } from "./state";
import { summarySection } from "./summary";
import { startTheme, toggleTheme } from "./theme";
import { verdictBar } from "./verdict";
import { whatIfSection } from "./whatif";

/** A part of the page is gone to without a word in the address, which has the state. */
function goTo(event: Event): void {
  const link = (event.target as Element).closest("a");
  const part = link?.getAttribute("href")?.startsWith("#") ? document.getElementById(link.getAttribute("href")!.slice(1)) : null;
  if (!part) return;
  event.preventDefault();
  part.scrollIntoView();
  const head = part.querySelector<HTMLElement>("h2");
  head?.setAttribute("tabindex", "-1");
  head?.focus({ preventScroll: true });
}

function header(title: string, sections: HTMLElement[], recolor: () => void): HTMLElement {
  const links = sections.map((part) => h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent));
  const theme = h("button", { type: "button", id: "theme", click: () => { toggleTheme(); recolor(); } }, "Light or dark");
  return h("header", {}, h("h1", {}, title), h("nav", { "aria-label": "Parts of the report" }, ...links, theme));
}

const report = readReport();
const state = new State(report);
startTheme(report.raw.palette, () => state.changed());
startPrinting(state);
const rows = rowsSection(state); // first, because its filters are those of all
// Pixels one by one tell nobody anything: pictures do.
const ofFeatures = report.raw.image ? [] : [importanceSection(state), beeswarmSection(state), dependenceSection(state)];
const charts = [qualitySection(state), modelsSection(state), ...ofFeatures, groupsSection(state), rows].filter((part) => part !== null);
const ofRow = [rowSection(state), whatIfSection(state, readEngine())];
const rest = [pixelFlippingSection(state), aboutSection(report)].filter((part) => part !== null);
const summary = summarySection(state);
const main = document.getElementById("page")!;
main.replaceChildren(header(report.raw.words.title, [summary, ...charts, ...ofRow, ...rest], () => state.changed()), verdictBar(state), summary,
  h("div", { class: "two" }, h("div", { class: "charts" }, ...charts), h("div", { class: "of-row" }, ...ofRow)), ...rest);
main.addEventListener("click", goTo);
