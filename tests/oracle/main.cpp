// bisector-oracle MODELS [RESULT.md]: MODELS models of every family against the oracle.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "bisector/version.h"
#include "oracle/compare.h"
#include "oracle/neighbors.h"

namespace bisector::oracle {
namespace {

constexpr auto kGood =
    "No decided row has a wrong sign, and no relevance exceeds its error bound. All\nneighbors, "
    "votes and classes are right.";
constexpr auto kBad =
    "**No**: a row has a wrong sign, a relevance exceeds its error bound, or a neighbor is wrong.";

constexpr auto kHead = R"(# Are the numbers right in difficult cases?

**Answer.** {}

"Exact" means computed in 2048-bit arithmetic (MPFR) from the definitions. The models and rows are
built to provoke rounding errors. Made by `make oracle` (bisector {}, {} models of every
family, seeds from 0).

## The sign of g

g must have the sign of f. Columns of the table:

- **decided**: rows for which f has the same sign for any rounding of its terms, that is, |f|
  exceeds its rounding bound.
- **wrong**: decided rows for which g has another sign than the exact f. None is allowed.
- **within the bound**: other rows with another sign. Here the sign depends on rounding.
- **plain sum**: decided rows for which f, summed in double precision as written, has another sign
  or is 0. This is the mistake that the log domain avoids.

The rounding bound lets the exponent log|c| − γ|x−u|² of each term change by at most
δ = (D+8)(τ + 2⁻⁵³(|log|c|| + γs)). τ is the tolerance of the fast pass: 1e-12, and 1e-5 in single
precision. s is |x−u|² with the error of centering (`tests/oracle/exact_row.h`).

## The relevance

The error of a row is the largest error of its features, relative to its largest relevance.

- **determined**: rows whose relevance changes by less than 1e-6 (1e-2 in single precision) under
  the rounding bound.
- **largest error**: over the determined rows.
- **error / bound**: over all rows. The bound lets every exponent change by δ and allows 1e-9 (1e-4)
  of the row's largest relevance. Values above 1 are not allowed.

| family | precision | models | rows | decided | wrong | within the bound | plain sum | determined | largest error | error / bound |
|---|---|---|---|---|---|---|---|---|---|---|
)";

bool is_good(const Comparison& v) {
  return v.wrong == 0 && v.not_finite == 0 && v.largest_share <= 1.0;
}

std::string line(const std::string& family, const char* precision, const Comparison& v) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.1e} | {:.1e} |{}\n", family,
                     precision, v.models, v.rows, v.decided, v.wrong, v.unlucky, v.plain_wrong,
                     v.determined, v.largest_error, v.largest_share,
                     v.not_finite > 0 ? fmt::format(" {} not finite", v.not_finite) : "");
}

constexpr auto kNeighborHead = R"(
## Nearest neighbors

f is the difference of the votes, for two classes and odd k.

- **decided**: rows for which the deciding distances keep their order for any rounding of their
  squares, by (D+8) 2⁻⁵³ of each.
- **wrong**: decided rows with another sign of g, other votes or another class.
- **differing**: rows for which single and double precision differ in any bit. None is allowed,
  because single precision only proposes candidates.

| family | models | rows | decided | wrong | within the bound | differing |
|---|---|---|---|---|---|---|
)";

bool is_good(const NeighborComparison& v) { return v.wrong == 0 && v.differing == 0; }

std::string line(const std::string& family, const NeighborComparison& v) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", family, v.models, v.rows, v.decided,
                     v.wrong, v.unlucky, v.differing);
}

int main(std::size_t models, const char* result) {
  std::string lines;
  bool all_good = true;
  for (const Family& family : families()) {
    const Comparisons comparisons = compare(family, models, 0);
    for (const std::size_t a : {0, 1}) {
      const std::string found = line(family.name, a == 0 ? "double" : "single", comparisons[a]);
      std::cout << found << std::flush;
      lines += found;
      all_good = all_good && is_good(comparisons[a]);
    }
  }
  std::string neighbors = kNeighborHead;
  for (const NeighborFamily& family : neighbor_families()) {
    const NeighborComparison comparison = compare(family, models, 0);
    neighbors += line(family.name, comparison);
    all_good = all_good && is_good(comparison);
  }
  std::cout << neighbors;
  if (result != nullptr)
    std::ofstream(result) << fmt::format(kHead, all_good ? kGood : kBad, kVersion, models) << lines
                          << neighbors;
  return all_good ? 0 : 1;
}

}  // namespace
}  // namespace bisector::oracle

int main(int argc, char** argv) {
  const int models = argc > 1 ? std::atoi(argv[1]) : 0;
  if (argc > 3 || models < 1) {
    std::cerr << "usage: bisector-oracle MODELS [RESULT.md]\n";
    return 2;
  }
  return bisector::oracle::main(static_cast<std::size_t>(models), argc == 3 ? argv[2] : nullptr);
}
