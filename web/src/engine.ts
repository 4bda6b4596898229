// The library compiled to WebAssembly, with the report's model in it.
import { type Report, type Totals, totalsOf } from "./data";
import { bytesOf, doublesOf } from "./packed";

interface Exports {
  memory: WebAssembly.Memory;
  _initialize?: () => void;
  engine_buffer(count: number): number;
  engine_load(count: number): number;
  engine_explain(positive: number, negative: number): number;
  engine_predict(count: number, positive: number, negative: number): number;
  engine_flip(columns: number, rows: number, reach: number): number;
}

export interface Explained {
  totals: Totals;
  decision: number;
  /** Regressors: the prediction. */
  value: number;
  prediction: number;
  isFar: boolean;
  /** The features leave a large part of the difference from the average unexplained. */
  isUnexplained: boolean;
  contributions: Float64Array;
  /** Standard errors of the contributions; zeros if the method has none. */
  errors: Float64Array;
}

/** The smallest change that leads to another outcome. */
export interface Flip {
  /** Values of the columns. */
  values: Float64Array;
  /** The length of the change in the model's space. */
  distance: number;
}

export interface FlipAnswer {
  flip: Flip | null;
  /** No shorter change leads to another outcome; 0 if no such length is known. */
  radius: number;
}

const kFlipHead = 5; // numbers before the changed row
const kColumnNumbers = 4; // of a column that the search gets
const kHead = 11; // numbers before the contributions
const kNotSupported = 52; // WASI's ENOSYS

/** The standard library may call a system; here there is none. */
function systemCalls(module: WebAssembly.Module): WebAssembly.Imports {
  const imports: Record<string, Record<string, () => number>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === "function") (imports[from] ??= {})[name] = () => kNotSupported;
  }
  return imports;
}

/** The library is stored compressed. Browsers before 2023 cannot unpack it. */
export const canUnpack = () => typeof DecompressionStream === "function";

function unpack(code: string): Promise<ArrayBuffer> {
  const stream = new Blob([bytesOf(code)]).stream();
  return new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

export class Engine {
  private readonly features: number;

  private constructor(private readonly exports: Exports, private readonly report: Report,
    model: Float64Array)
  {
    this.buffer(model.length).set(model);
    this.features = exports.engine_load(model.length);
  }

  static async start(code: string, report: Report): Promise<Engine> {
    const module = await WebAssembly.compile(await unpack(code));
    const instance = await WebAssembly.instantiate(module, systemCalls(module));
    const exports = instance.exports as unknown as Exports;
    exports._initialize?.();
    return new Engine(exports, report, doublesOf(report.raw.model!));
  }

  private buffer(count: number): Float64Array {
    const place = this.exports.engine_buffer(count);
    return new Float64Array(this.exports.memory.buffer, place, count);
  }

  private numbers(place: number, count: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, place, count);
  }

  /** The model's features from the values of the columns; categories become their codes. */
  private encode(values: ArrayLike<number>, features: Float64Array): void {
    this.report.columns.forEach((column, c) => {
      for (let i = 0; i < column.width; ++i) {
        features[column.first + i] = column.oneHot ? Number(Math.round(values[c]) === i)
          : values[c];
      }
    });
  }

  /** Compares two given classes, or those that the row determines. */
  explain(values: ArrayLike<number>, asked: [number, number] = [-1, -1]): Explained {
    this.encode(values, this.buffer(this.features));
    const found = this.exports.engine_explain(...asked);
    const numbers = this.numbers(found, kHead + 2 * this.features);
    const contributions = this.byColumn(numbers.subarray(kHead, kHead + this.features));
    const errors = this.byColumn(numbers.subarray(kHead + this.features));
    const [output, base, remainder, decision, value, prediction] = numbers;
    return { totals: totalsOf(base, remainder, output), decision, value, prediction,
      isFar: numbers[9] !== 0, isUnexplained: numbers[10] !== 0, contributions, errors };
  }

  /** Sums over the features of each column or group; columns of a group have none. */
  private byColumn(features: Float64Array): Float64Array {
    const { report } = this, sums = new Float64Array(report.columns.length);
    report.columns.forEach(({ first, width }, c) => {
      for (let i = 0; i < width; ++i) sums[report.explained(c)] += features[first + i];
    });
    return sums;
  }

  /** The prediction (regressors) or decision value of each row, that of two classes if given. */
  predict(rows: ArrayLike<number>[], asked: [number, number] = [-1, -1]): Float64Array {
    const buffer = this.buffer(rows.length * this.features);
    rows.forEach((values, r) =>
      this.encode(values, buffer.subarray(r * this.features, (r + 1) * this.features))
    );
    const found = this.exports.engine_predict(rows.length, ...asked);
    return this.numbers(found, rows.length).slice();
  }

  /** Per column: first feature, width, number of levels, and whether it is fixed. */
  private describeColumns(fixed: ReadonlySet<number>): number[] {
    return this.report.dataColumns.flatMap(c => {
      const { first, width, levels } = this.report.columns[c];
      return [first, width, levels.length > 1 ? levels.length : 0, Number(fixed.has(c))];
    });
  }

  private decode(features: Float64Array, before: ArrayLike<number>): Float64Array {
    return Float64Array.from(this.report.columns, ({ first, width, oneHot }, c) => {
      if (this.report.isGroup(c)) return before[c];
      if (!oneHot) return features[first];
      const level = features.subarray(first, first + width).indexOf(1);
      return level < 0 ? before[c] : level;
    });
  }

  /** The smallest change that flips the prediction, or lets a regressor reach a value. */
  flip(values: ArrayLike<number>, fixed: ReadonlySet<number>, reach: number): FlipAnswer {
    const { features, report } = this, columns = this.describeColumns(fixed);
    const head = features + columns.length;
    const buffer = this.buffer(head + report.rows * features);
    this.encode(values, buffer);
    buffer.set(columns, features);
    for (let row = 0; row < report.rows; ++row) {
      const first = head + row * features;
      this.encode(report.rowValues(row), buffer.subarray(first, first + features));
    }
    const found = this.exports.engine_flip(columns.length / kColumnNumbers, report.rows, reach);
    const [isFound, radius, distance] = this.numbers(found, kFlipHead);
    if (isFound === 0) return { flip: null, radius };
    const row = this.numbers(found, kFlipHead + features).subarray(kFlipHead);
    return { flip: { values: this.decode(row, values), distance }, radius };
  }
}
