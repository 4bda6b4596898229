#include "report/truth.h"

#include <fmt/format.h>

#include <cmath>

#include "bisector/error.h"
#include "bisector/table_encoding.h"

namespace bisector::report {

TruthReader::TruthReader(const Model& model) {
  if (!model.is_regressor()) classes_.emplace(model);
}

std::optional<double> TruthReader::operator()(std::string_view cell) const {
  const std::string_view text = trimmed_cell(cell);
  if (is_missing(text)) return std::nullopt;
  if (classes_) return (*classes_)(text);
  const std::optional<double> number = parse_number(text);
  if (!number) throw InvalidInput(fmt::format("the target is \"{}\", expected a number", text));
  return number;
}

QualitySums::QualitySums(const Model& model) {
  const std::size_t classes = model.is_regressor() ? 0 : model.labels().size();
  sums_.confusion.assign(classes, std::vector<std::size_t>(classes, 0));
}

void QualitySums::add_class(std::size_t truth, std::size_t prediction) {
  ++sums_.rows;
  ++sums_.confusion[truth][prediction];
}

void QualitySums::add_number(double truth, double prediction) {
  ++sums_.rows;
  absolute_ += std::abs(prediction - truth);
  squared_ += (prediction - truth) * (prediction - truth);
  // Around the running mean, which keeps digits where the targets are far from zero.
  const double from_old = truth - mean_;
  mean_ += from_old / static_cast<double>(sums_.rows);
  spread_ += from_old * (truth - mean_);
}

std::optional<ReportQuality> QualitySums::quality() const {
  if (sums_.rows == 0) return std::nullopt;
  ReportQuality result = sums_;
  const auto rows = static_cast<double>(sums_.rows);
  result.mean_absolute_error = absolute_ / rows;
  result.root_mean_squared_error = std::sqrt(squared_ / rows);
  if (spread_ > 0.0) result.r_squared = 1.0 - squared_ / spread_;
  return result;
}

}  // namespace bisector::report
