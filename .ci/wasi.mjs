// Runs a WebAssembly program in Node, for `cargo test --target wasm32-wasip1`.
import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const args = argv.slice(2);
const wasi = new WASI({ version: "preview1", args, env, preopens: { ".": "." }, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(args[0]));
exit(wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject())));
