// Descriptions of datasets.
#include "common/dataset_info.h"

#include <filesystem>

#include "property.h"
#include "target.h"

namespace bisector::fuzz {

FUZZ_TARGET(dataset_info, bytes) {
  const auto info = attempt([&] { return paper::parse_dataset_info(bytes, "input"); });
  if (!info) return;
  require(info->gamma > 0.0 && info->k > 0, "a description that reads is usable");
  const auto file = std::filesystem::path(info->file).lexically_normal();
  require(file.is_relative() && *file.begin() != "..", "a description names no file elsewhere");
}

}  // namespace bisector::fuzz
