// Runs a program for wasip1 under node: wasi.mjs PROGRAM ARGUMENTS..., with the whole file system.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({
  version: "preview1",
  args: ["ppl", ...args],
  env: { ...process.env, PWD: process.cwd() },
  preopens: { "/": "/" },
});
const module = await WebAssembly.compile(await readFile(program));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
