// Formats the scripts of this folder, or checks that they are formatted.
//   node format.mjs [--fix]
import { createFromBuffer } from "@dprint/formatter";
import { getPath } from "@dprint/typescript";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const kColumns = 100;
const isFix = process.argv.includes("--fix");
const files = readdirSync(".", { recursive: true }).filter(file =>
  /\.(ts|mjs|css)$/.test(file) && !file.includes("node_modules")
);

const formatter = createFromBuffer(readFileSync(getPath()));
formatter.setConfig({ lineWidth: kColumns, indentWidth: 2, useTabs: false }, {
  quoteStyle: "preferDouble",
  "arguments.preferHanging": "always",
  "importDeclaration.preferHanging": true,
  "exportDeclaration.preferHanging": true,
  "preferSingleLine": true,
  "sequenceExpression.preferHanging": true,
  "unionAndIntersectionType.preferHanging": true,
  "conditionalExpression.linePerExpression": false,
  "conditionalExpression.operatorPosition": "nextLine",
  "trailingCommas": "never",
  "parameters.preferHanging": "always",
  "arrayExpression.preferHanging": "always",
  "objectExpression.preferHanging": true,
  "variableStatement.preferHanging": true,
  "arrowFunction.useParentheses": "preferNone",
  "binaryExpression.linePerExpression": false,
  "memberExpression.linePerExpression": false,
  "functionDeclaration.bracePosition": "sameLine",
  "arrowFunction.bracePosition": "sameLine",
  "method.bracePosition": "sameLine"
});

function problemsOf(file) {
  const text = readFileSync(file, "utf8");
  const made = file.endsWith(".css") ? text
    : formatter.formatText({ filePath: file, fileText: text });
  if (made !== text && isFix) writeFileSync(file, made);
  const long = made.split("\n").flatMap((line, i) =>
    line.length > kColumns
      ? [`${file}:${i + 1}: ${line.length} columns, expected at most ${kColumns}`] : []
  );
  return made !== text && !isFix ? [`${file}: not formatted; npm run fix does it`, ...long] : long;
}

const problems = files.flatMap(problemsOf);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
