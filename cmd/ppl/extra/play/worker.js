// The playground's worker: loads the program, which then takes messages itself. Those that the program takes on get it as it was compiled.
importScripts("wasm_exec.js");
const broken = (e) => postMessage(JSON.stringify({ kind: "broken", content: String(e) }));

async function load() {
  const packed = await fetch("play.wasm.packed"); // gzip; a name that no server takes for it and unpacks
  if (!packed.ok) throw new Error(`play.wasm.packed: ${packed.status}`);
  const stream = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

async function start(module) {
  const go = new Go();
  await go.run(await WebAssembly.instantiate(module, go.importObject));
}

if (location.hash === "#another") {
  onmessage = (e) => { onmessage = null; start(e.data).catch(broken); };
} else {
  load().then((module) => {
    globalThis.another = () => { // a worker for chains
      const worker = new Worker("worker.js#another");
      worker.postMessage(module);
      return worker;
    };
    return start(module);
  }).catch(broken);
}
