import { aboutSection, provenance } from "./about";
import { beeswarmSection } from "./beeswarm";
import { copyButton } from "./copy_link";
import { readEngine, readReport } from "./data";
import { dependenceSection } from "./dependence";
import { button, h } from "./dom";
import { groupsSection } from "./groups_section";
import { importanceSection } from "./importance";
import { interactionsSection } from "./interactions";
import { modelsSection } from "./models";
import { pixelFlippingSection } from "./pixel_flipping";
import { startPrinting } from "./print";
import { qualitySection } from "./quality";
import { rowSection } from "./row";
import { rowsSection } from "./rows";
import { selectionBar } from "./selection";
import { State } from "./state";
import { summarySection } from "./summary";
import { startTheme, toggleTheme } from "./theme";
import { whatIfSection } from "./whatif";

/** Links to sections scroll; the address keeps the state. */
function goTo(event: Event): void {
  const link = (event.target as Element).closest("a[href^='#']");
  const part = link && document.getElementById(link.getAttribute("href")!.slice(1));
  if (!part) return;
  event.preventDefault();
  part.scrollIntoView();
  const head = part.querySelector<HTMLElement>("h2");
  head?.setAttribute("tabindex", "-1");
  head?.focus({ preventScroll: true });
}

function header(title: string, sections: HTMLElement[], recolor: () => void): HTMLElement {
  const links = sections.map(part =>
    h("a", { href: `#${part.id}` }, part.querySelector("h2")!.textContent)
  );
  const theme = button("Light or dark", () => {
    toggleTheme();
    recolor();
  }, { id: "theme" });
  return h("header", {}, h("div", { class: "head" }, h("h1", {}, title), copyButton(), theme),
    h("nav", { "aria-label": "Sections" }, ...links));
}

const report = readReport(), state = new State(report), { image, words } = report.raw;
startTheme(report.raw.palette, () => state.changed());
startPrinting(state);
const rows = rowsSection(state); // first, because it updates the selection
const present = (parts: (HTMLElement | null)[]) => parts.filter(part => part !== null);
const summary = summarySection(state);
const charts = present([summary, ...(image ? [] : [importanceSection(state)]),
  qualitySection(state), modelsSection(state),
  ...(image ? [] : [beeswarmSection(state), dependenceSection(state), interactionsSection(state)]),
  groupsSection(state), rows]);
const ofRow = [rowSection(state), whatIfSection(state, readEngine())];
const rest = present([pixelFlippingSection(state), aboutSection(report), provenance(report)]);
const main = document.getElementById("page")!;
main.replaceChildren(header(words.title, [...charts, ...ofRow, ...rest], () => state.changed()),
  selectionBar(state),
  h("div", { class: "two" }, h("div", { class: "charts" }, ...charts),
    h("div", { class: "of-row" }, ...ofRow)), ...rest);
main.addEventListener("click", goTo);
