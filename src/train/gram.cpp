#include "train/gram.h"

#include <cmath>

#include "core/linalg/dot_pass.h"
#include "core/linalg/pairwise.h"
#include "core/util/parallel.h"

namespace bisector::detail {

Matrix kernel_arguments(MatrixView<const double> rows, const Kernel& kernel, unsigned threads) {
  if (!kernel.is_of_distance()) return linalg::dot_products(rows, threads);
  return linalg::distance_sums(rows, kernel.distance(), threads);
}

void kernel_values(std::span<const double> arguments, const Kernel& kernel,
                   std::span<double> values) {
  const KernelTerm& term = kernel.terms()[0];
  // The Gaussian, and what else is an exponential of the sum.
  if (kernel.terms().size() == 1 && term.form == KernelForm::exponential)
    return linalg::gaussian_kernel(arguments, term.gamma, values);
  for (std::size_t n = 0; n < values.size(); ++n)
    values[n] = kernel.is_of_distance() ? std::exp(kernel.log_value(arguments[n]))
                                        : linalg::dot_kernel(term, arguments[n]);
}

Matrix gram_matrix(Matrix arguments, const Kernel& kernel, unsigned threads) {
  util::parallel_for(arguments.rows(), threads, [&] {
    return [&](std::size_t row) { kernel_values(arguments.row(row), kernel, arguments.row(row)); };
  });
  return arguments;
}

}  // namespace bisector::detail
