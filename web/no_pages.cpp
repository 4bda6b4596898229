// What a command that was built without npm has instead of its pages.
#include "tools/page_parts.h"

namespace bisector::tools {

PageParts page_parts() { return {}; }
std::string_view molecule_page() { return {}; }

}  // namespace bisector::tools
