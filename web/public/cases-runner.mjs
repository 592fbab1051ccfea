// Runs any phone number parser on the cases in cases.json, which is beside this file. Public domain (CC0-1.0).
//
//   node cases-runner.mjs cases.json ./parser.mjs        a module: export default (input, country) => result
//   node cases-runner.mjs cases.json -- php parser.php   a command: a line of JSON in, {"input", "country"},
//                                                        and a line of JSON out, the result, for each case in order
//
// A result is {"valid": true, "number": "+4930901820", "extension": "5"}; number and extension may be null. What a
// result leaves out isn't compared, except `valid`. Exits with 1 if a case fails.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [file, parser, ...command] = process.argv.slice(2);
if (file === undefined || parser === undefined) {
  console.error("Usage: node cases-runner.mjs cases.json ./parser.mjs, or … cases.json -- COMMAND");
  process.exit(2);
}
const { cases } = JSON.parse(readFileSync(file, "utf8"));

async function resultsOfModule() {
  const { default: parse } = await import(pathToFileURL(resolve(parser)).href);
  const results = [];
  for (const { input, country } of cases) results.push(await parse(input, country));
  return results;
}

function resultsOfCommand([program, ...options]) {
  const input = cases.map((each) => `${JSON.stringify({ input: each.input, country: each.country })}\n`).join("");
  const { stdout, status, error } = spawnSync(program, options, {
    input,
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = (stdout ?? "").split("\n").filter((line) => line.trim() !== "");
  if (error || status !== 0 || lines.length !== cases.length) {
    throw error ?? new Error(`${lines.length} lines for ${cases.length} cases, exit code ${status}`);
  }
  return lines.map((line) => JSON.parse(line));
}

const results = parser === "--" ? resultsOfCommand(command) : await resultsOfModule();
const isRight = (right, result) =>
  result.valid === right.valid &&
  (!right.valid ||
    ["number", "extension"].every(
      (field) => right[field] === undefined || result[field] === undefined || right[field] === (result[field] || null),
    ));
const failed = cases.filter((each, index) => !isRight(each, results[index]));
for (const { input, country, valid, number, why, source } of failed) {
  console.log(
    `${JSON.stringify(input)} (${country ?? "no country"}): ${valid ? (number ?? "valid") : "invalid"}. ${why} [${source}]`,
  );
}
console.log(`${cases.length - failed.length} of ${cases.length} cases are right.`);
process.exitCode = failed.length > 0 ? 1 : 0;
