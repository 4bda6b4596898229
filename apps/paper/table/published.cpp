#include "table/published.h"

#include <nlohmann/json.hpp>

#include "common/embedded.h"

namespace bisector::paper {

std::optional<double> published_aufc(const DatasetInfo& info, const std::string& kind,
                                     const std::string& method) {
  static const nlohmann::json table = nlohmann::json::parse(embedded_published());
  const auto& row = table.at(info.published).at(kind);
  if (!row.contains(method)) return std::nullopt;
  return row.at(method).get<double>();
}

}  // namespace bisector::paper
