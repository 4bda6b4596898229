#include "report/page/packed_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>
#include <utility>

#include "bisector/error.h"
#include "report/page/packed_archive.h"

namespace bisector::report {

using namespace detail;

namespace {

/// The kind by its position in the variant.
Predictor unpack_predictor(Unpacker& in) {
  const auto position = in.read<std::size_t>();
  std::optional<Predictor> predictor;
  std::size_t n = 0;
  for_each_kind([&]<class M>(std::type_identity<M>) {
    if (n++ == position)
      predictor = model_from_fields<M>([&](const Field&, auto& value) { in(value); });
  });
  if (!predictor) Unpacker::refuse();
  return *std::move(predictor);
}

/// The number of a label, counted from one; 0 for no label.
std::size_t number_of(const std::optional<std::string>& label,
                      const std::vector<std::string>& labels) {
  if (!label) return 0;
  return static_cast<std::size_t>(std::ranges::find(labels, *label) - labels.begin()) + 1;
}

std::optional<std::string> label_of(std::size_t number, const std::vector<std::string>& labels) {
  if (number == 0) return std::nullopt;
  if (number > labels.size()) Unpacker::refuse();
  return labels[number - 1];
}

template <class T>
concept WholeNumber = std::unsigned_integral<T> && !std::same_as<T, bool>;

template <class T>
void pack_parameter(Packer& out, const T& value) {
  out(value);
}
/// Seeds may have more digits than a double, so whole numbers are packed as two halves.
void pack_parameter(Packer& out, const WholeNumber auto& value) {
  const std::uint64_t whole = value;
  out.all(static_cast<double>(whole >> 32u), static_cast<double>(whole & 0xffffffffu));
}
template <class T>
void pack_parameter(Packer& out, const std::optional<T>& value) {
  out(value.has_value());
  pack_parameter(out, value.value_or(T()));
}

template <class T>
void unpack_parameter(Unpacker& in, const Parameter&, T& value) {
  in(value);
}
/// A page cannot compute more steps or references than 100,000; these numbers are at least 1.
template <WholeNumber T>
void unpack_parameter(Unpacker& in, const Parameter& parameter, T& value) {
  constexpr std::uint64_t kMostSteps = 100'000, kHalf = std::uint64_t{1} << 32u;
  const auto high = in.read<double>(), low = in.read<double>();
  if (!(high >= 0.0 && high < kHalf && low >= 0.0 && low < kHalf)) Unpacker::refuse();
  const auto whole = static_cast<std::uint64_t>(high) << 32u | static_cast<std::uint64_t>(low);
  const bool is_steps = parameter.least >= 1.0;
  if (whole > (is_steps ? kMostSteps : std::numeric_limits<T>::max())) Unpacker::refuse();
  value = static_cast<T>(whole);
}
template <class T>
void unpack_parameter(Unpacker& in, const Parameter& parameter, std::optional<T>& value) {
  const bool is_there = in.read<bool>();
  unpack_parameter(in, parameter, value.emplace());
  if (!is_there) value.reset();
}

/// The rule with the parameters that the explainer resolved.
Rule resolved(Rule rule, const ExplainSettings& settings) {
  std::visit(
      [&](auto& own) {
        if constexpr (requires { own.responsibilities; }) {
          own.eta = settings.eta.value();
          own.responsibilities.beta = settings.beta;
          own.responsibilities.kappa = settings.kappa;
        }
        if constexpr (requires { own.side; }) own.side = settings.side.value();
      },
      rule);
  return rule;
}

void pack_rule(Packer& out, const Rule& rule) {
  out(rule.index());
  std::visit(
      [&]<class Own>(const Own& own) {
        const auto pack_one = [&](const Parameter&, const auto& member) {
          pack_parameter(out, std::invoke(member, own));
        };
        Own::parameters(pack_one);
      },
      rule);
}

template <class Own>
Own unpack_own(Unpacker& in) {
  Own own;
  const auto unpack_one = [&](const Parameter& parameter, const auto& member) {
    unpack_parameter(in, parameter, std::invoke(member, own));
  };
  Own::parameters(unpack_one);
  return own;
}

/// The rule by its position in Rule.
Method unpack_rule(Unpacker& in) {
  const std::size_t position = in.read_below(std::variant_size_v<Rule>);
  std::optional<Method> method;
  const auto unpack_at = [&]<std::size_t... n>(std::index_sequence<n...>) {
    ((n == position ? method = unpack_own<std::variant_alternative_t<n, Rule>>(in) : method), ...);
  };
  unpack_at(std::make_index_sequence<std::variant_size_v<Rule>>());
  return *std::move(method);
}

void pack_options(Packer& out, const Model& model, const ExplainOptions& options,
                  const ExplainSettings& settings) {
  const std::vector<std::string> labels = model.labels();
  out.all(settings.level, settings.unit, number_of(options.positive_class, labels),
          number_of(options.versus, labels), settings.reference, options.background.has_value(),
          options.background   ? *options.background
          : model.background() ? *model.background()->rows
                               : Matrix(),
          options.players);
}

/// Empty, or one player for each feature, without gaps in their numbers.
bool are_players(const std::vector<std::size_t>& players, std::size_t features) {
  if (players.empty()) return true;
  if (players.size() != features) return false;
  std::vector<bool> is_known(*std::ranges::max_element(players) < features ? features : 0, false);
  if (is_known.empty()) return false;
  for (const std::size_t player : players) is_known[player] = true;
  const auto first_gap = std::ranges::find(is_known, false);
  return std::none_of(first_gap, is_known.end(), [](bool known) { return known; });
}

/// The background goes into the options or, if it is the model's own, into the model.
ExplainOptions unpack_options(Unpacker& in, Model& model) {
  ExplainOptions options;
  std::size_t positive = 0, versus = 0;
  bool is_given = false;
  Matrix background;
  options.reference.kind = Reference::Kind::given;
  in.all(options.level, options.unit, positive, versus, options.reference.point, is_given,
         background, options.players);
  options.positive_class = label_of(positive, model.labels());
  options.versus = label_of(versus, model.labels());
  if (background.rows() > 0 && is_given) {
    options.background = std::move(background);
  } else if (background.rows() > 0) {
    // The reference point and the median distance are packed, so that the mean is not used.
    const auto scales = model.unit_scales();
    std::vector<double> mean(model.model_features());
    model = model.with_background(Background{std::move(background), std::move(mean)})
                .with_unit_scales(scales);
  }
  if (!are_players(options.players, model.features())) Unpacker::refuse();
  options.threads = 1;
  return options;
}

/// Nothing for a method that a page does not compute.
std::optional<Rule> find_rule(const Method& method, const Model& model) {
  return std::visit(
      [&]<class M>(const M& own) -> std::optional<Rule> {
        if constexpr (std::is_same_v<M, ExactShapley>) {
          if (own.references) return own;
        } else if constexpr (std::is_same_v<M, IntegratedGradients>) {
          if (model.has_dot_product() && own.output == ExplainedOutput::f) return own;
        } else if constexpr (std::is_constructible_v<Rule, M>) {
          return own;
        }
        return std::nullopt;
      },
      method);
}

}  // namespace

Rule rule_of(const Method& method, const Model& model) {
  if (const std::optional<Rule> rule = find_rule(method, model)) return *rule;
  throw InvalidInput(
      fmt::format("a report of {} was asked for, expected auto, lrp, lrp-path, lrp-expected, "
                  "neighborhood, or shapley-exact with a number of references",
                  name(method)));
}

std::vector<double> pack(const Model& model, const Explainer& explainer,
                         const ExplainOptions& options) {
  const ExplainSettings& settings = explainer.settings();
  Packer out;
  out.all(kPackedFormat, model.predictor().index());
  const auto pack_field = [&](const Field&, const auto& value) { out(value); };
  std::visit([&](const auto& predictor) { for_each_field(predictor, pack_field); },
             model.predictor());
  // Not used once eta is known, but without it an explainer would measure it.
  const bool has_distance = settings.median_distance.value_or(0.0) > 0.0;
  out.all(model.input(), has_distance ? settings.median_distance : std::nullopt,
          model.unit_scales());
  pack_rule(out, resolved(rule_of(explainer.method(), model), settings));
  pack_options(out, model, options, settings);
  return out.take();
}

PackedExplainer unpack(std::span<const double> numbers) {
  Unpacker in(numbers);
  if (in.read<double>() != kPackedFormat) Unpacker::refuse();
  Predictor predictor = unpack_predictor(in);
  auto map = in.read<AffineMap>();
  const auto distance = in.read<std::optional<double>>();
  Model model(std::move(predictor), std::move(map), {}, distance);
  model = model.with_unit_scales(in.read<std::vector<UnitScale>>());
  Method method = unpack_rule(in);
  if (!find_rule(method, model)) Unpacker::refuse();
  ExplainOptions options = unpack_options(in, model);
  if (!in.is_at_end()) Unpacker::refuse();
  return {std::move(model), std::move(method), std::move(options)};
}

}  // namespace bisector::report
