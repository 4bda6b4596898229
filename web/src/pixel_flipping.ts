// How soon predictions change when features are removed in the order of each method.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { bottomAxis, leftAxis, xLabel, yLabel } from "./axis";
import { h, number, onWidth, s, section, table } from "./dom";
import { counted, fixed } from "./numbers";
import type { Curve } from "./raw";
import type { State } from "./state";
import { lineColor } from "./theme";

const kHeight = 320, kLeft = 56, kBottom = 44;
const kDashes = ["", "6 3", "2 3", "8 3 2 3"];

/** Methods with the same color have different dashes. */
const dash = (i: number) => kDashes[(Math.floor(i / 2) + Math.floor(i / 8)) % kDashes.length];

/** The neighborhood alone says what is associated with the decision in the data. */
const named = ({ method }: Curve) =>
  `${method} (${method === "neighborhood" ? "data view" : "model view"})`;

export function pixelFlippingSection(state: State): HTMLElement | null {
  const result = state.report.raw.pixelFlipping;
  if (!result) return null;
  const { curves, rows: count, samples } = result, host = h("div", { class: "chart" });
  const ranking = curves.map((_, i) => i).sort((a, b) => curves[a].aufc - curves[b].aufc);
  const [shown] = curves, best = curves[ranking[0]];

  function draw(width: number): void {
    const last = Math.max(...curves.map(curve => curve.removed.at(-1) ?? 1));
    const lowest = Math.min(0, ...curves.flatMap(curve => curve.mean));
    const x = scaleLinear([0, last], [kLeft, width - 12]);
    const y = scaleLinear([lowest, 1], [kHeight - kBottom, 8]).nice();
    const lines = curves.map((curve, i) => {
      const path = line<number>().x((_, k) => x(curve.removed[k])).y(value => y(value));
      return s("path", { d: path(curve.mean) ?? "", fill: "none", stroke: lineColor(i),
        "stroke-width": i === 0 ? 3 : 2, "stroke-dasharray": dash(i) },
        s("title", {}, curve.method));
    });
    host.replaceChildren(
      s("svg", { width, height: kHeight, role: "img",
        "aria-label": `Flipping curves; ${best.method} has the smallest area` },
        bottomAxis(x, kHeight - kBottom, width), leftAxis(y, kLeft), ...lines,
        xLabel("features removed", (kLeft + width) / 2, kHeight - 6, width - kLeft),
        yLabel("same class (+1) … changed (−1)", kHeight - kBottom))
    );
  }

  const sample = (i: number) =>
    s("svg", { width: 34, height: 10, "aria-hidden": "true" },
      s("line", { x1: 1, x2: 33, y1: 5, y2: 5, stroke: lineColor(i), "stroke-width": 3,
        "stroke-dasharray": dash(i) }));
  const error = (own: number | null) => own === null ? "" : `± ${fixed(own, 3)}`;
  const rows = ranking.map(
    i => [h("span", {}, sample(i), ` ${curves[i].method}`), number(fixed(curves[i].aufc, 3)),
      number(error(curves[i].standardError))]
  );
  state.subscribe(onWidth(host, draw));
  const first = best === shown
    ? `On these rows ${named(best)}, which this page shows, has the smallest area.`
    : `On these rows ${named(best)} has the smallest area. This page shows ${named(shown)}, which `
      + `has place ${ranking.indexOf(0) + 1} of ${curves.length}.`;
  return section("pixel-flipping", "Can it be trusted?",
    h("p", {},
      `Features were removed, strongest first, and replaced by plausible values `
        + `(${counted(count, "row")}, ${counted(samples, "draw")} each). The sooner the prediction `
        + `changes, the better the method: a smaller area under the curve (AUFC) is`
        + ` better. ${first}`),
    h("div", { class: "beside" }, host, table(["Method", "AUFC", "standard error"], rows)));
}
