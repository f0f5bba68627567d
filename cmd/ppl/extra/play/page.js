// The playground's page: asks the worker, and shows what it answers.
"use strict";
const $ = (id) => document.getElementById(id);
let worker, busy = false;

// make is an element with a text and children.
function make(tag, text, ...children) {
  const e = document.createElement(tag);
  e.textContent = text;
  e.append(...children);
  return e;
}

function say(text) { $("state").textContent = text; }

function start() {
  worker = new Worker("worker.js");
  worker.onerror = (e) => broken(e.message);
  worker.onmessage = (e) => {
    const { kind, content } = JSON.parse(e.data);
    if (kind === "ready") ready();
    else if (kind === "progress") $("progress").value = content;
    else if (kind === "workers") { document.body.dataset.workers = content; if (busy) say(`running, chains in ${content} workers`); }
    else if (kind === "broken") broken(content);
    else if (kind === "answer") show(content);
    else if (kind === "more") { ended(); (content || []).forEach(showMore); }
  };
}

function broken(text) {
  ended();
  $("answer").replaceChildren(make("pre", "The program ended: " + text));
  say("loading anew");
  worker.terminate();
  setTimeout(start, 1000);
}

function ready() {
  say("");
  document.body.dataset.ready = Math.round(performance.now());
  loaded.then(() => { if (new URLSearchParams(location.search).has("run") && !$("answer").hasChildNodes()) run(); });
}

function run() {
  if (busy) return;
  busy = true;
  $("stop").disabled = false;
  $("progress").hidden = false;
  $("progress").value = 0;
  say("running");
  const seed = Number($("seed").value);
  worker.postMessage(JSON.stringify({ model: $("model").value, data: $("data").value, method: $("method").value.trim(), seed }));
}

function ended() {
  busy = false;
  $("stop").disabled = true;
  $("progress").hidden = true;
  say("");
}

// decimals and fixed write figures as the command does: with two digits of their Monte Carlo error.
const decimals = (mcse) => (mcse > 0 && isFinite(mcse) ? Math.max(0, 1 - Math.floor(Math.log10(mcse))) : -1);
function fixed(x, places) {
  if (typeof x !== "number") return x === null ? "NaN" : String(x);
  return places < 0 || places > 8 || Math.abs(x) >= 1e9 ? String(Number(x.toPrecision(4))) : x.toFixed(places);
}

function table(fit) {
  const head = ["", "mean", "mcse", "sd", "5%", "50%", "95%", "ess_bulk", "ess_tail", "rhat"];
  const body = make("tbody", "");
  for (const p of fit.parameters.slice(0, 200)) {
    const d = decimals(p.mcse);
    const cells = [p.mean, p.mcse, p.sd, p.q5, p.q50, p.q95].map((x) => fixed(x, d));
    cells.push(fixed(p.ess_bulk, 0), fixed(p.ess_tail, 0), fixed(p.rhat, 3));
    body.append(make("tr", "", make("th", p.name), ...cells.map((c) => make("td", c))));
  }
  const div = make("div", "", make("table", "", make("thead", "", make("tr", "", ...head.map((h) => make("th", h)))), body));
  div.className = "scroll";
  return div;
}

function findings(fit) {
  return make("ul", "", ...fit.findings.map((f) => make("li", "", make("strong", f.severity + " "), `${f.meaning} (${f.quantity}: ${fixed(f.value, 3)}) ${f.remedy}`)));
}

// showMore adds the draws and the pictures of a fit to its section.
function showMore(fit, at) {
  const section = document.querySelectorAll("#answer section")[at];
  const link = make("a", "all draws as CSV");
  link.href = URL.createObjectURL(new Blob([fit.csv], { type: "text/csv" }));
  link.download = "draws.csv";
  const div = make("div", "", make("p", "", link));
  div.className = "pictures";
  for (const p of fit.pictures || []) {
    const img = make("img", "");
    img.alt = p.title;
    img.loading = "lazy";
    img.src = URL.createObjectURL(new Blob([p.svg], { type: "image/svg+xml" }));
    div.append(img);
  }
  section.append(div);
  document.body.dataset.done = Math.round(performance.now());
}

function section(fit) {
  const made = `${fit.draws} draws of ${fit.chains} chain(s) after ${fit.warmup} of warm-up${fit.incomplete ? ", cut short" : ""}`;
  const out = make("section", "", make("h2", `${fit.name} = ${fit.method}`), make("p", made));
  if (fit.log_evidence) out.append(make("p", "log p(y): " + fit.log_evidence));
  out.append(table(fit), findings(fit));
  return out;
}

function show(answer) {
  const parts = [];
  if (answer.warnings) parts.push(make("pre", answer.warnings));
  if (answer.printed) parts.push(make("pre", answer.printed));
  if (answer.error) parts.push(make("pre", answer.error));
  $("answer").replaceChildren(...parts, ...(answer.fits || []).map(section));
  document.body.dataset.shown = Math.round(performance.now()); // milliseconds since the page was asked for
}

async function load(name) {
  const [model, data] = await Promise.all([".ppl", ".json"].map(async (end) => {
    const found = await fetch(`examples/${name}${end}`);
    return found.ok ? found.text() : "";
  }));
  $("model").value = model;
  $("data").value = data;
}

document.forms[0].addEventListener("submit", (e) => { e.preventDefault(); run(); });
document.addEventListener("keydown", (e) => { if (e.ctrlKey && e.key === "Enter") run(); });
$("stop").addEventListener("click", () => worker.postMessage(0));
$("example").addEventListener("change", () => load($("example").value));

const loaded = (async () => {
  const names = (await (await fetch("examples/list.txt")).text()).trim().split("\n");
  $("example").append(...names.map((n) => make("option", n)));
  await load(names[0]);
})();
start();
