// Setting up a position: pieces and things are dragged, or chosen and put down by clicks or keys.
import { Board, keyOf, partOf } from "./board.js";
import { button, choice, field, make, opened, part, refill } from "./dom.js";
import { word } from "./words.js";

/** The spot of a position that a part of the picture shows. */
function spotOf(found) {
  if (found.space !== undefined) return { space: found.space };
  return { zone: found.zone, ...(found.owner && { owner: found.owner }) };
}

export class Setup {
  constructor(studio) {
    this.studio = studio;
  }

  get session() {
    return this.studio.session;
  }

  /** Open the editor of positions with the position of the play. */
  async open() {
    const { play } = this.studio;
    await this.studio.trying(async () => {
      const position = play.view ? await this.session.request("warchest/play/position", { play: play.view.play }) : undefined;
      this.parts = await this.session.request("warchest/position/parts", { ...play.where(), ...(position && { position }) }, 30_000);
      this.build();
      await this.check(position ?? this.parts.position);
    });
  }

  build() {
    const host = make("div");
    this.board = new Board(host, { board: word("board"), can: word("can be chosen") });
    this.board.style(this.studio.play.set.style);
    this.board.onpick = (found) => this.pick(found);
    this.problems = make("ul", { className: "problems" });
    this.palette = make("div", { className: "palette" });
    this.values = make("div", { className: "row" });
    this.line = make("p", { role: "status", className: "note" });
    const side = make("div", {}, make("h3", {}, word("put on the board")), this.palette,
      make("h3", {}, word("further")), this.values, make("div", { role: "status" }, this.problems));
    this.begin = button(word("play from here"), () => this.start(), { className: "main" });
    this.dialog = make("dialog", { className: "wide", "aria-label": word("set up") },
      make("h2", {}, word("set up")), this.line, make("div", { className: "setup" }, host, side),
      make("menu", {}, button(word("empty board"), () => this.check(this.parts.position)),
        button(word("take back"), () => this.back()), button(word("remove"), () => this.remove()),
        button(word("cancel"), () => this.dialog.close()), this.begin));
    this.dialog.addEventListener("keydown", (event) => this.key(event));
    this.drags(host);
    this.past = [];
    this.held = null;
    this.fill();
    opened(this.dialog);
  }

  key(event) {
    if (event.target.matches("input, select")) return;
    if (event.key === "Delete" || event.key === "Backspace") this.remove();
    else if (event.key === "z" && (event.ctrlKey || event.metaKey)) this.back();
    else return;
    event.preventDefault();
  }

  // ---- the palette and the values

  /** Show, for each part of positions, the things that can be put there. */
  fill() {
    const rows = this.parts.keys.filter((one) => one.names.length || one.on.length || one.sort === "count" || one.sort === "places" || one.sort === "spaces");
    this.palette.replaceChildren(...rows.map((one) => this.row(one)));
  }

  row(key) {
    const owners = [...key.owners, ...(key.nobody ? [["", word("nobody")]] : [])];
    const owner = owners.length > 0 && choice(owners, { "aria-label": `${key.key}: ${word("owner")}` });
    const name = key.names.length > 0 && choice(key.names, { "aria-label": key.key });
    const zone = ["zone", "counts", "count", "rows"].includes(key.sort);
    const thing = () => ({ name: name ? name.value : undefined, owner: owner && owner.value ? owner.value : undefined, key: key.key });
    const put = zone
      ? button(word("add"), () => this.edit({ name: thing().name, ...(thing().owner && { owner: thing().owner }),
        target: { zone: key.of || key.key, key: key.key, ...(thing().owner && { owner: thing().owner }), ...(key.faces.length && { face: key.faces[0] }) } }))
      : button(word("take"), () => this.take(thing()));
    return make("div", { className: "row" }, make("span", { className: "key" }, key.key.replaceAll("_", " ")), name, owner, put);
  }

  take(thing) {
    this.held = { thing };
    this.tell(word("put it down", { what: [thing.name ?? thing.key, thing.owner].filter(Boolean).join(", ") }));
    this.board.mark(this.parts.spaces.map((space) => [{ sort: "space", space }, "can"]));
    this.board.focus();
  }

  /** Show the single values of the position, to be changed. */
  show() {
    const rows = this.parts.keys.filter((one) => one.sort === "value" || one.sort === "values")
      .flatMap((key) => key.values.map((value) => this.value(key, value)));
    refill(this.values, ...rows);
  }

  value(key, value) {
    const path = [key.key, ...value.path], label = path.join(" ").replaceAll("_", " ");
    const now = path.reduce((found, one) => found?.[one], this.position);
    const set = (given) => this.edit({ path, value: given });
    if (value.sort === "flag") {
      return field(label, make("input", { type: "checkbox", checked: Boolean(now), onchange: (event) => set(event.target.checked) }));
    }
    if (value.sort === "number") {
      return field(label, make("input", { type: "number", value: now ?? 0, min: 0, onchange: (event) => set(Number(event.target.value)) }));
    }
    if (value.sort === "name") {
      return field(label, choice([...(value.empty ? [["", "–"]] : []), ...value.choices], { value: now ?? "",
        onchange: (event) => set(event.target.value || null) }));
    }
    return "";
  }

  // ---- moving

  /** Drag a piece or a thing from one part of the picture to another. */
  drags(host) {
    const root = host.shadowRoot;
    let from = null;
    root.addEventListener("pointerdown", (event) => {
      const found = partOf(event.target);
      from = found && (found.piece || found.thing || this.pieceAt(found)) ? found : null;
    });
    root.addEventListener("pointerup", (event) => {
      const target = root.elementFromPoint?.(event.clientX, event.clientY) ?? event.target;
      const found = partOf(target);
      if (!from || !found || keyOf(found) === keyOf(from)) return;
      this.held = null;
      this.dragged = true;
      this.move(from, found);
      from = null;
    });
  }

  pieceAt(found) {
    return found.space !== undefined && this.board.root.querySelector(`[data-space="${CSS.escape(found.space)}"] [data-piece]`);
  }

  /** Choose a part to be moved; then the part where it goes. */
  pick(found) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    if (!found) {
      this.let();
    } else if (this.held?.thing) {
      const { thing } = this.held;
      this.edit({ ...(thing.name && { name: thing.name }), ...(thing.owner && { owner: thing.owner }), target: { ...spotOf(found), key: thing.key } });
    } else if (this.held) {
      this.move(this.held.from, found);
      this.held = null;
    } else if (found.thing || this.pieceAt(found)) {
      this.held = { from: found };
      this.tell(word("where to"));
      this.board.mark([[{ sort: found.space ? "space" : "token", ...found, name: found.thing }, "chosen"],
        ...this.parts.spaces.map((space) => [{ sort: "space", space }, "can"])]);
    }
  }

  let() {
    this.held = null;
    this.tell("");
    this.board.mark([]);
  }

  move(from, to) {
    return this.edit({ ...(from.thing && { name: from.thing }), source: spotOf(from), target: spotOf(to) });
  }

  remove() {
    const from = this.held?.from;
    if (!from) {
      this.tell(word("choose first"));
      return;
    }
    this.held = null;
    this.edit({ ...(from.thing && { name: from.thing }), source: spotOf(from) });
  }

  // ---- checking

  async edit(edit) {
    await this.trying(async () => {
      const found = await this.session.request("warchest/position/edit", { ...this.studio.play.where(), position: this.position, edits: [edit] });
      this.past.push(this.position);
      this.shown(found);
    });
  }

  async check(position) {
    await this.trying(async () => {
      const found = await this.session.request("warchest/position/check", { ...this.studio.play.where(), position });
      if (this.position) this.past.push(this.position);
      this.shown(found);
    });
  }

  back() {
    const before = this.past.pop();
    if (!before) return;
    this.position = null;
    this.check(before);
  }

  shown(found) {
    this.position = found.position;
    this.held = null;
    this.tell(found.question);
    if (found.svg) this.board.show(found.svg);
    this.board.mark([]);
    this.show();
    this.problems.replaceChildren(...found.problems.map((one) => make("li", {}, one.message, one.field ? make("small", {}, ` (${one.field})`) : "")));
    this.begin.disabled = found.problems.length > 0;
  }

  async trying(act) {
    try {
      await act();
    } catch (error) {
      this.tell(error.message);
    }
  }

  tell(text) {
    this.line.textContent = text;
  }

  async start() {
    this.dialog.close();
    await this.studio.trying(() => this.studio.play.start({ position: this.position, seed: this.studio.play.seed() },
      this.studio.play.seats));
    this.studio.pane("play");
    part("board").scrollIntoView({ block: "nearest" });
    this.studio.play.board.focus();
  }
}
