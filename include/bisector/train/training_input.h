// Reading a training table: features, target and the notes about both.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bisector/export.h"
#include "bisector/io/column_plan.h"
#include "bisector/io/data_reader.h"
#include "bisector/model.h"
#include "bisector/train/learner.h"
#include "bisector/train/training_table.h"

namespace bisector {

/// What the model predicts.
enum class TargetKind {
  automatic,  // see detect_target()
  none,       // detectors have no target
  classes,    // one class per value
  numbers
};

struct TrainingInputOptions {
  DataFormat format = {};
  ColumnPlanOptions columns = {};
  TargetKind target = TargetKind::automatic;
  std::optional<std::string> positive = {};  // two classes: this value, and all others
  std::optional<std::string> above = {};     // two classes of numbers (see parse_threshold)
};

struct TrainingInput {
  TrainingTable table;
  Target target;
  LearnedTarget learned;           // the target's column, and how its values became classes
  std::string source;              // the file name
  std::string reading, columns;    // how the file was read, and the roles of its columns
  std::vector<std::string> notes;  // what the user should know, one sentence each
};

/// Numbers, if all cells are numbers with more than 20 different values, or with decimals and more
/// than two different values; otherwise classes. Codes such as postal codes are classes.
BISECTOR_EXPORT TargetKind detect_target(std::span<const std::string> cells);

/// Reads the file, decides the role of every column and makes the target. Throws as open_data,
/// ColumnPlan, training_table and the functions of targets.h do, and InvalidInput for classes of a
/// target that is clearly a measurement: most rows would be a class of their own.
BISECTOR_EXPORT TrainingInput read_training_input(const std::filesystem::path& path,
                                                  const TrainingInputOptions& options);

/// The input restricted to some rows.
BISECTOR_EXPORT TrainingInput rows_of(const TrainingInput& input,
                                      std::span<const std::size_t> rows);

}  // namespace bisector
