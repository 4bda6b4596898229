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

constexpr auto kHead = R"(# The high-precision oracle

Made by `make oracle` (bisector {}, {} models of every family, seeds from 0). Models and rows that are
made to go wrong are explained in double and in single precision, and computed once more in 2048
bits (MPFR), from the definitions.

**Sign.** g must have the sign of f. Rounding moves the exponent log|c| - γ|x-u|² of a term by at
most δ = (D+8)(τ + 2⁻⁵³(|log|c|| + γs)): τ is what the fast pass allows itself, 1e-12 and in single
precision 1e-5; s is |x-u|² with the error of centring, and without an intercept no more than what
inner products need (`tests/oracle/exact_row.h`). A row is *decided* where f has the same sign
however its exponents move within δ, that is, where |f| exceeds its rounding bound. *Wrong* are
decided rows whose g has another sign than the exact f: none is allowed. *Within the bound* are the
other rows with another sign, a matter of luck in this arithmetic. *Plain sum* are the decided rows
for which f summed as it stands, in double precision, has another sign or is 0.

**Relevance.** The error of a row is the largest of its features', relative to its largest
relevance; *largest error* is over the rows (*determined*) whose relevance rounding moves by less
than 1e-6 (1e-2 in single precision). *Error / bound* is over all rows: the bound lets every
exponent move by δ, and allows for 1e-9 (1e-4) of the row's largest relevance; above 1 is not
allowed.

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
**Neighbors.** f is the difference of the votes, two classes and odd k. A row is *decided* where the
deciding distances keep their order however rounding moves their squares, by (D+8) 2⁻⁵³ of each.
*Wrong* are decided rows with another sign of g, other votes or another class. Single precision
proposes candidates only, so that both precisions have to agree in every bit: *differing* rows do not.

| family | models | rows | decided | wrong | within the bound | differing |
|---|---|---|---|---|---|---|
)";

bool is_good(const NeighborComparison& v) { return v.wrong == 0 && v.differing == 0; }

std::string line(const std::string& family, const NeighborComparison& v) {
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", family, v.models, v.rows, v.decided,
                     v.wrong, v.unlucky, v.differing);
}

int main(std::size_t models, const char* result) {
  std::string text = fmt::format(kHead, kVersion, models);
  std::cout << text << std::flush;
  bool all_good = true;
  for (const Family& family : families()) {
    const Comparisons comparisons = compare(family, models, 0);
    for (const std::size_t a : {0, 1}) {
      const std::string found = line(family.name, a == 0 ? "double" : "single", comparisons[a]);
      std::cout << found << std::flush;
      text += found;
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
  text += neighbors;
  if (result != nullptr) std::ofstream(result) << text;
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
