// node run.mjs PYODIDE WORK SCRIPT [ARCHIVE]: run Python code in Pyodide, with the folder WORK as /work.
// With an archive Python starts as it does in the page: its library and packages are the files of the archive.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { place } from "./page/archive.js";

// Browsers have had sums in constants of modules since 2023, Node since 21.
if (parseInt(process.versions.node) < 21) setFlagsFromString("--experimental-wasm-extended-const");

const [, , folder, work, script, archive] = process.argv;
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`));
const asInPage = {
  stdLibURL: `${work}/empty.zip`,
  fsInit: async (FS) => place(FS, "/lib", new Uint8Array(readFileSync(archive))),
};
const python = await loadPyodide({
  indexURL: `${folder}/`, lockFileContents: { info: JSON.parse(readFileSync(`${folder}/pyodide-lock.json`)).info, packages: {} },
  packageBaseUrl: `${folder}/`, env: { WARCHEST_CACHE: "", PYTHONHASHSEED: "0", PYTHONPATH: "/lib/python3.14", HOME: "/home/pyodide" },
  ...(archive ? asInPage : {}),
});
python.mountNodeFS("/work", work);
try {
  python.runPython(readFileSync(script, "utf8"));
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
