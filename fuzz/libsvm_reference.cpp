// Compares our reader of LIBSVM model files with LIBSVM's own on files that LIBSVM could have
// written. The target builds the files itself, because LIBSVM's reader does not check its input.
#include <fmt/format.h>
#include <libsvm/svm.h>

#include <array>
#include <cmath>
#include <memory>
#include <sstream>
#include <string>

#include "bisector/predict.h"
#include "memory_file.h"
#include "models.h"
#include "reference/libsvm_nodes.h"
#include "tame_models.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

struct FreeLibsvm {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};
using LibsvmModel = std::unique_ptr<svm_model, FreeLibsvm>;

/// A number in one of the formats that C programs write.
std::string written(Recipe& recipe, double value) {
  switch (recipe.below(4)) {
    case 0:
      return fmt::format("{:.17g}", value);
    case 1:
      return fmt::format("{:.8g}", value);
    case 2:
      return fmt::format("{:e}", value);
    default:
      return fmt::format("{}", value);
  }
}

std::string model_text(Recipe& recipe) {
  constexpr std::array<const char*, 5> kTypes{"c_svc", "nu_svc", "one_class", "epsilon_svr",
                                              "nu_svr"};
  const std::size_t type = recipe.below(kTypes.size());
  const bool is_classifier = type < 2;
  const std::size_t classes = is_classifier ? 2 + recipe.below(3) : 2;
  const std::size_t own = 1 + recipe.below(4), points = is_classifier ? own * classes : own;
  std::string text =
      fmt::format("svm_type {}\nkernel_type rbf\ngamma {}\nnr_class {}\ntotal_sv {}\nrho",
                  kTypes[type], written(recipe, 0.0625 * (1.0 + recipe.byte())), classes, points);
  for (std::size_t pair = 0; pair < classes * (classes - 1) / 2; ++pair)
    text += " " + written(recipe, eighths(recipe));
  if (is_classifier) {
    text += "\nlabel";
    for (std::size_t c = 0; c < classes; ++c)
      text += fmt::format(" {}", 7 * static_cast<int>(c) - 9);
    text += "\nnr_sv";
    for (std::size_t c = 0; c < classes; ++c) text += fmt::format(" {}", own);
  }
  text += "\nSV\n";
  for (std::size_t n = 0; n < points; ++n) {
    for (std::size_t row = 0; row + 1 < classes; ++row)
      text += written(recipe, eighths(recipe)) + " ";
    for (std::size_t index = 1 + recipe.below(3); index < 12; index += 1 + recipe.below(4))
      text += fmt::format("{}:{} ", index, written(recipe, eighths(recipe)));
    text += "\n";
  }
  return text;
}

/// A regressor's label is its value; a classifier's and one-class model's a whole number.
double label_of(const Model& model, const Predictions& ours, std::size_t r) {
  return model.is_regressor() ? ours.decisions(r, 0) : std::stod(model.labels()[ours.classes[r]]);
}

void compare(const Model& model, svm_model& theirs, const Matrix& rows) {
  constexpr double kRounding = 1e-9;
  const Predictions ours = predict(model, rows);
  std::vector<double> values(ours.decisions.cols());
  for (std::size_t r = 0; r < rows.rows(); ++r) {
    const auto nodes = reference::nodes_of(rows.row(r));
    const double label = svm_predict_values(&theirs, nodes.data(), values.data());
    double nearest = 1.0;
    for (std::size_t v = 0; v < values.size(); ++v) {
      require(std::abs(values[v] - ours.decisions(r, v)) <= kRounding * (1.0 + std::abs(values[v])),
              "decisions are LIBSVM's");
      nearest = std::min(nearest, std::abs(values[v]));
    }
    // Rounding decides the class if the decision value is nearly zero.
    if (!model.is_regressor() && nearest > kRounding)
      require(label_of(model, ours, r) == label, "the label is LIBSVM's");
  }
}

}  // namespace

FUZZ_TARGET(libsvm_reference, bytes) {
  Recipe recipe(bytes);
  const std::string text = model_text(recipe);
  std::istringstream in(text);
  const Model model = read_libsvm_model(in, "input");
  const MemoryFile file(text);
  const LibsvmModel theirs(svm_load_model(file.path().c_str()));
  require(theirs != nullptr, "LIBSVM reads what it could have written");
  if (model.features() > 0) compare(model, *theirs, tame_matrix(recipe, 3, model.features()));
}

}  // namespace bisector::fuzz
