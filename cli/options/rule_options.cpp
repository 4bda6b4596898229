#include "cli/options/rule_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

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

/// The options have the model's own labels; people also write those that the command shows, such as
/// "quality above 5".
void resolve_classes(const Model& model, ExplainOptions& options) {
  if (model.is_regressor()) return;
  if (options.versus && !options.positive_class && model.labels().size() > 2)
    throw InvalidInput("--versus needs --class when the model has more than two classes");
  if (auto& label = options.positive_class)
    label = model.labels()[class_of_option(model, "--class", *label)];
  if (auto& label = options.versus)
    label = model.labels()[class_of_option(model, "--versus", *label)];
}

void add_class_options(CLI::App& app, RuleArguments& arguments) {
  const OptionGroup group(app, kExplanationGroup);
  ExplainOptions& options = arguments.options;
  add_text(app, "--class", options.positive_class, "A",
           "The class that positive values push toward (default: with two classes the one that "
           "inspect names, with more the predicted class)");
  add_text(app, "--versus", options.versus, "B",
           "The class that negative values push toward (default: the strongest rival)");
  add_number(app, "--level", options.level, kAnyNumber, "T",
             "Regression: explain why the prediction is above T (default: the mean of the training "
             "target if the model knows it, else 0)");
  CLI::Option* const reference =
      add_text(app, "--reference", arguments.reference, "origin|mean|FILE",
               "Point that represents absent features, for rules with eta < 1 and for baselines; "
               "FILE has one row (default: the origin, or the mean if the model's points are far "
               "from the origin)");
  set_role(reference, FileRole::input);
}

/// --path-steps for path_steps.
std::string option_name(std::string_view parameter) {
  std::string option = "--" + std::string(parameter);
  std::ranges::replace(option, '_', '-');
  return option;
}

/// The value of a parameter; text that is no such value stays text.
ParameterValue parse_value(const ParameterInfo& info, const std::string& text) {
  if (info.type == ParameterInfo::Type::count) {
    std::uint64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error == std::errc() && stop == end) return count;
  }
  if (info.type == ParameterInfo::Type::number) {
    if (const auto number = parse_number(text)) return *number;
  }
  return std::string_view(text);
}

void add_parameter(CLI::App& app, const SharedParameter& parameter, MethodParameters& target) {
  const ParameterInfo& info = parameter.info;
  const std::string option = option_name(info.name);
  const std::string key(info.name);
  if (info.type == ParameterInfo::Type::flag) {
    app.add_flag_callback(
        option, [&target, key] { target.insert_or_assign(key, true); }, parameter.help);
    return;
  }
  const auto set = [&target, &info, key, option](const std::string& text) {
    const ParameterValue value = parse_value(info, text);
    if (!is_in_range(info, value))
      throw UsageError(fmt::format("{} is \"{}\", expected {}", option, text, expected_text(info)));
    target.insert_or_assign(key, value);
  };
  app.add_option_function<std::string>(option, set, parameter.help)
      ->option_text(info.type == ParameterInfo::Type::choice
                        ? fmt::format("{}", fmt::join(info.choices, "|"))
                    : info.type == ParameterInfo::Type::count ? "N"
                                                              : "V");
}

void add_parameters(CLI::App& app, MethodParameters& target, std::string_view without) {
  const OptionGroup group(app, "The method");
  for (const SharedParameter& parameter : parameter_table()) {
    if (parameter.info.name != without) add_parameter(app, parameter, target);
  }
}

}  // namespace

std::string method_list() {
  std::vector<std::string> names;
  for (const MethodInfo& method : method_table())
    names.push_back(fmt::format("{} ({})", method.name, method.title));
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_rule_options(CLI::App& app, RuleArguments& arguments) {
  add_class_options(app, arguments);
  const OptionGroup group(app, kExplanationGroup);
  add_choice(
      app, "--unit", arguments.options.unit, std::vector{Unit::decision, Unit::share, Unit::g},
      "Unit of the values: decision is the model's own output (decision value, votes, the unit of "
      "the target), share is percent, g is the output of the neuralized model (default: "
      "decision)");
  add_path(app, "--background", arguments.background, "DATA",
           "Rows that represent the data: references, neighbors, median distance and mean are "
           "taken from them instead of the model's points, and shapley-exact is the mean over them "
           "(unless --reference is given)");
}

void add_method_options(CLI::App& app, RuleArguments& arguments, std::string_view without) {
  const OptionGroup group(app, "The method");
  add_text(app, "--method", arguments.method, "NAME",
           method_list() +
               ". Default: auto, or lrp if one of --eta, --beta, --kappa and --ignore-intercept is "
               "given");
  add_parameters(app, arguments.parameters, without);
}

void add_parameter_options(CLI::App& app, RuleArguments& arguments) {
  add_class_options(app, arguments);
  add_parameters(app, arguments.parameters, "seed");
}

void add_threads_option(CLI::App& app, std::optional<std::size_t>& threads) {
  const OptionGroup group(app, kSpeedGroup);
  add_count(app, "--threads", threads, 1, "N",
            "Number of threads (default: all); does not change the results");
}

void add_chunk_option(CLI::App& app, std::optional<std::size_t>& chunk) {
  const OptionGroup group(app, kSpeedGroup);
  add_count(app, "--chunk", chunk, 1, "ROWS",
            "Rows in memory at a time (default: 8192, fewer for wide rows)");
}

void add_speed_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads) {
  const OptionGroup group(app, kSpeedGroup);
  add_choice(app, "--precision", precision, enum_values<Precision>(),
             "float is faster and uses double for rows that need it (default: double)");
  add_threads_option(app, threads);
}

void add_machine_options(CLI::App& app, Precision& precision, std::optional<std::size_t>& threads,
                         std::optional<std::size_t>& chunk) {
  add_speed_options(app, precision, threads);
  add_chunk_option(app, chunk);
}

unsigned thread_count(std::optional<std::size_t> threads) {
  return static_cast<unsigned>(std::min<std::size_t>(threads.value_or(0), kMaxThreads));
}

Method method_of(const RuleArguments& arguments) {
  try {
    return method_from_name(arguments.method, arguments.parameters, option_name);
  } catch (const InvalidInput& error) {
    throw UsageError(error.what());
  }
}

ExplainOptions explain_options(const RuleArguments& arguments, const InputArguments& input,
                               const Model& model) {
  ExplainOptions options = arguments.options;
  options.threads = thread_count(arguments.threads);
  options.reference = read_reference(arguments.reference, input, model);
  resolve_classes(model, options);
  if (!arguments.background.empty())
    options.background = read_rows(arguments.background, input, model);
  return options;
}

}  // namespace bisector::cli
