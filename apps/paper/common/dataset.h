// The paper's datasets: what each is, and how its file becomes rows and classes.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/matrix.h"
#include "bisector/train/targets.h"
#include "common/dataset_info.h"

namespace bisector::paper {

/// The descriptions in the order of the paper's table; extras follow the row they belong to.
std::vector<DatasetInfo> dataset_infos();
/// Those outside the table, by name.
std::vector<DatasetInfo> outside_dataset_infos();

struct Dataset {
  DatasetInfo info;
  Matrix rows;
  ClassTarget target;
  std::vector<double> numbers = {};  // the target as it stands, where all of it are numbers
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
