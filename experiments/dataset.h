// The paper's datasets: what each is, and how its file becomes rows and classes.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/targets.h"
#include "bisector/training_table.h"

namespace bisector::paper {

/// One of datasets/*.json.
struct DatasetInfo {
  struct Arrays {
    std::string rows, target;  // names inside an NPZ
  };

  std::string id, name;
  std::string file;  // below the data folder
  std::string sha256, address, licence, note;
  std::optional<bool> header;
  std::vector<std::string> columns;                         // names, where the file has none
  std::string target;                                       // column, by name or number
  std::optional<std::string> positive, above;               // the binary rule
  std::vector<std::string> drop;                            // columns
  std::map<std::string, std::vector<std::string>> ordinal;  // "*": every other column of text
  std::vector<std::string> one_hot;
  Missing missing = Missing::error;
  std::vector<Arrays> arrays;  // image sets, in the order in which they are joined
  bool is_image = false;
  bool is_extra = false;  // carried beside the table's own rows, and not counted with them
  bool same_data = true;  // the paper's own rows and features, as far as is known
  double gamma = 1.0;     // the paper's choice
  std::size_t k = 1;      // the paper's choice
  std::string published;  // the row of the paper's table to compare with
};

/// All descriptions, in the order of the paper's table; extras follow the row they belong to.
std::vector<DatasetInfo> dataset_infos();

struct Dataset {
  DatasetInfo info;
  Matrix rows;
  ClassTarget target;
  std::vector<std::string> feature_names = {};  // none for images and columns without names
};

/// Those with these ids, or all. Throws InvalidInput for an id that there is not.
std::vector<DatasetInfo> chosen_datasets(const std::vector<std::string>& ids);

/// Where the file should be.
std::filesystem::path location(const DatasetInfo& info, const std::filesystem::path& folder);
/// True where the file is the one that the committed results were made with.
bool has_expected_content(const DatasetInfo& info, const std::filesystem::path& folder);
/// Says in `log` where to get a file that is missing, and that it differs where it does.
bool is_there(const DatasetInfo& info, const std::filesystem::path& folder, std::ostream& log);
/// Throws FormatError or FileError.
Dataset load(const DatasetInfo& info, const std::filesystem::path& folder);

}  // namespace bisector::paper
