// Vector code for 8-bit codes of points and rows: integer inner products, and the lower bounds of
// squared distances that follow from them. One table per instruction set, as in kernels.h.
//
// Codes of points are stored in panels of kCodePanel columns. The code of feature d of column n is
// at panel(n / kCodePanel)[(d / 4) * 4 * kCodePanel + (n % kCodePanel) * 4 + d % 4], so that four
// features of one point are the bytes of one 32-bit lane. Features are padded to a multiple of
// four. A code q from -127 to 127 is stored as the unsigned byte q + 128, because the processors'
// instructions multiply unsigned by signed bytes; CodeRow::start takes the 128 out again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/simd/kernels.h"

namespace bisector::simd {

/// Columns of a panel of codes: as many as a panel of floats has.
inline constexpr std::size_t kCodePanel = kPanelWidth<float>;

/// A row x, coded as x^ = scale * codes.
struct CodeRow {
  const std::int8_t* codes;  // a multiple of four
  std::int32_t start;        // -128 times the sum of the codes
  float twice_scale;
  /// The factors of a point's residual and norm in the bound of 2 |x.u - x^.u^|.
  float of_residual, of_norm;
};

/// Columns of coded points u, coded as u^ = scale * codes, from the first of a panel on.
struct CodeColumns {
  const std::uint8_t* panels;
  std::size_t quads;       // features / 4, rounded up
  const float* squares;    // |u|^2, rounded down
  const float* residuals;  // |u - u^|
  const float* norms;      // |u|
  const float* scales;
};

struct CodeKernels {
  std::string_view name;
  /// The largest code of a row. Instructions that saturate allow 6 bits and a sign only.
  int largest_row_code;
  /// True if the integer products are faster than products of floats.
  bool is_fast;

  /// out(r, n) = 2 x^.u^ for `columns` columns, a multiple of kCodePanel.
  void (*multiply)(const CodeRow* rows, std::size_t count, const CodeColumns& points,
                   std::size_t columns, float* out, std::size_t stride);
  /// The lower bounds |u|^2 - 2 x^.u^ - of_residual |u - u^| - of_norm |u| that are at most
  /// limits[r], columns ascending within a row: writes them to `hits` (large enough for all) and
  /// returns their number.
  std::size_t (*find_near)(const CodeRow* rows, std::size_t count, const CodeColumns& points,
                           std::size_t columns, const float* limits, Hit<float>* hits);
  /// The same for a point between two rows, whose products with the points are a x + b y and whose
  /// bound has the factors of `row`, which needs no codes: hits of row 0.
  std::size_t (*find_near_blend)(const CodeRow& row, const float* x, float a, const float* y,
                                 float b, const CodeColumns& points, std::size_t columns,
                                 float limit, Hit<float>* hits);
};

/// The tables that this machine can run, slowest first.
std::vector<const CodeKernels*> supported_code_kernels();
/// The fastest table of the active level.
const CodeKernels& code_kernels();

}  // namespace bisector::simd
