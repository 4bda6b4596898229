// What a command that was built without npm has instead of its pages.
#include "cli/page_parts.h"

namespace bisector::cli {

PageParts page_parts() { return {}; }
std::string_view molecule_page() { return {}; }

}  // namespace bisector::cli
