// Pyodide under node: a line of JSON in is one answer to judge, a line of JSON out is its verdict.
// node seat.mjs FOLDER-OF-PYODIDE ZIP-OF-OUR-PACKAGES
import { readFileSync, writeSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, ours] = process.argv.slice(2);

const say = (text) => {
  for (let left = Buffer.from(text + "\n"); left.length; left = left.subarray(writeSync(1, left)));
};

try {
  const { loadPyodide } = await import(pathToFileURL(join(resolve(folder), "pyodide.mjs")));
  const pyodide = await loadPyodide({ indexURL: resolve(folder) + "/", stdout: () => {}, stderr: () => {} });
  const packages = pyodide.runPython("import sysconfig; sysconfig.get_path('purelib')");
  pyodide.unpackArchive(new Uint8Array(readFileSync(ours)), "zip", { extractDir: packages });
  const answered = pyodide.runPython("from inside import answered\nanswered");
  say(JSON.stringify({ ready: pyodide.version }));
  for await (const line of createInterface({ input: process.stdin })) {
    say(answered(line));
  }
} catch (error) {
  // Node itself would print the line in which it happened, and Pyodide has all its code in one.
  console.error(String(error).slice(0, 2000));
  process.exit(1);
}
