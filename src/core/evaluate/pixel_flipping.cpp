#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "bisector/error.h"
#include "bisector/evaluate.h"
#include "core/contrast/batches.h"
#include "core/evaluate/imputation.h"
#include "core/linalg/vectors.h"
#include "core/models/checks.h"
#include "core/util/draws.h"
#include "core/util/parallel.h"

namespace bisector {

using namespace detail;

namespace {

// From the classes of imputed rows to curves and their areas.

/// The mean over the samples of +1 if the class is `original`, else -1.
double agreement(std::span<const std::size_t> classes, std::size_t original) {
  double sum = 0.0;
  for (const std::size_t c : classes) sum += c == original ? 1.0 : -1.0;
  return sum / static_cast<double>(classes.size());
}

/// The trapezoid area under the curve divided by its length.
double normalized_area(std::span<const double> x, std::span<const double> curve) {
  double area = 0.0;
  for (std::size_t m = 1; m < x.size(); ++m)
    area += (x[m] - x[m - 1]) * (curve[m] + curve[m - 1]) / 2.0;
  return area / (x.back() - x.front());
}

/// Over rows; the standard error of the mean is NaN for a single row.
struct MeanOfRows {
  double mean, standard_error;
};
MeanOfRows mean_of_rows(std::span<const double> values) {
  const double count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0.0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, values.size() > 1 ? std::sqrt(squares / (count - 1.0) / count)
                                  : std::numeric_limits<double>::quiet_NaN()};
}

/// Sets what follows from the curves: areas, their mean and its standard error, the mean curve.
void summarize(PixelFlippingResult& result) {
  result.aufc.resize(result.curves.rows());
  for (std::size_t r = 0; r < result.aufc.size(); ++r)
    result.aufc[r] = normalized_area(result.curve_x, result.curves.row(r));
  const MeanOfRows mean = mean_of_rows(result.aufc);
  result.mean = mean.mean;
  result.standard_error = mean.standard_error;
  result.mean_curve = linalg::row_mean(result.curves.view());
}

/// The default size of a batch in bytes.
constexpr std::size_t kBatchBytes = std::size_t{32} << 20;

/// All features, the most relevant first; the lower index first among equals.
std::vector<std::size_t> removal_order(std::span<const double> relevance) {
  std::vector<std::size_t> order(relevance.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return relevance[a] > relevance[b]; });
  return order;
}

/// One method's order of removal at one row. A curve is measured from its end, where everything is
/// removed, back to its start, because the distances over the kept features then only grow.
struct Path {
  std::vector<std::size_t> order;
  std::size_t removed;  // number of removed features, in the order of `order`
  KeptDistances kept;

  Path(std::span<const double> relevance, std::size_t points)
      : order(removal_order(relevance)), removed(order.size()), kept(points) {}

  /// Puts features back until `count` are removed.
  void back_to(std::size_t count, const DonorRows& background, std::span<const double> x) {
    while (removed > count) {
      --removed;
      kept.keep(background, order[removed], x[order[removed]]);
    }
  }
};

/// The paths of all methods through one row, which share its draws.
struct RowPaths {
  std::size_t row;
  std::vector<Path> paths;
};

/// The numbers of rows per group and of measurements of each row per batch.
struct BatchPlan {
  std::size_t rows, measurements;
};

class Flipping {
 public:
  Flipping(const DensityEstimate& density, MatrixView<const double> rows,
           std::span<const Matrix> relevance, const BatchClassifier& classify,
           const PixelFlippingOptions& options)
      : background_(density, options.imputer),
        samples_(background_.samples(options.samples)),
        rows_(rows),
        relevance_(relevance),
        classify_(classify),
        options_(options),
        chosen_(rows_to_evaluate(rows.rows(), options)),
        removals_(measured_removals(rows.cols())) {}

  std::vector<PixelFlippingResult> run() {
    originals_ = classified(gather_rows(rows_, chosen_).view());
    std::vector<PixelFlippingResult> results(relevance_.size(), empty_result());
    const BatchPlan plan = plan_batches();
    for (std::size_t first = 0; first < chosen_.size(); first += plan.rows)
      run_group(first, std::min(plan.rows, chosen_.size() - first), plan.measurements, results);
    for (PixelFlippingResult& result : results) summarize(result);
    return results;
  }

 private:
  /// Imputed rows of one measurement of one row.
  std::size_t per_measurement() const { return relevance_.size() * samples_; }

  std::vector<std::size_t> classified(MatrixView<const double> rows) const {
    std::vector<std::size_t> classes = classify_(rows);
    if (classes.size() != rows.rows())
      throw InvalidInput(
          fmt::format("the classifier gave {} classes, expected one for each of {} "
                      "rows",
                      classes.size(), rows.rows()));
    return classes;
  }

  PixelFlippingResult empty_result() const {
    PixelFlippingResult result;
    result.rows = chosen_;
    result.curve_x.assign(1, 0.0);
    result.curve_x.insert(result.curve_x.end(), removals_.begin(), removals_.end());
    result.curves = Matrix(chosen_.size(), result.curve_x.size(), 1.0);
    return result;
  }

  /// Whole rows if several fit into a batch, else as many rows as there are threads.
  BatchPlan plan_batches() const {
    const std::size_t threads = util::resolve_threads(options_.threads);
    const std::size_t wanted =
        options_.batch > 0 ? options_.batch : kBatchBytes / (rows_.cols() * sizeof(double));
    const std::size_t measurements = std::max<std::size_t>(wanted / per_measurement(), 1);
    const std::size_t whole_rows = measurements / removals_.size();
    if (whole_rows >= threads) return {whole_rows / threads * threads, removals_.size()};
    const std::size_t rows = std::min(threads, measurements);
    return {rows, std::min(measurements / rows, removals_.size())};
  }

  void run_group(std::size_t first, std::size_t count, std::size_t measurements,
                 std::vector<PixelFlippingResult>& results) {
    std::vector<RowPaths> group(count);
    util::parallel_for(count, options_.threads, [&] {
      return [&](std::size_t r) { group[r] = start(chosen_[first + r]); };
    });
    for (std::size_t end = removals_.size(); end > 0;) {
      const std::size_t begin = end - std::min(measurements, end);
      impute_rows(group, begin, end);
      record(classified(batch_.view().rows(0, count * (end - begin) * per_measurement())), first,
             count, begin, end, results);
      end = begin;
    }
  }

  RowPaths start(std::size_t row) const {
    RowPaths paths{row, {}};
    for (const Matrix& relevance : relevance_)
      paths.paths.emplace_back(relevance.row(row), background_.points().rows());
    return paths;
  }

  /// Fills the batch with the measurements begin ... end-1 of every row of the group: row by row,
  /// measurement by measurement, method by method.
  void impute_rows(std::vector<RowPaths>& group, std::size_t begin, std::size_t end) {
    const std::size_t per_row = (end - begin) * per_measurement();
    if (batch_.rows() < group.size() * per_row)
      batch_ = Matrix(group.size() * per_row, rows_.cols());
    util::parallel_for(group.size(), options_.threads, [&] {
      return [&, workspace = ImputationWorkspace()](std::size_t r) mutable {
        for (std::size_t m = end; m-- > begin;)
          impute_measurement(
              group[r], m, workspace,
              batch_.view().rows(r * per_row + (m - begin) * per_measurement(), per_measurement()));
      };
    });
  }

  void impute_measurement(RowPaths& paths, std::size_t measurement, ImputationWorkspace& workspace,
                          MatrixView<double> imputed) const {
    const auto x = rows_.row(paths.row);
    workspace.draws.fill(options_.seed, paths.row, measurement, samples_, x.size());
    for (std::size_t p = 0; p < paths.paths.size(); ++p) {
      Path& path = paths.paths[p];
      path.back_to(removals_[measurement], background_, x);
      impute(background_, x, std::span<const std::size_t>(path.order).first(path.removed),
             path.kept, workspace, imputed.rows(p * samples_, samples_));
    }
  }

  void record(std::span<const std::size_t> classes, std::size_t first, std::size_t count,
              std::size_t begin, std::size_t end, std::vector<PixelFlippingResult>& results) {
    std::size_t position = 0;
    for (std::size_t r = first; r < first + count; ++r) {
      for (std::size_t m = begin; m < end; ++m) {
        for (PixelFlippingResult& result : results) {
          // Column 0 is the start, before any removal.
          result.curves(r, m + 1) = agreement(classes.subspan(position, samples_), originals_[r]);
          position += samples_;
        }
      }
    }
    done_ += count * (end - begin);
    if (options_.progress) options_.progress(done_, chosen_.size() * removals_.size());
  }

  DonorRows background_;
  std::size_t samples_;  // imputed rows per measurement of a method
  MatrixView<const double> rows_;
  std::span<const Matrix> relevance_;
  const BatchClassifier& classify_;
  const PixelFlippingOptions& options_;
  std::vector<std::size_t> chosen_;     // rows
  std::vector<std::size_t> removals_;   // one per measurement
  std::vector<std::size_t> originals_;  // classes of the chosen rows
  Matrix batch_;
  std::size_t done_ = 0;
};

void require_fit(const DensityEstimate& density, MatrixView<const double> rows,
                 std::span<const Matrix> relevance, const PixelFlippingOptions& options) {
  require_some(rows.rows(), "rows to evaluate");
  if (rows.cols() != density.points().cols())
    throw InvalidInput(fmt::format("the rows have {} features, the background {}", rows.cols(),
                                   density.points().cols()));
  require_some(options.samples, "samples per measurement");
  require_some(options.rows, "rows to evaluate at most");
  require_numbers(rows, "the rows to evaluate");
  for (const Matrix& matrix : relevance) {
    if (matrix.rows() != rows.rows() || matrix.cols() != rows.cols())
      throw InvalidInput(fmt::format("the relevance is {} x {}, expected {} x {} as the rows are",
                                     matrix.rows(), matrix.cols(), rows.rows(), rows.cols()));
    require_numbers(matrix.view(), "the relevance", std::numeric_limits<double>::max());
  }
}

}  // namespace

std::vector<std::size_t> rows_to_evaluate(std::size_t rows, const PixelFlippingOptions& options) {
  return util::sample_rows(rows, options.rows, options.seed);
}

std::vector<PixelFlippingResult> pixel_flipping(const DensityEstimate& density,
                                                MatrixView<const double> rows,
                                                std::span<const Matrix> relevance,
                                                const BatchClassifier& classify,
                                                const PixelFlippingOptions& options) {
  require_fit(density, rows, relevance, options);
  if (relevance.empty()) return {};
  return Flipping(density, rows, relevance, classify, options).run();
}

std::vector<std::size_t> measured_removals(std::size_t features) {
  const std::size_t step = features <= 10 ? 1 : features <= 50 ? 2 : 5;
  std::vector<std::size_t> counts;
  for (std::size_t count = 1; count <= features; count += step) counts.push_back(count);
  return counts;
}

PairedDifference paired_difference(std::span<const double> aufc, std::span<const double> other) {
  if (aufc.size() != other.size() || aufc.empty())
    throw InvalidInput(fmt::format("{} and {} rows, expected the same rows, at least one",
                                   aufc.size(), other.size()));
  std::vector<double> differences(aufc.size());
  std::ranges::transform(aufc, other, differences.begin(), std::minus());
  const MeanOfRows mean = mean_of_rows(differences);
  return {mean.mean, mean.standard_error};
}

Comparison compare_to_best(std::span<const PixelFlippingResult> results) {
  Comparison comparison;
  const auto best = std::ranges::min_element(results, {}, &PixelFlippingResult::mean);
  comparison.best = static_cast<std::size_t>(best - results.begin());
  for (const PixelFlippingResult& result : results)
    comparison.to_best.push_back(paired_difference(result.aufc, best->aufc));
  return comparison;
}

}  // namespace bisector
