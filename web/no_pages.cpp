// What a command that was built without npm has instead of its page.
#include "tools/page_parts.h"

namespace bisector::tools {

PageParts page_parts() { return {}; }

}  // namespace bisector::tools
