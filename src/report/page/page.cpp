#include "bisector/report/page_template.h"
#include "bisector/report/report.h"

namespace bisector {

namespace {

/// The text with all characters escaped that have a meaning in HTML.
std::string escaped_markup(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '&':
        result += "&amp;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return result;
}

}  // namespace

void write_page(std::ostream& out, const Report& report, const PageParts& parts) {
  const bool has_engine = !parts.engine.empty() && !report.packed_model.empty();
  PageTemplate page(parts.page);
  out << page.up_to("<!--wasm-->");
  // Only a page with an engine may compile one.
  if (has_engine) out << " 'wasm-unsafe-eval'";
  out << page.up_to("<!--title-->") << escaped_markup(report.options.words.title);
  out << page.up_to("<!--data-->") << report_json(report);
  out << page.up_to("<!--engine-->");
  if (has_engine) out << parts.engine;
  out << page.rest();
}

}  // namespace bisector
