// bisector-lemmas KERNELS VOTES: the sign of g for so many random models of either lemma, 100 rows
// each.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

#include "oracle/lemmas.h"

int main(int argc, char** argv) {
  const int kernels = argc == 3 ? std::atoi(argv[1]) : 0, votes = argc == 3 ? std::atoi(argv[2]) : 0;
  if (kernels < 1 || votes < 1) {
    std::cerr << "usage: bisector-lemmas KERNELS VOTES\n";
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
  print("kernels", check_kernels(static_cast<std::size_t>(kernels), kRows, 0));
  print("votes", check_votes(static_cast<std::size_t>(votes), kRows, 0));
  return wrong == 0 ? 0 : 1;
}
