// The playground's worker: loads the program, which then takes messages itself.
importScripts("wasm_exec.js");
(async () => {
  const packed = await fetch("play.wasm.packed"); // gzip; a name that no server takes for it and unpacks
  if (!packed.ok) throw new Error(`play.wasm.packed: ${packed.status}`);
  const stream = packed.body.pipeThrough(new DecompressionStream("gzip"));
  const response = new Response(stream, { headers: { "Content-Type": "application/wasm" } });
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(response, go.importObject);
  await go.run(instance);
})().catch((e) => postMessage(JSON.stringify({ kind: "broken", content: String(e) })));
