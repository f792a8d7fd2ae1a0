// Runs Python code in the Python of the site, under node: wasm.mjs PYODIDE NOBLE ROOT VECTORS CODE
const [pyodide, noble, root, vectors, code] = process.argv.slice(2);
const { loadPyodide } = await import(`${pyodide}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${pyodide}/` });
python.registerJsModule("pbem_noble", await import(noble));
python.FS.mkdirTree("/root");
python.FS.mkdirTree("/vectors");
python.FS.mount(python.FS.filesystems.NODEFS, { root }, "/root");
python.FS.mount(python.FS.filesystems.NODEFS, { root: vectors }, "/vectors");
python.runPython("import sys; sys.path.insert(0, '/root'); sys.dont_write_bytecode = True");
try {
  console.log(python.runPython(code));
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
