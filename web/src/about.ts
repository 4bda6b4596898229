// How the numbers were computed. Technical terms appear only here.
import type { Report } from "./data";
import { details, h, s, section, table } from "./dom";
import { counted, formatNumber, whole } from "./numbers";

/** A kernel of the dot product: the decision value itself is explained. */
const isOnOutput = ({ raw }: Report) => raw.settings.method === "ig";

/** The share of the neighborhood rule in the relevance. */
const neighborhoodShare = ({ raw: { settings } }: Report) =>
  settings.method === "neighborhood" ? 1 : Number(settings.parameters["neighborhood"] ?? 0);

/** The method in one sentence, and its parameters. */
function methodWords({ raw: { settings, hasBackground } }: Report): HTMLElement {
  const { method, title, help, reason, parameters } = settings;
  const source = hasBackground ? "background rows" : "the model's own points";
  const from = "references" in parameters ? ` References are ${source}.` : "";
  const shown = (value: unknown) => typeof value === "number" ? formatNumber(value) : String(value);
  const values = Object.entries(parameters).filter(([, value]) => value !== false).map((
    [name, value]
  ) => `${name} = ${shown(value)}`).join(", ");
  return h("p", { id: "rule" }, "Contributions are computed by ", h("b", {}, title),
    ` (${method}): ${reason}. It ${help}.${from}${values === "" ? "" : ` Parameters: ${values}.`}`);
}

function view(report: Report): HTMLElement {
  const isData = neighborhoodShare(report) > 0;
  const words = isData
    ? "This is the data view: what is associated with the decision in data like these. A feature "
      + "may contribute although the model does not use it, because it is correlated with one that "
      + "the model uses. The model view is made with "
    : "This is the model view: what the model uses. The data view adds how a row differs from its "
      + "neighbors on either side; it is made with ";
  const other = `bisector report --method auto:view=${isData ? "model" : "data"}`;
  return h("p", { id: "view" }, words, h("code", {}, other), ".");
}

function unit({ raw: { unit: { kind, name, output } } }: Report): HTMLElement {
  const words =
    { g: "g is a difference of squared distances in the model's space; its sign is the decision.",
      decision:
        "The average output is the mean over the reference rows; it is the same for all rows "
        + "that compare the same two classes. Contributions keep their signs.",
      share: "All contributions of a row, with the unexplained part, add up to 100 % in size." }[
        kind
      ];
  return h("p", { id: "unit" }, "All contributions are in ", h("b", {}, name),
    ": in every row, the average output, the contributions and the unexplained part add up to "
      + `the ${output}. ${words}`);
}

function parameters({ raw: { settings } }: Report): string[] {
  const { eta, gamma, beta, medianDistance, k, kappa, level, reference } = settings;
  const place =
    { origin: "the origin of the model's space", mean: "the mean of the data",
      given: "a given point" }[reference] ?? reference;
  const lines: [unknown, string][] = [[gamma,
    `γ = ${formatNumber(gamma ?? 0)}: how fast the influence of a point decreases with `
    + `squared distance. β = ${
      formatNumber(beta ?? gamma ?? 0)
    }: how much the nearest points count.`], [medianDistance,
    `Median distance between training rows: ${formatNumber(medianDistance ?? 0)}.`], [k,
    `k = ${k} neighbors vote.`], [kappa,
    `κ = ${kappa}: contributions come from ${2 * (kappa ?? 0) + 1} ranks around the `
    + "decisive one."], [eta,
    `η = ${formatNumber(eta ?? 0)}: the weight of the midpoint term against the gradient `
    + "term."], [reference, `Reference point: ${place}.`], [level,
    `Predictions are compared with the level ${formatNumber(level ?? 0)}.`]];
  return lines.filter(([own]) => own !== null).map(([, text]) => text);
}

/** The relevance as formulas; x and u are relative to the reference point r. */
function ruleLines(report: Report): string[] {
  const { method } = report.raw.settings, share = neighborhoodShare(report);
  const neighbors = "N(x) = mean over rows b against of (x−b)² − mean over rows b for of (x−b)²";
  if (method === "neighborhood") return [`relevance  ${neighbors}`];
  const middle = "E₁(x) = 2 x ⊙ (ū_for − ū_against) + v̄_against − v̄_for";
  const lines =
    {
      "lrp-path": [
        "E(x) = (1−η) · mean over steps x_t from r to x of 2 (x−r) ⊙ (ū_for − ū_against)",
        "       + η E₁(x)",
        middle
      ],
      "lrp-expected": ["E(x) = (1−η) · mean over references r of 2 (x−r) ⊙ (ū_for − ū_against at",
        "       r + t (x−r)) + η E₁(x)", middle]
    }[method] ?? ["E(x) = 2 x ⊙ (ū_for − ū_against) + η (v̄_against − v̄_for)"];
  return share > 0
    ? [`relevance  ${formatNumber(1 - share)} E(x) + ${formatNumber(share)} (‖E‖₁/‖N‖₁) N(x)`,
      ...lines, neighbors] : [`relevance  ${lines[0]}`, ...lines.slice(1)];
}

function formulaLines(report: Report): string[] {
  const { method, k } = report.raw.settings, sum = "output = base + Σ contributions + remainder";
  if (report.raw.network) {
    return ["g(x) = g of the model at the embedding of x, sign g(x) is the model's decision",
      method === "lrp" ? "contributions  layer-wise relevance propagation through the network"
        : "contributions  mean over references r of (x−r) ⊙ ∇g(r + t (x−r))",
      "then in the unit of the output", sum];
  }
  if (method === "shapley-exact") {
    return ["f(x) = Σ α_k exp(−γ |x − u_k|²) + intercept",
      "contribution of d = mean over references r and orders of the features of",
      "                    f(x up to d, r after d) − f(x before d, r from d on)", sum];
  }
  if (isOnOutput(report)) {
    return ["f(x) = Σ α_k K(x · u_k) + intercept", "contributions  (x−r) ⊙ ∫₀¹ ∇f(r + t (x−r)) dt",
      sum];
  }
  const score = k !== null
    ? ["z_k(x) = ‖x − u_k‖²", "g(x) = (q-th smallest z against) − (q-th smallest z for)",
      "p is uniform over the ranks q−κ … q+κ of each side (weighted votes: in proportion to them)"]
    : ["z_k(x) = ‖x − u_k‖² − γ⁻¹ log α_k", "g(x) = smin_γ{z against} − smin_γ{z for}",
      "p_k = softmax(−β z_k) within each side"];
  return [...score, "ū = Σ p_k u_k,  v̄ = Σ p_k u_k⊙u_k", ...ruleLines(report), sum,
    "sign g(x) is the model's decision"];
}

/** The lines of text in each box. */
const kBoxes = [["features x"], ["distances to", "points for"], ["distances to", "points against"],
  ["pooled score", "for"], ["pooled score", "against"], ["difference g,", "its sign decides"]];
/** Column, row (0 top, 1 middle, 2 bottom) of each box, and the boxes it leads to. */
const kNetwork: [number, number, number[]][] = [[0, 1, [1, 2]], [1, 0, [3]], [1, 2, [4]], [2, 0, [
  5
]], [2, 2, [5]], [3, 1, []]];

/** The model as a network: distances, pooling, difference. */
function network(): SVGElement {
  const wide = 150, high = 40, rowHeight = 36;
  const x = (column: number) => column * (wide + 24), y = (row: number) => row * rowHeight;
  const box = ([column, row]: [number, number, number[]], i: number) =>
    s("g", {},
      s("rect", { x: x(column), y: y(row), width: wide, height: high, rx: 5, class: "node" }),
      ...kBoxes[i].map((text, n, all) =>
        s("text", { x: x(column) + wide / 2, y: y(row) + 24 + 13 * (n - (all.length - 1) / 2),
          "text-anchor": "middle", class: "small" }, text)
      ));
  const lines = kNetwork.flatMap(([column, row, next]) =>
    next.map(to =>
      s("line", { x1: x(column) + wide, y1: y(row) + high / 2, x2: x(kNetwork[to][0]),
        y2: y(kNetwork[to][1]) + high / 2, class: "edge" })
    )
  );
  return s("svg", { viewBox: `-1 -1 ${4 * wide + 74} 116`, class: "network", role: "img",
    "aria-label": `The model as a network: ${kBoxes.map(box => box.join(" ")).join(", ")}` },
    ...lines, ...kNetwork.map(box));
}

function pools({ raw: { pools, words } }: Report): string {
  return pools.length === 0
    ? `For each row the ${words.pointName} of one class are compared with those of another.`
    : `${
      pools.map(({ name, points, hasIntercept }) =>
        `${whole(points)} ${words.pointName}${hasIntercept ? " and the intercept" : ""} for ${name}`
      ).join("; ")
    }.`;
}

/** The table of the report's origin. */
export function provenance({ raw }: Report): HTMLElement {
  const { date, command, files, facts = [] } = raw.provenance, { words, rows } = raw;
  const lines: [string, string][] = [["Made", date], ["Version", `bisector ${raw.version}`], [
    "Command",
    command
  ], ["Model", `${words.modelKind}, ${whole(raw.modelPoints)} ${words.pointName}`], [
    "Preprocessing",
    words.preprocessing
  ], ...facts, ["Rows explained", whole(rows.total)],
    ...files.map((
      { role, name, sha256 }
    ): [string, string] => [role, sha256 === "" ? name : `${name}, SHA-256 ${sha256}`])];
  return section("provenance", "Where this comes from",
    table([], lines.filter(([, text]) => text !== ""), { class: "facts" }),
    h("p", { class: "note" }, "This page is one file, works offline and sends nothing."));
}

export function aboutSection(report: Report): HTMLElement {
  const { words, rows } = report.raw, isDirect = isOnOutput(report);
  const shown = report.rows < rows.total
    ? ` The charts show ${whole(report.rows)} of ${counted(rows.total, "row")}, drawn at random `
      + `(seed ${rows.seed}); the averages use all.` : "";
  const embedded = report.raw.network
    ? `The model takes embeddings of a network (${report.raw.network}). Contributions were traced `
      + "back through the network to its inputs. " : "";
  const idea = isDirect
    ? "The model decides by dot products with its points. Its decision value is explained directly."
    : "The model decides by distances. It was rewritten, exactly, as a small network that compares "
      + "distances to points of opposite sides, and the decision was traced back to the features.";
  return section("about", "How this was computed",
    h("p", {}, h("b", {}, words.modelKind),
      `, ${counted(report.dataColumns.length, "feature")}.${shown}`),
    h("p", {}, `${embedded}${idea} ${isDirect ? "" : pools(report)}`), isDirect ? null : network(),
    methodWords(report), unit(report), isDirect || report.raw.network ? null : view(report),
    h("div", { id: "parameters" },
      details("Parameters", h("ul", {}, ...parameters(report).map(line => h("li", {}, line))))),
    h("div", { id: "formula" },
      details("Formula",
        h("pre", { tabindex: 0, "aria-label": "Formula" }, formulaLines(report).join("\n")))));
}
