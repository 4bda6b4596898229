// How a feature's contribution depends on its value, colored by another feature.
import { scaleLinear } from "d3-scale";
import { bottomAxis, leftAxis, namedAxis, type Scale, xLabel, yLabel, zeroLine } from "./axis";
import { type CloudPoint, PointCloud } from "./cloud";
import { kPicked, type Paint, paintField } from "./density";
import { button, controls, h, onWidth, picker, s, section } from "./dom";
import { type Legend, saving } from "./export";
import { distinct, lettersIn } from "./labels";
import { kMostLevels, legend, levelLegend, ranks } from "./legend";
import { Amounts } from "./numbers";
import { strongestWith } from "./pairs";
import { rangeNote } from "./range_note";
import { clampTo, type Range, rangeOf } from "./ranges";
import type { State } from "./state";
import { cssColor, isDark, lineColor, sequentialColors } from "./theme";

const kHeight = 380, kMargin = { left: 64, right: 24, top: 10, bottom: 44 }, kHistogram = 40;
const kBins = 40, kMostPoints = 20_000;
const kFloor = kHeight - kMargin.bottom - kHistogram;

/** How many values fall into each of `count` cells of equal width. */
export function histogramOf(values: ArrayLike<number>, low: number, high: number, count: number) {
  const counts = new Array<number>(count).fill(0), scale = high > low ? count / (high - low) : 0;
  for (let i = 0; i < values.length; ++i) {
    if (values[i] < low || values[i] > high) continue;
    ++counts[Math.min(count - 1, Math.floor((values[i] - low) * scale))];
  }
  return counts;
}

/** A number between −0.5 and 0.5 for each row: rows of a category are drawn side by side. */
const jitter = (row: number) => ((row * 0.6180339887) % 1) - 0.5;

const isOutside = ({ low, high }: Range, value: number) => value < low || value > high;

export function dependenceSection(state: State): HTMLElement {
  const { report } = state, { names } = report, outside = rangeNote(state);
  const words = h("p", { class: "note", "aria-live": "polite" }), key = h("div");
  /** "cement (in binder)": the contribution of a group is drawn against a column of it. */
  const featureName = (c: number) =>
    report.explained(c) === c ? names[c] : `${names[c]} (in ${names[report.explained(c)]})`;
  const kind = "Value and contribution of the chosen feature. Arrow keys move between rows.";
  const cloud = new PointCloud(kind, point => state.selectRow(point.row), ({ row }) => {
    const column = own(), color = state.colorColumn();
    const amount = report.columnAmounts(column).withUnit(report.contribution(row, column));
    return `${report.rowName(row)}: ${names[column]} = ${report.cell(row, column)}, contribution `
      + `${amount}; ${names[color]} = ${report.cell(row, color)}`;
  });
  const { dataColumns } = report, ofAll = dataColumns.map(c => names[c]);
  const ofFeature = picker("Feature", dataColumns.map(featureName),
    choice => state.selectColumn(dataColumns[choice]));
  const ofColor = picker("Color", ofAll, choice => state.pickColor(dataColumns[choice]));
  const strongest = button("Strongest interaction", () => state.pickColor(null));
  const own = () => report.valueColumn(state.column);
  let points: CloudPoint[] = [], paint: Paint | null = null, laidOut = "";
  let point: (row: number) => CloudPoint;

  /** Colors of the rows: ranks of numbers, or one color for each category. */
  function coloring(): { palette: string[]; of: Uint8Array } {
    const color = state.colorColumn();
    if (!report.isCategory(color)) {
      return { palette: sequentialColors(), of: ranks(report, color, sequentialColors().length) };
    }
    const palette = report.columns[color].levels.map((_, i) => lineColor(i));
    return { palette, of: Uint8Array.from(report.columnValues(color), Math.round) };
  }

  function layout(x: Scale, y: Scale, across: Range, up: Range, width: number): void {
    const column = own(), values = report.columnValues(column);
    const parts = report.columnContributions(column), { palette, of } = coloring();
    const isDense = report.rows > kMostPoints,
      step = isDense ? Math.ceil(report.rows / kPicked) : 1;
    const spread = report.isCategory(column) ? 0.5 : 0;
    const place = (row: number) => x(clampTo(across, values[row]) + spread * jitter(row));
    point = row => ({ x: place(row), y: y(clampTo(up, parts[row])), row, column, color: of[row],
      isBeyond: clampTo(across, values[row]) !== values[row]
        || clampTo(up, parts[row]) !== parts[row] });
    points = report.all().filter(row => row % step === 0).map(point);
    const field = isDense
      && { xs: Float32Array.from(values, (_, row) => place(row)),
        ys: Float32Array.from(parts, part => y(clampTo(up, part))), width, height: kHeight,
        colors: of };
    paint = field ? context => paintField(field, palette, state.passes)(context) : null;
  }

  /** How many rows are outside the drawn ranges. */
  function beyondCount(column: number, across: Range, up: Range): number {
    const values = report.columnValues(column), parts = report.columnContributions(column);
    let count = 0;
    for (let row = 0; row < report.rows; ++row) {
      if (isOutside(across, values[row]) || isOutside(up, parts[row])) ++count;
    }
    return count;
  }

  function drawAxes(x: Scale, y: Scale, width: number): void {
    const column = own(), { levels } = report.columns[column], bottom = kHeight - kMargin.bottom;
    const [low, high] = x.domain(), isMember = report.explained(column) !== column;
    const counts = levels.length > 0
      ? histogramOf(report.columnValues(column), -0.5, levels.length - 0.5, levels.length)
      : histogramOf(report.columnValues(column), low, high, kBins);
    const most = Math.max(...counts, 1), first = levels.length > 0 ? -0.5 : low;
    const wide = levels.length > 0 ? 1 : (high - low) / kBins;
    const bars = counts.map((count, i) =>
      s("rect", { x: x(first + i * wide) + 0.5, width: Math.max(0.5, x(wide) - x(0) - 1),
        y: bottom - (count / most) * (kHistogram - 8), height: (count / most) * (kHistogram - 8),
        fill: cssColor("--line") })
    );
    const labels = distinct(levels, lettersIn(width / Math.max(1, levels.length)));
    cloud.drawAxes(width, kHeight, ...bars,
      levels.length > 0 ? namedAxis(x, bottom, labels) : bottomAxis(x, bottom, width),
      leftAxis(y, kMargin.left), zeroLine(kMargin.left, y(0), width - kMargin.right, y(0)),
      xLabel(names[column], (kMargin.left + width) / 2, kHeight - 6, width - kMargin.left),
      yLabel(
        `contribution${isMember ? ` of ${names[report.explained(column)]}` : ""} `
          + `(${report.unit})`,
        kFloor
      ));
  }

  /** Scales and places, until another feature, color or range is chosen. */
  function place(width: number): void {
    const column = own(), { isWhole } = state.view, isCategory = report.isCategory(column);
    const across = rangeOf([report.columnValues(column)], isWhole || isCategory);
    const up = rangeOf([report.columnContributions(column)], isWhole);
    const pad = isCategory ? 0.5
      : across.low === across.high ? 1 : (across.high - across.low) * 0.03;
    const x = scaleLinear([across.low - pad, across.high + pad], [kMargin.left,
      width - kMargin.right]);
    const y = scaleLinear([Math.min(up.low, 0), Math.max(up.high, 0)], [kFloor, kMargin.top]);
    if (up.outside === 0) y.nice();
    drawAxes(x, y, width);
    layout(x, y, across, up, width);
    const amounts = report.columnAmounts(column), beyond = up.outside > 0 ? up : across;
    outside.show({ ...beyond, outside: beyondCount(column, across, up) }, report.rows,
      value => up.outside > 0 ? amounts.signed(value) : report.shown(column, value));
    cloud.canvas.setAttribute("aria-label",
      `${names[column]} from ${report.shown(column, across.least)} to ${
        report.shown(column, across.most)
      }, contributions from ${amounts.signed(up.least)} to ${amounts.withUnit(up.most)}. ${kind}`);
  }

  function describe(): void {
    const column = own(), pair = strongestWith(report, column);
    ofFeature.show(dataColumns.indexOf(column));
    ofColor.show(dataColumns.indexOf(state.colorColumn()));
    strongest.hidden = !pair;
    words.textContent = !pair ? ""
      : `Strongest interaction: with ${names[pair.a === column ? pair.b : pair.a]}, a joint effect `
        + `of ${new Amounts(pair.size, "").plain(pair.size)} ${report.raw.interactions!.unit} on `
        + "average.";
  }

  const draw = onWidth(cloud.host, width => {
    const column = own(), color = state.colorColumn();
    const now = `${width} ${column} ${color} ${isDark()} ${state.view.isWhole}`;
    if (now !== laidOut) {
      place(width);
      const { levels } = report.columns[color];
      key.replaceChildren(
        levels.length > 0 ? levelLegend(levels)
          : legend(`low ${names[color]}`, `high ${names[color]}`)
      );
    }
    laidOut = now;
    cloud.draw({ key: `${now} ${state.filtered}`, width, height: kFloor + 4,
      points: paint ? [...points, point(state.row)] : points, colors: coloring().palette,
      passes: state.passes, selected: state.row, strip: column, paint });
  });

  /** Of a saved chart: one line for a number, one for each category. */
  function legends(): Legend[] {
    const color = state.colorColumn(), { palette } = coloring(), { levels } = report.columns[color];
    return levels.length === 0 ? [{ colors: palette, text: `lowest to highest ${names[color]}` }]
      : levels.slice(0, kMostLevels).map((level, i) => ({ colors: [palette[i]],
        text: `${names[color]} ${level}` })
      );
  }

  state.subscribeChart(() => {
    describe();
    draw();
  });
  describe();
  return section("dependence", "Effect by value",
    h("p", {}, "The contribution of a feature against its value; gray bars: how many rows."),
    controls({}, ofFeature.element, ofColor.element, strongest), words, key, outside.element,
    cloud.host,
    saving("dependence", cloud.host,
      () => [["row", names[own()], "contribution", names[state.colorColumn()]],
        ...points.map((
          { row }
        ) => [report.numbers[row], report.cell(row, own()), report.contribution(row, own()),
          report.cell(row, state.colorColumn())]
        )], legends));
}
