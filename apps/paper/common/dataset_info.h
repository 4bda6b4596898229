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
  std::vector<std::string> columns;                         // names, where the file has none
  std::string target;                                       // column, by name or number
  std::optional<std::string> positive, above;               // the binary rule
  std::vector<std::string> drop;                            // columns
  std::map<std::string, std::vector<std::string>> ordinal;  // "*": every other column of text
  std::vector<std::string> one_hot;
  MissingPolicy missing = MissingPolicy::error;
  std::vector<Arrays> arrays;  // image sets, in the order in which they are joined
  bool is_image = false;
  bool is_extra = false;    // carried beside the table's own rows, and not counted with them
  bool is_outside = false;  // none of the table's: for choices that must not be made on these
  bool same_data = true;    // the paper's own rows and features, as far as is known
  double gamma = 1.0;       // the paper's choice
  std::size_t k = 1;        // the paper's choice
  std::string published;    // the row of the paper's table to compare with
};

/// Reads a description. Throws FormatError, naming `source`, for text that is none, and for a file
/// that is not below the data folder.
DatasetInfo parse_dataset_info(std::string_view text, std::string_view source);

}  // namespace bisector::paper
