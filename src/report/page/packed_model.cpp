#include "report/page/packed_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "bisector/error.h"
#include "core/models/model_fields.h"

namespace bisector::report {

using namespace detail;

namespace {

constexpr double kFormat = 5.0;

class Packer {
 public:
  void number(double value) { numbers_.push_back(value); }
  void count(std::size_t value) { number(static_cast<double>(value)); }
  void optional(std::optional<double> value) {
    number(value ? 1.0 : 0.0);
    number(value.value_or(0.0));
  }
  template <class T>
  void list(const std::vector<T>& values) {
    count(values.size());
    for (const T& value : values) number(static_cast<double>(value));
  }
  void matrix(const Matrix& values) {
    count(values.rows());
    count(values.cols());
    numbers_.insert(numbers_.end(), values.values().begin(), values.values().end());
  }
  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::vector<double> numbers_;
};

class Unpacker {
 public:
  explicit Unpacker(std::span<const double> numbers) : rest_(numbers) {}

  double number() { return take(1)[0]; }
  std::size_t count() { return as_count(number()); }
  std::optional<double> optional() {
    const bool is_there = number() != 0.0;
    const double value = number();
    return is_there ? std::optional(value) : std::nullopt;
  }
  std::vector<double> list() {
    const auto part = take(count());
    return {part.begin(), part.end()};
  }
  std::vector<std::size_t> counts() {
    std::vector<std::size_t> values(limited(count()));
    for (std::size_t& value : values) value = count();
    return values;
  }
  Matrix matrix() {
    const std::size_t rows = count(), cols = count();
    if (cols == 0 ? rows > 0 : rows > rest_.size() / cols) refuse();
    const auto part = take(rows * cols);
    return Matrix(rows, cols, {part.begin(), part.end()});
  }
  std::optional<std::size_t> optional_count() {
    const std::optional<double> value = optional();
    return value ? std::optional(as_count(*value)) : std::nullopt;
  }
  template <class E>
  E enumerator() {
    const std::vector<E> values = enum_values<E>();
    const std::size_t position = count();
    if (position >= values.size()) refuse();
    return values[position];
  }
  bool flag() {
    const std::size_t value = count();
    if (value > 1) refuse();
    return value == 1;
  }
  bool is_at_end() const { return rest_.empty(); }
  std::size_t limited(std::size_t count) const {
    if (count > rest_.size()) refuse();
    return count;
  }

  [[noreturn]] static void refuse() {
    throw InvalidModel("the packed model is damaged, expected what pack() made");
  }

 private:
  static std::size_t as_count(double value) {
    if (!(value >= 0.0 && value <= 1e15)) refuse();
    return static_cast<std::size_t>(value);
  }
  std::span<const double> take(std::size_t count) {
    const auto part = rest_.first(limited(count));
    rest_ = rest_.subspan(count);
    return part;
  }

  std::span<const double> rest_;
};

/// Writes fields: one overload for each type of field. Labels are packed as their number.
class FieldPacker {
 public:
  explicit FieldPacker(Packer& out) : out_(out) {}

  void operator()(const Field&, const SharedMatrix& value) const { out_.matrix(*value); }
  void operator()(const Field&, const Matrix& value) const { out_.matrix(value); }
  void operator()(const Field&, const std::vector<double>& value) const { out_.list(value); }
  void operator()(const Field&, const std::vector<std::size_t>& value) const { out_.list(value); }
  void operator()(const Field&, const std::vector<std::string>& value) const {
    out_.count(value.size());
  }
  void operator()(const Field&, double value) const { out_.number(value); }
  void operator()(const Field&, std::size_t value) const { out_.count(value); }
  void operator()(const Field&, std::optional<double> value) const { out_.optional(value); }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(const Field&, E value) const { out_.count(static_cast<std::size_t>(value)); }
  void operator()(const Field&, const Distance& value) const {
    out_.count(value.is_cosine() ? 1 : 0);
    out_.number(value.power());
    out_.list(value.categories());
  }
  void operator()(const Field& field, const Kernel& value) const {
    out_.count(value.terms().size());
    for (const KernelTerm& term : value.terms()) {
      (*this)(field, term.form);
      for (const double number : {term.gamma, term.shape, term.weight, term.offset})
        out_.number(number);
    }
    (*this)(field, value.distance());
  }
  void operator()(const Field& field, const NeighborVote& value) const {
    (*this)(field, value.weights);
    out_.optional(value.radius);
    out_.list(value.point_weights);
    (*this)(field, value.distance);
    for (const double number : {value.decay.offset, value.decay.power, value.decay.rate})
      out_.number(number);
    out_.list(value.rank_weights);
  }

 private:
  Packer& out_;
};

/// Reads what FieldPacker wrote. Labels become their positions.
class FieldUnpacker {
 public:
  explicit FieldUnpacker(Unpacker& in) : in_(in) {}

  void operator()(const Field&, SharedMatrix& value) const { value = in_.matrix(); }
  void operator()(const Field&, Matrix& value) const { value = in_.matrix(); }
  void operator()(const Field&, std::vector<double>& value) const { value = in_.list(); }
  void operator()(const Field&, std::vector<std::size_t>& value) const { value = in_.counts(); }
  void operator()(const Field&, std::vector<std::string>& value) const {
    constexpr std::size_t kMost = 1'000'000;  // a bound of the memory that damaged numbers take
    const std::size_t count = in_.count();
    if (count > kMost) Unpacker::refuse();
    for (std::size_t n = 0; n < count; ++n) value.push_back(std::to_string(n));
  }
  void operator()(const Field&, double& value) const { value = in_.number(); }
  void operator()(const Field&, std::size_t& value) const { value = in_.count(); }
  void operator()(const Field&, std::optional<double>& value) const { value = in_.optional(); }
  template <class E>
  requires std::is_enum_v<E>
  void operator()(const Field&, E& value) const { value = in_.enumerator<E>(); }
  void operator()(const Field&, Distance& value) const {
    const bool is_cosine = in_.flag();
    const double power = in_.number();
    std::vector<double> categories = in_.list();
    value = is_cosine ? Distance::cosine() : Distance(power, std::move(categories));
  }
  void operator()(const Field& field, Kernel& value) const {
    std::vector<KernelTerm> terms(in_.limited(in_.count()));
    if (terms.empty()) Unpacker::refuse();
    for (KernelTerm& term : terms) {
      (*this)(field, term.form);
      for (double* number : {&term.gamma, &term.shape, &term.weight, &term.offset})
        *number = in_.number();
    }
    Distance distance;
    (*this)(field, distance);
    value = Kernel(std::move(terms), std::move(distance));
  }
  void operator()(const Field& field, NeighborVote& value) const {
    (*this)(field, value.weights);
    value.radius = in_.optional();
    value.point_weights = in_.list();
    (*this)(field, value.distance);
    for (double* number : {&value.decay.offset, &value.decay.power, &value.decay.rate})
      *number = in_.number();
    value.rank_weights = in_.list();
  }

 private:
  Unpacker& in_;
};

/// The kind by its position in the variant.
Predictor unpack_predictor(Unpacker& in) {
  const std::size_t position = in.count();
  std::optional<Predictor> predictor;
  std::size_t n = 0;
  for_each_kind([&]<class M>(std::type_identity<M>) {
    if (n++ == position) predictor = model_from_fields<M>(FieldUnpacker(in));
  });
  if (!predictor) Unpacker::refuse();
  return *std::move(predictor);
}

void pack_map(Packer& out, const AffineMap& map) {
  out.list(map.shift());
  out.list(map.scale());
  out.matrix(map.matrix());
  out.list(map.offset());
}

AffineMap unpack_map(Unpacker& in) {
  std::vector<double> shift = in.list(), scale = in.list();
  Matrix matrix = in.matrix();
  std::vector<double> offset = in.list();
  if (matrix.rows() > 0)
    return AffineMap(std::move(shift), std::move(scale), std::move(matrix), std::move(offset));
  return shift.empty() ? AffineMap() : AffineMap(std::move(shift), std::move(scale));
}

void pack_unit_scales(Packer& out, const std::vector<UnitScale>& scales) {
  out.count(scales.size());
  for (const UnitScale& own : scales) {
    out.count(own.positive);
    out.count(own.negative);
    for (const double value : {own.mean, own.scale, own.limit}) out.number(value);
  }
}

std::vector<UnitScale> unpack_unit_scales(Unpacker& in) {
  std::vector<UnitScale> scales(in.limited(in.count()));
  for (UnitScale& own : scales) {
    own.positive = in.count();
    own.negative = in.count();
    for (double* value : {&own.mean, &own.scale, &own.limit}) *value = in.number();
  }
  return scales;
}

void pack_label(Packer& out, const std::vector<std::string>& labels,
                const std::optional<std::string>& label) {
  if (!label) return out.optional(std::nullopt);
  out.optional(static_cast<double>(std::ranges::find(labels, *label) - labels.begin()));
}

std::optional<std::string> unpack_label(Unpacker& in, const std::vector<std::string>& labels) {
  const std::optional<double> position = in.optional();
  if (!position) return std::nullopt;
  if (!(*position >= 0.0 && *position < static_cast<double>(labels.size()))) Unpacker::refuse();
  return labels[static_cast<std::size_t>(*position)];
}

std::optional<double> number_of(std::optional<std::size_t> count) {
  return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

/// A seed may have more digits than a double, so it is packed as two halves.
void pack_seed(Packer& out, std::uint64_t seed) {
  out.count(seed >> 32u);
  out.count(seed & 0xffffffffu);
}

std::uint64_t unpack_seed(Unpacker& in) {
  const std::uint64_t high = in.count(), low = in.count();
  if (high > 0xffffffffu || low > 0xffffffffu) Unpacker::refuse();
  return high << 32u | low;
}

/// 0: automatic.
void pack_references(Packer& out, std::size_t count) {
  out.count(count == kAutoReferences ? 0 : count);
}

/// The parameters of one rule.
void pack_own(Packer&, const EtaRule&, const ExplainSettings&) {}
void pack_own(Packer& out, const PathRule& rule, const ExplainSettings&) {
  out.count(rule.steps);
  out.number(rule.neighborhood);
}
void pack_own(Packer& out, const ExpectedPathRule& rule, const ExplainSettings& settings) {
  pack_references(out, rule.references);
  out.count(static_cast<std::size_t>(settings.side.value()));
  pack_seed(out, rule.seed);
  out.number(rule.neighborhood);
}
void pack_own(Packer& out, const NeighborhoodRule& rule, const ExplainSettings&) {
  pack_seed(out, rule.seed);
}
void pack_own(Packer& out, const ExactShapley& shapley, const ExplainSettings&) {
  pack_references(out, shapley.references.value());
  pack_seed(out, shapley.seed);
  out.number(shapley.neighborhood);
}

void pack_own(Packer& out, const IntegratedGradients& path, const ExplainSettings&) {
  out.count(path.steps);
}

/// A page cannot compute more steps or references.
std::size_t unpack_steps(Unpacker& in) {
  constexpr std::size_t kMost = 100'000;
  const std::size_t steps = in.count();
  if (steps > kMost) Unpacker::refuse();
  return steps;
}

std::size_t unpack_references(Unpacker& in) {
  const std::size_t count = unpack_steps(in);
  return count == 0 ? kAutoReferences : count;
}

void unpack_own(Unpacker&, EtaRule&) {}
void unpack_own(Unpacker& in, PathRule& rule) {
  rule.steps = unpack_steps(in);
  rule.neighborhood = in.number();
}
void unpack_own(Unpacker& in, ExpectedPathRule& rule) {
  rule.references = unpack_references(in);
  const std::size_t side = in.count();
  if (side > static_cast<std::size_t>(ReferenceSide::both)) Unpacker::refuse();
  rule.side = static_cast<ReferenceSide>(side);
  rule.seed = unpack_seed(in);
  rule.neighborhood = in.number();
}
void unpack_own(Unpacker& in, NeighborhoodRule& rule) { rule.seed = unpack_seed(in); }
void unpack_own(Unpacker& in, ExactShapley& shapley) {
  shapley.references = unpack_references(in);
  shapley.seed = unpack_seed(in);
  shapley.neighborhood = in.number();
}
void unpack_own(Unpacker& in, IntegratedGradients& path) { path.steps = unpack_steps(in); }

void pack_rule(Packer& out, const Rule& rule, const ExplainSettings& settings) {
  out.count(rule.index());
  std::visit(
      [&](const auto& own) {
        if constexpr (requires { own.responsibilities; }) {
          out.number(settings.eta.value());
          out.optional(settings.beta);
          out.optional(number_of(settings.kappa));
          out.number(own.responsibilities.ignore_intercept ? 1.0 : 0.0);
        }
        pack_own(out, own, settings);
      },
      rule);
}

template <class Own>
Own unpack_rule(Unpacker& in) {
  Own own;
  if constexpr (requires { own.responsibilities; }) {
    own.eta = in.number();
    own.responsibilities.beta = in.optional();
    own.responsibilities.kappa = in.optional_count();
    own.responsibilities.ignore_intercept = in.number() != 0.0;
  }
  unpack_own(in, own);
  return own;
}

/// The rule by its position in Rule.
Method unpack_rule(Unpacker& in) {
  switch (in.count()) {
    case 0:
      return unpack_rule<EtaRule>(in);
    case 1:
      return unpack_rule<PathRule>(in);
    case 2:
      return unpack_rule<ExpectedPathRule>(in);
    case 3:
      return unpack_rule<NeighborhoodRule>(in);
    case 4:
      return unpack_rule<ExactShapley>(in);
    case 5:
      return unpack_rule<IntegratedGradients>(in);
    default:
      Unpacker::refuse();
  }
}

void pack_options(Packer& out, const Model& model, const ExplainOptions& options,
                  const ExplainSettings& settings) {
  out.optional(settings.level);
  out.count(static_cast<std::size_t>(settings.unit));
  pack_label(out, model.labels(), options.positive_class);
  pack_label(out, model.labels(), options.versus);
  out.list(settings.reference);
  out.matrix(options.background.value_or(Matrix()));
  out.list(options.players);
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

ExplainOptions unpack_options(Unpacker& in, const Model& model) {
  ExplainOptions options;
  options.level = in.optional();
  const std::size_t unit = in.count();
  if (unit > static_cast<std::size_t>(Unit::share)) Unpacker::refuse();
  options.unit = static_cast<Unit>(unit);
  options.positive_class = unpack_label(in, model.labels());
  options.versus = unpack_label(in, model.labels());
  options.reference = {Reference::Kind::given, in.list()};
  if (Matrix background = in.matrix(); background.rows() > 0)
    options.background = std::move(background);
  options.players = in.counts();
  if (!are_players(options.players, model.features())) Unpacker::refuse();
  options.threads = 1;
  return options;
}

}  // namespace

Rule rule_of(const Method& method, const Model& model) {
  return std::visit(
      [&]<class M>(const M& own) -> Rule {
        if constexpr (std::is_same_v<M, ExactShapley>) {
          if (own.references) return own;
        } else if constexpr (std::is_same_v<M, IntegratedGradients>) {
          if (model.has_dot_product() && own.output == ExplainedOutput::f) return own;
        } else if constexpr (std::is_constructible_v<Rule, M>) {
          return own;
        }
        throw InvalidInput(
            fmt::format("a report of {} was asked for, expected auto, lrp, lrp-path, lrp-expected, "
                        "neighborhood, or shapley-exact with a number of references",
                        M::kName));
      },
      method);
}

std::vector<double> pack(const Model& model, const Explainer& explainer,
                         const ExplainOptions& options) {
  const ExplainSettings& settings = explainer.settings();
  Packer out;
  out.number(kFormat);
  out.count(model.predictor().index());
  std::visit([&](const auto& predictor) { for_each_field(predictor, FieldPacker(out)); },
             model.predictor());
  pack_map(out, model.input());
  // Not used once eta is known, but without it an explainer would measure it.
  const bool has_distance = settings.median_distance.value_or(0.0) > 0.0;
  out.optional(has_distance ? settings.median_distance : std::nullopt);
  pack_unit_scales(out, model.unit_scales());
  pack_rule(out, rule_of(explainer.method(), model), settings);
  pack_options(out, model, options, settings);
  return out.take();
}

PackedExplainer unpack(std::span<const double> numbers) {
  Unpacker in(numbers);
  if (in.number() != kFormat) Unpacker::refuse();
  Predictor predictor = unpack_predictor(in);
  AffineMap map = unpack_map(in);
  const std::optional<double> distance = in.optional();
  Model model(std::move(predictor), std::move(map), {}, distance);
  model = model.with_unit_scales(unpack_unit_scales(in));
  Method method = unpack_rule(in);
  ExplainOptions options = unpack_options(in, model);
  if (!in.is_at_end()) Unpacker::refuse();
  return {std::move(model), std::move(method), std::move(options)};
}

}  // namespace bisector::report
