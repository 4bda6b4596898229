// The library itself, compiled to WebAssembly, with the report's model in it.
import type { Report } from "./data";
import { bytesOf, doublesOf } from "./packed";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  engine_room(count: number): number;
  engine_load(count: number): number;
  engine_explain(positive: number, negative: number): number;
}

export interface Explained {
  g: number;
  decision: number;
  /** Regressors: the prediction. */
  value: number;
  prediction: number;
  positive: number;
  negative: number;
  isTie: boolean;
  base: number;
  isOutside: boolean;
  relevance: Float64Array;
}

const kHead = 9; // numbers in front of the relevance

const kNotSupported = 52; // WASI's ENOSYS

/** What the standard library may ask of a system; here there is none. */
function systemCalls(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === "function") (imports[from] ??= {})[name] = () => kNotSupported;
  }
  return imports;
}

export class Engine {
  private readonly features: number;

  private constructor(private readonly exports: Exports, private readonly report: Report, model: Float64Array) {
    const place = exports.engine_room(model.length);
    new Float64Array(exports.memory.buffer, place, model.length).set(model);
    this.features = exports.engine_load(model.length);
  }

  static async start(code: string, report: Report): Promise<Engine> {
    const module = await WebAssembly.compile(bytesOf(code));
    const instance = await WebAssembly.instantiate(module, systemCalls(module));
    const exports = instance.exports as unknown as Exports;
    exports._initialize?.();
    return new Engine(exports, report, doublesOf(report.raw.model!));
  }

  /** The model's features from the values of the columns: levels become their codes. */
  private encode(values: ArrayLike<number>, features: Float64Array): void {
    this.report.columns.forEach((column, c) => {
      for (let i = 0; i < column.width; ++i)
        features[column.first + i] = column.oneHot ? Number(Math.round(values[c]) === i) : values[c];
    });
  }

  /** Of two classes where they are given, else of those that the row itself asks for. */
  explain(values: ArrayLike<number>, asked: [number, number] = [-1, -1]): Explained {
    const place = this.exports.engine_room(this.features);
    this.encode(values, new Float64Array(this.exports.memory.buffer, place, this.features));
    const result = this.exports.engine_explain(...asked);
    const numbers = new Float64Array(this.exports.memory.buffer, result, kHead + this.features);
    const relevance = new Float64Array(this.report.columns.length);
    this.report.columns.forEach((column, c) => {
      for (let i = 0; i < column.width; ++i) relevance[c] += numbers[kHead + column.first + i];
    });
    const [g, decision, value, prediction, positive, negative, tie, base, outside] = numbers;
    return { g, decision, value, prediction, positive, negative, isTie: tie !== 0, base, isOutside: outside !== 0, relevance };
  }
}
