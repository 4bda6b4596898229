// Bundles the unit tests of the page's modules and runs them with node's test runner.
import { buildSync } from "esbuild";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "bisector-page-"));
const sources = import.meta.dirname;
const tests = readdirSync(join(sources, "unit")).filter(file => file.endsWith(".test.ts"));
buildSync({ entryPoints: tests.map(file => join(sources, "unit", file)), bundle: true,
  platform: "node", format: "esm", outdir: folder, outExtension: { ".js": ".mjs" },
  loader: { ".json": "json" }, logLevel: "warning" });
const files = tests.map(file => join(folder, file.replace(/\.ts$/, ".mjs")));
const { status } = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" });
rmSync(folder, { recursive: true, force: true });
process.exit(status ?? 1);
