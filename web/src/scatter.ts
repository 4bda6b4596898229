// One number of every row against another of the same unit. On the dashed line they are equal.
import { scaleLinear } from "d3-scale";
import { bottomAxis, leftAxis, xLabel, yLabel, zeroLine } from "./axis";
import { PointCloud } from "./cloud";
import { kPicked, paintField } from "./density";
import { h, note as noteOf, onWidth } from "./dom";
import { saving } from "./export";
import type { State } from "./state";
import { cssColor, isDark, sequentialColors } from "./theme";

const kHeight = 320, kLeft = 70, kRight = 28, kBottom = 44, kMost = 20_000;

export interface Scatter {
  name: string;
  rows: number[];
  x: (row: number) => number;
  y: (row: number) => number;
  isMarked: (row: number) => boolean;
  label: string;
  xName: string;
  yName: string;
  describe: (row: number) => string;
  note: string;
}

export function scatter(state: State,
  { name, rows, x: across, y: up, isMarked, label, xName, yName, describe, note }:
    Scatter): HTMLElement {
  const cloud = new PointCloud(label, point => state.selectRow(point.row),
    ({ row }) => describe(row));
  let low = Infinity, high = -Infinity;
  for (const row of rows) {
    low = Math.min(low, across(row), up(row));
    high = Math.max(high, across(row), up(row));
  }
  const draw = onWidth(cloud.host, width => {
    const x = scaleLinear([low, high], [kLeft, width - kRight]).nice();
    const y = scaleLinear([low, high], [kHeight - kBottom, 10]).nice(), [first, last] = x.domain();
    const isDense = rows.length > kMost, step = isDense ? Math.ceil(rows.length / kPicked) : 1;
    const ramp = sequentialColors(),
      colors = [ramp[Math.floor(ramp.length / 3)], cssColor("--warn")];
    cloud.drawAxes(width, kHeight, bottomAxis(x, kHeight - kBottom, width), leftAxis(y, kLeft),
      zeroLine(x(first), y(first), x(last), y(last)),
      xLabel(xName, (kLeft + width) / 2, kHeight - 6, width - kLeft),
      yLabel(yName, kHeight - kBottom));
    const points = rows.filter((row, i) => i % step === 0 || row === state.row).map(row => ({
      x: x(across(row)),
      y: y(up(row)),
      row,
      column: 0,
      color: Number(isMarked(row)),
      isBeyond: false
    }));
    const field = () => ({ xs: Float32Array.from(rows, row => x(across(row))),
      ys: Float32Array.from(rows, row => y(up(row))), width, height: kHeight,
      colors: Uint8Array.from(rows, row => Number(isMarked(row))) });
    cloud.draw({ key: `${width} ${isDark()} ${state.filtered}`, width, height: kHeight, points,
      colors, passes: state.passes, selected: state.row, strip: 0,
      paint: isDense ? paintField(field(), colors, Uint8Array.from(rows, row => state.passes[row]))
        : null });
  });
  state.subscribeChart(draw);
  return h("div", {}, noteOf(note), cloud.host,
    saving(name, cloud.host,
      () => [["row", xName, yName, "difference"],
        ...rows.map(
          row => [state.report.numbers[row], across(row), up(row), up(row) - across(row)]
        )]));
}
