// Properties of every reader of rows.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bisector/io/data_reader.h"
#include "io/text/text_input.h"
#include "memory_file.h"
#include "property.h"

namespace bisector::fuzz {

/// Opens the same rows again. The argument counts the calls, for openers that vary what must not
/// matter.
using OpenRows = std::function<std::unique_ptr<DataReader>(int time)>;

/// The text of a file in blocks of another size each time: where a block ends must not matter.
inline io::TextInput text_input(const MemoryFile& file, int time) {
  return io::TextInput(io::InputFile(file.path()), Limits{}.max_row_bytes,
                       time == 0 ? 4096 : 2 + static_cast<std::size_t>(time));
}

/// Wide rows have their own tests; here they only take time.
inline constexpr std::size_t kWidestRow = 64;

inline DataChunk read_in_chunks(DataReader& reader, std::size_t chunk_rows) {
  std::vector<double> values;
  std::size_t rows = 0, columns = 0;
  DataChunk all;
  for (DataChunk chunk = reader.read(chunk_rows);; chunk = reader.read(chunk_rows)) {
    require(chunk.rows() <= chunk_rows, "a chunk has no more rows than were asked for");
    columns = chunk.numbers.cols();
    all.text.resize(chunk.text.size());
    if (chunk.rows() == 0) break;
    rows += chunk.rows();
    values.insert(values.end(), chunk.numbers.values().begin(), chunk.numbers.values().end());
    for (std::size_t i = 0; i < chunk.text.size(); ++i) {
      require(chunk.text[i].size() == chunk.rows(), "every row has its text");
      all.text[i].insert(all.text[i].end(), chunk.text[i].begin(), chunk.text[i].end());
    }
  }
  all.numbers = Matrix(rows, columns, std::move(values));
  return all;
}

/// A packed file that is broken says so where the reader comes to it, which may be before or behind
/// a bad cell.
inline bool is_damage(const std::string& message) {
  return message.find(": damaged: ") != std::string::npos;
}

/// Rows read at once and in small chunks are the same, or are refused for the same reason; text is
/// there for every row of numbers.
inline void check_rows(const OpenRows& open) {
  const auto all = [&](int time, std::size_t chunk_rows, bool as_text) {
    return [&, time, chunk_rows, as_text] {
      const std::unique_ptr<DataReader> reader = open(time);
      const std::size_t columns = reader->columns();
      if (columns > kWidestRow) throw InvalidInput("a wide row");
      require(reader->names().empty() || reader->names().size() == columns,
              "columns have a name each, or none");
      std::vector<std::size_t> every(columns);
      std::iota(every.begin(), every.end(), std::size_t{0});
      ColumnSelection selection;
      (as_text ? selection.text : selection.numbers) = every;
      reader->select(std::move(selection));
      return chunk_rows == 0 ? read_all(*reader) : read_in_chunks(*reader, chunk_rows);
    };
  };
  std::string why_not, why_not_in_chunks;
  const auto at_once = attempt(all(0, 0, false), &why_not);
  const auto in_chunks = attempt(all(1, 2, false), &why_not_in_chunks);
  require(at_once.has_value() == in_chunks.has_value(),
          "chunks change nothing: " + why_not + why_not_in_chunks);
  const auto text = attempt(all(2, 3, true));
  if (!at_once) {
    require(why_not == why_not_in_chunks || is_damage(why_not) || is_damage(why_not_in_chunks),
            "chunks change no message: " + why_not + " | " + why_not_in_chunks);
    return;
  }
  require(is_same(at_once->numbers, in_chunks->numbers), "chunks change no number");
  require(text.has_value(), "what reads as numbers reads as text");
  for (const auto& column : text->text)
    require(column.size() == at_once->rows(), "text has the rows that numbers have");
}

}  // namespace bisector::fuzz
