// What the numbers say, in plain words. Every number in a sentence is one that the page can show.
import type { Report } from "./data";
import { counted, percent, withDecimals } from "./numbers";

export function list(words: string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The unit behind a regressor's number, where somebody named it. */
export function unitBehind({ raw }: Report): string {
  return raw.isRegressor && raw.unit.name !== "units of the target" && raw.unit.kind === "decision" ? ` ${raw.unit.name}` : "";
}

/** "2.6 times its usual value of 0.089"; empty for levels, which have no more or less. */
export function usual(report: Report, column: number, value: number): string {
  const { levels, least } = report.columns[column];
  if (levels.length > 0) return "";
  const middle = report.median(column), text = report.shown(column, middle);
  if (report.shown(column, value) === text) return "its usual value";
  const ratio = value / middle;
  if (least >= 0 && middle > 0 && ratio >= 1.5) return `${withDecimals(ratio, 1)} times its usual value of ${text}`;
  if (least >= 0 && middle > 0 && ratio <= 0.67) return `${percent(ratio)} of its usual value of ${text}`;
  return `${value > middle ? "above" : "below"} its usual value of ${text}`;
}

function featureWords(report: Report, row: number, column: number): string {
  const value = report.value(row, column), compared = usual(report, column, value);
  return `${report.names[column]} (${report.shown(column, value)}${compared === "" ? "" : `, ${compared}`})`;
}

/** What was decided, and whether it is so. */
export function verdictSentence(report: Report, row: number): string {
  const { raw } = report, name = `Row ${report.numbers[row]}`, unit = unitBehind(report);
  const truth = report.truth(row), said = report.prediction(row);
  if (!raw.isRegressor) {
    const call = `${name} is ${raw.isOneClass ? said : `called ${said}`}`;
    if (truth === null) return `${call}.`;
    return report.isWrong(row) ? `${call}, wrongly: the data say ${report.targetText(truth)}.` : `${call}, rightly.`;
  }
  const level = raw.settings.level ?? 0, away = report.predicted(row) - level;
  const far = away === 0 ? "exactly" : `${report.targetText(Math.abs(away))} ${away > 0 ? "above" : "below"}`;
  const from = `${raw.levelIsMean ? "the average of " : ""}${report.targetText(level)}`;
  if (truth === null) return `${name} is predicted ${said}${unit}, ${far} ${from}.`;
  const error = report.predicted(row) - truth;
  const off = report.targetText(Math.abs(error)) === "0" ? "exactly that" : `${report.targetText(Math.abs(error))} too ${error > 0 ? "high" : "low"}`;
  return `${name} is predicted ${said}${unit}, ${far} ${from}. The data say ${report.targetText(truth)}: the prediction is ${off}.`;
}

/** Rows whose output is smaller in size. */
export function closerCalls(report: Report, row: number): number {
  const own = Math.abs(report.decision[row]);
  let count = 0;
  for (const value of report.decision) if (Math.abs(value) < own) ++count;
  return count;
}

const kPlaces = [["upper left", "upper middle", "upper right"], ["middle left", "middle", "middle right"], ["lower left", "lower middle", "lower right"]];

/** Where in a picture most of what speaks for the prediction lies: in which ninth of it. */
function pictureReason(report: Report, row: number): string[] {
  const [height, width] = report.raw.image!, way = report.way(row), sums = kPlaces.map(() => [0, 0, 0]);
  let all = 0;
  report.rowRelevance(row).forEach((part, pixel) => {
    const own = Math.max(0, part * way), y = Math.floor(pixel / width), x = pixel % width;
    sums[Math.floor((3 * y) / height)][Math.floor((3 * x) / width)] += own;
    all += own;
  });
  const best = sums.flat().reduce((most, sum, i, list) => (sum > list[most] ? i : most), 0);
  if (all === 0) return [];
  return [`What speaks for it lies mostly in the ${kPlaces.flat()[best]} of the picture: ${percent(sums.flat()[best] / all)} of it in that ninth.`];
}

function reasons(report: Report, row: number): string[] {
  if (report.raw.image) return pictureReason(report, row);
  const way = report.way(row), parts = report.rowRelevance(row).map((part) => part * way);
  const order = Array.from(parts.keys()).sort((a, b) => parts[b] - parts[a]);
  const pro = order.filter((c) => report.signed(parts[c]) !== "0" && parts[c] > 0), contra = order.filter((c) => report.signed(parts[c]) !== "0" && parts[c] < 0).reverse();
  const then = (columns: number[]) => (columns.length > 1 ? `, then ${list(columns.slice(1, 3).map((c) => report.names[c]))}` : "");
  const it = report.raw.isRegressor ? (way > 0 ? "raises it" : "lowers it") : "speaks for it";
  const not = report.raw.isRegressor ? (way > 0 ? "lowers it" : "raises it") : "speaks against it";
  const lines: string[] = [];
  if (pro.length > 0) lines.push(`${capital(featureWords(report, row, pro[0]))} ${it} most${then(pro)}.`);
  if (contra.length > 0) lines.push(`${capital(featureWords(report, row, contra[0]))} ${not} most${then(contra)}.`);
  return lines;
}

/** Two or three lines about a row. */
export function rowSentences(report: Report, row: number): string[] {
  const lines = [verdictSentence(report, row)];
  const closer = closerCalls(report, row);
  if (!report.raw.isRegressor && closer < 0.1 * report.rows)
    lines[0] += ` It is a close call: ${closer === 0 ? "no row has" : closer === 1 ? "only 1 row has" : `only ${closer} of ${report.rows} rows have`} a smaller ${report.raw.unit.kind === "share" ? "decision value" : report.raw.unit.output}.`;
  return [...lines, ...reasons(report, row)];
}

/** Rows that the model was made of say little about others. */
function ownPointsSentence({ raw: { ownPoints }, rows }: Report): string {
  return ownPoints === 0 ? "" : `${ownPoints === rows ? "All" : `${ownPoints} of the ${rows}`} rows of this page are points that the model has learned from, which flatters it: rows that it has not seen would tell.`;
}

function qualitySentence(report: Report): string {
  const { quality, isRegressor, labels } = report.raw;
  if (!quality) return "The data do not say what is true, so nothing here says how good the model is; name the column that knows with --target COL.";
  if (isRegressor) {
    const share = quality.rSquared === null ? "" : ` It explains ${percent(Math.max(0, quality.rSquared))} of how the targets differ (R²).`;
    return `The model is off by ${report.targetText(quality.meanAbsoluteError)}${unitBehind(report)} on average over ${counted(quality.rows, "row")}.${share}`;
  }
  const right = quality.confusion.reduce((sum, counts, c) => sum + counts[c], 0);
  const mistakes = quality.confusion.flatMap((counts, truth) => counts.map((count, said) => ({ count, truth, said })))
    .filter(({ count, truth, said }) => count > 0 && truth !== said).sort((a, b) => b.count - a.count);
  const first = mistakes.slice(0, 2).map(({ count, truth, said }) => `${labels[truth]} called ${labels[said]} (${counted(count, "row")})`);
  const wrong = mistakes.length === 0 ? "" : ` ${mistakes.length > 2 ? "Most often wrong" : "Wrong"}: ${list(first)}.`;
  return `The model is right for ${right} of ${counted(quality.rows, "row")} (${percent(right / quality.rows)}).${wrong}`;
}

function importanceSentence(report: Report): string {
  const top = report.order.slice(0, 3), all = report.columns.reduce((sum, { importance }) => sum + importance, 0);
  const share = top.reduce((sum, c) => sum + report.columns[c].importance, 0) / (all || 1);
  if (report.raw.image) return "";
  return `${capital(report.names[top[0]])} matters most${top.length > 1 ? `, then ${list(top.slice(1).map((c) => report.names[c]))}` : ""}${report.columns.length > 3 ? `: together ${percent(share)} of all relevance` : ""}.`;
}

/** What a reader has to beware of, over all rows. */
export function bewareSentence(report: Report): string {
  const remainder = report.largeRemainders, outside = report.outside.size;
  return [remainder > 0 ? `In ${remainder} of ${report.rows} rows more than a fifth of the output is left over.` : "",
    outside > 0 ? `${outside} of ${report.rows} are far from all data: their explanations say little.` : ""].filter((text) => text !== "").join(" ");
}

/** Two or three lines about the whole report. */
export const reportSentences = (report: Report) => [qualitySentence(report), ownPointsSentence(report), importanceSentence(report), bewareSentence(report)].filter((text) => text !== "");
