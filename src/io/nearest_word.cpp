#include "bisector/io/nearest_word.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/util/ascii.h"

namespace bisector {
namespace {

/// The letters to change, add, leave out or exchange with their neighbor.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] =
          std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool is_exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_exchanged) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = std::exchange(last, now);
  }
  return last[b.size()];
}

/// Without leading dashes, in small letters.
std::string plain_name(const std::string& name) {
  return util::lower_case(name.substr(std::min(name.find_first_not_of('-'), name.size())));
}

}  // namespace

std::string nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  const std::string wanted = plain_name(word);
  std::string best;
  std::size_t fewest = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::string name = plain_name(candidate);
    // One letter is near to every other.
    if (name.size() < 2 && name != wanted) continue;
    // A long name that was not written to its end is near, too.
    const bool is_start = wanted.size() >= 3 && name.starts_with(wanted);
    const bool is_longer = name.size() >= wanted.size() + fewest;
    const std::size_t count = is_start ? 1 : is_longer ? fewest : edits(wanted, name);
    if (count >= fewest) continue;
    best = candidate;
    fewest = count;
  }
  return best;
}

}  // namespace bisector
