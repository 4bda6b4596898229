// Installs the npm packages of the pages, if they are missing or older than package-lock.json:
//   node install.mjs            what the build needs
//   node install.mjs --tests    also what checks and tests need
import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL(".", import.meta.url)));
const withTests = process.argv.includes("--tests");

function changed(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

const needed = withTests ? "node_modules/playwright-core" : "node_modules/esbuild";
const isInstalled = changed(needed) > 0
  && changed("node_modules/.package-lock.json") >= changed("package-lock.json");
if (!isInstalled) {
  const options = withTests ? [] : ["--omit=dev"];
  const { status } = spawnSync("npm", ["ci", ...options, "--loglevel=error"], { stdio: "inherit",
    shell: true });
  process.exit(status ?? 1);
}
