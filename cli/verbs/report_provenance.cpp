#include "cli/verbs/report_provenance.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>

#include "cli/verbs/report.h"
#include "tools/sha256.h"

namespace bisector::cli {
namespace {

/// A value as it is shown: the name of a file without its folders.
std::string shown(const std::string& value) {
  const bool has_folder = value.find('/') != std::string::npos;
  const std::string name = has_folder ? std::filesystem::path(value).filename().string() : value;
  return name.find(' ') == std::string::npos ? name : fmt::format("\"{}\"", name);
}

ReportFile file_of(std::string role, const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::move(role), path.filename().string(), path == "-" || !in ? "" : tools::sha256(in)};
}

std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* const fixed = std::getenv("SOURCE_DATE_EPOCH")) now = std::atoll(fixed);
  return fmt::format("{:%Y-%m-%d}", fmt::gmtime(now));
}

/// What the model file says about the training.
std::vector<ReportFact> facts_of(const TrainingRecord& training) {
  std::vector<ReportFact> facts = {
      {"Training rows", fmt::format("{} of {}", training.rows, training.data)},
      {"Hyperparameters", training.parameters}};
  if (!training.score.empty()) facts.push_back({"Cross-validation", training.score});
  return facts;
}

}  // namespace

std::string typed_command(const CLI::App& verb) {
  std::string text = "bisector " + verb.get_name();
  std::map<const CLI::Option*, std::size_t> used;
  for (const CLI::Option* const option : verb.parse_order()) {
    const std::size_t place = used[option]++;
    if (!option->get_positional()) text += " " + option->get_name();
    const bool is_flag = option->get_expected_min() == 0;
    if (!is_flag && place < option->results().size()) text += " " + shown(option->results()[place]);
  }
  return text;
}

ReportProvenance provenance_of(const ReportArguments& arguments,
                               const std::optional<TrainingRecord>& training) {
  ReportProvenance made{today(), arguments.command, {}, {}};
  made.files.push_back(file_of("Model file", arguments.input.model));
  made.files.push_back(file_of("Data file", arguments.input.data));
  if (!arguments.against.empty())
    made.files.push_back(file_of("Other model file", arguments.against));
  if (!arguments.rule.background.empty())
    made.files.push_back(file_of("Background file", arguments.rule.background));
  if (training) made.facts = facts_of(*training);
  return made;
}

}  // namespace bisector::cli
