// Notes: what a reader of explanations should know before relying on them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "bisector/enum_names.h"
#include "bisector/explain.h"
#include "bisector/export.h"

namespace bisector {

/// The stretch beyond which, or below the inverse of which, a row is noted.
inline constexpr double kLargeStretch = 10.0;
BISECTOR_EXPORT bool is_stretched(double stretch);
/// True if the features leave more than a fifth of the difference from the base value unexplained,
/// and more than a hundredth of the range of the output. In the unit g, in which the remainder
/// belongs to the rule, it is false.
BISECTOR_EXPORT bool is_unexplained(const Explanation& explanation, std::size_t row);
/// The same for one of the classes.
BISECTOR_EXPORT bool is_unexplained(const ClassExplanations& explanation, std::size_t row);

/// What is to be noted of a row.
struct RowFlags {
  bool is_tie = false, is_outside = false, is_unexplained = false, is_alike = false;
  bool is_stretched = false;
};

/// How many rows need care, collected over the chunks of a stream.
struct BISECTOR_EXPORT NoteCounts {
  std::size_t rows = 0;
  std::size_t ties = 0, without_neighbors = 0;
  std::size_t unexplained = 0, stretched = 0, outside = 0;
  std::size_t doubtful = 0;  // rows for which one of the last three holds
  std::size_t alike = 0;     // rows of a pair whose output hardly varies; see Explanation::alike

  void add(const Explanation& explanation);
  void add(const ClassExplanations& explanation);
  void add_row(const RowFlags& row);
};

/// A note, with the number of rows for which it holds among all rows.
struct Note {
  enum class Kind {
    tie,                // votes or distances are equal up to rounding
    without_neighbors,  // no training row is within the radius
    unexplained,        // the features leave much of the difference from the base value unexplained
    stretched,          // contributions were scaled by more than 10
    outside,            // far from the training data
    alike,              // the model answers nearly all background rows alike
    own_points,         // no background was given, and support vectors are not typical rows
    method              // ExplainSettings::note
  };
  Kind kind = Kind::tie;
  std::size_t rows = 0, of = 0;

  bool operator==(const Note&) const = default;
};
constexpr std::string_view name(Note::Kind value) {
  switch (value) {
    case Note::Kind::tie:
      return "tie";
    case Note::Kind::without_neighbors:
      return "without_neighbors";
    case Note::Kind::unexplained:
      return "unexplained";
    case Note::Kind::stretched:
      return "stretched";
    case Note::Kind::outside:
      return "outside";
    case Note::Kind::alike:
      return "alike";
    case Note::Kind::own_points:
      return "own_points";
    case Note::Kind::method:
      return "method";
  }
  return {};
}

/// True for more than 5 % of the rows and at least two of them, or for the only row.
BISECTOR_EXPORT bool are_many(std::size_t rows, std::size_t of);

/// The rule of all front ends. Ties and rows without neighbors are always noted. Unexplained,
/// stretched and far rows are noted if they are together many.
BISECTOR_EXPORT std::vector<Note> notes_of(const NoteCounts& counts,
                                           const ExplainSettings& settings);

/// Where a note is read, which decides how its advice is typed.
enum class FrontEnd { command, python, page };
constexpr std::string_view name(FrontEnd value) {
  switch (value) {
    case FrontEnd::command:
      return "command";
    case FrontEnd::python:
      return "python";
    case FrontEnd::page:
      return "page";
  }
  return {};
}

/// The note as a sentence without a capital letter and a full stop: how many rows, why, and what to
/// type.
BISECTOR_EXPORT std::string sentence(const Note& note, const ExplainSettings& settings,
                                     FrontEnd front_end);
/// All notes of notes_of() as sentences.
BISECTOR_EXPORT std::vector<std::string> sentences(const NoteCounts& counts,
                                                   const ExplainSettings& settings,
                                                   FrontEnd front_end);

}  // namespace bisector
