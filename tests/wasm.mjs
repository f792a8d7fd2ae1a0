// Runs Python code in the Python of the site, under node: wasm.mjs PYODIDE NOBLE ROOT VECTORS PACKAGES CODE
const [pyodide, noble, root, vectors, packages, code] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.registerJsModule("pbem_noble", await import(noble));
for (const [place, folder] of Object.entries({ "/project": root, "/vectors": vectors, "/packages": packages })) {
  python.FS.mkdirTree(place);
  python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, place);
}
python.runPython(`import os, sys
sys.dont_write_bytecode = True
sys.path = ["/project", "/project/tests/installed/tiny", *sys.path, "/packages"]
os.environ["PBEM_PLACE"] = "here"`);
try {
  console.log(python.runPython(code));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
