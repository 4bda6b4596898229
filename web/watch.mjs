// Builds a report page again whenever a source changes. No C++ build is needed.
//   npm run watch [REPORT.html]    writes dist/report.html with the data of that report
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, watch, writeFileSync } from "node:fs";

const [report] = process.argv.slice(2);
const page = "dist/page.html", output = "dist/report.html";

/** The text of a script element of a finished report. */
const partOf = (text, id) => text.match(new RegExp(`id="${id}">([^<]*)<`))?.[1] ?? "";
const source = report ? readFileSync(report, "utf8") : "";
const parts = { title: "Sample report",
  data: report ? partOf(source, "report-data") : readFileSync("tests/sample.json", "utf8"),
  engine: partOf(source, "report-engine"), wasm: " 'wasm-unsafe-eval'" };

function build() {
  try {
    execFileSync("node", ["build.mjs", page], { stdio: "inherit" });
    const text = readFileSync(page, "utf8");
    writeFileSync(output, text.replace(/<!--(\w+)-->/g, (marker, name) => parts[name] ?? marker));
    console.log(`${new Date().toLocaleTimeString()}: ${output}`);
  } catch {
    console.log("not built; waiting for the next change");
  }
}

mkdirSync("dist", { recursive: true });
build();
let timer;
watch("src", { recursive: true }, () => {
  clearTimeout(timer);
  timer = setTimeout(build, 50);
});
