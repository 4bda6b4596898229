// The role of every column of a training table: feature, target, identifier or left out. Options
// decide first; otherwise the cells decide.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/io/column_look.h"
#include "bisector/io/data_reader.h"
#include "bisector/table_encoding.h"

namespace bisector {

/// What to do with a missing value (see is_missing).
enum class MissingPolicy {
  error,
  skip,      // leave the row out
  median,    // impute the column's median or most frequent level, also in rows to predict
  automatic  // as median if a value of the table is missing, else as error
};

/// How the user wants a column to be read. Columns are given by name or by number from one.
struct ColumnType {
  enum class Kind { numeric, one_hot, category, ordinal, day_first, month_first };
  std::string column;
  Kind kind = Kind::numeric;
  std::vector<std::string> levels = {};  // ordinal: in ascending order
};

struct ColumnPlanOptions {
  std::string target = {};  // empty: the target of the format, such as the label of a LIBSVM file
  bool has_target = true;   // false for detectors, which have none
  std::vector<std::string> dropped = {};
  /// In other columns text becomes levels, and identifiers, dates of unknown formats and free text
  /// are left out.
  std::vector<ColumnType> types = {};
  bool keeps_categories = false;  // levels stay categories instead of one feature per level
  MissingPolicy missing = MissingPolicy::error;
};

/// `column 3 "pH"`, counted from one; without a name if the file has none.
BISECTOR_EXPORT std::string column_words(const DataReader& reader, std::size_t column);

/// `WORDS has dates such as "31.1.2024", read as days since 1970-01-01`, if a column of numbers has
/// formatted ones; otherwise nothing.
BISECTOR_EXPORT std::optional<std::string> note_of_format(const std::string& words,
                                                          const ColumnLook& look,
                                                          const std::vector<std::string>& cells);

class BISECTOR_EXPORT ColumnPlan {
 public:
  /// Applies the options. `source` is the file's name in errors. `reader` and `options` must
  /// outlive this object. Throws InvalidInput for a column with two roles, and if no target is
  /// known.
  ColumnPlan(const DataReader& reader, std::string source, const ColumnPlanOptions& options);

  const std::optional<std::size_t>& target() const { return target_; }
  /// The columns that are features, or may be.
  std::vector<std::size_t> columns() const;

  /// Decides by the cells of columns() what the options left open: text becomes levels, and
  /// columns that are no features are removed, also from `cells`. Throws InvalidInput with all
  /// problems.
  void resolve(TextColumns& cells, const std::vector<std::string>& target);

  /// The encodings of columns(), after resolve().
  std::vector<ColumnEncoding> encodings() const;
  /// column_words() of the file.
  std::string words(std::size_t column) const { return column_words(reader_, column); }
  /// The column as the user would type it after an option.
  std::string on_command_line(std::size_t column) const;
  /// What the user should know about the columns, one sentence each.
  const std::vector<std::string>& notes() const { return notes_; }
  /// "numbers: a, b; levels: color (3); left out: id, price (target)".
  std::string summary() const;

 private:
  struct Use {
    std::string role;  // the role that an option gave; empty if none did
    bool is_feature = true;
    DateOrder dates = DateOrder::unknown;  // of dates with slashes, if no day is above 12
    ColumnEncoding encoding = {};
    ColumnLook look = {};
  };

  Use& claim(const std::string& column, const std::string& role);
  void apply(const ColumnType& type);
  void require_utf8_names() const;
  void choose_target();
  void require_distinct_names();
  void require_variation(std::size_t rows);
  void resolve_column(std::size_t column, const std::vector<std::string>& cells);
  void resolve_format(std::size_t column, const std::vector<std::string>& cells);
  void resolve_by_look(std::size_t column, const std::vector<std::string>& cells);
  void refuse_commas(std::size_t column);
  void require_utf8_cells(std::size_t column, const std::vector<std::string>& cells);
  void leave_out(std::size_t column, const std::string& why, const std::string& type);
  void check_levels(std::size_t column, std::size_t rows);
  void check_missing(const std::vector<std::string>& target);
  std::string name_of(std::size_t column) const;
  std::string summary_name(std::size_t column) const;

  const DataReader& reader_;
  const ColumnPlanOptions& options_;
  std::string source_;
  std::vector<Use> uses_;
  std::set<std::string> repeated_names_;  // of several columns
  std::optional<std::size_t> target_;
  std::vector<std::string> notes_, problems_;
};

}  // namespace bisector
