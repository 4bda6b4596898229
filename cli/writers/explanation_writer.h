// Explanations as files: CSV with one row per explained row, or one line per feature; the matrix of
// relevance as NPY; and JSON with everything, as one document or one line per row.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "bisector/explain.h"
#include "bisector/io/model_rows.h"
#include "bisector/model.h"
#include "cli/writers/describe_model.h"
#include "cli/writers/row_values.h"
#include "cli/writers/table_format.h"

namespace bisector::cli {

struct ExplanationStyle {
  TableFormat format = TableFormat::csv;
  bool can_go_back = false;        // the output is a file whose beginning can be written last
  bool details = false;            // CSV: more columns after the last one
  std::optional<std::size_t> top;  // only this many features, the largest |relevance| first
};

/// The data that all rows share.
struct ExplanationHead {
  const Model& model;
  ExplainSettings settings;
  std::vector<std::string> features;
  RowValues values;
  std::vector<std::string> kept = {};  // the names of ModelChunk::kept
  /// The columns of each group, if there are groups.
  std::vector<std::pair<std::string, std::vector<std::string>>> groups = {};
};

struct ExplainedChunk {
  const ModelChunk& source;
  Explanation explanation;                      // relevance per entry of ExplanationHead::features
  std::vector<std::vector<Evidence>> evidence;  // one per row, or none at all
};

class ExplanationWriter {
 public:
  virtual ~ExplanationWriter() = default;
  virtual void write(const ExplainedChunk& chunk) = 0;
  /// Writes what comes after the last chunk; JSON has the notes there.
  virtual void finish(const std::vector<std::string>& notes) = 0;
};

std::unique_ptr<ExplanationWriter> make_explanation_writer(std::ostream& out,
                                                           const ExplanationStyle& style,
                                                           ExplanationHead head);

/// For JSON, which make_explanation_writer() chooses by the style.
std::unique_ptr<ExplanationWriter> make_json_writer(std::ostream& out,
                                                    const ExplanationStyle& style,
                                                    ExplanationHead head);

/// Positions of the `count` values of largest magnitude, largest first; equal ones in their order.
std::vector<std::size_t> strongest(std::span<const double> values, std::size_t count);

}  // namespace bisector::cli
