// Values as lists of numbers: an archive that writes them, and one that reads them.
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "bisector/model.h"
#include "core/models/model_fields.h"

namespace bisector::report {

template <class T, class Plain>
concept Like = std::same_as<std::remove_const_t<T>, Plain>;

/// The members of plain structs, to be written or read by an archive: a Packer or an Unpacker.
template <class Archive, Like<KernelTerm> T>
void visit_members(Archive& archive, T& term) {
  archive.all(term.form, term.gamma, term.shape, term.weight, term.offset);
}
template <class Archive, Like<NeighborVote> T>
void visit_members(Archive& archive, T& vote) {
  archive.all(vote.weights, vote.radius, vote.point_weights, vote.distance, vote.decay.offset,
              vote.decay.power, vote.decay.rate, vote.rank_weights, vote.outlier_class);
}
template <class Archive, Like<UnitScale> T>
void visit_members(Archive& archive, T& own) {
  archive.all(own.positive, own.negative, own.mean, own.scale, own.limit);
}

/// Writes values as numbers. Labels are packed as their number.
class Packer {
 public:
  void operator()(double value) { numbers_.push_back(value); }
  void operator()(std::size_t value) { (*this)(static_cast<double>(value)); }
  void operator()(bool value) { (*this)(value ? 1.0 : 0.0); }
  template <class T>
  void operator()(const T& value) {
    if constexpr (std::is_enum_v<T>)
      (*this)(static_cast<std::size_t>(value));
    else
      visit_members(*this, value);
  }
  template <class T>
  void operator()(const std::optional<T>& value) {
    all(value.has_value(), value.value_or(T()));
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(values.size());
    for (const T& value : values) (*this)(value);
  }
  void operator()(const std::vector<std::string>& labels) { (*this)(labels.size()); }
  void operator()(const Matrix& values) {
    all(values.rows(), values.cols());
    numbers_.insert(numbers_.end(), values.values().begin(), values.values().end());
  }
  void operator()(const SharedMatrix& values) { (*this)(*values); }
  void operator()(const Distance& value) {
    all(value.is_cosine(), value.power(), value.categories());
  }
  void operator()(const Kernel& value) { all(value.terms(), value.distance()); }
  void operator()(const AffineMap& map) {
    all(map.shift(), map.scale(), map.matrix(), map.offset());
  }

  template <class... T>
  void all(const T&... values) {
    ((*this)(values), ...);
  }
  std::vector<double> take() { return std::move(numbers_); }

 private:
  std::vector<double> numbers_;
};

/// Reads what Packer wrote. Labels become their positions.
class Unpacker {
 public:
  explicit Unpacker(std::span<const double> numbers) : rest_(numbers) {}

  void operator()(double& value) { value = take(1)[0]; }
  void operator()(std::size_t& value) {
    const double number = read<double>();
    if (!(number >= 0.0 && number <= 1e15)) refuse();
    value = static_cast<std::size_t>(number);
  }
  void operator()(bool& value) { value = read_below(2) == 1; }
  template <class T>
  void operator()(T& value) {
    if constexpr (std::is_enum_v<T>)
      value = static_cast<T>(read_below(enum_values<T>().size()));
    else
      visit_members(*this, value);
  }
  template <class T>
  void operator()(std::optional<T>& value) {
    const bool is_there = read<bool>();
    value = read<T>();
    if (!is_there) value.reset();
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    values.resize(limited(read<std::size_t>()));
    for (T& value : values) (*this)(value);
  }
  void operator()(std::vector<std::string>& labels) {
    constexpr std::size_t kMost = 1'000'000;  // a bound of the memory that damaged numbers take
    const std::size_t count = read_below(kMost + 1);
    for (std::size_t n = 0; n < count; ++n) labels.push_back(std::to_string(n));
  }
  void operator()(Matrix& value) {
    const auto rows = read<std::size_t>(), cols = read<std::size_t>();
    if (cols == 0 ? rows > 0 : rows > rest_.size() / cols) refuse();
    const auto part = take(rows * cols);
    value = Matrix(rows, cols, {part.begin(), part.end()});
  }
  void operator()(SharedMatrix& value) { value = read<Matrix>(); }
  void operator()(Distance& value) {
    const bool is_cosine = read<bool>();
    const double power = read<double>();
    auto categories = read<std::vector<double>>();
    value = is_cosine ? Distance::cosine() : Distance(power, std::move(categories));
  }
  void operator()(Kernel& value) {
    auto terms = read<std::vector<KernelTerm>>();
    if (terms.empty()) refuse();
    value = Kernel(std::move(terms), read<Distance>());
  }
  void operator()(AffineMap& map) {
    auto shift = read<std::vector<double>>(), scale = read<std::vector<double>>();
    auto matrix = read<Matrix>();
    auto offset = read<std::vector<double>>();
    if (matrix.rows() > 0)
      map = AffineMap(std::move(shift), std::move(scale), std::move(matrix), std::move(offset));
    else if (!shift.empty())
      map = AffineMap(std::move(shift), std::move(scale));
  }

  template <class... T>
  void all(T&... values) {
    ((*this)(values), ...);
  }
  template <class T>
  T read() {
    T value{};
    (*this)(value);
    return value;
  }
  std::size_t read_below(std::size_t limit) {
    const auto value = read<std::size_t>();
    if (value >= limit) refuse();
    return value;
  }
  bool is_at_end() const { return rest_.empty(); }

  [[noreturn]] static void refuse() {
    throw InvalidModel("the packed model is damaged, expected what pack() made");
  }

 private:
  std::size_t limited(std::size_t count) const {
    if (count > rest_.size()) refuse();
    return count;
  }
  std::span<const double> take(std::size_t count) {
    const auto part = rest_.first(limited(count));
    rest_ = rest_.subspan(count);
    return part;
  }

  std::span<const double> rest_;
};

}  // namespace bisector::report
