// Default parameters: the paper's Table 1 and our studies.
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
/// eta of the expected path rule: kernel machines take the gradients on the paths alone, neighbors,
/// whose gradients are coarse, a fifth of E_1 (bisector-paper choice).
inline constexpr double kNeighborExpectedEta = 0.2;

/// kappa of neighbor models: (k - 1) / 2, rounded down.
std::size_t neighbor_kappa(std::size_t k);

/// True if the points' mean is too far from the origin for the origin to be a reference: for at
/// least half of the features it is more than one standard deviation away, and more than five
/// standard errors, so that a few points are no evidence.
bool is_off_center(const SharedMatrix& points);

/// A reference point in both spaces and its name. The point in the model's space is the image of
/// the other.
struct ResolvedReference {
  std::vector<double> model_space, input_space;
  std::string name;
};
ResolvedReference resolve_reference(const Model& model, const Reference& reference,
                                    const std::optional<Background>& background);

}  // namespace bisector::detail
