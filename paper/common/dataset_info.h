// The description of a dataset.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bisector/train/training_table.h"

namespace bisector::paper {

/// One of datasets/*.json.
struct DatasetInfo {
  struct Arrays {
    std::string rows, target;  // names inside an NPZ
  };

  std::string id, name;
  std::string file;  // below the data folder
  std::string sha256, address, license, note;
  std::optional<bool> header;
  std::vector<std::string> columns;  // names, if the file has none
  std::string rows_after;  // a line of the file; the rows below it are separated by commas
  std::string target;      // column, by name or number
  std::optional<std::string> positive, above;               // the binary rule
  std::vector<std::string> drop;                            // columns
  std::map<std::string, std::vector<std::string>> ordinal;  // "*": every other column of text
  std::vector<std::string> one_hot;
  MissingPolicy missing = MissingPolicy::error;
  std::vector<Arrays> arrays;  // image sets, in the order in which they are joined
  bool is_image = false;
  bool is_extra = false;  // shown with the table, but not counted
  bool same_data = true;  // same rows and features as in the paper, as far as is known
  double gamma = 1.0;     // the paper's choice
  std::size_t k = 1;      // the paper's choice
  std::string published;  // the row of the paper's table to compare with
};

/// Reads a description. Throws FormatError with `source` for invalid text and for a file outside
/// the data folder.
DatasetInfo parse_dataset_info(std::string_view text, std::string_view source);

}  // namespace bisector::paper
