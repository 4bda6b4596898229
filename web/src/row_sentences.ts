// What one row says: its prediction, how the contributions add up, the strongest reasons, warnings.
import { maxIndex, sum } from "d3-array";
import type { Report } from "./data";
import { capital, counted, formatNumber, list, percent, withDecimals } from "./numbers";
import type { WeightedPoint } from "./raw";

/** "2.6 times its usual value of 0.089"; empty for categories. */
export function usual(report: Report, column: number, value: number): string {
  if (report.isCategory(column) || report.isGroup(column)) return "";
  const middle = report.median(column), text = report.shown(column, middle);
  if (report.shown(column, value) === text) return "its usual value";
  const ratio = value / middle, isRatio = report.columns[column].least >= 0 && middle > 0;
  if (isRatio && ratio >= 1.5) return `${withDecimals(ratio, 1)} times its usual value of ${text}`;
  if (isRatio && ratio > 0 && ratio <= 0.67) {
    return `${percent(ratio)} of its usual value of ${text}`;
  }
  const isNear = Math.abs(value - middle) <= 0.1 * report.spread(column);
  return `${isNear ? "near" : value > middle ? "above" : "below"} its usual value of ${text}`;
}

/** "worst area (1,214, 1.8 times its usual value of 686)". */
export function featureWords(report: Report, row: number, column: number): string {
  const { members } = report.columns[column];
  if (members) {
    const shown = members.slice(0, 3).map(c => `${report.names[c]} ${report.cell(row, c)}`);
    return `${report.names[column]} (${shown.join(", ")}${members.length > 3 ? ", …" : ""})`;
  }
  const compared = usual(report, column, report.value(row, column));
  const value = report.cell(row, column);
  return `${report.names[column]} (${value}${compared === "" ? "" : `, ${compared}`})`;
}

/** The prediction, and whether it is correct. */
export function verdictSentence(report: Report, row: number): string {
  const { raw } = report, name = `Row ${report.numbers[row]}`, actual = report.actual(row);
  const said = report.prediction(row);
  if (!raw.isRegressor) {
    const is = `${name} is ${raw.isOneClass ? said : `predicted ${said}`}`;
    if (actual === null) return `${is}.`;
    return report.isWrong(row) ? `${is}: incorrect, actual ${report.targetText(actual)}.`
      : `${is}: correct.`;
  }
  const is = `${name} is predicted ${report.targetAmount(report.predicted(row))}`;
  if (actual === null) return `${is}.`;
  const error = report.predicted(row) - actual, size = report.targetText(Math.abs(error));
  const off = size === "0" ? "exactly right" : `${size} too ${error > 0 ? "high" : "low"}`;
  return `${is}: ${off}, actual ${report.targetText(actual)}.`;
}

/** "decision value of at most 0.31 in size": what a close call is. */
export const closeWords = ({ raw: { unit }, closeLimit }: Report) =>
  `${unit.kind === "decision" ? unit.output : "decision value"} of at most `
  + `${formatNumber(closeLimit)} in size`;

/** What the bars start from. */
export const baseWord = ({ raw: { unit, settings } }: Report) =>
  unit.kind !== "decision" ? "Start" : settings.method === "ig" ? "Reference" : "Average output";

/** "10 of 15 neighbors say good"; empty if neighbors do not vote, or with different weights. */
function votesWords(report: Report, row: number, output: number): string {
  const { labels, settings: { k }, unit } = report.raw, [positive, negative] = report.pair(row);
  if (unit.name !== "votes" || k === null || !Number.isInteger(output)) return "";
  // Of more than two classes, the votes of the others are unknown.
  const size = Math.abs(output), votes = labels.length > 2 && size < k ? NaN : (k + size) / 2;
  const isReversed = output < 0 || (output === 0 && report.direction(row) < 0);
  const [own, other] = (isReversed ? [negative, positive] : [positive, negative]).map(c =>
    labels[c]
  );
  if (Number.isInteger(votes)) return `: ${votes} of ${k} neighbors say ${own}`;
  return labels.length === 2 || size === 0 ? ""
    : `: ${counted(size, "neighbor")} more for ${own} than for ${other}`;
}

/** "below 0 means benign"; empty if the sign has no meaning of its own. */
function signWords(report: Report, row: number, output: number): string {
  const { labels, isRegressor, isOneClass, unit } = report.raw,
    [positive, negative] = report.pair(row);
  if (isRegressor || unit.kind !== "decision" || output === 0) return "";
  const [own, other] = output > 0 ? [positive, negative] : [negative, positive];
  const rather = labels.length > 2 && !isOneClass ? ` rather than ${labels[other]}` : "";
  return `${output > 0 ? "above" : "below"} 0 means ${labels[own]}${rather}`;
}

/** How the contributions of a row add up. */
export function totalsSentence(report: Report, row: number): string {
  const { base, sum, remainder, output } = report.totals(row), amounts = report.rowAmounts(row);
  const rest = remainder === 0 ? "" : `, unexplained ${amounts.signed(remainder)}`;
  const votes = votesWords(report, row, output), sign = signWords(report, row, output);
  // The unit of a decision value tells a reader nothing, the side of the boundary does.
  const result = votes === "" && sign !== "" ? `${report.totalText(row, output)} (${sign})`
    : `${report.totalAmount(row, output)}${votes}`;
  const own = report.raw.image ? "this image's pixels" : "this row's features";
  return `${baseWord(report)} ${report.totalText(row, base)}, ${own} `
    + `${amounts.signed(sum)}${rest}, result ${result}.`;
}

/** The average output has the sign of the result, and a contribution is no tenth of the result. */
function isBaseDecisive(report: Report, row: number, contribution: number): boolean {
  const { base, output } = report.totals(row);
  return !report.raw.isRegressor && base * output > 0
    && Math.abs(contribution) < 0.1 * Math.abs(output);
}

const kPlaces = ["upper left", "upper middle", "upper right", "middle left", "middle",
  "middle right", "lower left", "lower middle", "lower right"];

/** The ninth of an image with the largest contributions toward the prediction. */
function imageReason(report: Report, row: number): string[] {
  const [height, width] = report.raw.image!, direction = report.direction(row);
  const sums = kPlaces.map(() => 0), changed = sum(report.rowContributions(row), Math.abs);
  if (isBaseDecisive(report, row, changed)) {
    const share = changed / Math.abs(report.totals(row).output);
    return [
      "The average output is already on the side of this prediction, and the pixels change little: "
      + `all contributions together are ${share < 0.01 ? "less than 1 %" : percent(share)} of the `
      + "result."
    ];
  }
  report.rowContributions(row).forEach((part, pixel) => {
    const y = Math.floor(pixel / width), x = pixel % width;
    sums[3 * Math.floor((3 * y) / height) + Math.floor((3 * x) / width)] += Math.max(0,
      part * direction);
  });
  const best = maxIndex(sums), all = sum(sums);
  return all === 0 ? []
    : [
      `The strongest reasons are in the ${kPlaces[best]} of the image: `
      + `${percent(sums[best] / all)} of all contributions toward the prediction.`
    ];
}

function reasons(report: Report, row: number): string[] {
  if (report.raw.image) return imageReason(report, row);
  const direction = report.direction(row), amounts = report.rowAmounts(row);
  const parts = report.rowContributions(row).map(part => part * direction);
  const order = report.order.filter(c => amounts.plain(parts[c]) !== "0").sort((a, b) =>
    parts[b] - parts[a]
  );
  const toward = order.filter(c => parts[c] > 0);
  const away = order.filter(c => parts[c] < 0).reverse();
  const isAlready = !report.raw.isRegressor
    && report.totals(row).base * report.totals(row).output > 0;
  const already = toward.length === 0 && away.length > 0 && isAlready
    ? ["The average output is already on the side of this prediction; no feature adds to it."] : [];
  if (toward.length > 0 && isBaseDecisive(report, row, parts[toward[0]])) {
    return [
      "The average output is already on the side of this prediction, and no single feature changes "
      + `much: the largest contribution is ${
        percent(parts[toward[0]] / Math.abs(report.totals(row).output))
      } `
      + "of the result."
    ];
  }
  const isUp = direction > 0, { isRegressor } = report.raw;
  const raises = `raises ${report.target} most`, lowers = `lowers ${report.target} most`;
  const first = isRegressor ? (isUp ? raises : lowers) : "is the strongest reason for this";
  const second = isRegressor ? (isUp ? lowers : raises) : "is the strongest reason against it";
  const sentence = (columns: number[], effect: string) => {
    const then = columns.slice(1, 3).map(c => report.names[c]);
    return columns.length === 0 ? []
      : [
        `${capital(featureWords(report, row, columns[0]))} `
        + `${effect}${then.length > 0 ? `, then ${list(then)}` : ""}.`
      ];
  };
  return [...already, ...sentence(toward, first), ...sentence(away, second)];
}

/** A row in a few sentences. */
export function rowSentences(report: Report, row: number): string[] {
  const verdict = verdictSentence(report, row), own = Math.abs(report.decision[row]);
  if (own > report.closeLimit) return [verdict, ...reasons(report, row)];
  const closer = sum(report.decision, value => Number(Math.abs(value) < own));
  const fewer = closer === 0 ? "no row is closer to 0"
    : `only ${report.someRows(closer)} ${closer === 1 ? "is" : "are"} closer to 0`;
  return [`${verdict} It is a close call (${closeWords(report)}): ${fewer}.`,
    ...reasons(report, row)];
}

function remainderWarning({ raw: { image, unit } }: Report, share: number): string {
  if (share > 1) {
    return `The features do not explain this ${unit.output}: the unexplained part is larger than `
      + "its difference from the average.";
  }
  const leaves = `${percent(share)} of the difference from the average unexplained.`;
  return image ? `The map disagrees with the ${unit.output}: it leaves ${leaves}`
    : `The features leave ${leaves}`;
}

/** What a reader of this row should beware of. */
export function rowWarnings(report: Report, row: number): { id: string; text: string }[] {
  const { remainder, output, base } = report.totals(row);
  const share = Math.abs(remainder / (output - base));
  return [
    report.ties.has(row) ? { id: "row-tie", text: "A tie: both classes have the same score." }
      : null,
    // A map without a warning would be taken for the whole reason.
    (report.raw.image ? report.unexplained.has(row) : report.isFlagged(row))
      ? { id: "row-remainder", text: remainderWarning(report, share) } : null,
    report.stretched.has(row)
      ? { id: "row-stretch",
        text: `The contributions disagree with the ${report.raw.unit.output}: they were changed `
          + "more than tenfold to add up to it. Do not rely on their sizes." } : null,
    report.far.has(row)
      ? { id: "row-far",
        text: "This row is far from the training data, so its explanation is unreliable." } : null
  ].filter(warning => warning !== null);
}

/** "training rows"; "support vectors" if the model does not know their rows. */
export const pointsName = ({ raw: { evidence, words } }: Report) =>
  evidence.areRows ? "training rows" : words.pointName;

/** "training row 236". */
export const pointName = (report: Report, place: number | null) =>
  place !== null ? `${pointsName(report).replace(/s$/, "")} ${report.pointNumber(place)}`
    : report.raw.isOneClass ? "the threshold" : "the model's constant";

/** What the percentages are. */
export function shareWords(report: Report, sides: WeightedPoint[][]): string {
  const { evidence, isRegressor } = report.raw, name = pointsName(report);
  if (!evidence.areVotes) return `The ${name} with the largest weight for each direction. `;
  const rest = 1 - sum(sides.flat(), ([, share]) => share);
  const others = rest < 1e-3 ? "" : `${percent(rest)} of the votes are not listed. `;
  return isRegressor
    ? `The prediction is the mean of the nearest ${name}. Percentages: how much each of them moves `
      + "it, compared with all others. "
    : `The nearest ${name} vote. Percentages are shares of all votes. ${others}`;
}
