#include <fmt/format.h>

#include "bisector/baselines.h"
#include "bisector/error.h"
#include "core/baselines/baselines.h"
#include "core/contrast/pair_machine.h"
#include "core/linalg/shapley_pass.h"
#include "core/models/checks.h"
#include "core/models/rows.h"
#include "core/util/parallel.h"

namespace bisector {
namespace {

/// The machine without points whose coefficients are 0.
struct Terms {
  linalg::SharedPoints points;
  std::vector<double> coefficients;
};

Terms terms_of(const KernelMachine& machine) {
  std::vector<linalg::PointIndex> indices;
  std::vector<double> coefficients;
  for (std::size_t n = 0; n < machine.coefficients().size(); ++n) {
    if (machine.coefficients()[n] == 0.0) continue;
    indices.push_back(static_cast<linalg::PointIndex>(n));
    coefficients.push_back(machine.coefficients()[n]);
  }
  return {std::make_shared<const linalg::PointSet>(machine.shared_points(), std::move(indices),
                                                   std::vector<double>(machine.features(), 0.0)),
          std::move(coefficients)};
}

void require_rows_of(std::size_t features, MatrixView<const double> rows, const char* what) {
  if (rows.cols() != features)
    throw InvalidInput(
        fmt::format("the {} have {} features, the machine {}", what, rows.cols(), features));
  detail::require_numbers(rows, what);
}

}  // namespace

class ExactShapleyValues::Implementation {
 public:
  Implementation(const KernelMachine& machine, unsigned threads)
      : Implementation(terms_of(machine), machine, Matrix(0, machine.features()), threads) {}

  Implementation(const KernelMachine& machine, const Matrix& background, unsigned threads)
      : Implementation(terms_of(machine), machine, background, threads) {
    if (background.rows() == 0)
      throw InvalidInput("the background has no rows, expected at least one reference point");
  }

  Matrix run(MatrixView<const double> rows) const {
    require_rows_of(features_, rows, "rows");
    Matrix values(rows.rows(), features_);
    const std::size_t tile = pass_.row_tile(), tiles = (rows.rows() + tile - 1) / tile;
    util::parallel_for(tiles, threads_, [&] {
      return [&](std::size_t t) {
        const std::size_t first = t * tile, count = std::min(tile, rows.rows() - first);
        pass_.run(rows.rows(first, count), values.view().rows(first, count));
      };
    });
    return values;
  }

 private:
  Implementation(const Terms& terms, const KernelMachine& machine, const Matrix& background,
                 unsigned threads)
      : features_(machine.features()),
        threads_(threads),
        pass_(terms.points, terms.coefficients, machine.gamma(), background) {
    require_rows_of(features_, background.view(), "background rows");
  }

  std::size_t features_;
  unsigned threads_;
  linalg::ShapleyPass pass_;
};

ExactShapleyValues::ExactShapleyValues(const KernelMachine& machine, const Matrix& background,
                                       unsigned threads)
    : implementation_(std::make_unique<Implementation>(machine, background, threads)) {}
ExactShapleyValues::ExactShapleyValues(std::unique_ptr<const Implementation> implementation)
    : implementation_(std::move(implementation)) {}
ExactShapleyValues ExactShapleyValues::of_dropped_features(const KernelMachine& machine,
                                                           unsigned threads) {
  return ExactShapleyValues(std::make_unique<Implementation>(machine, threads));
}
ExactShapleyValues::ExactShapleyValues(ExactShapleyValues&&) noexcept = default;
ExactShapleyValues& ExactShapleyValues::operator=(ExactShapleyValues&&) noexcept = default;
ExactShapleyValues::~ExactShapleyValues() = default;

Matrix ExactShapleyValues::operator()(MatrixView<const double> rows) const {
  return implementation_->run(rows);
}

}  // namespace bisector

namespace bisector::detail {

/// Shapley values do not change if features are scaled, so they are computed in the model's space.
Baseline make_baseline(const ExactShapley&, const BaselineInput& in) {
  const Model& model = in.contrasts.model();
  in.contrasts.require_product_kernel(ExactShapley::kName);
  // Shared, because a std::function is copyable.
  const auto prepared = std::make_shared<PairCache<ExactShapleyValues>>();
  return [=, &model](const PairRows& of) {
    const auto mapped = [&](MatrixView<const double> rows) {
      return preprocessed(model.input(), rows, model.model_features());
    };
    const ExactShapleyValues& shapley = prepared->get(of.pair, [&](Model::ClassPair pair) {
      return std::make_unique<const ExactShapleyValues>(
          pair_machine(model, pair, in.contrasts.level()), mapped(in.references).copy(),
          in.contrasts.threads());
    });
    return shapley(mapped(of.rows).view());
  };
}

}  // namespace bisector::detail
