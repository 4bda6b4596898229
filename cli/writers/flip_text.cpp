#include "cli/writers/flip_text.h"

#include <fmt/format.h>

#include "cli/writers/row_text.h"

namespace bisector::cli {
namespace {

/// "a, b and c"
std::string in_words(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    if (n > 0) text += n + 1 == parts.size() ? " and " : ", ";
    text += parts[n];
  }
  return text;
}

class FlipText {
 public:
  FlipText(const FlipRows& flips, const ResultNames& names, const ModelChunk& chunk,
           const FlipOptions& options)
      : flips_(flips), names_(names), chunk_(chunk), options_(options) {}

  std::string operator()(std::size_t r) const {
    const RowFlips& found = flips_.found[r];
    const auto outcome = [&](std::size_t prediction, double value) {
      return names_.labels == nullptr ? short_number(value) : (*names_.labels)[prediction];
    };
    const std::string own = outcome(found.prediction, found.value);
    std::string text = fmt::format("Row {}: predicted {}\n", chunk_.numbers[r], own);
    if (found.prediction == options_.to_class) return text + fmt::format("  is already {}\n", own);
    if (found.flips.empty()) text += fmt::format("  no allowed change that {} was found\n", goal());
    for (const Flip& flip : found.flips) {
      const std::string other = outcome(flip.prediction, flip.value);
      const std::string distance = short_number(flip.distance);
      if (options_.reach)
        text += fmt::format("  would reach {} if: {} (predicted {}, distance {})\n",
                            short_number(*options_.reach), changes(flip, r), other, distance);
      else
        text +=
            fmt::format("  would be {} if: {} (distance {})\n", other, changes(flip, r), distance);
    }
    if (found.radius > 0.0)
      text += fmt::format("  no change shorter than {} {}\n", short_number(found.radius), goal());
    if (found.example && *found.example < flips_.examples.size())
      text += fmt::format("  nearest row {}: row {} (distance {})\n",
                          options_.reach ? "that " + goal() : "with the other outcome",
                          flips_.examples[*found.example], short_number(found.example_distance));
    return text;
  }

 private:
  /// "flips the prediction", or the value that a regressor reaches.
  std::string goal() const {
    return options_.reach ? "reaches " + short_number(*options_.reach) : "flips the prediction";
  }

  std::string changes(const Flip& flip, std::size_t r) const {
    const RowValues& values = names_.values;
    std::vector<std::string> changes;
    for (const std::size_t c : flip.changed) {
      const bool is_imputed = !chunk_.imputed.empty() && values.is_imputed(chunk_.imputed[r], c);
      changes.push_back(fmt::format("{} {}{} → {}", (*names_.features)[c],
                                    values.text(chunk_.rows.row(r), c),
                                    is_imputed ? " (filled in)" : "", values.text(flip.row, c)));
    }
    return in_words(changes);
  }

  const FlipRows& flips_;
  const ResultNames& names_;
  const ModelChunk& chunk_;
  const FlipOptions& options_;
};

}  // namespace

void write_flip_text(std::ostream& out, const FlipRows& flips, const ResultNames& names,
                     const ModelChunk& chunk, const FlipOptions& options) {
  const FlipText text(flips, names, chunk, options);
  for (std::size_t r = 0; r < flips.found.size(); ++r) out << printable_lines(text(r));
  out << "Distances are Euclidean, after the model's scaling of the columns.\n";
}

}  // namespace bisector::cli
