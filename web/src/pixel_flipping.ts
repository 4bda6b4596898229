// How soon predictions flip when features are removed in the order of each method.
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear } from "d3-scale";
import { select } from "d3-selection";
import { line } from "d3-shape";
import { formatNumber } from "./numbers";
import { h, onWidth, s, section } from "./dom";
import type { State } from "./state";
import { lineColor } from "./theme";

const kHeight = 320, kLeft = 56, kBottom = 44;
const kDashes = ["", "6 3", "2 3", "8 3 2 3"];

export function pixelFlippingSection(state: State): HTMLElement | null {
  const result = state.report.raw.pixelFlipping;
  if (!result) return null;
  const { curves } = result;
  const ranking = curves.map((_, i) => i).sort((a, b) => curves[a].aufc - curves[b].aufc);
  const host = h("div", { class: "chart" });
  // Where the colors begin anew, the dashes do not.
  const dash = (i: number) => kDashes[(Math.floor(i / 2) + Math.floor(i / 8)) % kDashes.length];

  function draw(width: number): void {
    const last = Math.max(...curves.map((curve) => curve.removed.at(-1) ?? 1));
    const lowest = Math.min(...curves.flatMap((curve) => curve.mean));
    const x = scaleLinear([0, last], [kLeft, width - 12]);
    const y = scaleLinear([Math.min(0, lowest), 1], [kHeight - kBottom, 8]).nice();
    const bottom = s("g", { class: "axis", transform: `translate(0,${kHeight - kBottom})` });
    select(bottom).call(axisBottom(x).ticks(Math.max(2, width / 90)));
    const side = s("g", { class: "axis", transform: `translate(${kLeft},0)` });
    select(side).call(axisLeft(y).ticks(6));
    const path = line<number>();
    const lines = curves.map((curve, i) => s("path", {
      d: path.x((_, k) => x(curve.removed[k])).y((value) => y(value))(curve.mean) ?? "",
      fill: "none", stroke: lineColor(i), "stroke-width": i === 0 ? 3 : 2, "stroke-dasharray": dash(i) }, s("title", {}, curve.method)));
    host.replaceChildren(s("svg", { width, height: kHeight, role: "img", "aria-label": `Flipping curves. The lowest area belongs to ${curves[ranking[0]].method}; the table has the numbers.` },
      bottom, side, ...lines,
      s("text", { x: (kLeft + width) / 2, y: kHeight - 6, "text-anchor": "middle", class: "label" }, "features removed"),
      s("text", { x: -(kHeight - kBottom) / 2, y: 13, transform: "rotate(-90)", "text-anchor": "middle", class: "label" }, "same class (+1) … flipped (−1)")));
  }

  const sample = (i: number) => s("svg", { width: 34, height: 10, "aria-hidden": "true" },
    s("line", { x1: 1, x2: 33, y1: 5, y2: 5, stroke: lineColor(i), "stroke-width": 3, "stroke-dasharray": dash(i) }));
  const rows = ranking.map((i) => h("tr", {}, h("th", { scope: "row" }, sample(i), " ", curves[i].method),
    h("td", { class: "number" }, formatNumber(curves[i].aufc)),
    h("td", { class: "number" }, curves[i].standardError === null ? "" : `± ${formatNumber(curves[i].standardError)}`)));
  onWidth(host, draw);
  state.subscribe(() => draw(host.clientWidth));
  return section("pixel-flipping", "Can the relevance be trusted?",
    h("p", {}, `Features were removed, most relevant first, and filled with what the data say could stand there (${result.samples} draws each, ${result.rows} rows). The sooner the prediction flips, the better the method found what mattered: lower is better.`),
    h("div", { class: "beside" }, host, h("table", {},
      h("thead", {}, h("tr", {}, ...["Method", "AUFC", "standard error"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...rows))));
}
