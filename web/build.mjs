// Makes a page: one HTML file that holds script and style, and markers where the command puts what
// differs. The hashes in its policy are those of script and style, so nothing else runs.
//   node build.mjs OUTPUT.html    of src/main.ts, src/style.css and src/body.html
import { buildSync } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

const source = join(here, "src"),
  [output = join(here, "dist", "page.html")] = process.argv.slice(2);

function bundle(entry) {
  const result = buildSync({ entryPoints: [join(source, entry)], bundle: true, minify: true,
    write: false, format: "iife", target: ["chrome100", "firefox102", "safari15"], charset: "utf8",
    legalComments: "none", logLevel: "warning" });
  return result.outputFiles[0].text.trim();
}

const hash = text => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;

function fill(template, parts) {
  return template.replace(/<!--(\w+)-->/g, (marker, name) => parts[name] ?? marker);
}

const script = bundle("main.ts");
const style = bundle("style.css");
const body = readFileSync(join(source, "body.html"), "utf8");
const shell = readFileSync(join(source, "shell.html"), "utf8");
writeFileSync(output,
  fill(shell, { script, style, scriptHash: hash(script), styleHash: hash(style), body }));
