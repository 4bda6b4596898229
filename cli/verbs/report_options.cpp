// What a report shows, by the options of the command line.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "cli/options/groups.h"
#include "cli/options/network_inputs.h"
#include "cli/options/option_values.h"
#include "cli/verb.h"
#include "cli/verbs/report.h"
#include "cli/verbs/report_provenance.h"
#include "cli/writers/describe_model.h"

namespace bisector::cli {
namespace {

/// Rows x columns of a page if --sample is given. Such a page opens in a few seconds.
constexpr std::size_t kMostValuesAskedFor = 2'000'000;

constexpr auto kSeries = "series", kUnit = "unit";

/// "28x28": height, then width.
std::optional<ImageShape> parse_image(const std::string& text) {
  if (text.empty() || text == kSeries) return std::nullopt;
  ImageShape shape;
  const char* const end = text.data() + text.size();
  const auto height = std::from_chars(text.data(), end, shape.height);
  const bool has_x = height.ec == std::errc{} && height.ptr != end && *height.ptr == 'x';
  const auto width = std::from_chars(has_x ? height.ptr + 1 : end, end, shape.width);
  const bool is_read = has_x && width.ec == std::errc{} && width.ptr == end;
  if (!is_read || shape.height == 0 || shape.width == 0 || shape.height > 4096 ||
      shape.width > 4096)
    throw UsageError(
        fmt::format("--layout is \"{}\", expected height x width such as 28x28, or series", text));
  return shape;
}

/// "LABEL=NAME".
std::vector<ClassName> parse_names(const std::vector<std::string>& texts) {
  std::vector<ClassName> names;
  for (const std::string& text : texts) {
    const auto given = key_value(text);
    if (!given)
      throw UsageError(fmt::format("--names is \"{}\", expected LABEL=NAME or unit=TEXT", text));
    names.push_back({given->first, given->second});
  }
  return names;
}

/// Files in two folders may have the same name; then the folder is shown too.
std::string name_of(const ReportArguments& arguments) {
  const bool is_plain = arguments.input.model.filename() != arguments.against.filename();
  return is_plain ? arguments.input.model.filename().string() : arguments.input.model.string();
}

/// "Predicting risk: good or bad".
std::string title_of(const Model& model, const std::string& target,
                     const std::vector<ClassName>& names) {
  if (model.is_detector()) return "Usual and unusual rows";
  const std::string what = target.empty() ? "a class" : target;
  if (model.is_regressor()) return "Predicting " + (target.empty() ? "a number" : target);
  std::vector<std::string> labels = model.labels();
  if (labels.size() > 4) return "Predicting " + what;
  for (std::string& label : labels) {
    const auto given = std::ranges::find(names, label, &ClassName::label);
    if (given != names.end()) label = given->name;
  }
  // Names with an "or" of their own are quoted.
  const auto has_or = [](const std::string& label) {
    return label.find(" or ") != std::string::npos || label.find(',') != std::string::npos;
  };
  if (std::ranges::any_of(labels, has_or)) {
    for (std::string& label : labels) label = fmt::format("\"{}\"", label);
  }
  const std::string last = labels.back();
  labels.pop_back();
  return fmt::format("Predicting {}: {} or {}", what, fmt::join(labels, ", "), last);
}

ReportWords words_of(const ReportArguments& arguments, const Model& model,
                     const std::string& target) {
  const ModelSummary facts = model.summary();
  return {arguments.title.empty() ? title_of(model, target, parse_names(arguments.names))
                                  : arguments.title,
          name_of(arguments),
          arguments.input.data.filename().string(),
          facts.description,
          std::string(facts.point_name),
          preprocessing_words(model)};
}

std::vector<ReportPool> pools_in(const Model& model, const ExplainSettings& settings) {
  const auto pools = pools_of(model, settings);
  if (!pools) return {};
  const auto pool = [](const PoolFacts& facts) {
    return ReportPool{facts.name, facts.points, facts.has_intercept};
  };
  return {pool(pools->positive), pool(pools->negative)};
}

/// The groups of --groups. Columns are those of the table, as in `explain`.
std::vector<ReportGroup> groups_in(const ReportArguments& arguments, const Model& model,
                                   const RowSource& rows) {
  std::vector<ReportGroup> result;
  if (arguments.groups.empty()) return result;
  const std::vector<std::string> columns =
      model.encoding() ? model.encoding()->column_names() : rows.feature_names();
  const ColumnGroups groups = read_groups(arguments.groups, columns, arguments.input.format.limits);
  for (std::size_t g = 0; g < groups.names.size(); ++g) {
    if (groups.is_group[g]) result.push_back({groups.names[g], groups.members[g]});
  }
  return result;
}

}  // namespace

ReportOptions report_options(const ReportArguments& arguments, const Model& model,
                             const ExplainSettings& settings, const RowSource& rows,
                             const std::optional<TrainingRecord>& training) {
  ReportOptions options;
  const std::string learned = model.target() ? model.target()->column : "";
  options.target_name = rows.target_name().value_or(learned);
  options.words = words_of(arguments, model, options.target_name);
  options.provenance = provenance_of(arguments, training);
  options.pools = pools_in(model, settings);
  options.feature_names = rows.feature_names();
  options.names = parse_names(arguments.names);
  const std::vector<std::string> labels = model.labels();
  std::erase_if(options.names, [&](const ClassName& given) {
    const bool is_unit = given.label == kUnit && std::ranges::find(labels, kUnit) == labels.end();
    if (is_unit) options.unit_name = given.name;
    return is_unit;
  });
  options.kept_names = rows.kept_names();
  options.groups = groups_in(arguments, model, rows);
  options.image = parse_image(arguments.layout);
  if (!arguments.network.empty())
    options.network = std::make_shared<const NetworkInputs>(
        read_network_inputs(arguments.network, arguments.input.format.limits));
  options.is_series = arguments.layout == kSeries;
  options.evidence = arguments.evidence;
  options.has_model = !arguments.without_model;
  options.interactions = arguments.interactions;
  options.most_rows = arguments.sample.value_or(options.most_rows);
  if (arguments.sample) options.most_values = kMostValuesAskedFor;
  if (training && training->data == arguments.input.data.filename())
    options.training_rows = training->rows;
  return options;
}

}  // namespace bisector::cli
