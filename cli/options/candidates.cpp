#include "cli/options/candidates.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "bisector/error.h"
#include "cli/verb.h"
#include "cli/writers/relevance_file.h"
#include "tools/progress.h"

namespace bisector::cli {
namespace {

/// The words of lists that are separated by commas.
std::vector<std::string> split(const std::vector<std::string>& lists) {
  std::vector<std::string> words;
  for (const auto& list : lists) {
    for (auto& word : CLI::detail::split(list, ',')) words.push_back(CLI::detail::trim(word));
  }
  return words;
}

/// Without names: all methods that are defined for the model.
std::vector<Candidate> by_name(const EvaluateArguments& arguments, const Model& model) {
  const std::uint64_t seed = arguments.seed.value_or(0);
  try {
    if (arguments.methods.empty() && arguments.relevance.empty())
      return default_candidates(model, arguments.rule.parameters, seed);
    return candidates_from_names(split(arguments.methods), arguments.rule.parameters, seed);
  } catch (const InvalidInput& error) {
    throw UsageError(fmt::format("--methods: {}", error.what()));
  }
}

}  // namespace

Subject read_subject(const InputArguments& input, const std::filesystem::path& background) {
  const Model read = load_model(input);
  RowSource source(input.data, input, read);
  Subject subject{source.widen(read), source.feature_names(), {}, {}};
  subject.rows = source.rest();
  if (input.notes != nullptr) source.write_unusable(*input.notes);
  if (subject.rows.rows() == 0)
    throw InvalidInput(fmt::format("{} has no rows to evaluate", input.data.string()));
  if (!background.empty()) subject.background = read_rows(background, input, subject.model);
  return subject;
}

std::vector<Candidate> candidates_of(const EvaluateArguments& arguments, const Subject& subject) {
  std::vector<Candidate> candidates = by_name(arguments, subject.model);
  std::vector<Candidate> files;
  for (const auto& file : arguments.relevance)
    files.push_back(
        {file, GivenRelevance{read_relevance(file, subject.model, subject.features,
                                             subject.rows.rows(), arguments.input.format.limits),
                              arguments.for_predicted}});
  candidates.insert(candidates.begin(), files.begin(), files.end());
  return candidates;
}

Evaluation evaluate_subject(const Subject& subject, const std::vector<Candidate>& candidates,
                            EvaluateOptions options) {
  tools::Progress progress = tools::Progress::on_terminal("evaluating", false);
  const std::size_t rows = std::min(subject.rows.rows(), options.flipping.rows);
  options.flipping.progress = [&](std::size_t done, std::size_t total) {
    progress.update(done * rows / total, static_cast<double>(done) / static_cast<double>(total));
  };
  return evaluate(subject.model, subject.rows, subject.background.value_or(subject.rows),
                  candidates, options);
}

}  // namespace bisector::cli
