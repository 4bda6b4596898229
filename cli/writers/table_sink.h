// The formats in which tables are written. None of them knows which result a table has.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/writers/json_text.h"
#include "cli/writers/placement.h"
#include "cli/writers/result_table.h"
#include "cli/writers/table_format.h"
#include "tools/output_file.h"

namespace bisector::cli {

/// What all rows share.
struct TableHead {
  std::vector<std::string> kept;  // the names of ModelChunk::kept
  Table empty;                    // the columns, without a row
  Json members = {};              // of a JSON document, before the rows
  bool has_details = false;       // CSV has the columns of details; JSON always has them
};

class TableSink {
 public:
  virtual ~TableSink() = default;
  /// The rows of a chunk, and marked rows between them. The columns are those of the head.
  virtual void write(const Table& table, const ModelChunk& chunk) = 0;
  /// A JSON document ends with the members `more` and the notes.
  virtual void finish(const std::vector<std::string>& notes, const Json& more = Json::object()) = 0;
};

/// Writes what comes before the rows. Throws UsageError for a table that the format cannot hold.
std::unique_ptr<TableSink> make_sink(TableFormat format, tools::Output& output, TableHead head);

}  // namespace bisector::cli
