// Starts ppl lsp when a model is opened, and stops it with the window.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

async function activate() {
  const settings = vscode.workspace.getConfiguration("ppl");
  client = new LanguageClient(
    "ppl",
    "ppl",
    { command: settings.get("command"), args: ["lsp"] },
    {
      documentSelector: [{ language: "ppl" }, { language: "stan" }],
      initializationOptions: { include: settings.get("include"), lint: settings.get("lint") },
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{ppl,stan,stanfunctions}") },
    },
  );
  try {
    await client.start();
  } catch (err) {
    vscode.window.showErrorMessage(`ppl lsp does not start: ${err.message}. The setting ppl.command says where ppl is.`);
  }
}

function deactivate() {
  return client && client.isRunning() ? client.stop() : undefined;
}

module.exports = { activate, deactivate };
