// The training rows that influenced a prediction most.
import { sum } from "d3-array";
import type { Report } from "./data";
import { button, controls, h, hint, key, moveFocus, note, number, scrolling, table } from "./dom";
import { capital, percent, unbroken } from "./numbers";
import { differs } from "./opposite";
import { thumbnail } from "./picture";
import type { WeightedPoint } from "./raw";
import { pointName, pointsName, shareWords } from "./row_sentences";

const kShown = 8;
/** If the shown points have a smaller share of their side, no single one decided. */
const kDiffuse = 0.3;

function valuesTable(report: Report, row: number, place: number, columns: number[]): HTMLElement {
  const amounts = report.rowAmounts(row);
  const body = columns.map(column => {
    const own = report.value(row, column), other = report.pointValue(place, column);
    const isOther = differs(report, column, own, other);
    return [report.names[column], number(report.cell(row, column)),
      number(report.shown(column, other), isOther ? "differs" : ""),
      isOther ? "differs" : "similar",
      number(
        report.explained(column) === column ? amounts.signed(report.contribution(row, column))
          : `in ${report.names[report.explained(column)]}`
      )];
  });
  return table(["Feature", `row ${report.numbers[row]}`, pointName(report, place), "compared",
    "contribution"], body);
}

function diffuse(report: Report, side: WeightedPoint[]): HTMLElement | null {
  const held = sum(side, ([, weight]) => weight);
  return report.raw.evidence.areVotes || side.length === 0 || held >= kDiffuse ? null
    : note(
      unbroken(
        `No single one of the ${pointsName(report)} decided this: these ${side.length} have `
          + `${percent(held)} of the weight of their side.`
      )
    );
}

function whyNone({ raw }: Report): string {
  if (raw.settings.method === "ig") return "This kind of model compares no pairs of training rows.";
  return raw.evidence.rows.length > 0
    ? `The page has training rows for its first ${raw.evidence.rows.length} rows.`
    : "The report was made without the training rows.";
}

export function evidence(report: Report, row: number): HTMLElement {
  const sides = report.evidence(row), name = pointsName(report);
  const title = h("h3", {},
    report.raw.evidence.areVotes ? "Neighbors that vote" : `Most influential ${name}`);
  if (!sides) return h("div", {}, title, note(whyNone(report)));
  const order = report.strongestColumns(row), effects = report.effects(row);
  const host = scrolling(`Values of the row and of one of the ${name}`);
  const buttons: HTMLButtonElement[] = [];
  let isAll = false, now = sides.flat().find(([place]) => place !== null)?.[0] ?? null;
  const more = button("", () => {
    isAll = !isAll;
    show();
  });
  function show(): void {
    for (const own of buttons) {
      own.setAttribute("aria-pressed", String(Number(own.dataset.place) === now));
    }
    more.textContent = isAll ? `The ${kShown} strongest features` : "All features";
    const columns = order.slice(0, isAll ? 200 : kShown);
    if (now !== null) host.replaceChildren(valuesTable(report, row, now, columns));
  }
  const pointButton = ([place, weight]: WeightedPoint, isFirst: boolean): HTMLElement => {
    const text = `${pointName(report, place)}: ${percent(weight)}`;
    if (place === null) return h("span", { class: "tab" }, text);
    const made = button(text, () => {
      now = place;
      show();
    }, { class: "tab", "data-place": place, tabindex: isFirst ? 0 : -1,
      keydown: (event: KeyboardEvent) => moveFocus(event, "button.tab")?.click() });
    if (report.raw.image) {
      made.prepend(thumbnail(report, pixel => report.pointValue(place, pixel)));
    }
    buttons.push(made);
    return made;
  };
  const lists = sides.map((side, i) => {
    const first = side.findIndex(([place]) => place !== null);
    return h("div", {}, h("p", {}, key(i === 0 ? "for" : "against", effects[i])),
      controls({ class: "controls roving", role: "group",
        "aria-label": `${capital(name)}: ${effects[i]}` },
        ...side.map((point, n) => pointButton(point, n === first))), diffuse(report, side));
  });
  show();
  const moreControls = order.length > kShown ? controls({}, more) : null;
  return h("div", { id: "points" }, title,
    note(unbroken(shareWords(report, sides)), hint("Choose one to compare its values.")),
    h("div", { class: "sides" }, ...lists), ...(report.raw.image ? [] : [host, moreControls]));
}
