// The keys of the page: a list of them, and those that hold everywhere.
import { dialog, make } from "./dom.js";
import { word } from "./words.js";

const KEYS = ["?", "Tab", "Ctrl-Space", "F2", "Ctrl-S", "F8", "← → ↑ ↓", "Shift + ← → ↑ ↓", "Enter", "Esc", "Del"];

/** Show the list of the keys. */
export function showKeys() {
  return dialog(word("keys"), make("dl", { className: "keys" }, KEYS.flatMap((key) => [
    make("dt", {}, make("kbd", {}, key)), make("dd", {}, word(`key ${key}`))])), [["", word("close")]]);
}

/** Listen for the question mark outside of fields, and for the link that skips to the editor. */
export function listenForKeys(toEditor) {
  document.addEventListener("keydown", (event) => {
    const isText = event.target.matches("input, textarea, select, [contenteditable=true]");
    if (event.key !== "?" || isText || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    showKeys();
  });
  document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    toEditor();
  });
}
