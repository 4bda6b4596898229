// bisector-lemmas KERNELS VOTES [SEED]: the sign of g for this number of random models of each
// lemma, with the seeds from SEED on, 100 rows each.
#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>

#include "oracle/lemmas.h"

int main(int argc, char** argv) {
  const auto argument = [&](int n) { return argc > n ? std::atoi(argv[n]) : 0; };
  const int kernels = argument(1), votes = argument(2);
  const auto seed = static_cast<std::uint64_t>(argument(3));
  if (kernels < 0 || votes < 0 || argc < 3 || argc > 4) {
    std::cerr << "usage: bisector-lemmas KERNELS VOTES [SEED]\n";
    return 2;
  }
  using namespace bisector::oracle;
  constexpr std::size_t kRows = 100;
  std::cout << "| lemma | models | rows | decided | wrong | ties | in 2048 bits |\n"
               "|---|---|---|---|---|---|---|\n";
  std::size_t wrong = 0;
  const auto print = [&](const char* lemma, const std::vector<LemmaCount>& counts) {
    for (const LemmaCount& c : counts) {
      std::cout << fmt::format("| {}, {} | {} | {} | {} | {} | {} | {} |\n", lemma, c.name,
                               c.models, c.rows, c.decided, c.wrong, c.ties, c.close);
      wrong += c.wrong;
    }
    std::cout.flush();
  };
  print("kernels", check_kernels(static_cast<std::size_t>(kernels), kRows, seed));
  print("votes", check_votes(static_cast<std::size_t>(votes), kRows, seed));
  return wrong == 0 ? 0 : 1;
}
