// A built HTML page with markers where its content goes.
#pragma once

#include <string>
#include <string_view>

#include "bisector/export.h"

namespace bisector {

/// Returns a page piece by piece.
class BISECTOR_EXPORT PageTemplate {
 public:
  explicit PageTemplate(std::string_view page) : rest_(page) {}

  /// The text from the end of the last piece to a marker such as "<!--title-->", without the
  /// marker. Throws InvalidInput if the marker is missing.
  std::string_view up_to(std::string_view marker);
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// Escapes JSON so that no character can end the script element that contains it.
BISECTOR_EXPORT std::string json_for_script(std::string_view json);

}  // namespace bisector
