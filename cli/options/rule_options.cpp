#include "cli/options/rule_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bisector/error.h"
#include "bisector/table_encoding.h"
#include "cli/options/file_roles.h"
#include "cli/options/option_values.h"
#include "cli/verb.h"
#include "cli/writers/describe_model.h"

namespace bisector::cli {
namespace {

constexpr unsigned kMaxThreads = 1024;
constexpr auto kExplanationGroup = "The explanation";

Reference read_reference(const std::string& text, const InputArguments& input, const Model& model) {
  if (text.empty()) return {Reference::Kind::automatic, {}};
  if (text == "origin") return {Reference::Kind::origin, {}};
  if (text == "mean") return {Reference::Kind::mean, {}};
  const Matrix rows = read_rows(text, input, model);
  if (rows.rows() != 1)
    throw InvalidInput(
        fmt::format("{} has {} rows, expected one row: the reference point", text, rows.rows()));
  return {Reference::Kind::given, rows.values()};
}

/// Sets the classes of a classifier, or the level of a regressor. The options have the model's own
/// labels; people also write those that the command shows, such as "quality above 5".
void resolve_classes(const Model& model, const RuleArguments& arguments, ExplainOptions& options) {
  const auto& first = arguments.positive_class;
  const auto& second = arguments.versus;
  if (model.is_regressor()) {
    if (first || arguments.for_predicted)
      throw UsageError("--class needs a classifier; leave it out, or use --versus T for a number");
    if (second && !(options.level = parse_number(*second)))
      throw UsageError(fmt::format(
          "--versus is \"{}\", expected a number, because the model predicts numbers", *second));
    return;
  }
  if (second && !first && model.labels().size() > 2)
    throw InvalidInput("--versus needs --class when the model has more than two classes");
  const auto label = [&](const char* option, const std::string& text) {
    return model.labels()[class_of_option(model, option, text)];
  };
  if (first) options.positive_class = label("--class", *first);
  if (second) options.versus = label("--versus", *second);
}

/// The value of a parameter; text that is no such value stays text.
ParameterValue parse_value(const ParameterInfo& info, const std::string& text) {
  if (info.type == ParameterInfo::Type::flag && (text == "true" || text == "false"))
    return text == "true";
  const auto number = parse_number(text);
  if (number && info.type == ParameterInfo::Type::number) return *number;
  if (number && info.type == ParameterInfo::Type::count && *number >= 0.0 && *number < 0x1p53 &&
      *number == std::floor(*number))
    return static_cast<std::uint64_t>(*number);
  return std::string_view(text);
}

}  // namespace

void add_class_options(CLI::App& app, RuleArguments& arguments, const std::string& predicted) {
  const OptionGroup group(app, kExplanationGroup);
  add_parsed(app, "--class", "A",
             "The class that positive contributions push toward" + predicted +
                 " (default: of two classes that which inspect names, of more the predicted one)",
             [&arguments, has_predicted = !predicted.empty()](const std::string& text) {
               arguments.for_predicted = has_predicted && text == "predicted";
               if (!arguments.for_predicted) arguments.positive_class = text;
             });
  add_text(app, "--versus", arguments.versus, "B",
           "What it is compared with: a class (default: the strongest rival); for models that "
           "predict numbers a number (default: the mean of the training target, else 0)");
  set_role(add_text(app, "--reference", arguments.reference, "origin|mean|FILE",
                    "The point that represents absent features; FILE has one row (default: the "
                    "origin, or the mean if the origin is far from the model's points)"),
           FileRole::input);
}

void add_level_option(CLI::App& app, RuleArguments& arguments) {
  add_text(app, "--versus", arguments.versus, "T",
           "For a model that predicts numbers: the number that predictions are compared with "
           "(default: the mean of the training target)");
}

void add_rule_options(CLI::App& app, RuleArguments& arguments, const std::string& predicted) {
  const OptionGroup group(app, kExplanationGroup);
  add_parsed(app, "--method", "NAME[:PARAMETER=VALUE,...]",
             fmt::format(
                 "How contributions are computed, such as lrp:eta=0.5,kappa=2 (default: auto): {}. "
                 "See bisector help methods",
                 fmt::join(method_names(), ", ")),
             [&arguments](const std::string& text) {
               arguments.method = parse_parameters("--method", text);
               method_of(arguments.method);
             });
  add_class_options(app, arguments, predicted);
  add_choice(app, "--unit", arguments.options.unit,
             std::vector{Unit::decision, Unit::share, Unit::g},
             "Unit of the values: the model's own output (default), percent, or the output g of "
             "the neuralized model");
  add_path(app, "--background", arguments.background, "DATA",
           "Rows that represent the data, best the training rows; without it the model's own "
           "background or points do");
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : method_table()) names.push_back(method.name);
  return names;
}

void add_threads_option(CLI::App& app, std::optional<std::size_t>& threads) {
  const OptionGroup group(app, kSpeedGroup);
  add_count(app, "--threads", threads, 1, "N",
            "Number of threads (default: all); changes no result");
}

void add_speed_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads) {
  const OptionGroup group(app, kSpeedGroup);
  add_choice(app, "--precision", precision, enum_values<Precision>(),
             "float is faster, and uses double for rows that need it (default: double)");
  add_threads_option(app, threads);
}

unsigned thread_count(std::optional<std::size_t> threads) {
  return static_cast<unsigned>(std::min<std::size_t>(threads.value_or(0), kMaxThreads));
}

MethodParameters parameters_of(const NameWithParameters& method) {
  MethodParameters parameters;
  for (const auto& [name, text] : method.parameters) {
    const auto known = std::ranges::find(parameter_table(), name,
                                         [](const auto& shared) { return shared.info.name; });
    parameters.insert_or_assign(name, known == parameter_table().end()
                                          ? ParameterValue(text)
                                          : parse_value(known->info, text));
  }
  return parameters;
}

Method method_of(const NameWithParameters& method) {
  try {
    return method_from_name(method.name, parameters_of(method));
  } catch (const InvalidInput& error) {
    throw UsageError(fmt::format("--method: {}", error.what()));
  }
}

ExplainOptions explain_options(const RuleArguments& arguments, const InputArguments& input,
                               const Model& model) {
  ExplainOptions options = arguments.options;
  options.threads = thread_count(arguments.threads);
  options.reference = read_reference(arguments.reference, input, model);
  resolve_classes(model, arguments, options);
  if (!arguments.background.empty())
    options.background = read_rows(arguments.background, input, model);
  return options;
}

}  // namespace bisector::cli
