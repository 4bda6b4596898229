// The paper's datasets: their descriptions, the published numbers, and reading their files into
// rows and classes.
#pragma once

#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/train/targets.h"
#include "common/dataset_info.h"

namespace bisector::paper {

/// The descriptions in the order of the paper's table; extras follow the row they belong to.
std::vector<DatasetInfo> dataset_infos();

struct Dataset {
  DatasetInfo info;
  Matrix rows;
  ClassTarget target;
  std::vector<std::string> feature_names = {};  // none for images and columns without names
};

/// The datasets with these ids; all for no ids. Throws InvalidInput for an unknown id.
std::vector<DatasetInfo> chosen_datasets(const std::vector<std::string>& ids);

/// The expected path of the file.
std::filesystem::path location(const DatasetInfo& info, const std::filesystem::path& folder);
/// True if the file is the one that the committed results were computed from.
bool has_expected_content(const DatasetInfo& info, const std::filesystem::path& folder);
/// Writes to `log` where to get a missing file, and if a file has other content than expected.
bool is_there(const DatasetInfo& info, const std::filesystem::path& folder, std::ostream& log);
/// Throws FormatError, and FileError with the address of a missing file.
Dataset load(const DatasetInfo& info, const std::filesystem::path& folder);

/// The AUFC in the paper's Table 2; nothing if the paper has none.
std::optional<double> published_aufc(const DatasetInfo& info, const std::string& kind,
                                     const std::string& method);

}  // namespace bisector::paper
