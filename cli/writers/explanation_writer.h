// Explanations as files: CSV with a row or a ranking for each explained row, the bare matrix as
// NPY, and JSON with everything, as one document or a line for each row. Written chunk by chunk.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "bisector/explain.h"
#include "bisector/model.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

struct ExplanationStyle {
  TableFormat format = TableFormat::csv;
  bool can_go_back = false;        // in the output, for what is known at the end
  bool details = false;            // CSV: decision, pools, tie, base, correction behind g
  std::optional<std::size_t> top;  // only so many features, the largest |relevance| first
};

/// What is the same for all rows.
struct ExplanationHead {
  const Model& model;
  ExplainSettings settings;
  std::vector<std::string> features;
};

struct ExplainedChunk {
  std::size_t first_row = 1;  // counted from one
  Explanation explanation;
  std::vector<std::vector<Evidence>> evidence;  // one per row, or none at all
};

class ExplanationWriter {
 public:
  virtual ~ExplanationWriter() = default;
  virtual void write(const ExplainedChunk& chunk) = 0;
  /// After the last chunk.
  virtual void finish() = 0;
};

std::unique_ptr<ExplanationWriter> make_explanation_writer(std::ostream& out,
                                                           const ExplanationStyle& style,
                                                           ExplanationHead head);

/// Positions of the `count` values of largest magnitude, largest first; equals in their order.
std::vector<std::size_t> strongest(std::span<const double> values, std::size_t count);

}  // namespace bisector::cli
