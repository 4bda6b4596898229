// The vector kernels behind one plain table of functions, one table per instruction-set level and
// element type. Callers ask for the table once per block of work, not once per element.
//
// Packed operands. The right-hand side of a product is stored in panels of kPanelWidth columns:
// element (k, n) is at panel(n / width)[k * width + n % width], panels `panel_stride` elements
// apart, missing columns filled with zeros. One panel row is 192 bytes at every level, so a packed
// matrix serves all of them.
//
// Every kernel computes an element by the same operations in the same order at every place of a
// block, so a row's result depends neither on other rows nor on the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bisector/kernel.h"

namespace bisector::simd {

enum class Level { scalar, sse4, avx2, avx512, neon };

template <class T>
inline constexpr std::size_t kPanelWidth = 192 / sizeof(T);

/// An entry of a product that is at most a limit.
template <class T>
struct Hit {
  T value;
  std::uint32_t row, column;
};

/// Sums of the weights of a kernel and of its slope, relative to one shift.
template <class T>
struct KernelSums {
  T values, slopes;
};

/// The smallest squared distance, and the smallest margin before a distance loses its digits.
template <class T>
struct NearestSquare {
  T distance, margin;
};

template <class T>
struct Kernels {
  /// c (rows x columns) = a (rows x depth) b (depth x columns, packed), added to c if `accumulate`.
  /// Writes whole vectors: c has columns rounded up to the panel width.
  using Product = void (*)(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                           std::size_t panel_stride, std::size_t depth, std::size_t columns, T* c,
                           std::size_t c_stride, bool accumulate);
  Product multiply;
  /// The same shapes, but c(r, n) = sum_k (a(r, k) - b(k, n))^2.
  Product squared_distances;
  /// The same with |a(r, k) - b(k, n)|.
  Product absolute_distances;
  /// c(r, n) = the sum over k of |a(r, k) - b(k, n)| where categories[k] is 0, else of
  /// categories[k] where the two differ. `columns` is a multiple of the panel width.
  void (*category_distances)(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                             std::size_t panel_stride, std::size_t depth, std::size_t columns,
                             const T* categories, T* c, std::size_t c_stride);
  /// c(r, n) = the sum over k of |a(r, k) - b(k, n)|^power, of powers above 1: those that are
  /// products (see Distance::power_of) with the bits of a plain loop, others times 2^-shifts[r],
  /// where these are given, and within 2e-15 (1 + |log2|) of every power. In single precision
  /// others are for proposals alone: terms err by less than 1e-5 and the rounding of their
  /// logarithms, and are held between 2^-126 and 2^127. `columns` is a multiple of the panel width.
  void (*power_distances)(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                          std::size_t panel_stride, std::size_t depth, std::size_t columns,
                          double power, const T* shifts, T* c, std::size_t c_stride);
  /// Adds the terms of a power distance between a point and a row, for t = point[k] - row[k], k < n
  /// and powers above 1: half_gradients[k] += weight power / 2 |t|^(power - 1) sign(t) and, unless
  /// `parts` is null, parts[k] += weight |t|^power. Only in double precision.
  void (*add_power_parts)(const T* point, const T* row, std::size_t n, double power, T weight,
                          T* half_gradients, T* parts);
  /// c (rows x columns) = a (rows x depth) m, added to c if `accumulate`, where row k of m has the
  /// coordinates u = points[k] - center, `features` of them, and behind them, if `squares`, u^2:
  /// the bits of `multiply` with these packed, and no memory for them. Writes as `multiply` does.
  void (*multiply_moments)(const T* a, std::size_t a_stride, std::size_t rows,
                           const double* const* points, std::size_t depth, const double* center,
                           std::size_t features, bool squares, T* c, std::size_t c_stride,
                           bool accumulate);

  /// t[k] = scale t[k] + bias[k]; returns the largest. `n` is a multiple of the panel width.
  T (*scale_and_max)(T* t, const T* bias, T scale, std::size_t n);
  /// t[k] = a x[k] + b y[k] + bias[k]; returns the largest. `n` as above.
  T (*blend_and_max)(const T* x, T a, const T* y, T b, const T* bias, T* t, std::size_t n);
  /// t[k] = exp(t[k] - shift), returns the sum. Expects t[k] <= shift up to rounding; what is below
  /// the smallest normal number becomes 0; NaN stays NaN. `n` is a multiple of the panel width.
  T (*exp_and_sum)(T* t, T shift, std::size_t n);
  /// In the place of the products p[k] = x.u the squared distances s[k] = norm + norms[k] - 2 p[k],
  /// k < count; returns the smallest, and the smallest of s[k] - cancelled (norm + norms[k]).
  NearestSquare<T> (*squares_from_products)(T* p, const T* norms, T norm, T cancelled,
                                            std::size_t count);
  /// The weights exp(log_weights[k] - shift) phi(s[k]) of a kernel's term, but for the term's own
  /// weight, or those of |phi'(s)|, added to `out` (which may be s) if `accumulate`; returns the
  /// sums of both. Exponents below the smallest normal number's become 0. `n` is a multiple of the
  /// panel width.
  KernelSums<T> (*kernel_weights)(const KernelTerm& term, bool slopes, const T* s,
                                  const T* log_weights, T shift, T* out, bool accumulate,
                                  std::size_t n);
  /// first[k] += sum_n weights[n] sign(u_n - x)[k] and second[k] += sum_n weights[n] |u_n - x|[k],
  /// k < depth, for `columns` packed points u and weights of 0 or more. `columns` is a multiple of
  /// the panel width, and padding weighs 0.
  void (*add_absolute)(const T* weights, const T* panels, std::size_t panel_stride,
                       std::size_t columns, const T* x, std::size_t depth, T* first, T* second);
  /// The entries v(r, n) = bias[n] - 2 sum_k a(r, k) b(k, n) with v <= limits[r], columns ascending
  /// within a row: writes them to `hits` (of size rows x columns) and returns how many.
  /// `columns` is a multiple of the panel width. The entries themselves are not stored, but for
  /// parts of sums in `partial` (of size rows x columns), so that a long search touches little
  /// memory.
  std::size_t (*find_small)(const T* a, std::size_t a_stride, std::size_t rows, const T* b,
                            std::size_t panel_stride, std::size_t depth, std::size_t columns,
                            const T* bias, const T* limits, T* partial, Hit<T>* hits);

  /// The entries v[k] = a x[k] + b y[k] + bias[k] with v <= limit, ascending: writes them to `hits`
  /// (of size n) as of row 0, and returns how many. `n` is a multiple of the panel width.
  std::size_t (*find_small_blend)(const T* x, T a, const T* y, T b, const T* bias, T limit,
                                  std::size_t n, Hit<T>* hits);

  /// first[k] = sum of u - c and second[k] = sum of (u - c)^2 over `count` points u = points[.][k],
  /// in their order, with c = center[k], k < n: the same bits at every level.
  void (*sum_moments)(const T* const* points, std::size_t count, const T* center, std::size_t n,
                      T* first, T* second);

  /// |x - y|^2 of n numbers, with the bits of linalg::squared_distance at every level.
  T (*squared_distance)(const T* x, const T* y, std::size_t n);

  /// out[k] = exp(x[k]); `n` is a multiple of the panel width.
  void (*exponentials)(const T* x, std::size_t n, T* out);
  /// The largest sum_d |a(d, n) - b(d, n)| over a panel; both are depth x kPanelWidth.
  T (*largest_distance)(const T* a, const T* b, std::size_t depth);
  /// Adds to phi(d, n) = c_n (A - B)(d, n) sum_q w_q prod_{e != d} (t_q A + (1 - t_q) B)(e, n) for
  /// a panel of points. `a` and `b` are factors in [0, 1]; all matrices are depth x kPanelWidth.
  /// Needs a workspace of 7 x depth x kPanelWidth.
  void (*shapley_panel)(const T* a, const T* b, const T* c, std::size_t depth, const T* t,
                        const T* w, std::size_t nodes, T* workspace, T* phi);
  /// For a panel of points, from the logarithms of the factors A and B, depth x kPanelWidth:
  /// quotients(d, q, n) = (A - B) / (t_q A + (1 - t_q) B)(d, n), depth x nodes x kPanelWidth, and
  /// weights(q, n) = c_n w_q prod_d (t_q A + (1 - t_q) B)(d, n). Quotients are finite if A and B
  /// underflow. Needs a workspace of 2 x depth x kPanelWidth.
  void (*pair_quotients)(const T* a, const T* b, const T* c, std::size_t depth, const T* t,
                         const T* w, std::size_t nodes, T* workspace, T* quotients, T* weights);
  /// Adds to pairs(p - first, e) = sum_k weights[k] quotients(p, k) quotients(e, k), k < length,
  /// for e < p and p from `first` to before `last`, in lines of `last` numbers, and to values[p -
  /// first] the sums of weights[k] quotients(p, k). `weighted` is a workspace of (last - first) x
  /// length; `length` is a multiple of the panel width.
  void (*add_pairs)(const T* quotients, const T* weights, std::size_t length, std::size_t first,
                    std::size_t last, T* weighted, T* pairs, T* values);
};

/// The levels that were compiled in and that this machine can run, slowest first.
std::vector<Level> supported_levels();
std::string_view name(Level level);

/// The level in use: the fastest, unless the environment variable BISECTOR_ISA names another of the
/// supported ones (an unsupported or unknown name is an InvalidInput error) or force_level was
/// called.
Level active_level();
/// For tests and benchmarks. Throws InvalidInput if this machine cannot run `level`.
void force_level(Level level);

/// The table of the active level; T is float or double.
template <class T>
const Kernels<T>& kernels();

}  // namespace bisector::simd
