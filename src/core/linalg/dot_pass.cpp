#include "core/linalg/dot_pass.h"

#include <algorithm>
#include <vector>

#include "bisector/kernel_forms.h"

namespace bisector::linalg {
namespace {

/// Points and rows per tile, the first a multiple of the panel width.
constexpr std::size_t kDotTile = 264, kDotRows = 64;

double kernel_slope(const KernelTerm& term, double p) {
  return with_dot_form(term.form, [&](auto form) { return form.slope(term, p); });
}

}  // namespace

double dot_kernel(const KernelTerm& term, double product) {
  const double p = term.gamma * product + term.offset;
  return with_dot_form(term.form, [&](auto form) { return form.value(term, p); });
}

DotPass::DotPass(const SharedMatrix& points, const Kernel& kernel, Matrix coefficients)
    : points_(std::make_shared<const PointSet>(points, std::vector<double>(points->cols(), 0.0))),
      panels_(points_, Panels::kept),
      term_(kernel.terms()[0]),
      coefficients_(std::move(coefficients)) {}

template <class Use>
void DotPass::for_each_product(MatrixView<const double> rows, const Use& use) const {
  AlignedVector<double> products(kDotRows * kDotTile), buffer;
  for (std::size_t first_row = 0; first_row < rows.rows(); first_row += kDotRows) {
    const auto tile = rows.rows(first_row, std::min(kDotRows, rows.rows() - first_row));
    for (std::size_t first = 0; first < points_->size(); first += kDotTile) {
      const std::size_t count = std::min(kDotTile, points_->size() - first);
      simd::kernels<double>().multiply(tile.data(), tile.stride(), tile.rows(),
                                       panels_.tile(first, count, buffer), panels_.stride(),
                                       tile.cols(), round_up(count, PointPanels<double>::kWidth),
                                       products.data(), kDotTile, false);
      for (std::size_t r = 0; r < tile.rows(); ++r) {
        for (std::size_t n = 0; n < count; ++n)
          use(first_row + r, first + n, products[r * kDotTile + n]);
      }
    }
  }
}

void DotPass::sums(MatrixView<const double> rows, MatrixView<double> sums) const {
  for (std::size_t r = 0; r < sums.rows(); ++r) std::ranges::fill(sums.row(r), 0.0);
  for_each_product(rows, [&](std::size_t r, std::size_t n, double product) {
    const double value = dot_kernel(term_, product);
    for (std::size_t m = 0; m < coefficients_.cols(); ++m)
      sums(r, m) += coefficients_(n, m) * value;
  });
}

void DotPass::gradients(MatrixView<const double> rows, std::size_t machine,
                        MatrixView<double> gradients) const {
  for (std::size_t r = 0; r < rows.rows(); ++r) std::ranges::fill(gradients.row(r), 0.0);
  for_each_product(rows, [&](std::size_t r, std::size_t n, double product) {
    const double p = term_.gamma * product + term_.offset;
    const double weight = coefficients_(n, machine) * term_.gamma * kernel_slope(term_, p);
    const auto point = (*points_)[n];
    const auto gradient = gradients.row(r);
    for (std::size_t d = 0; d < point.size(); ++d) gradient[d] += weight * point[d];
  });
}

}  // namespace bisector::linalg
