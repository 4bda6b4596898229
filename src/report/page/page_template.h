// What pages have in common: a built page with markers where its own parts go.
#pragma once

#include <string>
#include <string_view>

namespace bisector::report {

/// Hands out a page piece by piece.
class PageTemplate {
 public:
  explicit PageTemplate(std::string_view page) : rest_(page) {}

  /// From where the last piece ended up to a marker such as "<!--title-->", which is left out.
  /// Throws InvalidInput where it is not there.
  std::string_view up_to(std::string_view marker);
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
};

/// The same JSON in which no character can end the script element that holds it.
std::string json_for_script(std::string_view json);

}  // namespace bisector::report
