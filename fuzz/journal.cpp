// Journals of interrupted runs, also with damaged bytes.
#include "common/journal.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "memory_file.h"
#include "property.h"
#include "recipe.h"
#include "target.h"

namespace bisector::fuzz {
namespace {

using Lines = std::vector<std::string>;
const std::string kHeading = "study 1";

std::string whole(const MemoryFile& file) {
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Any bytes: reading them again gives the same units, also after a unit was added.
void check_any_bytes(std::string_view bytes, bool has_heading) {
  const MemoryFile file(has_heading ? kHeading + "\n" + std::string(bytes) : std::string(bytes));
  const auto first = attempt([&] { return paper::Journal(file.path(), kHeading); });
  if (!first) return;
  const Lines added{"1", ""};
  paper::Journal(file.path(), kHeading).add("unit", added);
  const paper::Journal second(file.path(), kHeading);
  require(second.contains("unit") && second.lines("unit") == added, "what is added is read again");
  std::istringstream in{std::string(bytes)};
  for (std::string line; std::getline(in, line);) {
    const std::string unit = line.substr(std::min<std::size_t>(line.size(), 6));  // "begin "
    if (unit == "unit") continue;
    require(first->contains(unit) == second.contains(unit), "a unit is there or not");
    if (first->contains(unit))
      require(first->lines(unit) == second.lines(unit), "a unit's lines stay");
  }
}

/// Units are added, then a byte is changed and the end is cut off. Units that are still accepted
/// are units that were added.
void check_damage(Recipe& recipe) {
  const MemoryFile file("");
  std::map<std::string, Lines> units;
  {
    paper::Journal journal(file.path(), kHeading);
    const std::size_t count = 1 + recipe.below(4);
    for (std::size_t n = 0; n < count; ++n) {
      Lines lines(recipe.below(4));
      for (std::string& line : lines) {
        line = "=" + std::string(recipe.text(12));
        std::ranges::replace(line, '\n', ' ');
      }
      const std::string unit = "unit " + std::to_string(n);
      journal.add(unit, lines);
      units[unit] = lines;
    }
  }
  std::string text = whole(file);
  const std::size_t at = recipe.word() % text.size();
  text[at] = static_cast<char>(text[at] ^ static_cast<char>(recipe.byte()));
  text.resize(text.size() - recipe.word() % text.size());
  const MemoryFile damaged(text);
  const auto journal = attempt([&] { return paper::Journal(damaged.path(), kHeading); });
  if (!journal) return;
  for (const auto& [unit, lines] : units)
    require(!journal->contains(unit) || journal->lines(unit) == lines, "no damage is believed");
}

}  // namespace

FUZZ_TARGET(journal, bytes) {
  Recipe recipe(bytes);
  switch (recipe.below(3)) {
    case 0:
      return check_any_bytes(recipe.rest(), true);
    case 1:
      return check_any_bytes(recipe.rest(), false);
    default:
      return check_damage(recipe);
  }
}

}  // namespace bisector::fuzz
