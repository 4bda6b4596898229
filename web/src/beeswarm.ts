// One strip of points for each important feature: the place of a point is the contribution to a
// row, its color the feature's value.
import { scaleLinear } from "d3-scale";
import { bottomAxis, type Scale, sidesLabel, zeroLine } from "./axis";
import { type CloudPoint, PointCloud } from "./cloud";
import type { Report } from "./data";
import { kManyPoints, kPicked, paintStrips, type Strip, stripBins } from "./density";
import { button, controls, h, onWidth, s, section } from "./dom";
import { saving } from "./export";
import { distinct, lettersIn } from "./labels";
import { legend, ranks } from "./legend";
import { whole } from "./numbers";
import { rangeNote } from "./range_note";
import { clampTo, type Range, rangeOf } from "./ranges";
import type { State } from "./state";
import { cssColor, isDark, sequentialColors } from "./theme";

/** Categories and groups have no low and high values. */
const hasValueOrder = (report: Report, column: number) =>
  !report.isCategory(column) && !report.isGroup(column);

const kStrip = 34, kShown = 12, kSpacing = 3;

/** Vertical offsets that keep points apart: those of one pixel column fan out from the middle. */
export function fan(xs: ArrayLike<number>): Float32Array {
  const bins = new Map<number, number[]>();
  for (let i = 0; i < xs.length; ++i) {
    const bin = Math.round(xs[i] / kSpacing), members = bins.get(bin);
    if (members) members.push(i);
    else bins.set(bin, [i]);
  }
  const offsets = new Float32Array(xs.length);
  for (const members of bins.values()) {
    const step = Math.min(kSpacing, (kStrip - 6) / members.length);
    members.forEach((i, place) => {
      offsets[i] = (place % 2 === 0 ? 1 : -1) * Math.ceil(place / 2) * step;
    });
  }
  return offsets;
}

/** Where everything is drawn, until the width, the features or the range change. */
interface Layout {
  columns: number[];
  left: number;
  x: Scale;
  range: Range;
}

export function beeswarmSection(state: State): HTMLElement {
  const { report } = state, [positive, negative] = report.commonEffects();
  const note = rangeNote(state), hasOrder = (column: number) => hasValueOrder(report, column);
  /** The colors of values from low to high, then that of columns without an order. */
  const palette = () => [...sequentialColors(), cssColor("--soft")];
  const steps = () => sequentialColors().length;
  const colorsOf = (column: number) =>
    hasOrder(column) ? ranks(report, column, steps()) : new Uint8Array(report.rows).fill(steps());
  let shown = kShown, points: CloudPoint[] = [], strips: Strip[] = [], laidOut = "";
  let layout: Layout = { columns: [], left: 0, x: scaleLinear(), range: rangeOf([], true) };
  const top = report.order.slice(0, 3).map(c => report.names[c]).join(", ");
  const cloud = new PointCloud(
    `Contributions to every row, a strip for each important feature. `
      + `Most important: ${top}. Left and right move between rows, up and down between features.`,
    ({ row, column }) => {
      if (column !== state.column) state.selectColumn(column);
      state.selectRow(row);
    },
    ({ row, column }) =>
      `${report.rowName(row)}: ${report.names[column]}${report.equals(row, column)}, contribution `
      + report.columnAmounts(column).withUnit(report.contribution(row, column))
  );
  const isDense = () => report.rows * shown > kManyPoints;

  function strip(column: number, i: number, rows: number[]): CloudPoint[] {
    const parts = report.columnContributions(column), { x, range } = layout;
    const xs = rows.map(row => x(clampTo(range, parts[row])));
    const offsets = fan(xs), colors = colorsOf(column);
    return rows.map((row, k) => ({ x: xs[k], y: (i + 0.5) * kStrip + offsets[k], row, column,
      color: colors[row], isBeyond: parts[row] < range.low || parts[row] > range.high })
    );
  }

  function place(width: number): void {
    const columns = report.order.slice(0, shown), left = Math.min(200, width * 0.34);
    const range = rangeOf([...columns.map(c => report.columnContributions(c)), [0]],
      state.view.isWhole);
    const x = scaleLinear([range.low, range.high], [left + 8, width - 24]);
    if (range.outside === 0) x.nice();
    layout = { columns, left, x, range };
    const step = isDense() ? Math.ceil((report.rows * columns.length) / kPicked) : 1;
    const sample = report.all().filter(row => row % step === 0), [low, high] = x.domain();
    points = columns.flatMap((column, i) => strip(column, i, sample));
    strips = !isDense() ? []
      : columns.map((column, i) => ({ left: left + 8, middle: (i + 0.5) * kStrip,
        height: kStrip - 6, colors: colorsOf(column),
        bins: stripBins(report.columnContributions(column), low, high, width - 32 - left) })
      );
    note.show(range, report.rows * columns.length, value => report.amounts.signed(value));
  }

  function drawAxes(width: number): void {
    const { columns, left, x } = layout, height = columns.length * kStrip;
    const names = distinct(columns.map(column => report.names[column]), lettersIn(left - 6));
    cloud.drawAxes(width, height + 42,
      ...columns.map((column, i) =>
        s("g", { class: column === report.explained(state.column) ? "strip chosen" : "strip" },
          s("rect", { x: 0, y: i * kStrip + 1, width, height: kStrip - 2, class: "hit" }),
          s("text", { x: left - 4, y: (i + 0.5) * kStrip + 4, "text-anchor": "end" }, names[i]))
      ), zeroLine(x(0), 0, x(0), height), bottomAxis(x, height, width - left),
      sidesLabel({ negative, unit: `contribution (${report.unit})`, positive, y: height + 38,
        width }));
  }

  const draw = onWidth(cloud.host, width => {
    const key = `${width} ${shown} ${state.view.isWhole}`, { row, passes, column } = state;
    if (key !== laidOut) place(width);
    laidOut = key;
    drawAxes(width);
    const own = isDense() ? layout.columns.flatMap((c, i) => strip(c, i, [row])) : [];
    cloud.draw({ key: `${key} ${isDark()} ${state.filtered}`, width,
      height: layout.columns.length * kStrip, points: [...points, ...own], colors: palette(),
      passes, selected: row, strip: report.explained(column),
      paint: isDense() ? paintStrips(strips, palette(), passes) : null });
  });
  state.subscribeChart(draw);
  const most = Math.min(report.order.length, 40);
  const more = button(`Show ${most} features`, () => {
    shown = shown === kShown ? most : kShown;
    more.textContent = `Show ${shown === kShown ? most : kShown} features`;
    draw();
  });
  const { total, seed } = report.raw.rows;
  const sampled = report.rows < total
    ? ` The page has ${whole(report.rows)} of ${whole(total)} rows, drawn at random (seed ${seed}).`
    : "";
  const words = report.rows * Math.min(kShown, report.order.length) > kManyPoints
    ? "The height of a strip shows how many rows have that contribution, its color the mean value "
      + "of the feature there."
    : "Each point is a row: its place is the contribution, its color the feature's value.";
  const gray = report.order.every(hasOrder) ? "" : " Gray: no order of values.";
  return section("beeswarm", "Effects in all rows", h("p", {}, `${words}${gray}${sampled}`),
    legend("lowest value", "highest value"), note.element, cloud.host,
    saving("every-row", cloud.host,
      () => [["row", "feature", "value", "contribution"],
        ...points.map((
          { row, column }
        ) => [report.numbers[row], report.names[column], report.cell(row, column),
          report.contribution(row, column)]
        )], () => [{ colors: sequentialColors(), text: "lowest to highest value" }]),
    most > kShown ? controls({}, more) : null);
}
