// What the model is and how it was explained, in words.
import type { Report } from "./data";
import { formatNumber, quantileOf } from "./numbers";
import { h, section } from "./dom";
import { levelName } from "./evidence";

function pools(report: Report): string {
  const { pools, words, settings } = report.raw;
  if (pools.length === 0) return `For each row the ${words.pointName} of its class stand against those of another.`;
  const size = (pool: (typeof pools)[number]) =>
    `${pool.points} ${words.pointName}${pool.hasIntercept ? ` and ${levelName(report)}` : ""} speak for ${report.raw.isRegressor ? `${pool.name} ${formatNumber(settings.level ?? 0)}` : pool.name}`;
  return `${size(pools[0])}; ${size(pools[1])}.`;
}

/** The kernel is one of the dot product. */
const isOnF = ({ raw }: Report) => raw.settings.method === "ig";

/** The share of the neighborhood rule in the relevance. */
const dataShare = ({ raw: { settings } }: Report) =>
  settings.method === "neighborhood" ? 1 : Number(settings.parameters["neighborhood"] ?? 0);

/** What the method does, in one sentence, and its parameters. */
function methodText(report: Report): string {
  const { help, parameters } = report.raw.settings;
  const source = report.raw.hasBackground ? "the background" : "the model's own points";
  const from = "references" in parameters ? ` References are drawn from ${source}.` : "";
  const values = Object.entries(parameters).filter(([, value]) => value !== false);
  const format = (value: unknown) =>
    typeof value === "number" ? formatNumber(value) : String(value);
  const list = values.map(([name, value]) => `${name} = ${format(value)}`).join(", ");
  return `It ${help}.${from}${list === "" ? "" : ` Parameters: ${list}.`}`;
}

function rule(report: Report): HTMLElement {
  const { method, title, reason } = report.raw.settings;
  const share = dataShare(report);
  const blend = share > 0 && share < 1 ? `, blended with the neighborhood rule (${formatNumber(100 * share)} %)` : "";
  return h("p", { id: "rule" }, "Relevance is by ", h("b", {}, title),
    ` (${method})${blend}: ${reason}. ${methodText(report)}`);
}

function view(report: Report): HTMLElement {
  const uses = "This is the model's view: what the model uses. A feature that the model does not use has next to no relevance, even where it goes with the decision in the data.";
  if (isOnF(report)) return h("p", { id: "view" }, uses);
  return h("p", { id: "view" }, dataShare(report) > 0
    ? "This is the data's view: what, in data like these, goes with the decision. A feature may have relevance although the model does not use it, because it goes with one that the model uses. What the model alone uses is shown with "
    : `${uses} The data's view adds how each row differs from its neighbors of either side; ask for it with `,
    h("code", {}, dataShare(report) > 0 ? "bisector report --view model" : "bisector report --view data"), ".");
}

function unit(report: Report): HTMLElement {
  const { kind, name, output } = report.raw.unit;
  const scaled = "What the network says is scaled row by row, which keeps signs and order; the base is scaled with it and differs from row to row.";
  if (report.raw.settings.method === "shapley-exact" || isOnF(report))
    return h("p", { id: "unit" }, "All relevance is in ", h("b", {}, name), `: in every row base, relevance and remainder add up to the ${output}. It is the model's own output that is shared out${kind === "share" ? "; the whole decision is 100 %" : ", from the same base for all rows"}.`);
  const bases = report.bases.slice().sort();
  const spread = kind === "g" || bases[0] === bases[bases.length - 1] ? "" : ` In the rows of this page the base goes from ${report.signed(bases[0])} to ${report.signed(bases[bases.length - 1])}, with ${report.signed(quantileOf(bases, 0.5))} in the middle.`;
  const why = { g: "g is a difference of squared distances in the model's space, whose sign is the decision.", decision: scaled, share: `${scaled} The whole decision is 100 %.` }[kind];
  return h("p", { id: "unit" }, "All relevance is in ", h("b", {}, name), `: in every row base, relevance and remainder add up to the ${output}. ${why}${spread}`);
}

function parameters(report: Report): string[] {
  const { eta, gamma, beta, medianDistance, k, kappa, level, reference } = report.raw.settings;
  const lines: string[] = [];
  if (gamma !== null) lines.push(`γ = ${formatNumber(gamma)}: how quickly a point's influence fades with squared distance. β = ${formatNumber(beta ?? gamma)}: how sharply the closest points are singled out.`);
  if (medianDistance !== null) lines.push(`The median distance between samples is ${formatNumber(medianDistance)}; with γ it sets η.`);
  if (k !== null) lines.push(`k = ${k} neighbors vote${kappa === null ? "." : `; κ = ${kappa}: relevance comes from a band of ${2 * kappa + 1} ranks around the deciding one.`}`);
  if (eta !== null) lines.push(`η = ${formatNumber(eta)}: 0 asks which change of the row would matter most, 1 on which side of the middle between two points it lies.`);
  const place = { origin: "the origin of the model's space", mean: "the mean of the data", given: "a point that was given" }[reference] ?? reference;
  lines.push(`Reference point, from which values are measured: ${place}.`);
  if (level !== null) lines.push(`The question is why a prediction is above or below ${formatNumber(level)}.`);
  return lines;
}

/** The rule as formulas, x and u measured from the reference point r. */
function ruleLines(report: Report): string[] {
  const { method } = report.raw.settings;
  const share = dataShare(report);
  const neighbors = "N(x) = mean over the rows b against of (x−b)² − mean over those for of (x−b)²,  the nearest 10, 20, 40, …";
  if (method === "neighborhood") return [`relevance  ${neighbors}`];
  const middle = "E₁(x) = 2 x ⊙ (ū_for − ū_against) + v̄_against − v̄_for";
  const lines = {
    "lrp-path": ["E(x) = (1−η) · mean over the steps x_t from r to x of 2 (x−r) ⊙ (ū_for − ū_against at x_t) + η E₁(x)", middle],
    "shapley-exact": ["E(x)_d = mean over references r and over the orders of the features of f(x up to d, r behind) − f(x before d, r from d on)"],
    "lrp-expected": ["E(x) = (1−η) · mean over references r_k of 2 (x−r_k) ⊙ (ū_for − ū_against at r_k + t_k (x−r_k)) + η E₁(x)", middle],
  }[method] ?? ["E(x) = 2 x ⊙ (ū_for − ū_against) + η (v̄_against − v̄_for)"];
  const blended = [`relevance  ${formatNumber(1 - share)} E(x) + ${formatNumber(share)} (‖E‖₁/‖N‖₁) N(x)`, ...lines, neighbors];
  return share > 0 ? blended : [`relevance  ${lines[0]}`, ...lines.slice(1)];
}

function formula(report: Report): HTMLElement {
  const ranked = report.raw.settings.k !== null;
  const score = ranked ? "z_k(x) = ‖x − u_k‖²" : "z_k(x) = ‖x − u_k‖² − γ⁻¹ log α_k";
  const pooled = ranked
    ? "g(x) = (q-th smallest z of the points against) − (q-th smallest z of the points for),  q: where the votes of a side reach half of both sides' (of equal votes (k+1)/2)"
    : "g(x) = smin_γ{z of the points against} − smin_γ{z of the points for}";
  const weights = ranked ? "p is in proportion to the votes of the ranks q−κ … q+κ of each side (of equal votes uniform)" : "p_k = softmax(−β z_k) within each side";
  if (report.raw.settings.method === "shapley-exact")
    return h("details", { id: "formula" }, h("summary", {}, "The formula"),
      h("pre", { tabindex: 0, "aria-label": "The formula" }, ["f(x) = Σ α_k exp(−γ |x − u_k|²) + intercept − level", ...ruleLines(report), "f(x) = base + Σ relevance + remainder"].join("\n")),
      h("p", {}, "The kernel is a product over the features, so that the mean over all orders is an integral of a polynomial, which is computed exactly."));
  if (isOnF(report))
    return h("details", { id: "formula" }, h("summary", {}, "The formula"),
      h("pre", { tabindex: 0, "aria-label": "The formula" }, ["f(x) = Σ α_k K(x · u_k) + intercept − level", "relevance  E(x) = (x−r) ⊙ ∫₀¹ ∇f(r + t (x−r)) dt", "f(x) = base + Σ relevance + remainder"].join("\n")),
      h("p", {}, "The base is f at the reference point r."));
  const scale = { g: [], decision: [`all of it times ${report.raw.unit.output} / g`], share: ["all of it times 100 / |g|"] }[report.raw.unit.kind];
  return h("details", { id: "formula" }, h("summary", {}, "The formula"),
    h("pre", { tabindex: 0, "aria-label": "The formula" }, [score, pooled, weights, "ū = Σ p_k u_k,  v̄ = Σ p_k u_k⊙u_k",
      ...ruleLines(report), "g(x) = base + Σ relevance + remainder", ...scale, "sign g(x) is the model's decision, always"].join("\n")),
    h("p", {}, "x and the points u are measured from the reference point. The points α or ranks weigh are the model's own; nothing is retrained."));
}

export function aboutSection(report: Report): HTMLElement {
  const { words, rows, version } = report.raw;
  const [positive, negative] = report.commonSides();
  const shown = report.rows < rows.total ? ` The charts show ${report.rows} of them, drawn at random with seed ${rows.seed}; the summary uses all.` : "";
  return section("about", "The model and the method",
    h("p", {}, h("b", {}, words.modelKind), ` (${words.modelFile}), ${report.raw.modelPoints} ${words.pointName}, ${report.columns.length} features. Preprocessing: ${words.preprocessing}. Explained on ${rows.total} rows of ${words.dataFile}.${shown}`),
    h("p", {}, `${isOnF(report) ? "The model decides by dot products with its points, which are no distances: there are no pairs of points to compare, and its decision value is explained as it stands." : "The model decides by distances. It was rewritten, exactly, as a small network that compares distances to pairs of points of opposite sides, and the decision was traced back through it to the features."} ${pools(report)} Positive relevance `,
      h("span", { class: "key for" }, `speaks for ${positive}`), ", negative relevance ", h("span", { class: "key against" }, `for ${negative}`), "."),
    rule(report), unit(report), view(report),
    h("details", { id: "parameters" }, h("summary", {}, "The parameters"), h("ul", {}, ...parameters(report).map((line) => h("li", {}, line)))),
    formula(report),
    h("p", { class: "note" }, `Made by bisector ${version}. This page is one file, works offline and sends nothing.`));
}
