// Tries the playground in Chromium (Debian's chromium-headless-shell): node --experimental-websocket check.mjs ADDRESS [PPL]
//
// Loads the page with ?run, which fits eight schools with seed 1, and says when it was ready and when the summary stood there. With PPL, the
// command, it runs the same and compares all draws, digit by digit. Then tries an error, and stopping a run.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [address, ppl] = process.argv.slice(2);
const dir = mkdtempSync(join(tmpdir(), "play-"));
const browser = spawn("chromium-headless-shell", ["--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${dir}`, "about:blank"]);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
let failed = 0;
const check = (name, ok, more = "") => { console.log(`${name}: ${ok ? "as it should be" : "WRONG"} ${more}`); failed += ok ? 0 : 1; };

// close ends the browser; killing what was started would not, since Debian's command is a script around it.
async function close() {
  const [port, path] = readFileSync(join(dir, "DevToolsActivePort"), "utf8").trim().split("\n");
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`);
  await new Promise((done) => (socket.onopen = done));
  const ended = new Promise((done) => browser.on("exit", done));
  socket.send(JSON.stringify({ id: 1, method: "Browser.close" }));
  await Promise.race([ended, sleep(5000)]);
}

async function tab(url) {
  const port = readFileSync(join(dir, "DevToolsActivePort"), "utf8").split("\n")[0];
  const made = await (await fetch(`http://127.0.0.1:${port}/json/new?about:blank`, { method: "PUT" })).json();
  const socket = new WebSocket(made.webSocketDebuggerUrl);
  await new Promise((done) => (socket.onopen = done));
  let id = 0;
  const waiting = new Map();
  socket.onmessage = (m) => { const r = JSON.parse(m.data); waiting.get(r.id)?.(r.result); };
  const send = (method, params) => new Promise((done) => { waiting.set(++id, done); socket.send(JSON.stringify({ id, method, params })); });
  const run = async (expression) => (await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }))?.result?.value;
  await send("Page.navigate", { url });
  const until = async (expression) => { for (let i = 0; i < 1200; i++) { if (await run(expression)) return true; await sleep(50); } return false; };
  return { run, until, send };
}

try {
  for (let i = 0; i < 100; i++) { try { readFileSync(join(dir, "DevToolsActivePort")); break; } catch { await sleep(100); } }
  const page = await tab(`${address}/?run`);
  check("the summary is shown", await page.until("document.body.dataset.shown"), await page.run("document.getElementById('answer').innerText.slice(0, 200)"));
  console.log(`ready after ${await page.run("document.body.dataset.ready")} ms, the summary shown after ${await page.run("document.body.dataset.shown")} ms`);
  check("pictures", (await page.until("document.body.dataset.done")) && (await page.run("document.images.length")) >= 5);
  console.log(`pictures after ${await page.run("document.body.dataset.done")} ms`);
  // The draws on the page, as the command has them in a fit.
  async function same(method) {
    const size = await page.run("fetch(document.querySelector('a[download]').href).then((r) => r.text()).then((t) => (globalThis.csv = t).length)");
    let csv = "";
    while (csv.length < size) csv += await page.run(`csv.slice(${csv.length}, ${csv.length + 500000})`); // node's socket takes no more than some megabytes
    writeFileSync(join(dir, "m.ppl"), await page.run("document.getElementById('model').value"));
    writeFileSync(join(dir, "m.json"), await page.run("document.getElementById('data').value"));
    execFileSync(ppl, ["run", join(dir, "m.ppl"), "--seed", "1", "-q", "--digits", "17", "--out", join(dir, "fit"), "--overwrite", ...method], { maxBuffer: 1e8 });
    const theirs = [];
    for (const f of readdirSync(join(dir, "fit")).filter((f) => /^chain-\d+\.csv$/.test(f)).sort()) {
      const rows = readFileSync(join(dir, "fit", f), "utf8").split("\n").filter((l) => l && !l.startsWith("#")).map((l) => l.split(","));
      const at = rows[0].map((n, i) => [n, i]).filter(([n]) => n === "lp__" || !n.endsWith("__")).map(([, i]) => i);
      theirs.push(...rows.slice(1).map((r) => at.map((i) => Number(r[i])).join()));
    }
    const ours = csv.trim().split("\n").slice(1).map((l) => l.split(",").slice(1).map(Number).join());
    check(`${ours.length} draws are those of ppl run`, ours.length > 0 && ours.join("\n") === theirs.join("\n"));
  }
  if (ppl) await same([]);
  const long = "nuts(warmup = 1000, draws = 8000)";
  const began = performance.now();
  await page.run(`document.getElementById('method').value = '${long}'; delete document.body.dataset.done; delete document.body.dataset.shown; run()`);
  check("a longer run", await page.until("document.body.dataset.shown"));
  console.log(`summary of it after ${Math.round(performance.now() - began)} ms, with ${await page.run("document.body.dataset.workers")} workers for chains, of ${await page.run("navigator.hardwareConcurrency")} processors`);
  check("workers for chains", (await page.run("document.body.dataset.workers")) > 1 === (await page.run("navigator.hardwareConcurrency > 1")));
  await page.until("document.body.dataset.done");
  if (ppl) await same(["--method", long]);
  await page.run("document.getElementById('method').value = ''");
  await page.run("document.getElementById('model').value = 'model { x ~ normal(0, 1); }'; document.getElementById('data').value = ''; delete document.body.dataset.done; delete document.body.dataset.shown; run()");
  check("an error has its place", (await page.until("document.body.dataset.shown")) && (await page.run("document.getElementById('answer').innerText")).startsWith("model:1:9: error: "));
  await page.until("!busy");
  await page.run("document.getElementById('model').value = 'parameters { real x; } model { x ~ normal(0, 1); }'; document.getElementById('method').value = 'nuts(chains = 1, draws = 100000000, thin = 1000)'; delete document.body.dataset.done; delete document.body.dataset.shown; run()");
  await sleep(3000);
  await page.run("document.getElementById('stop').click()");
  check("a run that is stopped keeps its draws", (await page.until("document.body.dataset.shown")) && (await page.run("document.getElementById('answer').innerText")).includes("cut short"));
} finally {
  await close();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);
