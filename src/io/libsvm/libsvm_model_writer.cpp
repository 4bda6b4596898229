#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "bisector/io/svm_probabilities.h"
#include "core/models/model_fields.h"
#include "io/common/limits.h"
#include "io/text/cells.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;
using namespace detail;

namespace {

/// A kernel model in the layout of the format. Coefficients are read through `coefficient_rows`, a
/// row for each other class.
struct LibsvmView {
  const char* svm_type;
  const Matrix& points;                                   // S x D
  std::vector<std::span<const double>> coefficient_rows;  // C-1 of S
  std::vector<double> intercepts;
  const Kernel& kernel;
  std::vector<std::string> labels;  // empty: not a classifier
  std::vector<std::size_t> points_per_class;
};

[[noreturn]] void refuse_libsvm(std::string_view reason) {
  throw InvalidInput(fmt::format("the LIBSVM format cannot hold {}", reason));
}

LibsvmView view_of(const KernelClassifier& model) {
  if (model.arrangement() != KernelClassifier::Arrangement::one_vs_one)
    refuse_libsvm(
        "one machine for each class or how ties of votes are broken, expected votes of pairs: "
        "write an .npz bundle instead");
  LibsvmView view{"c_svc",        model.points(),          {}, model.intercepts(), model.kernel(),
                  model.labels(), model.points_per_class()};
  for (std::size_t row = 0; row + 1 < model.classes(); ++row)
    view.coefficient_rows.push_back(model.coefficients().row(row));
  return view;
}

LibsvmView view_of(const KernelMachine& machine, const char* svm_type) {
  return {svm_type,
          machine.points(),
          {machine.coefficients()},
          {machine.intercept()},
          machine.kernel(),
          {},
          {}};
}

LibsvmView view_of(const KernelRegressor& model) { return view_of(model.machine, "epsilon_svr"); }
LibsvmView view_of(const OneClassMachine& model) { return view_of(model.machine, "one_class"); }
template <class M>
requires(!KernelKind<M>) LibsvmView view_of(const M&) {
  refuse_libsvm(fmt::format(
      "a model of kind {}, expected a kernel machine: write an .npz bundle instead", M::kKind));
}

LibsvmView view_of_model(const Model& model) {
  if (model.encoding())
    refuse_libsvm(
        "how a table becomes features, expected a model of plain numbers: write an .npz bundle "
        "instead");
  if (!model.input().is_identity())
    refuse_libsvm(
        "preprocessing, expected a model of plain features: write an .npz bundle instead");
  return std::visit([](const auto& predictor) { return view_of(predictor); }, model.predictor());
}

void require_fits(const LibsvmView& view) {
  if (view.points.cols() > Limits{}.max_features)
    refuse_libsvm(
        fmt::format("{} features, expected at most {}", view.points.cols(), Limits{}.max_features));
}

void require_integer_labels(const std::vector<std::string>& labels) {
  for (const auto& label : labels) {
    const auto number = parse_integer<std::int32_t>(label);
    if (!number || fmt::format("{}", *number) != label)
      refuse_libsvm(fmt::format("the label {}, expected whole numbers of 32 bits", shown(label)));
  }
}

/// The lines of the kernel.
std::string kernel_of(const Kernel& kernel) {
  const KernelTerm& term = kernel.terms()[0];
  if (kernel.is_gaussian()) return fmt::format("kernel_type rbf\ngamma {}\n", term.gamma);
  if (term.form == KernelForm::polynomial)
    return fmt::format("kernel_type polynomial\ndegree {}\ngamma {}\ncoef0 {}\n", term.shape,
                       term.gamma, term.offset);
  if (term.form == KernelForm::sigmoid)
    return fmt::format("kernel_type sigmoid\ngamma {}\ncoef0 {}\n", term.gamma, term.offset);
  refuse_libsvm("this kernel of a distance, expected a Gaussian one: write an .npz bundle instead");
}

std::string head_of(const LibsvmView& view, const std::optional<SvmProbabilities>& probabilities) {
  std::vector<double> rho;
  for (const double intercept : view.intercepts) rho.push_back(0.0 - intercept);
  const std::size_t classes = view.labels.empty() ? 2 : view.labels.size();
  std::string head =
      fmt::format("svm_type {}\n{}nr_class {}\ntotal_sv {}\nrho {}\n", view.svm_type,
                  kernel_of(view.kernel), classes, view.points.rows(), fmt::join(rho, " "));
  if (!view.labels.empty()) head += fmt::format("label {}\n", fmt::join(view.labels, " "));
  if (probabilities)
    head += fmt::format("probA {}\nprobB {}\n", fmt::join(probabilities->a(), " "),
                        fmt::join(probabilities->b(), " "));
  if (!view.labels.empty())
    head += fmt::format("nr_sv {}\n", fmt::join(view.points_per_class, " "));
  return head + "SV\n";
}

/// Zeros are omitted. `ends_with_zero`: the last feature is written even if it is 0, because
/// readers take the number of features from the largest index.
void append_point(const LibsvmView& view, std::size_t n, bool ends_with_zero,
                  fmt::memory_buffer& line) {
  const auto out = std::back_inserter(line);
  for (const auto row : view.coefficient_rows) fmt::format_to(out, "{} ", row[n]);
  const auto point = view.points.row(n);
  for (std::size_t d = 0; d < point.size(); ++d) {
    const bool is_last = d + 1 == point.size();
    if (point[d] != 0.0 || (is_last && ends_with_zero))
      fmt::format_to(out, "{}:{} ", d + 1, point[d]);
  }
  line.push_back('\n');
}

bool last_feature_is_zero(const Matrix& points) {
  for (std::size_t n = 0; n < points.rows(); ++n) {
    if (points(n, points.cols() - 1) != 0.0) return false;
  }
  return true;
}

}  // namespace

void write_libsvm_model(std::ostream& out, const Model& model) {
  write_libsvm_model(out, model, std::nullopt);
}

void write_libsvm_model(std::ostream& out, const Model& model,
                        const std::optional<SvmProbabilities>& probabilities) {
  const LibsvmView view = view_of_model(model);
  require_fits(view);
  require_integer_labels(view.labels);
  out << head_of(view, probabilities);
  const bool hides_features = last_feature_is_zero(view.points);
  fmt::memory_buffer line;
  for (std::size_t n = 0; n < view.points.rows(); ++n) {
    line.clear();
    append_point(view, n, hides_features && n == 0, line);
    out.write(line.data(), static_cast<std::streamsize>(line.size()));
  }
  if (!out) throw FileError("cannot write the LIBSVM model");
}

}  // namespace bisector
