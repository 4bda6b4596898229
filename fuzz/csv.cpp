// CSV: the first byte chooses the options, the rest is the file.
#include "io/text/text_formats.h"

#include "memory_file.h"
#include "recipe.h"
#include "rows.h"
#include "target.h"

namespace bisector::fuzz {

using namespace io;

FUZZ_TARGET(csv, bytes) {
  Recipe recipe(bytes);
  const std::uint8_t options = recipe.byte();
  DataFormat format;
  format.kind = DataFormat::Kind::csv;
  format.delimiter = "\0,;\t"[options & 3];
  format.header = static_cast<DataFormat::Header>((options >> 2 & 3) % 3);
  const MemoryFile file(recipe.rest());
  // Blocks of any size give the same rows.
  check_rows([&](int time) { return open_csv(text_input(file, time), format); });
}

}  // namespace bisector::fuzz
