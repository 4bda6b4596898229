// Rows in the order of the file, with marks for rows that the model could not take.
#pragma once

#include <string>

#include "bisector/io/model_rows.h"
#include "cli/writers/json_text.h"
#include "cli/writers/number.h"
#include "cli/writers/row_values.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

/// Calls write(r) for every row of the chunk and mark(row) for every marked row, in the order of
/// the file.
template <class Write, class Mark>
void for_each_place(const ModelChunk& chunk, std::size_t rows, const Write& write,
                    const Mark& mark) {
  std::size_t next = 0;
  const auto mark_below = [&](std::size_t end) {
    for (; next < chunk.unusable.size() && chunk.unusable[next].row < end; ++next) {
      if (chunk.unusable[next].policy == RowPolicy::mark) mark(chunk.unusable[next]);
    }
  };
  for (std::size_t r = 0; r < rows; ++r) {
    mark_below(chunk.numbers[r]);
    write(r);
  }
  mark_below(static_cast<std::size_t>(-1));
}

/// "7,p07": the number of the row and its kept cells.
inline std::string place_cells(const ModelChunk& chunk, std::size_t r) {
  std::string text;
  append_number(text, chunk.numbers[r]);
  for (const auto& column : chunk.kept) text += ',' + csv_cell(column[r]);
  return text;
}
inline std::string place_cells(const UnusableRow& row) {
  std::string text;
  append_number(text, row.row);
  for (const auto& cell : row.kept) text += ',' + csv_cell(cell);
  return text;
}

/// `"row":7,"kept":{"id":"p07"}`.
inline std::string place_json(std::size_t number, const std::vector<std::string>& names,
                              const std::vector<std::string>& cells) {
  std::string text = "\"row\":";
  append_number(text, number);
  if (names.empty()) return text;
  text += ",\"kept\":{";
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : ",") + json_text(names[i]) + ':' + json_text(cells[i]);
  return text + '}';
}
inline std::string place_json(const ModelChunk& chunk, std::size_t r,
                              const std::vector<std::string>& names) {
  std::vector<std::string> cells;
  for (const auto& column : chunk.kept) cells.push_back(column[r]);
  return place_json(chunk.numbers[r], names, cells);
}

/// ",age; income": the cell of the column "imputed"; nothing if the model imputes nothing.
inline std::string imputed_cell(const RowValues& values, const ImputedColumns& imputed,
                                std::size_t r) {
  if (!values.imputes()) return "";
  std::string text;
  for (const std::string& name : values.imputed_names(imputed, r))
    text += (text.empty() ? "" : "; ") + name;
  return ',' + (text.empty() ? text : csv_cell(text));
}

/// `,"imputed":["age","income"]`; nothing if the model imputes nothing.
inline std::string imputed_json(const RowValues& values, const ImputedColumns& imputed,
                                std::size_t r) {
  if (!values.imputes()) return "";
  return ",\"imputed\":" + json_text(Json(values.imputed_names(imputed, r)));
}

/// The reason why a marked row has no results.
inline const char* reason(const UnusableRow& row) {
  return row.is_missing ? "missing value" : "unseen level";
}

}  // namespace bisector::cli
