// What every column of a training table is for: as the options say, and where they do not, by what
// is in it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "bisector/train/column_look.h"
#include "bisector/train/training_table.h"
#include "cli/verbs/train.h"

namespace bisector::cli {

/// `column 3 "pH"`, counted from one, without the name where the file has none.
std::string column_words(const DataReader& reader, std::size_t column);

class ColumnPlan {
 public:
  /// What the options say. Throws InvalidInput for a column that is meant for two things, and
  /// UsageError where the target is missing.
  ColumnPlan(const DataReader& reader, const TrainArguments& arguments);

  const std::optional<std::size_t>& target() const { return target_; }
  /// The columns that are features, or may be.
  std::vector<std::size_t> columns() const;

  /// Looks at the cells of columns() and settles what nobody said: text becomes levels, and what is
  /// no feature is left out, of `cells` too. Throws InvalidInput with all that is wrong.
  void settle(TextColumns& cells, const std::vector<std::string>& target);

  /// For columns(), once they are settled.
  std::vector<ColumnEncoding> encodings() const;
  /// What somebody should know of the columns, a sentence each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// "a, b: numbers; color: 3 levels; left out: id".
  std::string summary() const;

 private:
  struct Use {
    std::string what;  // what an option says; empty where none does
    bool is_feature = true;
    ColumnEncoding encoding = {};
    ColumnLook look = {};
  };

  Use& claim(const std::string& column, const std::string& what);
  void require_utf8_names() const;
  void choose_target();
  void require_distinct_names();
  void settle_column(std::size_t column, const std::vector<std::string>& cells);
  void leave_out(std::size_t column, const std::string& why, const std::string& otherwise);
  void check_levels(std::size_t column, std::size_t rows);
  void check_missing(const std::vector<std::string>& target);
  std::string words(std::size_t column) const { return column_words(reader_, column); }
  std::string on_command_line(std::size_t column) const;
  std::string name_of(std::size_t column) const;

  const DataReader& reader_;
  const TrainArguments& arguments_;
  std::string source_;
  std::vector<Use> uses_;
  std::optional<std::size_t> target_;
  std::vector<std::string> notes_, problems_;
};

}  // namespace bisector::cli
