
#include "bisector/error.h"
#include "bisector/markup.h"
#include "bisector/report.h"

namespace bisector {
namespace {

constexpr std::string_view kTitle = "<!--title-->", kWasm = "<!--wasm-->", kData = "<!--data-->",
                           kEngine = "<!--engine-->";

/// The page up to a marker; the rest begins behind it.
std::string_view up_to(std::string_view& rest, std::string_view marker) {
  const std::size_t place = rest.find(marker);
  if (place == std::string_view::npos)
    throw InvalidInput("the page lacks " + std::string(marker) + ", expected the built page");
  const std::string_view part = rest.substr(0, place);
  rest.remove_prefix(place + marker.size());
  return part;
}

}  // namespace

void write_page(std::ostream& out, const Report& report, const PageParts& parts) {
  const bool has_engine = !parts.engine.empty() && !report.packed_model.empty();
  std::string_view rest = parts.page;
  out << up_to(rest, kWasm);
  // Only a page with an engine may compile one.
  if (has_engine) out << " 'wasm-unsafe-eval'";
  out << up_to(rest, kTitle) << escaped_markup(report.options.words.title);
  out << up_to(rest, kData) << report_json(report);
  out << up_to(rest, kEngine);
  if (has_engine) out << parts.engine;
  out << rest;
}

}  // namespace bisector
