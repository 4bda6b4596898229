// What the model is and how it was explained, in words.
import { formatNumber, type Report } from "./data";
import { h, section } from "./dom";

function pools(report: Report): string {
  const { pools, words, settings } = report.raw;
  if (pools.length === 0) return `For each row the ${words.pointName} of its class stand against those of another.`;
  const size = (pool: (typeof pools)[number]) =>
    `${pool.points} ${words.pointName}${pool.hasIntercept ? " and the intercept" : ""} speak for ${report.raw.isRegressor ? `${pool.name} ${formatNumber(settings.level ?? 0)}` : pool.name}`;
  return `${size(pools[0])}; ${size(pools[1])}.`;
}

function parameters(report: Report): string[] {
  const { eta, gamma, beta, medianDistance, k, kappa, level, reference } = report.raw.settings;
  const lines: string[] = [];
  if (gamma !== null) lines.push(`γ = ${formatNumber(gamma)}: how quickly a point's influence fades with squared distance. β = ${formatNumber(beta ?? gamma)}: how sharply the closest points are singled out.`);
  if (medianDistance !== null) lines.push(`The median distance between samples is ${formatNumber(medianDistance)}; with γ it sets η.`);
  if (k !== null) lines.push(`k = ${k} neighbours vote; κ = ${kappa}: relevance comes from a band of ${2 * (kappa ?? 0) + 1} ranks around the deciding one.`);
  lines.push(`η = ${formatNumber(eta)}: 0 asks which change of the row would matter most, 1 on which side of the middle between two points it lies.`);
  const place = { origin: "the origin of the model's space", mean: "the mean of the model's points", given: "a point that was given" }[reference] ?? reference;
  lines.push(`Reference point, from which values are measured: ${place}.`);
  if (level !== null) lines.push(`The question is why a prediction is above or below ${formatNumber(level)}.`);
  return lines;
}

function formula(report: Report): HTMLElement {
  const ranked = report.raw.settings.k !== null;
  const score = ranked ? "z_k(x) = ‖x − u_k‖²" : "z_k(x) = ‖x − u_k‖² − γ⁻¹ log α_k";
  const pooled = ranked
    ? "g(x) = (q-th smallest z of the points against) − (q-th smallest z of the points for),  q = (k+1)/2"
    : "g(x) = smin_γ{z of the points against} − smin_γ{z of the points for}";
  const weights = ranked ? "p is uniform over the ranks q−κ … q+κ of each side" : "p_k = softmax(−β z_k) within each side";
  return h("details", { id: "formula" }, h("summary", {}, "The formula"),
    h("pre", { tabindex: 0, "aria-label": "The formula" }, [score, pooled, weights, "ū = Σ p_k u_k,  v̄ = Σ p_k u_k⊙u_k",
      "relevance  E(x) = 2 x ⊙ (ū_for − ū_against) + η (v̄_against − v̄_for)", "sign g(x) is the model's decision, always"].join("\n")),
    h("p", {}, "x and the points u are measured from the reference point. The points α or ranks weigh are the model's own; nothing is sampled or retrained."));
}

export function aboutSection(report: Report): HTMLElement {
  const { words, rows, version } = report.raw;
  const [positive, negative] = report.commonSides();
  const shown = report.rows < rows.total ? ` The charts show ${report.rows} of them, drawn at random with seed ${rows.seed}; the summary uses all.` : "";
  return section("about", "The model and the method",
    h("p", {}, h("b", {}, words.modelKind), ` (${words.modelFile}), ${report.raw.modelPoints} ${words.pointName}, ${report.columns.length} features. Preprocessing: ${words.preprocessing}. Explained on ${rows.total} rows of ${words.dataFile}.${shown}`),
    h("p", {}, `The model decides by distances. It was rewritten, exactly, as a small network that compares distances to pairs of points of opposite sides, and the decision was traced back through it to the features. ${pools(report)} Positive relevance `,
      h("span", { class: "key for" }, `speaks for ${positive}`), ", negative relevance ", h("span", { class: "key against" }, `for ${negative}`), "."),
    h("details", { id: "parameters" }, h("summary", {}, "The parameters"), h("ul", {}, ...parameters(report).map((line) => h("li", {}, line)))),
    formula(report),
    h("p", { class: "note" }, `Made by bisector ${version}. This page is one file, works offline and sends nothing.`));
}
