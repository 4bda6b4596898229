// Pixel flipping measures how faithful explanations are: the features are removed in the order of
// their relevance, plausible values replace them, and the prediction is recorded. The result is the
// area under the flipping curve (AUFC). It is defined for any relevance and any classifier.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bisector/explain.h"
#include "bisector/export.h"
#include "bisector/matrix.h"
#include "bisector/method.h"
#include "bisector/method_table.h"
#include "bisector/model.h"
#include "bisector/predict.h"

namespace bisector {

/// A Gaussian kernel density of the data with one bandwidth sigma, from which missing features are
/// drawn given the others. sigma is a maximum of the leave-one-out likelihood of the points, by the
/// fixed point sigma^2 = (1 / (N D)) sum_n sum_{m != n} w_nm |x_n - x_m|^2, where w_n are the
/// softmax weights of the other points at the current sigma. Safe to share between threads.
class BISECTOR_EXPORT DensityEstimate {
 public:
  /// The fit stores all distances between at most this many rows.
  static constexpr std::size_t kMaxPoints = 5000;
  /// Duplicate rows favor sigma = 0, and if every row has a duplicate, the likelihood is unbounded.
  /// sigma stays above this fraction of the features' typical deviation, the root of mean squared
  /// distance / 2 D.
  static constexpr double kLowestBandwidth = 1e-3;

  /// `rows` NxD, at least two, in the model's space. Of more than kMaxPoints rows, kMaxPoints are
  /// drawn with a fixed seed and keep their order. If all rows are equal, sigma is
  /// kLowestBandwidth. Throws InvalidInput for an entry that is not finite.
  explicit DensityEstimate(MatrixView<const double> rows, unsigned threads = 0);

  const Matrix& points() const { return points_; }
  double bandwidth() const { return bandwidth_; }  // sigma
  double scale() const { return 1.0 / (2.0 * bandwidth_ * bandwidth_); }
  /// Mean over the points of the log of the leave-one-out density.
  double log_likelihood() const { return log_likelihood_; }
  std::size_t iterations() const { return iterations_; }
  /// True if the likelihood has its maximum at a smaller bandwidth.
  bool at_lowest_bandwidth() const { return at_lowest_; }

 private:
  Matrix points_;
  double bandwidth_ = 0.0, log_likelihood_ = 0.0;
  std::size_t iterations_ = 0;
  bool at_lowest_ = false;
};

/// The class of every row, in the space of the density. It is called with many rows, in the thread
/// that called pixel_flipping; a row's class must not depend on the other rows.
using BatchClassifier = std::function<std::vector<std::size_t>(MatrixView<const double>)>;

/// How removed features are imputed.
enum class Imputer {
  conditional,  // drawn from the density given the features that are kept
  marginal,     // taken together from one random point of the density
  mean          // the mean of the density's points: one imputed row per measurement
};
constexpr std::string_view name(Imputer value) {
  switch (value) {
    case Imputer::conditional:
      return "conditional";
    case Imputer::marginal:
      return "marginal";
    case Imputer::mean:
      return "mean";
  }
  return {};
}

/// Conditional; marginal for models with categories, for which noise and means are not defined.
BISECTOR_EXPORT Imputer default_imputer(const Model& model);

struct PixelFlippingOptions {
  std::size_t samples = 50;  // imputed rows per measurement
  std::size_t rows = 300;    // largest number of evaluated rows; more are sampled with the seed
  std::uint64_t seed = 0;
  Imputer imputer = Imputer::conditional;
  unsigned threads = 0;   // zero: all
  std::size_t batch = 0;  // imputed rows per call of the classifier; 0: about 32 MB
  /// Called by the calling thread after every batch; evaluate() reports 0 while it explains.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// The curves of one relevance matrix, lower is better.
struct PixelFlippingResult {
  std::vector<std::size_t> rows;  // which rows were evaluated, ascending
  std::vector<double> aufc;       // of each of them
  double mean = 0.0;              // of aufc
  double standard_error = 0.0;    // of the mean; NaN for a single row
  std::vector<double> curve_x;    // numbers of removed features, from 0
  Matrix curves;  // rows x curve_x: the mean of +1 (class as before) and -1 (flipped), from +1
  std::vector<double> mean_curve;  // over the rows
};

/// The numbers of removed features at which a curve is measured: after the first removal and then
/// after every further 1 (at most 10 features), 2 (at most 50) or 5. The last is the largest such
/// number; removing everything is measured only if it is one of these numbers.
BISECTOR_EXPORT std::vector<std::size_t> measured_removals(std::size_t features);

/// The rows, of `rows`, that pixel_flipping evaluates: all, or a sample of options.rows, ascending.
/// Only these need an explanation.
BISECTOR_EXPORT std::vector<std::size_t> rows_to_evaluate(std::size_t rows,
                                                          const PixelFlippingOptions& options);

/// Evaluates relevance matrices (each rows x D, positive = for the row's predicted class) for rows
/// QxD in the space of the density. Features are removed by relevance, largest first, the lower
/// index first among equals. The draws depend on the seed, the row and the measurement alone, so
/// that two methods that removed the same features see the same imputed rows. Threads and batches
/// do not change a result. Throws InvalidInput for shapes that disagree and entries that are not
/// finite.
BISECTOR_EXPORT std::vector<PixelFlippingResult> pixel_flipping(
    const DensityEstimate& density, MatrixView<const double> rows,
    std::span<const Matrix> relevance, const BatchClassifier& classify,
    const PixelFlippingOptions& options = {});

/// A mean difference of AUFC over the same rows.
struct PairedDifference {
  double mean = 0.0;
  double standard_error = 0.0;  // over the rows; NaN for a single one
};

/// The mean of `aufc` minus `other` over the rows. Throws InvalidInput unless both have the same
/// number of rows, at least one.
BISECTOR_EXPORT PairedDifference paired_difference(std::span<const double> aufc,
                                                   std::span<const double> other);

/// The results of several candidates compared with the one with the lowest mean AUFC.
struct Comparison {
  std::size_t best = 0;                   // the first among equals
  std::vector<PairedDifference> to_best;  // one per candidate; zero for the best
};
BISECTOR_EXPORT Comparison compare_to_best(std::span<const PixelFlippingResult> results);

/// The donor rows: rows of the background from which removed features are imputed. A rule that sees
/// these rows has an advantage, so by default it sees other rows.
enum class Donors {
  disjoint,  // the background is split: the rules see one half, imputation uses the other
  same       // imputation uses all rows; the rules see the rows of their own options
};
constexpr std::string_view name(Donors value) {
  switch (value) {
    case Donors::disjoint:
      return "disjoint";
    case Donors::same:
      return "same";
  }
  return {};
}

/// Rows of a background, by number, ascending.
struct DonorSplit {
  /// The smallest size of a half.
  static constexpr std::size_t kMinHalf = 50;

  Donors donors = Donors::disjoint;
  std::vector<std::size_t> rule, imputation;
};

/// Two halves of a seeded shuffle, the larger one for imputation, or all rows for both. If `wanted`
/// is empty, disjoint if each half has at least kMinHalf rows. Throws InvalidInput if disjoint was
/// wanted and they have fewer.
BISECTOR_EXPORT DonorSplit split_donors(std::size_t rows, std::optional<Donors> wanted,
                                        std::uint64_t seed);

/// A random order of the features.
struct RandomOrder {
  static constexpr std::string_view kName = "random";
  std::uint64_t seed = 0;
};

/// Relevance that the caller computed, with one row for each row to evaluate.
struct GivenRelevance {
  Matrix relevance;
  /// False: positive relevance supports the model's fixed class of P (regressors: above the level),
  /// if there is one, as explain() gives it.
  bool is_oriented_to_prediction = true;
};

/// What is evaluated, and the name of its result.
struct Candidate {
  std::string name;
  std::variant<Method, RandomOrder, GivenRelevance> what;
};

/// Methods by name, and "random". A parameter goes to the methods that have it; `seed` is that of
/// all draws. Throws InvalidInput, which lists the names, for another name, and for a parameter
/// that none of the methods has.
BISECTOR_EXPORT std::vector<Candidate> candidates_from_names(
    std::span<const std::string> names, const MethodParameters& parameters = {},
    std::uint64_t seed = 0);
/// The fast methods that are defined for the model, and a random order.
BISECTOR_EXPORT std::vector<Candidate> default_candidates(const Model& model,
                                                          const MethodParameters& parameters = {},
                                                          std::uint64_t seed = 0);

struct EvaluateOptions {
  PixelFlippingOptions flipping;
  /// Options of all methods. The classes of regressors are above and below its level. The unit is
  /// ignored: features are ordered by g. If the donor rows are disjoint, they are removed from its
  /// background; an empty background becomes the other half.
  ExplainOptions explain;
  Precision precision = Precision::float64;  // of the model's decisions
  std::optional<Donors> donors;              // as split_donors has it
};

struct Evaluation {
  std::vector<std::string> names;            // of the candidates
  std::vector<PixelFlippingResult> results;  // one per candidate
  Comparison comparison;
  Donors donors = Donors::disjoint;
  std::size_t rule_background = 0;  // background rows that the rules saw; 0: they took the model's
                                    // own points
  std::size_t background = 0;       // points of the density
  double bandwidth = 0.0;           // its sigma, in the model's space
  bool at_lowest_bandwidth = false;
};

/// Explains the rows of rows_to_evaluate (numbered from zero) by every candidate, orients the
/// relevance to the prediction and measures pixel flipping, with the same random draws for all
/// candidates. `rows` and `background` are in the model's input space. If the donors are disjoint,
/// rules draw their references from their half of the background instead of the model's points; the
/// model itself keeps all of its points. Features are removed in the model's space, or in the input
/// space if the preprocessing has a matrix; each input is then divided by its standard deviation
/// over the donor rows. Throws InvalidInput if a row's predicted class is neither of the two
/// classes that its relevance compares.
BISECTOR_EXPORT Evaluation evaluate(const Model& model, MatrixView<const double> rows,
                                    MatrixView<const double> background,
                                    std::span<const Candidate> candidates,
                                    const EvaluateOptions& options = {});

}  // namespace bisector
