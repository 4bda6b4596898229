#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "bisector/error.h"
#include "bisector/io/model_file.h"
#include "io/common/limits.h"
#include "io/libsvm/libsvm_header.h"
#include "io/text/cells.h"
#include "io/text/text_input.h"
#include "io/text/text_lines.h"

namespace bisector {

using namespace io;

namespace {

/// Support vectors in the order of the file. Memory grows with the lines that exist, whatever
/// number the head claims.
struct SparsePoints {
  struct Entry {
    std::uint32_t index;  // from one
    double value;
  };

  std::vector<double> coefficients;  // rows x coefficients per row
  std::vector<Entry> entries;        // row after row
  std::vector<std::size_t> ends;     // end of each row's entries
  std::size_t features = 0;          // the largest index

  std::size_t rows() const { return ends.size(); }
};

void read_coefficients(const TextLines& lines, std::size_t count, std::string_view& rest,
                       SparsePoints& points) {
  for (std::size_t n = 0; n < count; ++n) {
    const std::string_view word = take_word(rest);
    const bool is_missing = word.empty() || word.find(':') != std::string_view::npos;
    if (is_missing)
      lines.fail(fmt::format("{} coefficient{} before the features, expected {}", n,
                             n == 1 ? "" : "s", count));
    const auto value = parse_finite(word);
    if (!value)
      lines.fail(fmt::format("coefficient {} is {}, expected a finite number", n + 1, shown(word)));
    points.coefficients.push_back(*value);
  }
}

SparsePoints::Entry parse_entry(const TextLines& lines, std::string_view word,
                                const Limits& limits) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos)
    lines.fail(fmt::format("{} is among the features, expected index:value", shown(word)));
  const std::string_view index_word = word.substr(0, colon), value_word = word.substr(colon + 1);
  const auto index = parse_integer<std::uint32_t>(index_word);
  if (!index || *index < 1 || *index > limits.max_features)
    lines.fail(
        fmt::format("feature index {}, expected a whole number from 1 to {} (limit features)",
                    shown(index_word), limits.max_features));
  const auto value = parse_finite(value_word);
  if (!value)
    lines.fail(
        fmt::format("feature {} is {}, expected a finite number", *index, shown(value_word)));
  return {*index, *value};
}

void read_entries(const TextLines& lines, std::string_view rest, const Limits& limits,
                  SparsePoints& points) {
  std::uint32_t last = 0;
  for (auto word = take_word(rest); !word.empty(); word = take_word(rest)) {
    const auto entry = parse_entry(lines, word, limits);
    if (entry.index <= last)
      lines.fail(fmt::format("feature index {} follows {}, expected ascending indices", entry.index,
                             last));
    last = entry.index;
    points.entries.push_back(entry);
  }
  points.features = std::max<std::size_t>(points.features, last);
  points.ends.push_back(points.entries.size());
}

SparsePoints read_points(TextLines& lines, const LibsvmHeader& header, const Limits& limits) {
  SparsePoints points;
  while (lines.next()) {
    std::string_view rest = lines.text();
    if (std::string_view ahead = rest; take_word(ahead).empty()) continue;
    if (points.rows() == header.total_sv)
      lines.fail(fmt::format("total_sv is {} but more lines follow, expected the end of the file",
                             header.total_sv));
    read_coefficients(lines, header.classes - 1, rest, points);
    read_entries(lines, rest, limits, points);
  }
  if (points.rows() < header.total_sv)
    lines.fail_at(header.sv_line,
                  fmt::format("total_sv is {} but {} support vector{}", header.total_sv,
                              points.rows(), points.rows() == 1 ? " follows" : "s follow"));
  return points;
}

Matrix dense_points(const TextLines& lines, const LibsvmHeader& header, const SparsePoints& points,
                    const Limits& limits) {
  // The format omits zeros, so a few lines could request any amount of memory.
  if (!limits.allow_table(lines.bytes(), points.rows(), points.features))
    lines.fail_at(header.sv_line,
                  fmt::format("{} support vectors of {} features from {} bytes of text, expected "
                              "fewer (limits elements, expansion)",
                              points.rows(), points.features, lines.bytes()));
  Matrix dense(points.rows(), points.features);
  std::size_t first = 0;
  for (std::size_t row = 0; row < points.rows(); ++row) {
    for (; first < points.ends[row]; ++first)
      dense(row, points.entries[first].index - 1) = points.entries[first].value;
  }
  return dense;
}

/// The file has a line for each support vector; the model a row for each other class.
Matrix coefficient_rows(const SparsePoints& points) {
  const std::size_t rows = points.coefficients.size() / points.rows();
  Matrix coefficients(rows, points.rows());
  for (std::size_t n = 0; n < points.rows(); ++n) {
    for (std::size_t row = 0; row < rows; ++row)
      coefficients(row, n) = points.coefficients[n * rows + row];
  }
  return coefficients;
}

Model build_model(LibsvmHeader header, Matrix dense, const SparsePoints& points) {
  std::vector<double> intercepts;
  // Subtracted from zero rather than negated, so that rho = 0 does not become -0.
  for (const double rho : header.rho) intercepts.push_back(0.0 - rho);
  if (header.kind == LibsvmHeader::Kind::classifier)
    return Model(KernelClassifier(std::move(dense), std::move(header.nr_sv),
                                  coefficient_rows(points), std::move(intercepts), header.kernel,
                                  std::move(header.labels)));
  KernelMachine machine(std::move(dense), points.coefficients, header.kernel, intercepts.front());
  if (header.kind == LibsvmHeader::Kind::one_class)
    return Model(OneClassMachine{std::move(machine)});
  return Model(KernelRegressor{std::move(machine), std::nullopt});
}

}  // namespace

Model read_libsvm_model(std::istream& in, std::string_view source, const Limits& limits) {
  TextLines lines(in, source);
  LibsvmHeader header = read_libsvm_header(lines);
  const SparsePoints points = read_points(lines, header, limits);
  Matrix dense = dense_points(lines, header, points, limits);
  try {
    return build_model(std::move(header), std::move(dense), points);
  } catch (const InvalidModel& error) {
    throw FormatError(source, 0, error.what());
  }
}

}  // namespace bisector
