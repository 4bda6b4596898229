#include "report/page/packed_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "bisector/error.h"
#include "core/models/predictor_place.h"

namespace bisector::report {

using detail::kPlaceOf;

namespace {

constexpr double kFormat = 3.0;

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

void pack_distance(Packer& out, const Distance& distance) {
  out.count(distance.is_cosine() ? 1 : 0);
  out.number(distance.power());
  out.list(distance.categories());
}

Distance unpack_distance(Unpacker& in) {
  const bool is_cosine = in.flag();
  const double power = in.number();
  std::vector<double> categories = in.list();
  return is_cosine ? Distance::cosine() : Distance(power, std::move(categories));
}

void pack_kernel(Packer& out, const Kernel& kernel) {
  out.count(kernel.terms().size());
  for (const KernelTerm& term : kernel.terms()) {
    out.count(static_cast<std::size_t>(term.form));
    for (const double value : {term.gamma, term.shape, term.weight, term.offset}) out.number(value);
  }
  pack_distance(out, kernel.distance());
}

Kernel unpack_kernel(Unpacker& in) {
  std::vector<KernelTerm> terms(in.limited(in.count()));
  if (terms.empty()) Unpacker::refuse();
  for (KernelTerm& term : terms) {
    const std::size_t form = in.count();
    if (form > static_cast<std::size_t>(KernelForm::sigmoid)) Unpacker::refuse();
    term.form = static_cast<KernelForm>(form);
    for (double* value : {&term.gamma, &term.shape, &term.weight, &term.offset})
      *value = in.number();
  }
  return Kernel(std::move(terms), unpack_distance(in));
}

void pack_vote(Packer& out, const NeighborVote& vote) {
  out.count(static_cast<std::size_t>(vote.weights));
  out.optional(vote.radius);
  out.list(vote.point_weights);
  pack_distance(out, vote.distance);
  for (const double value : {vote.decay.offset, vote.decay.power, vote.decay.rate})
    out.number(value);
  out.list(vote.rank_weights);
}

NeighborVote unpack_vote(Unpacker& in) {
  NeighborVote vote;
  const std::size_t weights = in.count();
  if (weights > static_cast<std::size_t>(NeighborVote::Weights::exponential)) Unpacker::refuse();
  vote.weights = static_cast<NeighborVote::Weights>(weights);
  vote.radius = in.optional();
  vote.point_weights = in.list();
  vote.distance = unpack_distance(in);
  for (double* value : {&vote.decay.offset, &vote.decay.power, &vote.decay.rate})
    *value = in.number();
  vote.rank_weights = in.list();
  return vote;
}

void pack_machine(Packer& out, const KernelMachine& machine) {
  out.matrix(machine.points());
  out.list(machine.coefficients());
  pack_kernel(out, machine.kernel());
  out.number(machine.intercept());
}

KernelMachine unpack_machine(Unpacker& in) {
  Matrix points = in.matrix();
  std::vector<double> coefficients = in.list();
  Kernel kernel = unpack_kernel(in);
  const double intercept = in.number();
  return KernelMachine(std::move(points), std::move(coefficients), std::move(kernel), intercept);
}

void pack_predictor(Packer& out, const KernelClassifier& model) {
  out.count(static_cast<std::size_t>(model.arrangement()));
  out.matrix(model.points());
  out.list(model.points_per_class());
  out.matrix(model.coefficients());
  out.list(model.intercepts());
  pack_kernel(out, model.kernel());
}

void pack_predictor(Packer& out, const KernelRegressor& model) { pack_machine(out, model.machine); }

void pack_predictor(Packer& out, const OneClassMachine& model) { pack_machine(out, model.machine); }

void pack_predictor(Packer& out, const NeighborModel& model) {
  out.matrix(model.points());
  out.list(model.classes());
  out.count(model.labels().size());
  out.count(model.k());
  pack_vote(out, model.vote());
}

void pack_predictor(Packer& out, const NeighborRegressor& model) {
  out.matrix(model.points());
  out.list(model.targets());
  out.count(model.k());
  pack_vote(out, model.vote());
}

void pack_predictor(Packer& out, const OutlierDetector& model) {
  out.matrix(model.points());
  out.count(model.k());
  out.count(static_cast<std::size_t>(model.score()));
  out.number(model.threshold());
  pack_distance(out, model.distance());
}

void pack_predictor(Packer& out, const CentroidModel& model) {
  out.matrix(model.centroids());
  pack_distance(out, model.distance());
}

std::vector<std::string> positions(std::size_t count) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < count; ++i) labels.push_back(std::to_string(i));
  return labels;
}

KernelClassifier unpack_classifier(Unpacker& in) {
  using enum KernelClassifier::Arrangement;
  const std::size_t arrangement = in.count();
  if (arrangement > static_cast<std::size_t>(one_vs_one_by_confidence)) Unpacker::refuse();
  Matrix points = in.matrix();
  std::vector<std::size_t> per_class = in.counts();
  Matrix coefficients = in.matrix();
  std::vector<double> intercepts = in.list();
  Kernel kernel = unpack_kernel(in);
  std::vector<std::string> labels = positions(per_class.size());
  if (static_cast<KernelClassifier::Arrangement>(arrangement) == one_vs_rest)
    return KernelClassifier::one_vs_rest(std::move(points), std::move(coefficients),
                                         std::move(intercepts), std::move(kernel),
                                         std::move(labels));
  const KernelClassifier machines(std::move(points), std::move(per_class), std::move(coefficients),
                                  std::move(intercepts), std::move(kernel), std::move(labels));
  const bool by_votes = static_cast<KernelClassifier::Arrangement>(arrangement) == one_vs_one;
  return by_votes ? machines : machines.with_broken_ties();
}

NeighborModel unpack_neighbors(Unpacker& in) {
  Matrix points = in.matrix();
  std::vector<std::size_t> classes = in.counts();
  const std::size_t labels = in.count(), k = in.count();
  if (labels > classes.size()) Unpacker::refuse();
  return NeighborModel(std::move(points), std::move(classes), positions(labels), k,
                       unpack_vote(in));
}

NeighborRegressor unpack_neighbor_regressor(Unpacker& in) {
  Matrix points = in.matrix();
  std::vector<double> targets = in.list();
  const std::size_t k = in.count();
  return NeighborRegressor(std::move(points), std::move(targets), k, unpack_vote(in));
}

OutlierDetector unpack_detector(Unpacker& in) {
  Matrix points = in.matrix();
  const std::size_t k = in.count(), score = in.count();
  if (score > static_cast<std::size_t>(OutlierDetector::Score::local_outlier_factor))
    Unpacker::refuse();
  const double threshold = in.number();
  return OutlierDetector(std::move(points), k, static_cast<OutlierDetector::Score>(score),
                         threshold, unpack_distance(in));
}

Predictor unpack_predictor(Unpacker& in) {
  switch (in.count()) {
    case kPlaceOf<KernelClassifier>:
      return unpack_classifier(in);
    case kPlaceOf<KernelRegressor>:
      return KernelRegressor{unpack_machine(in), std::nullopt};
    case kPlaceOf<OneClassMachine>:
      return OneClassMachine{unpack_machine(in)};
    case kPlaceOf<NeighborModel>:
      return unpack_neighbors(in);
    case kPlaceOf<CentroidModel>: {
      Matrix points = in.matrix();
      std::vector<std::string> labels = positions(points.rows());
      return CentroidModel(std::move(points), std::move(labels), unpack_distance(in));
    }
    case kPlaceOf<NeighborRegressor>:
      return unpack_neighbor_regressor(in);
    case kPlaceOf<OutlierDetector>:
      return unpack_detector(in);
    default:
      Unpacker::refuse();
  }
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

/// A seed may have more digits than a double.
void pack_seed(Packer& out, std::uint64_t seed) {
  out.count(seed >> 32u);
  out.count(seed & 0xffffffffu);
}

std::uint64_t unpack_seed(Unpacker& in) {
  const std::uint64_t high = in.count(), low = in.count();
  if (high > 0xffffffffu || low > 0xffffffffu) Unpacker::refuse();
  return high << 32u | low;
}

/// What a rule alone has.
void pack_own(Packer&, const EtaRule&, const ExplainSettings&) {}
void pack_own(Packer& out, const PathRule& rule, const ExplainSettings&) {
  out.count(rule.steps);
  out.number(rule.neighborhood);
}
void pack_own(Packer& out, const ExpectedPathRule& rule, const ExplainSettings& settings) {
  out.count(rule.references);
  out.count(static_cast<std::size_t>(settings.side.value()));
  pack_seed(out, rule.seed);
  out.number(rule.neighborhood);
}
void pack_own(Packer& out, const NeighborhoodRule& rule, const ExplainSettings&) {
  pack_seed(out, rule.seed);
}
void pack_own(Packer& out, const ExactShapley& shapley, const ExplainSettings&) {
  out.count(shapley.references.value());
  pack_seed(out, shapley.seed);
  out.number(shapley.neighborhood);
}

void pack_own(Packer& out, const IntegratedGradients& path, const ExplainSettings&) {
  out.count(path.steps);
}

/// More would be no page's work.
std::size_t unpack_steps(Unpacker& in) {
  constexpr std::size_t kMost = 100'000;
  const std::size_t steps = in.count();
  if (steps > kMost) Unpacker::refuse();
  return steps;
}

void unpack_own(Unpacker&, EtaRule&) {}
void unpack_own(Unpacker& in, PathRule& rule) {
  rule.steps = unpack_steps(in);
  rule.neighborhood = in.number();
}
void unpack_own(Unpacker& in, ExpectedPathRule& rule) {
  rule.references = unpack_steps(in);
  const std::size_t side = in.count();
  if (side > static_cast<std::size_t>(ReferenceSide::both)) Unpacker::refuse();
  rule.side = static_cast<ReferenceSide>(side);
  rule.seed = unpack_seed(in);
  rule.neighborhood = in.number();
}
void unpack_own(Unpacker& in, NeighborhoodRule& rule) { rule.seed = unpack_seed(in); }
void unpack_own(Unpacker& in, ExactShapley& shapley) {
  shapley.references = unpack_steps(in);
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

/// The kind by its place in Rule.
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
  options.threads = 1;
  return options;
}

}  // namespace

bool is_explained_on_f(const Model& model) {
  return model.kernel() != nullptr && !model.kernel()->is_of_distance();
}

Rule rule_of(const Method& method, const Model& model) {
  return std::visit(
      [&]<class M>(const M& own) -> Rule {
        if constexpr (std::is_same_v<M, ExactShapley>) {
          if (own.references) return own;
        } else if constexpr (std::is_same_v<M, IntegratedGradients>) {
          if (is_explained_on_f(model) && own.output == ExplainedOutput::f) return own;
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
  std::visit([&](const auto& predictor) { pack_predictor(out, predictor); }, model.predictor());
  pack_map(out, model.input());
  // Not used once eta is known, but without it an explainer would measure it.
  const bool has_distance = settings.median_distance.value_or(0.0) > 0.0;
  out.optional(has_distance ? settings.median_distance : std::nullopt);
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
  Method method = unpack_rule(in);
  ExplainOptions options = unpack_options(in, model);
  if (!in.is_at_end()) Unpacker::refuse();
  return {std::move(model), std::move(method), std::move(options)};
}

}  // namespace bisector::report
