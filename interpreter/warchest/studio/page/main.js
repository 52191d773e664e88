// The page: its parts, and how they begin.
import { picture } from "./board.js";
import { Editor, clientExtensions } from "./editor.js";
import { Files } from "./files.js";
import { listenForKeys, showKeys } from "./keys.js";
import { Jobs } from "./jobs.js";
import { Meaning } from "./meaning.js";
import { Play } from "./play.js";
import { Rulings } from "./rulings.js";
import { Setup } from "./setup.js";
import { Session } from "./session.js";
import { button, choice, dialog, field, make, part, quiet, tabs } from "./dom.js";
import { told } from "./early.js";
import { LONG, MOST, packed, unpacked } from "./link.js";
import { Kept } from "./storage.js";
import { phrases, readWords, word } from "./words.js";

const RESTARTS = 3;
/** The most milliseconds that the board waits for the first findings. */
const FIRST = 2000;

/** The studio: all parts of the page, and their common state. */
class Studio {
  constructor(told) {
    this.home = told.home;
    this.place = told.place;
    /** Whether the first findings are there, or have been waited for long enough. */
    this.hasFindings = false;
    this.kept = new Kept(`choices ${told.place}`);
    this.games = told.games;
    const game = this.games.includes(this.kept.get("game")) ? { game: this.kept.get("game") } : {};
    this.session = new Session(this.home, clientExtensions(), game);
    this.editor = new Editor(part("editor"), this.session, { editor: word("editor"), phrases: phrases() });
    this.files = new Files(this);
    this.setup = new Setup(this);
    this.play = new Play(this);
    this.build();
    this.listen();
  }

  build() {
    const panels = [make("div"), make("div"), make("div")];
    this.rulings = new Rulings(this, panels[1]);
    this.meaning = new Meaning(this, panels[0]);
    this.jobs = new Jobs(this, panels[2]);
    this.tabs = tabs(word("about the text"), [[word("meaning"), panels[0]], [word("rulings"), panels[1]],
      [word("tests"), panels[2]]]);
    part("about-tabs").append(this.tabs.made);
    this.game = choice(this.games, { "aria-label": word("game"), onchange: () => {
      this.kept.set("game", this.game.value);
      location.reload();
    } });
    part("commands").append(this.game, button(word("open"), () => this.openFile()), button(word("share"), () => this.share()),
      button(word("save"), () => this.files.saveAll()), button("?", showKeys, { title: word("keys"), "aria-label": word("keys") }));
    part("panes").append(...["write", "about", "play"].map((one) => button(word(`pane ${one}`), () => this.pane(one), {
      "data-pane": one })));
    this.pane("write");
  }

  listen() {
    const { editor, files, session } = this;
    editor.onedit = (text, isOutside) => {
      files.edited(text, isOutside);
      this.changed();
    };
    editor.onmove = (position) => this.hasFindings && this.meaning.show(position);
    editor.onsave = () => files.saveAll();
    editor.onrename = () => files.rename();
    editor.onfix = (fix) => files.apply(fix.edit);
    session.texts.shown = (uri) => files.reveal(uri, { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } });
    session.on("textDocument/publishDiagnostics", (params) => {
      files.published(params);
      if (params.uri === editor.uri) editor.moved();
      document.body.dataset.checked = params.version ?? 0;
      if (!this.hasFindings) this.onfirst?.();
    });
    session.onslow = (isSlow) => {
      if (isSlow) this.tell((this.slow = word("takes long", { path: files.path })));
      else this.untell(this.slow);
    };
    session.on("studio/changed", () => this.trying(() => files.list()));
    session.on("warchest/changed", (params) => this.renewed(params));
    session.onstate = (state, reason) => this.state(state, reason);
    window.addEventListener("hashchange", () => this.opened());
    window.addEventListener("keydown", (event) => {
      if (event.key !== "s" || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
      event.preventDefault();
      files.saveAll();
    });
    listenForKeys(() => {
      this.pane("write");
      editor.view.focus();
    });
  }

  // ---- beginning

  async begin() {
    await this.link();
    this.session.onstart = async () => {
      if (this.begun) await this.files.again();
      else await this.files.begin();
    };
    await this.session.start();
    this.begun = true;
    this.take();
    const set = await this.first();
    await this.trying(() => this.play.begin(set));
    document.body.dataset.ready = "yes";
    await this.trying(() => this.after());
  }

  /** Show the first file, if there is one, with its findings, and the list of files; return the server's description of
  the game. */ async first() {
    const paths = [...this.files.own.keys()].sort();
    const last = this.kept.get("path");
    if (paths.length) this.files.open(paths.includes(last) ? last : paths[0]);
    await this.checked();
    const set = await this.gameSet();
    this.game.value = set.game;
    this.files.shipped = set.files.filter((one) => one.readOnly);
    this.files.render();
    return set;
  }

  /** Wait for the first findings: a reader needs them first, so nothing else is requested before. */
  async checked() {
    if (this.files.file && !this.hasFindings) {
      await new Promise((done) => {
        this.onfirst = done;
        setTimeout(done, FIRST);
      });
    }
    this.hasFindings = true;
    this.editor.moved();
    this.changed();
  }

  async after() {
    await this.rulings.run();
  }

  gameSet() {
    return this.session.request("warchest/set", this.files.uri ? { uri: this.files.uri } : {}, 30_000);
  }

  async cardKinds() {
    return (await this.gameSet()).kinds;
  }

  /** Whether a bot can play: one that searches needs the native machine. */
  hasBot(name) {
    return name !== "mcts" || this.play.native === "ready";
  }

  /** Save the play as a page that can be looked through. */
  async replay() {
    await this.trying(async () => {
      const { viewer, play } = this.play.view;
      const { html } = await this.session.request("warchest/play/page", { play, ...(viewer && { viewer }) }, 60_000);
      this.download("replay.html", html, "text/html");
      this.tell(word("saved as", { name: "replay.html" }));
    });
  }

  // ---- changes

  /** Follow a change of a text: ask for its lenses again. */
  changed = quiet(400, () => this.trying(async () => {
    if (this.session.connection && this.hasFindings) await this.lenses();
  }));

  /** Follow a change of the game: go on with the play, and run the rulings again. */
  renewed = quiet(250, () => this.trying(async () => {
    await this.play.reload();
    await this.rulings.run();
  }));

  async lenses() {
    const { uri } = this.editor;
    if (!this.files.file) return;
    const found = await this.session.request("textDocument/codeLens", { textDocument: { uri } });
    const told = await Promise.all((found ?? []).filter((one) => one.command?.command !== "warchest.picture").slice(0, 60)
      .map((one) => (one.command ? one : this.session.request("codeLens/resolve", one))));
    const isWhole = !(this.files.findings.get(uri) ?? []).some((one) => one.severity === 1);
    // While a text is not understood, the lenses stay as they were: they are not to come and go during typing.
    if (uri === this.editor.uri && (told.length || isWhole)) this.editor.lens(told.filter((one) => one.command?.title));
  }

  shown() {
    this.changed();
  }

  // ---- links

  /** Read the link in the address; its cards are shown as a copy. */
  async link() {
    const fragment = location.hash.slice(1);
    if (fragment) await this.unpack(fragment);
  }

  async unpack(fragment) {
    this.shared = null;
    try {
      this.shared = await unpacked(fragment);
    } catch (error) {
      this.banner(word(error.message), [[word("close"), () => {}]]);
    }
  }

  /** Put the cards of a link beside the own ones, as drafts: nothing is written until it is saved. */
  take() {
    if (!this.shared) return;
    const known = [];
    for (const [path, text] of Object.entries(this.shared.cards)) {
      const file = this.files.own.get(path);
      if (!file) this.files.insert(path, text);
      else if (file.text !== text) known.push([file, text]);
    }
    this.banner(word("from a link"), [[word("close"), () => {}]]);
    if (known.length) {
      this.banner(word("link has other texts", { paths: known.map(([one]) => one.path).join(", ") }), [
        [word("take those texts"), () => known.forEach(([file, text]) => this.files.replace(file, text))],
        [word("keep mine"), () => {}],
      ]);
    }
    history.replaceState(null, "", location.pathname + location.search);
  }

  async opened() {
    if (location.hash.length > 1) await this.follow(location.hash.slice(1));
  }

  /** Show the cards and the position of a link. */
  async follow(fragment) {
    await this.unpack(fragment);
    if (!this.shared) return;
    this.take();
    await this.trying(() => this.play.begin());
  }

  /** Make a link to the own cards and the position. */
  async share() {
    await this.trying(async () => {
      const { format: _, ...data } = await this.session.request("warchest/link", this.play.view ? { play: this.play.view.play } : {});
      const url = new URL(location.href);
      url.search = "";
      url.hash = await packed(data);
      // The address of a studio on this computer is of no use to others: they open the text in a studio of their own.
      const text = this.home === "folder" ? url.hash.slice(1) : url.href;
      const field = make("textarea", { readOnly: true, rows: 5, "aria-label": word("link") }, text);
      const note = word(text.length > LONG ? "link is long" : "link has", { n: text.length });
      const how = word(this.home === "folder" ? "how to open here" : "how to open");
      const said = make("span", { role: "status" });
      this.figure(word("share"), [], [make("p", {}, note, " ", how), field,
        make("div", { className: "row" }, button(word("copy"), async () => {
          await navigator.clipboard.writeText(field.value).catch(() => field.select());
          said.textContent = word("copied");
        }), said,
          button(word("save as a file"), () => this.download("studio.warchest", field.value)))]);
    });
  }

  download(name, text, type = "text/plain") {
    const url = URL.createObjectURL(new Blob([text], { type }));
    make("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }

  /** Open a link that is pasted, or a file that was saved here: a link, or a game. */
  async openFile() {
    const pasted = make("textarea", { rows: 3 }), file = make("input", { type: "file" });
    const chosen = await dialog(word("open"), [field(word("link"), pasted), field(word("or a file"), file)],
      [["", word("cancel")], ["open", word("open")]]);
    if (!chosen) return;
    await this.trying(async () => {
      if (file.files[0]?.size > 4 * MOST) throw new Error(word("link is too large"));
      const text = (pasted.value || (await file.files[0]?.text()) || "").trim();
      if (/^\{/.test(text)) await this.play.load(text);
      else await this.follow(text.slice(text.indexOf("#") + 1));
    });
  }

  // ---- saying

  /** Run an action; an error is shown in the page. */
  async trying(act) {
    try {
      return await act();
    } catch (error) {
      this.tell(error.message);
      return null;
    }
  }

  /** Tell something in the line at the top. */
  tell(text) {
    part("status").textContent = text;
  }

  /** Clear the line at the top if it still says this. */
  untell(text) {
    if (part("status").textContent === text) this.tell("");
  }

  /** Tell something above the page, with buttons that answer. */
  banner(text, answers) {
    const made = make("div", { className: "banner", role: "alert" }, make("p", {}, text));
    for (const [title, act] of answers) {
      made.append(button(title, () => {
        const had = made.contains(document.activeElement);
        made.remove();
        if (had) (document.querySelector("#banners button, #commands button") ?? document.body).focus();
        act();
      }));
    }
    part("banners").append(made);
    return made;
  }

  /** Show pictures side by side in a window of the page. */
  figure(title, pictures, contents = []) {
    const boards = pictures.map((one) => make("figure", {}, picture(one.svg, this.play.set?.style ?? ""),
      make("figcaption", {}, one.title)));
    dialog(title, [make("div", { className: "boards" }, boards), contents], [["", word("close")]], "wide");
  }

  /** Show a part of the page, where there is room for one only. */
  pane(name) {
    document.body.dataset.pane = name;
    if (name !== "play" && document.body.classList.contains("large")) this.play.enlarge();
    for (const one of part("panes").children) one.setAttribute("aria-pressed", one.dataset.pane === name);
  }

  about(name) {
    this.tabs.show(["meaning", "rulings", "tests"].indexOf(name));
    this.pane("about");
  }

  // ---- the session

  async state(state, reason) {
    document.body.dataset.session = state;
    if (state === "starting") this.tell(reason || word("starting"));
    if (state === "ready") this.tell("");
    if (state === "lost") await this.again(reason);
  }

  /** Begin again after a session has ended: the texts and the position are still here. */
  async again(reason) {
    this.restarts = (this.restarts ?? 0) + 1;
    const why = reason === "no answer" ? word("no answer") : word("session ended", { reason });
    if (this.restarts > RESTARTS) {
      this.tell("");
      this.banner(`${why} ${word("texts are kept")}`, [[word("try again"), () => {
        this.restarts = 0;
        this.again("");
      }]]);
      return;
    }
    this.tell(why);
    await new Promise((done) => { setTimeout(done, this.restarts > 1 ? 1000 * this.restarts : 0); });
    try {
      await this.session.start();
      await this.play.begin();
      this.banner(`${why} ${word("begun again")}`, [[word("close"), () => {}]]);
      setTimeout(() => { this.restarts = 0; }, 60_000);
    } catch {
      // The next loss of the session brings the reader the offer to try again.
    }
  }
}

/** Whether the browser has all that the page needs; if not, show a line about it. */
function fits(home) {
  const lacking = [];
  if (home === "page" && typeof WebAssembly !== "object") lacking.push("WebAssembly");
  if (home === "page" && typeof Worker !== "function") lacking.push("Worker");
  if (typeof CompressionStream !== "function") lacking.push("CompressionStream");
  if (!Map.groupBy) lacking.push("Map.groupBy");
  if (lacking.length) part("status").textContent = word("browser lacks", { things: lacking.join(", ") });
  return !lacking.length;
}

await readWords(told.languages, navigator.languages);
if (fits(told.home)) {
  const studio = (window.studio = new Studio(told));
  try {
    await studio.begin();
  } catch (error) {
    studio.tell(word("cannot begin", { reason: error.message }));
    document.body.dataset.ready = "no";
  }
}
