// bisector-lemmas MODELS: the sign of g for so many random models of either lemma, 20 rows each.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>

#include "oracle/lemmas.h"

int main(int argc, char** argv) {
  const int models = argc == 2 ? std::atoi(argv[1]) : 0;
  if (models < 1) {
    std::cerr << "usage: bisector-lemmas MODELS\n";
    return 2;
  }
  using namespace bisector::oracle;
  std::cout << "| lemma | models | rows | decided | wrong | ties |\n|---|---|---|---|---|---|\n";
  std::size_t wrong = 0;
  const auto print = [&](const char* lemma, const std::vector<LemmaCount>& counts) {
    for (const LemmaCount& c : counts) {
      std::cout << fmt::format("| {}, {} | {} | {} | {} | {} | {} |\n", lemma, c.name, c.models,
                               c.rows, c.decided, c.wrong, c.ties);
      wrong += c.wrong;
    }
  };
  const auto count = static_cast<std::size_t>(models);
  print("kernels", check_kernels(count, 0));
  print("votes", check_votes(count, 0));
  return wrong == 0 ? 0 : 1;
}
