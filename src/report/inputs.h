// The inputs of a report: features, pixels of an image, or the inputs of a network in front of the
// model.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "bisector/report/report.h"

namespace bisector::report {

/// Throws InvalidInput if the image does not have `columns` pixels.
void require_image(const ReportOptions& options, std::size_t columns);

/// Throws InvalidInput if sizes differ, or for options that a network does not have.
void require_network(const ReportOptions& options, const Model& model);

std::vector<ReportColumn> columns_in(const Model& model, const ReportOptions& options);

/// Replaces contributions of embeddings by those of the network's inputs. Numbers count from one.
void use_network(const NetworkInputs& network, std::span<const std::size_t> numbers,
                 Explanation& explanation);

}  // namespace bisector::report
