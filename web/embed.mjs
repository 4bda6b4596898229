// Writes the page of reports and its compressed library, if there is one, into a C++ source.
//   node embed.mjs OUTPUT.cpp REPORT.html [ENGINE.wasm]
import { readFileSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const [output, page, engine] = process.argv.slice(2);
// Compilers limit the length of one literal.
function literal(text) {
  const pieces = text.match(/[^]{1,8000}/g) ?? [""];
  return pieces.map(piece => `R"piece(${piece})piece"`).join("\n");
}
const base64 = engine ? gzipSync(readFileSync(engine), { level: 9 }).toString("base64") : "";
writeFileSync(output, `#include "tools/page_parts.h"
namespace bisector::tools {
PageParts page_parts() {
  static constexpr char kPage[] = ${literal(readFileSync(page, "utf8"))};
  static constexpr char kEngine[] = ${literal(base64)};
  return {{kPage, sizeof kPage - 1}, {kEngine, sizeof kEngine - 1}};
}
}  // namespace bisector::tools
`);
