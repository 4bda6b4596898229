// The inputs of the what-if panel: a slider and a number, or the levels of a column.
import type { Report } from "./data";
import { h } from "./dom";

export class SliderList {
  readonly element = h("div", { class: "sliders" });
  private readonly setters = new Map<number, (value: number) => void>();

  constructor(private readonly report: Report, private readonly set: (column: number, value: number) => void) {}

  /** One line for every column, each with its bar. */
  show(columns: number[], values: Float64Array, bars: SVGElement[]): void {
    this.setters.clear();
    this.element.replaceChildren(...columns.map((column, i) => h("div", { class: "slider" },
      h("span", { class: "name", title: this.report.names[column] }, this.report.names[column]),
      this.report.columns[column].levels.length > 0 ? this.levelInput(column, values[column]) : this.numberInput(column, values[column]), bars[i])));
  }

  /** Moves the inputs without a word to anybody. */
  fill(values: Float64Array): void {
    for (const [column, setter] of this.setters) setter(values[column]);
  }

  private levelInput(column: number, value: number): HTMLElement {
    const { name, levels } = this.report.columns[column];
    const choice: HTMLSelectElement = h("select", { "aria-label": name, change: () => this.set(column, Number(choice.value)) });
    levels.forEach((level, i) => choice.append(h("option", { value: i, selected: i === value }, level)));
    this.setters.set(column, (now) => { choice.value = String(Math.round(now)); });
    return choice;
  }

  private numberInput(column: number, value: number): HTMLElement {
    const { name, least, most } = this.report.columns[column];
    const low = Math.min(least, value), high = Math.max(most, value), decimals = this.report.decimalsOf(column);
    const step = Math.max((high - low) / 200, 10 ** -decimals) || 0.01;
    /** Where the data have so many digits, nobody means more. */
    const rounded = (text: string) => Number(Number(text).toFixed(Math.min(decimals + 1, 12)));
    const slider: HTMLInputElement = h("input", { type: "range", min: low, max: high, step: "any", "aria-label": name,
      input: () => { slider.value = number.value = String(rounded(slider.value)); this.set(column, Number(number.value)); },
      keydown: (event: KeyboardEvent) => {
        const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
        if (way === undefined) return;
        event.preventDefault();
        slider.value = String(Number(slider.value) + way * step);
        slider.dispatchEvent(new Event("input"));
      } });
    const number: HTMLInputElement = h("input", { type: "number", step: "any", "aria-label": `${name}, exactly`,
      input: () => {
        const typed = Number(number.value);
        if (number.value === "" || !Number.isFinite(typed) || Math.abs(typed) > 1e100) return;
        slider.value = number.value;
        this.set(column, typed);
      } });
    slider.value = number.value = String(value);
    this.setters.set(column, (now) => { slider.value = number.value = String(now); });
    return h("span", { class: "inputs" }, slider, number);
  }
}
