// Models of every kind, with preprocessing, names and encodings, through every format and back.
#include "archives.h"
#include "recipe.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

// Calls of the recipe in one expression are in braces, because braces fix the order of evaluation.
class ModelCook {
 public:
  explicit ModelCook(Recipe& recipe)
      : recipe_(recipe), features_(1 + recipe.below(4)), points_(2 + recipe.below(5)) {}

  Model model() {
    Predictor predictor = any_predictor();
    AffineMap input = map();
    const std::size_t columns = input.inputs(features_);
    if (recipe_.below(4) == 3)
      return Model{std::move(predictor), std::move(input), {}, distance(), encoding(columns)};
    return Model{std::move(predictor), std::move(input), names(columns), distance()};
  }

 private:
  std::vector<double> numbers(std::size_t count) {
    std::vector<double> values;
    for (std::size_t n = 0; n < count; ++n) values.push_back(recipe_.number());
    return values;
  }
  Matrix matrix(std::size_t rows, std::size_t cols) {
    return Matrix(rows, cols, numbers(rows * cols));
  }
  std::string text() { return std::string(recipe_.text(6)); }
  std::vector<std::string> labels(std::size_t count) {
    std::vector<std::string> all;
    const bool are_numbers = recipe_.flag();
    for (std::size_t c = 0; c < count; ++c)
      all.push_back(are_numbers ? std::to_string(static_cast<int>(recipe_.byte()) - 100) : text());
    return all;
  }

  Distance feature_distance() {
    switch (recipe_.below(8)) {
      case 1:
        return Distance::manhattan();
      case 2:
        return Distance(std::abs(recipe_.number()));
      case 3:
        return Distance::cosine();
      case 4:
        return Distance(1.0, numbers(features_));
      default:
        return {};
    }
  }
  /// Mostly Gaussian, else any terms, of which the constructor refuses most sums.
  Kernel kernel() {
    if (recipe_.below(4) < 3) return Kernel(std::abs(recipe_.number()));
    std::vector<KernelTerm> terms(1 + recipe_.below(2));
    for (KernelTerm& term : terms) {
      term.form = static_cast<KernelForm>(recipe_.below(7));
      term.gamma = std::abs(recipe_.number());
      term.shape = static_cast<double>(recipe_.below(4)) + (recipe_.flag() ? 0.5 : 0.0);
      term.offset = recipe_.number();
      term.weight = 1.0 / static_cast<double>(terms.size());
    }
    return Kernel(std::move(terms), feature_distance());
  }
  NeighborVote vote(std::size_t points, std::size_t k) {
    NeighborVote vote;
    if (recipe_.below(3) < 2) return vote;
    vote.weights = static_cast<NeighborVote::Weights>(recipe_.below(4));
    if (vote.has_decay())
      vote.decay = {recipe_.flag() ? std::abs(recipe_.number()) : 0.0, std::abs(recipe_.number()),
                    std::abs(recipe_.number())};
    if (recipe_.below(4) == 3) vote.rank_weights = numbers(k);
    if (recipe_.flag()) vote.radius = std::abs(recipe_.number());
    if (recipe_.flag()) vote.point_weights = numbers(points);
    vote.distance = feature_distance();
    return vote;
  }

  KernelMachine machine() {
    return {matrix(points_, features_), numbers(points_), kernel(), recipe_.number()};
  }

  Predictor one_vs_rest() {
    Matrix points = matrix(points_, features_);
    Matrix coefficients = matrix(3, points_);
    return KernelClassifier::one_vs_rest(std::move(points), std::move(coefficients), numbers(3),
                                         kernel(), labels(3));
  }
  Predictor neighbor_regressor() {
    Matrix points = matrix(points_, features_);
    std::vector<double> targets = numbers(points_);
    const std::size_t k = 1 + recipe_.below(points_);
    return NeighborRegressor(std::move(points), std::move(targets), k, vote(points_, k));
  }
  Predictor detector() {
    Matrix points = matrix(points_, features_);
    const std::size_t k = 1 + recipe_.below(points_);
    const auto score = static_cast<OutlierDetector::Score>(recipe_.below(3));
    const double threshold = std::abs(recipe_.number());
    return OutlierDetector(std::move(points), k, score, threshold, feature_distance());
  }

  Predictor any_predictor() {
    const std::size_t classes = 2 + recipe_.below(2);
    switch (recipe_.below(8)) {
      case 0: {
        std::vector<std::size_t> counts(classes, 1);
        counts[0] = points_ + 1;
        Matrix points = matrix(points_ + classes, features_);
        const KernelClassifier machines{std::move(points),
                                        std::move(counts),
                                        matrix(classes - 1, points_ + classes),
                                        numbers(classes * (classes - 1) / 2),
                                        kernel(),
                                        labels(classes)};
        return classes > 2 && recipe_.flag() ? machines.with_broken_ties() : machines;
      }
      case 1: {
        const auto mean = recipe_.flag() ? std::optional(recipe_.number()) : std::nullopt;
        return KernelRegressor{machine(), mean};
      }
      case 2:
        return OneClassMachine{machine()};
      case 3: {
        std::vector<std::size_t> of(points_ + classes);
        for (std::size_t n = 0; n < of.size(); ++n) of[n] = n % classes;
        Matrix points = matrix(of.size(), features_);
        const std::size_t count = of.size();
        std::vector<std::string> names = labels(classes);
        const std::size_t k = 1 + recipe_.below(points_);
        return NeighborModel{std::move(points), std::move(of), std::move(names), k, vote(count, k)};
      }
      case 5:
        return one_vs_rest();
      case 6:
        return neighbor_regressor();
      case 7:
        return detector();
      default: {
        Matrix centroids = matrix(classes, features_);
        return CentroidModel(std::move(centroids), labels(classes));
      }
    }
  }

  AffineMap map() {
    const std::size_t kind = recipe_.below(4);
    if (kind < 2) return {};
    if (kind == 2) return AffineMap{numbers(features_), numbers(features_)};
    const std::size_t inputs = 1 + recipe_.below(3);
    Matrix mixing = matrix(features_, inputs);
    return AffineMap{numbers(inputs), numbers(inputs), std::move(mixing),
                     recipe_.flag() ? numbers(features_) : std::vector<double>{}};
  }

  std::optional<double> distance() {
    return recipe_.flag() ? std::optional(std::abs(recipe_.number())) : std::nullopt;
  }
  std::vector<std::string> names(std::size_t count) {
    std::vector<std::string> all;
    for (std::size_t n = 0; n < count && recipe_.below(3) > 0; ++n) all.push_back(text());
    return all;
  }

  TableEncoding encoding(std::size_t features) {
    std::vector<ColumnEncoding> columns;
    for (std::size_t made = 0; made < features;) {
      ColumnEncoding column{.name = text(),
                            .kind = static_cast<ColumnEncoding::Kind>(recipe_.below(4))};
      const std::size_t levels = 1 + recipe_.below(3);
      if (column.kind != ColumnEncoding::Kind::numeric) {
        for (std::size_t n = 0; n < levels; ++n) column.levels.push_back(text());
      }
      if (recipe_.flag()) column.fill = recipe_.number();
      made += column.kind == ColumnEncoding::Kind::one_hot ? levels : 1;
      columns.push_back(std::move(column));
    }
    return TableEncoding(std::move(columns));
  }

  Recipe& recipe_;
  std::size_t features_, points_;
};

}  // namespace

FUZZ_TARGET(model_round_trip, bytes) {
  Recipe recipe(bytes);
  const auto model = attempt([&] { return ModelCook(recipe).model(); });
  if (!model) return;
  check_bundle_round_trip(*model);
}

}  // namespace bisector::fuzz
