// What the paper's Table 1 and METHOD say when the user says nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "bisector/explain.h"
#include "bisector/matrix.h"
#include "bisector/model.h"

namespace bisector::detail {

/// eta of kernel machines: median{0, 0.4 log10(gamma s^2) + 0.4, 1} with s the median distance
/// between samples.
double kernel_eta(double gamma, double median_distance);
inline constexpr double kNeighborEta = 0.8;
/// eta of the path rule, from the study of generated problems (bisector-paper heuristics): it
/// wants less of E_1 than the eta rule, median{0, 0.4 log10(gamma s^2) + 0.1, 1}, and for
/// neighbors a third.
double kernel_path_eta(double gamma, double median_distance);
inline constexpr double kNeighborPathEta = 0.35;
/// eta of the expected path rule: kernel machines take the gradients of the ways alone, neighbors,
/// whose gradients are coarse, a fifth of E_1 (bisector-paper choice).
inline constexpr double kNeighborExpectedEta = 0.2;

/// kappa of neighbor models: (k - 1) / 2, rounded down.
std::size_t neighbor_kappa(std::size_t k);

/// True where the points' mean is so far from the origin that the origin cannot be meant as a
/// reference: for half of the features or more it is over one standard deviation away, and over
/// five standard errors, so that a handful of points proves nothing.
bool is_off_center(MatrixView<const double> points);

/// Points of the input space that the preprocessing takes to these: the exact ones for feature-wise
/// maps, those of least norm around the shift for matrices.
Matrix back_through(const AffineMap& input, const Matrix& points);

/// A reference point in both spaces, the one in the model's space being the image of the other, and
/// what to call it.
struct ResolvedReference {
  std::vector<double> model_space, input_space;
  std::string name;
};
ResolvedReference resolve_reference(const Model& model, const Reference& reference,
                                    const std::optional<Matrix>& background);

}  // namespace bisector::detail
