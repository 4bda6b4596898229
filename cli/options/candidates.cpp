#include "cli/options/candidates.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <random>

#include "bisector/error.h"
#include "bisector/methods.h"
#include "cli/options/rule_options.h"
#include "cli/verb.h"
#include "cli/writers/relevance_file.h"

namespace bisector::cli {
namespace {

/// Not a method: an order by chance, which every method has to beat.
constexpr auto kRandom = "random";

Matrix read_everything(RowSource& source, std::size_t features) {
  std::vector<double> values;
  for (Matrix rows = source.next(default_chunk_rows(features)); rows.rows() > 0;
       rows = source.next(default_chunk_rows(features)))
    values.insert(values.end(), rows.values().begin(), rows.values().end());
  const std::size_t count = values.size() / features;
  return Matrix(count, features, std::move(values));
}

Matrix gather(const Matrix& rows, const std::vector<std::size_t>& chosen) {
  Matrix result(chosen.size(), rows.cols());
  for (std::size_t r = 0; r < chosen.size(); ++r)
    std::ranges::copy(rows.row(chosen[r]), result.row(r).begin());
  return result;
}

/// The paper's methods, as far as they are defined for the model, and chance.
std::vector<std::string> default_methods(const Model& model) {
  const bool has_gradient = !std::holds_alternative<NeighborModel>(model.predictor()) &&
                            !std::holds_alternative<CentroidModel>(model.predictor());
  if (has_gradient)
    return {"lrp", "lrp-path", "gi", "ig", "sensitivity", "occlusion", "shapley", kRandom};
  return {"lrp", "lrp-path", "occlusion", "shapley", kRandom};
}

/// The words of a list whose entries may be lists with commas.
std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const auto& list : lists) {
    for (auto& word : CLI::detail::split(list, ',')) words.push_back(CLI::detail::trim(word));
  }
  return words;
}

std::vector<std::string> chosen_methods(const EvaluateArguments& arguments, const Model& model) {
  if (arguments.methods.empty())
    return arguments.relevance.empty() ? default_methods(model) : std::vector<std::string>{};
  const std::vector<std::string> names = split(arguments.methods);
  for (const auto& name : names) {
    std::vector<std::string> known;
    for (const Method method : all_methods()) known.emplace_back(bisector::name(method));
    known.emplace_back(kRandom);
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(
          fmt::format("--methods has \"{}\", expected {}", name, fmt::join(known, ", ")));
  }
  return names;
}

Matrix random_relevance(std::size_t rows, std::size_t features, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  Matrix relevance(rows, features);
  for (std::size_t r = 0; r < rows; ++r) {
    for (double& value : relevance.row(r)) value = static_cast<double>(engine() >> 11);
  }
  return relevance;
}

Matrix by_method(const std::string& name, const EvaluateArguments& arguments,
                 const Subject& subject) {
  const std::uint64_t seed = arguments.seed.value_or(0);
  if (name == kRandom) return random_relevance(subject.rows.rows(), subject.rows.cols(), seed);
  MethodOptions options;
  options.explain.level = arguments.level;
  options.explain.threads = thread_count(arguments.threads);
  options.explain.precision = arguments.precision;
  options.seed = seed;
  const MethodExplainer explainer(subject.model, method_from_name(name), options);
  return for_predicted(explainer(subject.rows.view()));
}

double level_of(const EvaluateArguments& arguments, const Model& model) {
  const auto* regressor = std::get_if<KernelRegressor>(&model.predictor());
  return arguments.level.value_or(regressor ? regressor->target_mean.value_or(0.0) : 0.0);
}

Matrix by_file(const std::filesystem::path& path, const EvaluateArguments& arguments,
               const Subject& subject) {
  const Matrix all = read_relevance(path, subject.model, subject.features, subject.data.rows(),
                                    arguments.input.format.limits);
  Matrix relevance = gather(all, subject.chosen);
  if (!arguments.for_predicted)
    turn_fixed_to_predicted(subject.model, subject.rows.view(), level_of(arguments, subject.model),
                            relevance);
  return relevance;
}

}  // namespace

Subject read_subject(const EvaluateArguments& arguments, const FlippingOptions& options) {
  const Model read = load_model(arguments.input);
  RowSource source(arguments.input.data, arguments.input, read);
  Subject subject{source.widen(read), source.feature_names(), {}, {}, {}, {}};
  subject.data = read_everything(source, subject.model.features());
  if (subject.data.rows() == 0)
    throw InvalidInput(
        fmt::format("{} has no rows, expected some to evaluate", arguments.input.data.string()));
  subject.chosen = rows_to_evaluate(subject.data.rows(), options);
  subject.rows = gather(subject.data, subject.chosen);
  if (!arguments.background.empty())
    subject.background = read_rows(arguments.background, arguments.input, subject.model);
  return subject;
}

Candidates gather_candidates(const EvaluateArguments& arguments, const Subject& subject) {
  Candidates candidates;
  const auto add = [&](const std::string& name, Matrix relevance) {
    candidates.names.push_back(name);
    candidates.relevance.push_back(std::move(relevance));
  };
  const auto methods = chosen_methods(arguments, subject.model);
  // Files first, because what is wrong with them shows at once.
  for (const auto& file : arguments.relevance) add(file, by_file(file, arguments, subject));
  for (const auto& name : methods) add(name, by_method(name, arguments, subject));
  return candidates;
}

}  // namespace bisector::cli
