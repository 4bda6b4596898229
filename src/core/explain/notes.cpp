#include "bisector/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bisector {
namespace {

/// What to type or to look at; every front end has its own words.
struct Wording {
  const char *tie, *remainder, *stretch, *outside;  // where a row's own figure is
  const char* far;                                  // the same where the output has no such column
  const char* method;                               // of a method
  const char* leave_out;                            // rows far from the training data
  const char *background, *tune;
};

constexpr Wording kWordings[] = {
    {"column tie", "column remainder", "column stretch of --details", "column outside",
     "column outside", "use --method {}", "leave them out", "add --background TRAINING_DATA",
     "train it with other parameters, bisector train --tune finds them"},
    {"explanation.tie", "explanation.remainder", "explanation.stretch", "explanation.outside",
     "explainer(X).outside", "use method=\"{}\"", "leave them out, X[~explainer(X).outside]",
     "give training rows as the background, Explainer(model, X_train)",
     "fit it with other parameters, GridSearchCV finds them"},
    {"the filter has them", "the part \"not explained\" of a row", "the filter has them",
     "the filter has them", "the filter has them", "make the report with the method {}",
     "look at other rows first", "make the report with training rows as the background",
     "train the model with other parameters"},
};

const Wording& wording_of(FrontEnd front_end) {
  return kWordings[static_cast<std::size_t>(front_end)];
}

/// "12 of 178 rows are", "1 of 178 rows is", and "the row is" for a single row.
std::string subject(const Note& note, const char* one, const char* many) {
  if (note.of == 1) return fmt::format("the row {}", one);
  return fmt::format("{} of {} rows {}", note.rows, note.of, note.rows == 1 ? one : many);
}

/// "in 12 of 178 rows"; "in the row" for a single row.
std::string place(const Note& note) {
  if (note.of == 1) return "in the row";
  return fmt::format("in {} of {} rows", note.rows, note.of);
}

/// ": use --method shapley-exact, whose contributions add up"; nothing if there is no such method.
std::string better_method(const ExplainSettings& settings, const Wording& words) {
  if (settings.adds_up.empty()) return "";
  return ": " + fmt::format(fmt::runtime(words.method), settings.adds_up) +
         ", whose contributions add up";
}

bool misses_much(double remainder, double output, double base, double limit) {
  constexpr double kPart = 0.2, kOfLimit = 0.01, kRounding = 1e-9;
  const double missing = std::abs(remainder);
  return missing > kPart * std::abs(output - base) && missing > kOfLimit * limit &&
         missing > kRounding * std::max(std::abs(output), std::abs(base));
}

template <class Explained>
void add_rows(const Explained& explanation, NoteCounts& counts) {
  for (std::size_t r = 0; r < explanation.tie.size(); ++r)
    counts.add_row({explanation.tie[r], explanation.outside[r], is_unexplained(explanation, r),
                    explanation.alike[r], is_stretched(explanation.stretch[r])});
}

}  // namespace

bool is_stretched(double stretch) {
  return stretch > kLargeStretch || stretch < 1.0 / kLargeStretch;
}

bool is_unexplained(const Explanation& explanation, std::size_t row) {
  return explanation.unit != Unit::g &&
         misses_much(explanation.remainder[row], explanation.output[row], explanation.base[row],
                     explanation.limit[row]);
}

bool is_unexplained(const ClassExplanations& explanation, std::size_t row) {
  for (std::size_t c = 0; c < explanation.base.size(); ++c) {
    if (misses_much(explanation.remainder(row, c), explanation.output(row, c), explanation.base[c],
                    explanation.limit[c]))
      return true;
  }
  return false;
}

void NoteCounts::add_row(const RowFlags& row) {
  ++rows;
  ties += row.is_tie ? 1 : 0;
  outside += row.is_outside ? 1 : 0;
  unexplained += row.is_unexplained ? 1 : 0;
  stretched += row.is_stretched ? 1 : 0;
  doubtful += row.is_outside || row.is_unexplained || row.is_stretched ? 1 : 0;
  alike += row.is_alike ? 1 : 0;
}

void NoteCounts::add(const Explanation& explanation) {
  add_rows(explanation, *this);
  without_neighbors +=
      static_cast<std::size_t>(std::ranges::count(explanation.without_neighbors, true));
}

void NoteCounts::add(const ClassExplanations& explanation) { add_rows(explanation, *this); }

bool are_many(std::size_t rows, std::size_t of) {
  return 20 * rows > of && rows >= std::min<std::size_t>(2, of);
}

std::vector<Note> notes_of(const NoteCounts& counts, const ExplainSettings& settings) {
  std::vector<Note> notes;
  const auto add = [&](Note::Kind kind, std::size_t rows) {
    if (rows > 0) notes.push_back({kind, rows, counts.rows});
  };
  using enum Note::Kind;
  add(tie, counts.ties);
  add(without_neighbors, counts.without_neighbors);
  if (are_many(counts.doubtful, counts.rows)) {
    add(unexplained, counts.unexplained);
    add(stretched, counts.stretched);
    add(outside, counts.outside);
  }
  if (are_many(counts.alike, counts.rows)) add(alike, counts.alike);
  if (!settings.note.empty()) notes.push_back({Note::Kind::method, counts.rows, counts.rows});
  if (settings.averages_points) notes.push_back({own_points, counts.rows, counts.rows});
  return notes;
}

std::string sentence(const Note& note, const ExplainSettings& settings, FrontEnd front_end) {
  const Wording& words = wording_of(front_end);
  switch (note.kind) {
    case Note::Kind::tie:
      return fmt::format(
          "{}: votes or distances are equal there up to rounding, so that the order of rows or "
          "classes decides ({})",
          subject(note, "is a tie", "are ties"), words.tie);
    case Note::Kind::without_neighbors:
      return subject(note, "has", "have") +
             " no training row within the radius, so no neighbor votes; the prediction is the "
             "model's default";
    case Note::Kind::unexplained:
      return fmt::format(
          "{} the features leave more than a fifth of the difference from the base value "
          "unexplained, because {} does not add up to the output there ({}){}",
          place(note), settings.method, words.remainder, better_method(settings, words));
    case Note::Kind::stretched:
      return fmt::format(
          "{} the contributions were scaled by more than 10 to add up to the output, because the "
          "distances say something else than the output there ({}){}",
          place(note), words.stretch, better_method(settings, words));
    case Note::Kind::outside:  // flips and pairs of features are of no method
      return fmt::format(
          "{} far from the training data, where explanations are not reliable ({}): {}",
          subject(note, "is", "are"), settings.method.empty() ? words.far : words.outside,
          words.leave_out);
    case Note::Kind::alike:
      return fmt::format(
          "the model answers nearly all background rows alike, so that there is little to explain: "
          "{}",
          words.tune);
    case Note::Kind::own_points:
      return fmt::format(
          "the base value is the average over the model's own points, which for an SVM are not "
          "typical rows: {}",
          words.background);
    case Note::Kind::method:
      return settings.note;
  }
  return {};
}

std::vector<std::string> sentences(const NoteCounts& counts, const ExplainSettings& settings,
                                   FrontEnd front_end) {
  std::vector<std::string> result;
  for (const Note& note : notes_of(counts, settings))
    result.push_back(sentence(note, settings, front_end));
  return result;
}

}  // namespace bisector
