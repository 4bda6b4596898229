#include <fmt/format.h>

#include <algorithm>

#include "cli/options/wrap.h"
#include "cli/verbs/inspect.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/result_tables.h"

namespace bisector::cli {
namespace {

void add_title(std::string& text, const std::string& title) {
  text += fmt::format("{}{}\n", text.empty() ? "" : "\n", title);
}

void add_line(std::string& text, const std::string& name, const std::string& value) {
  constexpr std::size_t kColumn = 19;
  text += list_line(name, value, kColumn);
}

/// The first names, and the number of the others.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMax = 12;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(kMax, names.size()));
  const std::string list = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return names.size() <= kMax ? list : fmt::format("{} and {} more", list, names.size() - kMax);
}

std::string feature_words(const Inspection& inspection) {
  const std::size_t count = inspection.model.features();
  if (inspection.features.empty()) return fmt::format("{}, without names", count);
  return fmt::format("{}: {}", count, listed(inspection.features));
}

/// "3 columns of a table: 1 numeric, 1 ordinal, 1 one-hot".
std::string table_words(const TableEncoding& encoding) {
  using Kind = ColumnEncoding::Kind;
  const auto count = [&](Kind kind, const char* word) {
    const auto number = std::ranges::count(encoding.columns(), kind, &ColumnEncoding::kind);
    return number == 0 ? "" : fmt::format("{} {}", number, word);
  };
  std::vector<std::string> counts = {
      count(Kind::numeric, "numeric"), count(Kind::ordinal, "ordinal"),
      count(Kind::one_hot, "one-hot"), count(Kind::category, "of categories")};
  std::erase(counts, "");
  const bool fills = std::ranges::any_of(
      encoding.columns(), [](const auto& column) { return column.fill.has_value(); });
  return fmt::format("{} columns of a table: {}{}", encoding.columns().size(),
                     fmt::join(counts, ", "), fills ? "; missing values are filled in" : "");
}

std::string point_words(const Model& model, const ModelSummary& facts) {
  std::vector<std::string> counts;
  for (const PointCount& count : facts.points)
    counts.push_back(fmt::format("{} {}", count.count, count.of));
  return fmt::format("{} {}: {}", model.shared_points().rows(), facts.point_name, listed(counts));
}

std::string intercept_words(const std::vector<double>& intercepts) {
  std::vector<std::string> texts;
  for (const double value : intercepts) texts.push_back(fmt::format("{:.6g}", value));
  return listed(texts);
}

/// "column quality, above 5".
std::string target_words(const LearnedTarget& target) {
  const std::string column =
      target.column.empty() ? "a column without a name" : fmt::format("column {}", target.column);
  if (target.above) return fmt::format("{}, above {:g} or not", column, *target.above);
  if (target.positive) return fmt::format("{}, {} against all others", column, *target.positive);
  return column;
}

void add_model(std::string& text, const Inspection& inspection) {
  const Model& model = inspection.model;
  const ModelSummary facts = model.summary();
  add_title(text, inspection.source);
  add_line(text, "kind", facts.description);
  add_line(text, "features", feature_words(inspection));
  if (model.encoding()) add_line(text, "table", table_words(*model.encoding()));
  if (!model.is_regressor()) add_line(text, "classes", listed(model.labels()));
  if (inspection.has_probabilities)
    add_line(text, "probabilities", "of every class, as svm-predict -b 1 prints them");
  if (model.target()) add_line(text, "target", target_words(*model.target()));
  add_line(text, "points", point_words(model, facts));
  if (const Kernel* kernel = model.kernel())
    add_line(text, "gamma", fmt::format("{:.6g}", kernel->terms()[0].gamma));
  if (facts.k) add_line(text, "k", fmt::format("{}", *facts.k));
  if (!facts.intercepts.empty())
    add_line(text, facts.intercepts.size() == 1 ? "intercept" : "intercepts",
             intercept_words(facts.intercepts));
  add_line(text, "preprocessing", preprocessing_words(model));
}

std::string pool_words(const Inspection& inspection, const PoolFacts& pool) {
  const std::string name = inspection.model.is_regressor() ? fmt::format("{} the level", pool.name)
                                                           : fmt::format("class {}", pool.name);
  if (pool.points == 0 && pool.has_intercept) return name + ", the intercept alone";
  return fmt::format("{}, {} point{}{}", name, pool.points, pool.points == 1 ? "" : "s",
                     pool.has_intercept ? " and the intercept" : "");
}

void add_pools(std::string& text, const Inspection& inspection) {
  const ExplainSettings& settings = inspection.settings;
  add_title(text, "Positive and negative relevance");
  if (const auto pools = pools_of(inspection.model, settings)) {
    add_line(text, "positive", "pool P: " + pool_words(inspection, pools->positive));
    add_line(text, "negative", "pool N: " + pool_words(inspection, pools->negative));
    return;
  }
  add_line(text, "positive",
           settings.positive.empty() ? "pool P follows the prediction: the predicted class"
                                     : "pool P: class " + settings.positive);
  add_line(text, "negative", "pool N follows the row: the strongest other class");
}

std::string distance_words(const Inspection& inspection) {
  const double s = *inspection.settings.median_distance;
  const char* whose = inspection.has_background            ? "of the background's rows"
                      : inspection.model.median_distance() ? "as stated in the model's file"
                                                           : "of the model's points";
  return fmt::format("s = {:.6g} {}; gamma s^2 = {:.6g}", s, whose,
                     *inspection.settings.gamma * s * s);
}

/// "0.3 (as given)", "5 (gradients along the path ...)".
std::string parameter_words(const Inspection& inspection, const ParameterInfo& info,
                            const ParameterValue& value) {
  const auto* number = std::get_if<double>(&value.held());
  const std::string shown =
      number == nullptr ? bisector::text(value) : fmt::format("{:.6g}", *number);
  const bool is_given = inspection.given.contains(info.name);
  const std::string_view why = is_given              ? "as given"
                               : !info.default_value ? info.automatic
                                                     : info.help;
  return fmt::format("{} ({})", shown, why);
}

std::string reference_words(const Inspection& inspection) {
  const std::string& name = inspection.settings.reference_name;
  const char* whose = inspection.has_background ? "the background's rows" : "the model's points";
  if (inspection.reference_given) return name + " (as given)";
  if (name == "origin") return fmt::format("the origin, because {} are centered there", whose);
  return fmt::format("the mean of {0}, because they are not centered at the origin", whose);
}

std::string level_words(const Inspection& inspection) {
  const auto* machine = std::get_if<KernelRegressor>(&inspection.model.predictor());
  const bool is_mean = machine == nullptr || machine->target_mean;  // neighbors store their targets
  const char* why = inspection.level_given ? "as given"
                    : is_mean              ? "the mean of the training target"
                                           : "the file does not state the training mean";
  return fmt::format("{:.6g} ({})", *inspection.settings.level, why);
}

void add_settings(std::string& text, const Inspection& inspection) {
  const ExplainSettings& settings = inspection.settings;
  add_title(text, "Settings of explain");
  add_line(text, "method", fmt::format("{}: {}", settings.method, settings.reason));
  if (settings.median_distance) add_line(text, "median distance", distance_words(inspection));
  for (const ParameterInfo& info : method_info(settings.method).parameters) {
    const auto value = settings.parameters.find(info.name);
    if (value == settings.parameters.end() || value->second == ParameterValue(false)) continue;
    add_line(text, std::string(info.name), parameter_words(inspection, info, value->second));
  }
  add_line(text, "reference", reference_words(inspection));
  if (settings.level) add_line(text, "level", level_words(inspection));
}

/// The row of the training table, or the number of the point if the model does not know the rows.
std::string member_words(const Model& model, PoolMember member) {
  if (!member) return "intercept";
  const auto& rows = model.training_rows();
  return fmt::format("{}", (rows.empty() ? *member : rows[*member]) + 1);
}

/// "alcohol +1.2, pH -0.3": the features with the strongest relevance of a pair.
std::string strongest_features(const Inspection& inspection, std::span<const double> relevance) {
  std::vector<std::string> words;
  for (const std::size_t d : strongest(relevance, 3))
    words.push_back(fmt::format("{} {:+.3g}", inspection.features[d], relevance[d]));
  return fmt::format("{}", fmt::join(words, ", "));
}

double hidden_of(const Network& network, PoolMember member) {
  const auto found = std::ranges::find(network.negative, member);
  return network.hidden[static_cast<std::size_t>(found - network.negative.begin())];
}

void add_pairs(std::string& text, const Inspection& inspection) {
  const NetworkAtRow& at = *inspection.network;
  add_title(text,
            fmt::format(
                "The {} strongest detection units: pairs of {}, counted from 1", at.evidence.size(),
                inspection.model.training_rows().empty() ? "the model's points" : "training rows"));
  text += fmt::format("  {:>9} {:>9} {:>9} {:>11} {:>11}  {}\n", "i in P", "j in N", "p_i p_j",
                      "z_ij", "h_j", "relevance, strongest features");
  for (const Evidence& pair : at.evidence)
    text += fmt::format("  {:>9} {:>9} {:>9.3g} {:>11.5g} {:>11.5g}  {}\n",
                        member_words(inspection.model, pair.positive),
                        member_words(inspection.model, pair.negative), pair.weight, pair.activation,
                        hidden_of(at.network, pair.negative),
                        strongest_features(inspection, pair.relevance));
}

void add_network(std::string& text, const Inspection& inspection) {
  const NetworkAtRow& at = *inspection.network;
  const Explanation& e = at.explanation;
  const auto labels = inspection.model.labels();
  const bool is_regressor = inspection.model.is_regressor();
  add_title(text, fmt::format("The network at row {} of {}", at.row, at.source));
  add_line(text, "prediction",
           is_regressor ? fmt::format("{:.6g}", e.value[0]) : labels[e.prediction[0]]);
  const std::string pair = is_regressor ? "above the level against below"
                                        : fmt::format("class {} against {}", labels[e.positive[0]],
                                                      labels[e.negative[0]]);
  add_line(
      text, "g",
      fmt::format("{:.6g}, for {}{}", at.network.g, pair, e.tie[0] ? " (a tie of votes)" : ""));
  add_line(text, "decision", fmt::format("{:.6g}", e.decision[0]));
  add_line(text, "units",
           fmt::format("{} in pool P x {} in pool N", at.network.positive.size(),
                       at.network.negative.size()));
  add_pairs(text, inspection);
}

}  // namespace

std::string inspection_text(const Inspection& inspection) {
  std::string text;
  add_model(text, inspection);
  add_pools(text, inspection);
  add_settings(text, inspection);
  if (inspection.network) add_network(text, inspection);
  return text;
}

}  // namespace bisector::cli
