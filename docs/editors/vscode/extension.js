const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const command = workspace.getConfiguration("warchest").get("server");
  const documentSelector = [{ scheme: "file", language: "yaml" }];
  const fileEvents = workspace.createFileSystemWatcher("**/*.{yaml,yml,toml}");
  client = new LanguageClient("wc-lsp", "wc-lsp", { command }, { documentSelector, synchronize: { fileEvents } });
  return client.start();
};

exports.deactivate = () => client?.stop();
