// Two classes: what happens if the threshold of the decision value is moved.
import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { bottomAxis, leftAxis, xLabel, yLabel, zeroLine } from "./axis";
import { countsIn } from "./curves";
import { field, h, note, onWidth, s } from "./dom";
import { percent, whole, withDecimals } from "./numbers";
import type { State } from "./state";
import { cssColor } from "./theme";

const kSize = 240, kLeft = 50, kBottom = 40;

interface CurveProps {
  title: string;
  xName: string;
  yName: string;
  points: [number, number][];
  now: [number, number];
  /** The curve of guessing. */
  guess: [[number, number], [number, number]];
}

function curve({ title, xName, yName, points, now, guess }: CurveProps, width: number): SVGElement {
  const x = scaleLinear([0, 1], [kLeft, width - 10]), ink = cssColor("--accent");
  const y = scaleLinear([0, 1], [kSize - kBottom, 8]), [from, to] = guess;
  const path = line().x(([a]) => x(a)).y(([, b]) => y(b))(points) ?? "";
  return s("svg", { width, height: kSize, role: "img",
    "aria-label": `${title}: now ${xName} ${percent(now[0])}, ${yName} ${percent(now[1])}` },
    bottomAxis(x, kSize - kBottom, width), leftAxis(y, kLeft, 5),
    zeroLine(x(from[0]), y(from[1]), x(to[0]), y(to[1])),
    s("path", { d: path, fill: "none", stroke: ink, "stroke-width": 2 }),
    s("circle", { cx: x(now[0]), cy: y(now[1]), r: 5, fill: ink }),
    xLabel(xName, (kLeft + width) / 2, kSize - 6, width - kLeft), yLabel(yName, kSize - kBottom));
}

/** Precision, recall and cost at a threshold that the reader moves. Null if it does not apply. */
export function thresholdPanel(state: State): HTMLElement | null {
  const { report } = state, { labels } = report.raw, found = countsIn(report);
  if (!found) return null;
  const counts = found;
  const all = counts.at(-1)!, [positive, negative] = report.pair(0);
  const result = h("p", { id: "threshold-result", "aria-live": "polite" }),
    host = h("div", { class: "chart curves" });
  const cost = (label: string, id: string) => {
    const input: HTMLInputElement = h("input", { type: "number", min: 0, step: "any", value: 1, id,
      input: () => draw() });
    return { input, element: field(label, input) };
  };
  const missed = cost(`Cost of a missed ${labels[positive]}`, "cost-missed");
  const alarm = cost(`Cost of a wrong ${labels[positive]}`, "cost-alarm");
  const slider: HTMLInputElement = h("input", { type: "range", min: 0, max: counts.length - 1,
    step: 1, id: "threshold", input: () => draw() });
  const place = counts.findIndex(({ threshold }) => threshold <= 0);
  slider.value = String(Math.max(0, place < 0 ? counts.length - 1 : place - 1));

  /** The counts at the threshold, with the shares of the class found and of correct predictions. */
  function now() {
    const own = counts[Number(slider.value)], { right, wrong } = own;
    return { ...own, recall: right / all.right,
      precision: right + wrong > 0 ? right / (right + wrong) : 1 };
  }
  function describe(): void {
    const { threshold, right, wrong, recall, precision } = now();
    const total = Number(missed.input.value) * (all.right - right)
      + Number(alarm.input.value) * wrong;
    slider.setAttribute("aria-valuetext", withDecimals(threshold, 3));
    result.textContent = `Predict ${labels[positive]} from a decision value of `
      + `${Number.isFinite(threshold) ? withDecimals(threshold, 3) : "infinity"}: it finds `
      + `${percent(recall)} of ${labels[positive]} (recall), and ${percent(precision)} of its `
      + `${labels[positive]} predictions are correct (precision). ${
        whole(all.right - right)
      } missed, `
      + `${whole(wrong)} wrong, cost ${withDecimals(total, 2)}.`;
  }
  const drawCurves = onWidth(host, width => {
    const { wrong, recall, precision } = now();
    const half = width > 520 ? Math.floor(width / 2) - 8 : width;
    const share = all.right / (all.right + all.wrong);
    const pr = counts.slice(1).map((
      c
    ): [number, number] => [c.right / all.right, c.right / (c.right + c.wrong)]);
    host.replaceChildren(
      curve({ title: "ROC curve", xName: `${labels[negative]} predicted ${labels[positive]}`,
        yName: `${labels[positive]} found`, guess: [[0, 0], [1, 1]],
        points: counts.map(c => [c.wrong / all.wrong, c.right / all.right]),
        now: [wrong / all.wrong, recall] }, half),
      curve({ title: "Precision-recall curve", xName: "recall", yName: "precision", points: pr,
        guess: [[0, share], [1, share]], now: [recall, precision] }, half)
    );
  });
  const draw = () => {
    describe();
    drawCurves();
  };
  state.subscribeChart(drawCurves);
  describe();
  return h("div", { id: "threshold-panel" }, h("h3", {}, "Where to draw the line"),
    note(
      `The model predicts ${labels[positive]} if the decision value is above 0. A lower `
        + `threshold finds more rows that are ${
          labels[positive]
        }, but more of its predictions are wrong.`
    ), field("Threshold, from high to low", slider),
    h("div", { class: "controls" }, missed.element, alarm.element), result, host);
}
