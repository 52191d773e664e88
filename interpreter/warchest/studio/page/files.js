// The designer's files, and those of the game to read: opened, changed, saved, and changed by other programs.
import { button, choice, dialog, field, make, part, quiet, refill } from "./dom.js";
import { isName } from "./link.js";
import { Kept } from "./storage.js";
import { counted, word } from "./words.js";

/** The milliseconds after which a reader sees that a text is being checked. */
const WHILE = 500;
const nameOf = (path) => path.split("/").at(-1);

/** The files: `own` by their paths from the folder, each `{path, uri, text, saved, problem}`. */
export class Files {
  constructor(studio) {
    this.studio = studio;
    this.own = new Map();
    this.shipped = [];
    this.findings = new Map();
    /** The versions of the texts that the findings are about. */
    this.versions = new Map();
    this.path = "";
    this.read = null;
    this.shownFindings = { found: [], list: make("ul", {}) };
  }

  get session() {
    return this.studio.session;
  }

  /** The file that the editor shows, if it is an own one. */
  get file() {
    return this.own.get(this.path);
  }

  /** The URI of an own file, which says what game is meant; the one that is shown, if there is one. */
  get uri() {
    return this.file?.uri ?? [...this.own.values()][0]?.uri ?? "";
  }

  // ---- reading

  /** Read the folder, and put back the drafts that were not saved. */
  async begin() {
    const { home, place } = this.studio;
    this.drafts = new Kept(`drafts ${place}`);
    this.stored = home === "page" ? new Kept(`folder ${place}`) : null;
    for (const [path, text] of Object.entries(this.stored?.all() ?? {})) await this.write({ path, text, saved: null });
    await this.list();
    for (const [path, text] of Object.entries(this.drafts.all())) {
      const file = this.own.get(path);
      if (file) file.text = text;
      else this.add({ path, text, saved: null });
    }
    for (const one of this.own.values()) if (one.problem === undefined) this.session.texts.open(one.uri, one.text);
  }

  /** Prepare a new session, with the texts as they are in the page. */
  async again() {
    for (const path of Object.keys(this.stored?.all() ?? {})) {
      await this.write({ path, text: this.stored.get(path), saved: null });
    }
  }

  async list() {
    const found = await this.session.request("studio/folder", {});
    this.root = found.root;
    this.writable = found.writable;
    for (const one of found.files) {
      const known = this.own.get(one.path);
      if (!known) this.add({ ...one, saved: one.text });
      else if (one.text !== undefined && one.text !== known.saved) this.changedOutside(known, one.text);
    }
    for (const [path, one] of this.own) {
      if (one.saved !== null && !found.files.some((other) => other.path === path)) one.saved = null;
    }
  }

  add(file) {
    this.own.set(file.path, { uri: `${this.root}/${file.path.split("/").map(encodeURIComponent).join("/")}`, ...file });
  }

  /** Take the text of a file that another program has written, unless there is a draft. */
  changedOutside(file, text) {
    const isDraft = file.text !== file.saved;
    if (!isDraft || file.text === text) {
      file.saved = text;
      this.replace(file, text);
      return;
    }
    if (file.theirs === text) return;
    file.banner?.remove();
    file.theirs = text;
    const settle = (act) => () => {
      file.saved = text;
      file.theirs = file.banner = undefined;
      act();
    };
    file.banner = this.studio.banner(word("file changed outside", { path: file.path }), [
      [word("take that text"), settle(() => this.replace(file, text))], [word("keep mine"), settle(() => this.render())],
    ]);
  }

  // ---- showing

  /** Show an own file in the editor. */
  open(path) {
    const file = this.own.get(path);
    if (!file || file.problem !== undefined) return;
    this.leave();
    this.path = path;
    this.studio.kept.set("path", path);
    this.studio.editor.show(file.uri, file.text, false);
    this.shown();
  }

  /** Show a file of the game, to be read. */
  async openShipped(uri) {
    const text = (await this.session.request("studio/shipped", { uri })).text;
    this.leave();
    this.path = "";
    this.read = uri;
    this.session.texts.open(uri, text);
    this.studio.editor.show(uri, text, true);
    this.shown();
  }

  /** Return the path from the folder of a URI in it. */
  pathOf(uri) {
    return decodeURIComponent(uri.slice(this.root.length + 1));
  }

  leave() {
    if (!this.read) return;
    this.studio.editor.keep();
    this.session.texts.close(this.read);
    this.read = null;
  }

  /** Show a place in any file that the game has. */
  async reveal(uri, range) {
    const own = [...this.own.values()].find((one) => one.uri === uri);
    if (own) this.open(own.path);
    else if (uri !== this.read) await this.openShipped(uri);
    this.studio.pane("write");
    this.studio.editor.go(range);
    return this.studio.editor.view;
  }

  shown() {
    const file = this.file;
    const copy = this.read && button(word("start from this"), () => this.copy());
    refill(part("file-title"), make("strong", {}, file?.path ?? nameOf(this.read ?? "")),
      this.read ? make("span", { className: "note" }, word("read only")) : "", copy || "",
      file ? button(word("layout"), () => this.studio.editor.format(), { title: word("lay the text out anew") }) : "",
      file && this.nameIn(file.text) ? button(word("try it"), () => this.studio.trying(() => this.studio.play.tryOut(this.nameIn(file.text)))) : "",
      file && (file.saved === null || file.text !== file.saved) ? button(word("discard"), () => this.discard(file)) : "",
      file ? button(word("rename word"), () => this.rename(), { title: "F2" }) : "");
    this.render();
    this.studio.shown();
    this.find(this.studio.editor.uri);
    this.wait();
  }

  render() {
    const rows = [...this.own.values()].sort((a, b) => (a.path < b.path ? -1 : 1)).map((one) => {
      const count = (this.findings.get(one.uri) ?? []).filter((found) => found.severity === 1).length;
      const marks = [one.text !== one.saved && "●", count && `✕ ${count}`].filter(Boolean).join(" ");
      const label = [one.path, one.text !== one.saved && word("not saved"), count && counted(count, "error")].filter(Boolean);
      return make("li", {}, button([one.path, make("small", {}, marks)], () => this.open(one.path), {
        "aria-current": one.path === this.path ? "true" : null, "aria-label": label.join(", "),
        disabled: one.problem !== undefined, title: one.problem ?? "" }));
    });
    const kinds = Map.groupBy(this.shipped, (one) => one.kind);
    const groups = [...kinds].map(([kind, ones]) => make("details", { open: kind === this.opened,
      ontoggle: (event) => { if (event.target.open) this.opened = kind; } },
      make("summary", {}, `${kind} (${ones.length})`),
      make("ul", {}, ones.map((one) => make("li", {}, button(one.name, () => this.openShipped(one.uri), {
        "aria-current": one.uri === this.read ? "true" : null }))))));
    refill(part("files"), make("h2", {}, word("your cards")), make("ul", {}, rows),
      rows.length ? "" : make("p", { className: "note" }, word("no cards yet")),
      this.writable === false && make("p", { className: "note" }, word("folder is read only")) || "",
      make("div", { className: "row" }, button(word("new card"), () => this.ask(), { className: "main" }),
        button(word("save"), () => this.saveAll(), { title: "Ctrl-S", disabled: !this.dirty.length })),
      make("h2", {}, word("cards of the game")), ...groups);
  }

  get dirty() {
    return [...this.own.values()].filter((one) => one.text !== one.saved && one.problem === undefined);
  }

  // ---- changing

  /** Take the text of the editor. */
  edited(text, isOutside) {
    const file = this.file;
    if (!file) return;
    const was = file.text !== file.saved;
    file.text = text;
    this.wait();
    if (file.text === file.saved) this.drafts.remove(file.path);
    else if (!this.drafts.set(file.path, text)) this.studio.tell(word("no room for drafts"));
    if (was !== (file.text !== file.saved) || isOutside) this.render();
  }

  /** Replace the text of a file, wherever it is shown. */
  replace(file, text) {
    file.text = text;
    if (text === file.saved) this.drafts.remove(file.path);
    else this.drafts.set(file.path, text);
    if (file.path === this.path) this.studio.editor.replace(text);
    else this.session.texts.open(file.uri, text);
    this.render();
  }

  /** Put the edits of a server into files: a WorkspaceEdit. */
  apply(edit) {
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) {
      const file = [...this.own.values()].find((one) => one.uri === uri);
      if (!file) continue;
      if (file.path === this.path) this.studio.editor.apply(edits);
      else this.replace(file, applied(file.text, edits));
    }
  }

  /** Write a file; return whether that went well. */
  async write(file) {
    try {
      await this.session.request("studio/save", { path: file.path, text: file.text, was: file.saved ?? null });
      return true;
    } catch (error) {
      this.studio.tell(error.message);
      return false;
    }
  }

  async saveAll() {
    for (const one of this.dirty) {
      if (one.theirs !== undefined) {
        this.studio.tell(word("answer first", { path: one.path }));
        continue;
      }
      if (!(await this.write(one))) continue;
      one.saved = one.text;
      this.drafts.remove(one.path);
      if (this.stored && !this.stored.set(one.path, one.text)) this.studio.tell(word("no room for drafts"));
    }
    this.render();
    if (!this.dirty.length) this.studio.tell(word("saved"));
    this.session.client.notification("textDocument/didSave", { textDocument: { uri: this.uri } });
  }

  /** Ask for another name for the card or word at the cursor, and put it into all files. */
  async rename() {
    const { editor } = this.studio, where = { textDocument: { uri: editor.uri }, position: editor.position };
    await this.studio.trying(async () => {
      const { placeholder } = await this.session.request("textDocument/prepareRename", where);
      const name = make("input", { required: true, maxLength: 60, value: placeholder });
      const wrong = make("p", { className: "wrong", role: "alert" });
      for (;;) {
        const chosen = await dialog(word("rename", { what: placeholder }), [field(word("new name"), name), wrong],
          [["", word("cancel")], ["rename", word("rename word")]]);
        if (!chosen) return;
        try {
          this.apply(await this.session.request("textDocument/rename", { ...where, newName: name.value.trim() }));
          return;
        } catch (error) {
          wrong.textContent = error.message;
        }
      }
    });
    editor.view.focus();
  }

  /** Return the name of the first document in a text; empty if there is none. */
  nameIn(text) {
    return /^\w+: *["']?([^"'#\n]+?)["']? *$/m.exec(text)?.[1] ?? "";
  }

  /** Go back to the text that was saved; a card that was never saved is removed. */
  async discard(file) {
    const sure = await dialog(word("discard"), [make("p", {}, word("discard sure", { path: file.path }))],
      [["", word("cancel")], ["yes", word("discard")]]);
    if (!sure) return;
    if (file.saved !== null) {
      this.replace(file, file.saved);
      this.shown();
      return;
    }
    this.drafts.remove(file.path);
    this.stored?.remove(file.path);
    this.own.delete(file.path);
    this.path = "";
    this.studio.editor.forget();
    this.session.texts.close(file.uri);
    const [first] = [...this.own.keys()].sort();
    if (first) this.open(first);
    else this.shown();
  }

  // ---- new cards

  /** Ask for the kind and the name of a new card, and begin it from its template. */
  async ask() {
    const kinds = await this.studio.cardKinds();
    const kind = choice(kinds), name = make("input", { required: true, maxLength: 60, value: "", autofocus: true });
    const wrong = make("p", { className: "wrong", role: "alert" });
    for (;;) {
      const chosen = await dialog(word("new card"), [field(word("kind"), kind), field(word("name"), name), wrong],
        [["", word("cancel")], ["make", word("make")]]);
      if (!chosen) return;
      try {
        await this.begun(kind.value, name.value.trim());
        this.studio.tell("");
        return;
      } catch (error) {
        wrong.textContent = error.message;
      }
    }
  }

  /** Begin a card from its template. */
  async begun(kind, name) {
    const made = await this.session.request("warchest/card/new", { kind, name, folder: this.root }, 30_000);
    for (const one of made.files) this.insert(this.pathOf(one.uri), one.text);
    this.open(this.pathOf(made.uri));
  }

  /** Begin a card of one's own from the one that is read. */
  async copy() {
    const text = this.studio.editor.text, kept = nameOf(this.read);
    const head = /^(\w+): *(.+)$/m.exec(text);
    const name = make("input", { required: true, maxLength: 60, value: head ? `My ${head[2]}` : "" });
    const chosen = await dialog(word("start from this"), [field(word("name"), name)],
      [["", word("cancel")], ["make", word("make")]]);
    if (!chosen || !name.value.trim()) return;
    const given = name.value.trim().replaceAll("\n", " ");
    const named = head ? text.replace(head[0], `${head[1]}: ${given}`) : text;
    this.insert(head ? `${slug(given)}.yaml` : kept, head ? named.replaceAll(new RegExp(`\\b${escaped(head[2])}\\b`, "g"), given) : named);
  }

  /** Add a file that is not in the folder yet, and show it. */
  insert(path, text) {
    let free = path;
    for (let number = 2; this.own.has(free); number += 1) free = path.replace(/(\.\w+)$/, `-${number}$1`);
    if (!isName(free)) {
      this.studio.tell(word("bad name", { name: free }));
      return;
    }
    this.add({ path: free, text, saved: null });
    this.drafts.set(free, text);
    this.session.texts.open(this.own.get(free).uri, text);
    this.open(free);
    this.studio.pane("write");
  }

  // ---- findings

  /** Take the findings of a text. */
  published({ uri, diagnostics, version = 0 }) {
    const again = this.versions.get(uri) === version && JSON.stringify(this.findings.get(uri)) === JSON.stringify(diagnostics);
    this.versions.set(uri, version);
    if (!again) this.findings.set(uri, diagnostics);
    if (!again && uri === this.studio.editor.uri) this.find(uri);
    this.render();
  }

  /** Whether the findings are those of the text as it is now. */
  isChecked() {
    const { uri } = this.studio.editor, known = this.session.texts.getFile(uri);
    return !known || (this.versions.get(uri) ?? -1) >= known.version;
  }

  /** Say that a text is being checked, where that takes a while. */
  wait = quiet(WHILE, () => {
    if (!this.isChecked()) this.told();
  });

  /** Show the findings of the text that is shown; their fixes follow. */
  find(uri) {
    const found = this.findings.get(uri) ?? [];
    this.show(found, new Map());
    if (found.length) this.fix(uri, found);
  }

  async fix(uri, found) {
    const all = { start: { line: 0, character: 0 }, end: { line: 1e6, character: 0 } };
    const actions = await this.session.request("textDocument/codeAction", {
      textDocument: { uri }, range: all, context: { diagnostics: found },
    }).catch(() => []);
    if (this.findings.get(uri) !== found || uri !== this.studio.editor.uri) return;
    const same = (a, b) => a.code === b.code && a.range.start.line === b.range.start.line
      && a.range.start.character === b.range.start.character;
    const fixes = new Map(found.map((one) => [one, (actions ?? []).filter((action) =>
      (action.diagnostics ?? []).some((other) => same(one, other)))]));
    this.show(found, fixes);
  }

  /** Show findings in the editor and below it. */
  show(found, fixes) {
    this.studio.editor.find(found, fixes);
    const rows = found.map((one) => make("li", { className: `grade-${one.severity}` },
      button([make("b", {}, String(one.code ?? "")), " ", one.message], () => this.studio.editor.go(one.range),
        { className: "linked" }),
      (fixes.get(one) ?? []).map((fix) => button(fix.title, () => this.apply(fix.edit), { className: "fix" }))));
    this.shownFindings = { found, list: make("ul", {}, rows) };
    this.told();
  }

  /** Tell the number of findings, and of rulings of the text that fail; the list stays, as it may be clicked just now. */
  told() {
    const { found, list } = this.shownFindings, box = part("findings");
    const { editor, rulings } = this.studio;
    const failing = rulings.results.filter((one) => one.uri === editor.uri && one.outcome === "failed");
    const heading = this.isChecked() ? (found.length ? counted(found.length, "finding") : word("no findings")) : word("checking");
    const more = failing.length > 0 && button(counted(failing.length, "ruling fails"), () => this.studio.about("rulings"));
    if (list.parentNode !== box) refill(box, make("h2", {}), list);
    refill(box.querySelector("h2"), heading, " ", more || "");
  }
}

const slug = (name) => name.toLowerCase().normalize("NFKD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "card";
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Return a text with edits, whose places are those of the text before. */
export function applied(text, edits) {
  const lines = text.split("\n"), starts = [0];
  for (const one of lines) starts.push(starts.at(-1) + one.length + 1);
  const offset = ({ line, character }) => Math.min((starts[line] ?? text.length) + character, text.length);
  const changes = edits.map((one) => [offset(one.range.start), offset(one.range.end), one.newText]).sort((a, b) => b[0] - a[0]);
  return changes.reduce((made, [from, to, inserted]) => made.slice(0, from) + inserted + made.slice(to), text);
}
