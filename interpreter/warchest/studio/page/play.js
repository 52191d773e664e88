// A game on the board: options, answers of bots, undo, and the reasons why an act is impossible.
import { Board, isAt, keyOf } from "./board.js";
import { button, choice, dialog, field, make, part, quiet, refill } from "./dom.js";
import { Kept } from "./storage.js";
import { counted, word } from "./words.js";

const BOT_PATIENCE = 30_000;
const YOU = "you";

/** The play of the page: `view` is as the server tells it; `seats` say who decides for each player. */
export class Play {
  constructor(studio) {
    this.studio = studio;
    this.board = new Board(part("board"), { board: word("board"), can: word("can be chosen") });
    this.board.onpick = (found) => this.pick(found);
    this.kept = new Kept(`play ${studio.place}`);
    this.view = null;
    /** The play that is shown: answers about an earlier one may still come, and are left out. */
    this.current = null;
    this.seats = {};
    this.follows = false;
    this.native = "";
    this.chosen = [];
    this.busy = null;
    /** The number of decisions that the reader asks to go to, as soon as nothing else is under way; null for none. */
    this.wished = null;
    /** The acts that were on offer, each with the sorts of things in its roles. */
    this.roles = new Map();
    this.build();
  }

  get session() {
    return this.studio.session;
  }

  build() {
    this.viewer = choice([], { onchange: () => this.look(this.viewer.value), "aria-label": word("whose view") });
    this.slider = make("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": word("moves"),
      oninput: () => this.go(Number(this.slider.value)) });
    this.count = make("output", { className: "count" });
    this.back = button("◀", () => this.step(-1), { title: word("back"), "aria-label": word("back") });
    this.on = button("▶", () => this.step(1), { title: word("forward"), "aria-label": word("forward") });
    this.large = button(word("large board"), () => this.enlarge(), { id: "enlarge", "aria-pressed": "false" });
    this.resume = button(word("let the bot play"), () => this.bots(), { hidden: true });
    part("play-bar").append(
      button(word("new game"), () => this.choose()), field(word("view"), this.viewer),
      button(word("options"), () => part("options").querySelector("button")?.focus(), { id: "to-options" }),
      button(word("set up"), () => this.studio.setup.open()), this.large, this.resume);
    part("past").append(this.back, this.slider, this.on, this.count,
      button(word("make a ruling"), () => this.studio.rulings.make()),
      button(word("save game"), () => this.studio.trying(() => this.save())),
      button(word("replay page"), () => this.studio.replay()));
    const ask = make("input", { type: "text", placeholder: word("attack, move …"), "aria-label": word("why not") });
    this.why = make("form", { className: "why", onsubmit: (event) => {
      event.preventDefault();
      if (ask.value.trim()) this.whyNot(ask.value.trim());
    } }, ask, make("button", {}, word("why not")));
  }

  /** Give the board the whole width of the page, or the other parts theirs again. */
  enlarge() {
    const isLarge = document.body.classList.toggle("large");
    this.large.setAttribute("aria-pressed", isLarge);
  }

  // ---- beginning

  /** Begin with the position that was kept, or with a new game, as the server's `set` describes it. */
  async begin(set) {
    this.set = set ?? (await this.studio.gameSet());
    this.board.style(this.set.style);
    const kept = this.studio.shared?.position ? { position: this.studio.shared.position } : this.kept.get("last");
    if (kept?.position && (!kept.game || kept.game === this.set.game)) {
      try {
        const seats = this.studio.shared ? (players) => Object.fromEntries(players.map((one) => [one, YOU])) : kept.seats;
        await this.start({ position: kept.position, seed: 1 }, seats, kept.viewer);
        return;
      } catch (error) {
        if (this.studio.shared) this.studio.tell(word("position does not fit", { reason: error.message }));
      }
    }
    await this.start({ seed: this.seed() });
  }

  seed() {
    return crypto.getRandomValues(new Uint32Array(1))[0];
  }

  /** Start a play; bots take all seats but the first one, unless seats or a function of the players say more. */
  async start(params, seats, viewer) {
    const view = await this.session.request("warchest/play/new", { ...this.where(), ...params, viewer: null });
    const { players } = view;
    this.current = view.play;
    this.wished = null;
    const given = typeof seats === "function" ? seats(players, view.player) : seats;
    const fits = given && players.every((one) => given[one]);
    this.seats = fits ? given : Object.fromEntries(players.map((one, at) => [one, at ? "greedy" : YOU]));
    const own = players.filter((one) => this.seats[one] === YOU);
    this.follows = own.length > 1 && viewer === undefined;
    this.viewers(players);
    this.compileLater(10_000);
    await this.look(viewer !== undefined ? viewer : own.length === 1 ? own[0] : this.follows ? "*" : "", view.play);
    await this.bots();
  }

  /** Go on at the end of a game that was saved. */
  async load(text) {
    const view = await this.session.request("warchest/play/load", { ...this.where(), text, viewer: null }, 60_000);
    this.current = view.play;
    this.seats = Object.fromEntries(view.players.map((one) => [one, YOU]));
    this.viewers(view.players);
    await this.look("", view.play);
  }

  /** Save the game as a file, which `load` and `warchest replay` take. */
  async save() {
    const { text } = await this.session.request("warchest/play/save", { play: this.view.play });
    this.studio.download("game.json", text, "application/json");
  }

  where() {
    const uri = this.studio.files.uri;
    return uri ? { uri } : {};
  }

  viewers(players) {
    this.viewer.replaceChildren(...choice([
      ["", word("everything")], ...(players.length > 1 ? [["*", word("whose turn it is")]] : []), ...players,
    ]).children);
  }

  /** Have the native machine of the play compiled where that can be, and note whether it is there. */
  async compile() {
    if (!this.view || !this.session.connection) return;
    const found = await this.session.request("warchest/play/native", { play: this.view.play, compile: true }, 60_000)
      .catch(() => ({ state: "none" }));
    this.native = found.state;
    if (found.state === "compiling") this.compileLater(2000);
  }

  compileLater(milliseconds) {
    clearTimeout(this.compiling);
    this.compiling = setTimeout(() => this.compile(), milliseconds);
  }

  /** Begin a game at the position of a ruling, as the player who is asked there. */
  async from(ruling) {
    await this.start({ seed: this.seed(), uri: ruling.uri, ruling: ruling.name },
      (players, asked) => Object.fromEntries(players.map((one) => [one, one === asked ? YOU : "greedy"])));
    this.studio.pane("play");
    this.studio.tell(word("begun at a ruling", { name: ruling.name }));
  }

  /** Begin a game at the first ruling of the file that is shown, or else one where the first seat has the card. */
  async tryOut(name) {
    const ruling = this.studio.rulings.results.find((one) => one.uri === this.studio.editor.uri && one.outcome !== "skipped");
    if (ruling) {
      await this.from(ruling);
      return;
    }
    try {
      await this.start({ seed: this.seed(), card: name });
      this.studio.pane("play");
    } catch (error) {
      if (error.data?.field !== "card") throw error;
      this.studio.tell(word("not in a game", { name }));
    }
  }

  /** Choose the setup and the seats of a new game in a dialog. */
  async choose() {
    const set = (this.set = await this.studio.gameSet());
    const setup = choice([["", word("usual")], ...set.setups]);
    const seed = make("input", { type: "number", min: 0, max: 2 ** 32, value: this.seed() });
    const bots = [[YOU, word("you")], ...set.bots.filter((one) => this.studio.hasBot(one))];
    const four = ["", "", "", ""].map((_, at) => choice(bots, { value: at ? "greedy" : YOU }));
    const places = four.map((one, at) => field(word("seat", { n: at + 1 }), one));
    const seated = () => {
      const count = (set.seats[setup.value] ?? set.players).length;
      for (const [at, one] of places.entries()) one.hidden = at >= count;
    };
    setup.onchange = seated;
    seated();
    const sets = set.sets.map((one) => make("input", { type: "checkbox", value: one, checked: set.usualSets.includes(one) }));
    const options = Object.entries(set.options).map(([name, values]) => [name, choice(values)]);
    const chosen = await dialog(word("new game"), [
      field(word("setup"), setup),
      make("fieldset", {}, make("legend", {}, word("seats")), places),
      set.sets.length > 1 && make("fieldset", {}, make("legend", {}, word("sets")),
        sets.map((one) => field(one.value, one))),
      make("details", {}, make("summary", {}, word("rules")), options.map(([name, one]) => field(name.replaceAll("_", " "), one))),
      field(word("seed"), seed),
    ], [["", word("cancel")], ["start", word("start")]]);
    if (!chosen) return;
    const changed = options.filter(([name, one]) => one.value !== set.options[name][0]);
    const params = {
      seed: Number(seed.value) || 0, ...(setup.value && { setup: setup.value }),
      ...(set.sets.length > 1 && { sets: sets.filter((one) => one.checked).map((one) => one.value) }),
      ...(changed.length && { options: Object.fromEntries(changed.map(([name, one]) => [name, one.value])) }),
    };
    await this.studio.trying(async () => {
      await this.start(params, (players) => Object.fromEntries(players.map((one, at) => [one, four[at]?.value ?? "greedy"])));
    });
  }

  // ---- showing

  /** Let a player view the play: a name, "" for everything, "*" for the player whose turn it is. */
  async look(viewer, play = this.view?.play) {
    if (!play) return;
    this.follows = viewer === "*";
    this.viewer.value = viewer ?? "";
    const own = this.follows ? (this.view?.play === play ? this.view.player : null) : viewer || null;
    const view = await this.session.request("warchest/play/view", { play, viewer: own });
    this.show(await this.turned(view));
  }

  /** Return a view as the player whose turn it is sees it, where the view follows: no player sees the hand of another.
  */ async turned(view) {
    if (!this.follows || !view.player || view.viewer === view.player || this.seats[view.player] !== YOU) return view;
    return this.session.request("warchest/play/view", { play: view.play, viewer: view.player });
  }

  /** Show a view, with the parts of the picture that are still chosen, as far as an option fits them. */
  show(view, chosen = []) {
    if (view.play !== this.current) return;
    this.view = view;
    this.chosen = this.fitting(chosen).length ? chosen : [];
    for (const option of view.options) {
      const roles = this.roles.get(option.act) ?? this.roles.set(option.act, new Map()).get(option.act);
      for (const place of option.places) roles.set(place.role, place.sort);
    }
    this.board.show(view.svg);
    part("question").textContent = view.outcome
      ? `${word("the game is over")}: ${view.outcome}` : view.question || word("turn of", { player: view.player });
    this.slider.max = view.count + view.redo;
    this.slider.value = this.wished ?? view.count;
    this.slider.setAttribute("aria-valuetext", counted(view.count, "move"));
    this.count.textContent = `${view.count} / ${view.count + view.redo}`;
    this.back.setAttribute("aria-disabled", !view.canUndo);
    this.on.setAttribute("aria-disabled", !view.redo);
    this.resume.hidden = !view.player || this.seats[view.player] === YOU || Boolean(this.busy);
    this.news(view.news);
    this.list();
    this.keep();
  }

  news(entries) {
    const box = part("news");
    const known = new Set([...box.children].map((one) => one.dataset.key));
    if (this.viewed !== this.view.viewer || !this.view.count || entries.some((one) => one.count < Number(box.lastChild?.dataset.count ?? 0))) {
      box.replaceChildren();
      known.clear();
    }
    for (const [at, one] of entries.entries()) {
      const key = `${one.count} ${at} ${one.text}`;
      if (known.has(key)) continue;
      const text = one.uri ? button(one.text, () => this.studio.files.reveal(one.uri, one.range), { className: "linked",
        title: one.clause }) : one.text;
      box.append(make("p", { "data-key": key, "data-count": one.count }, text));
    }
    this.viewed = this.view.viewer;
    box.scrollTop = box.scrollHeight;
  }

  keep = quiet(300, async () => {
    if (!this.view || !this.session.connection) return;
    const { play } = this.view;
    const position = await this.session.request("warchest/play/position", { play }).catch(() => null);
    if (position) {
      this.kept.set("last", { game: this.set.game, position, seats: this.seats, viewer: this.viewer.value });
    }
  });

  /** List the options that fit the chosen places, and mark their places on the board. */
  list() {
    const fitting = this.fitting(this.chosen);
    const box = part("options");
    const buttons = fitting.slice(0, 300).map((one) => button(one.label, () => this.take(one), {
      "data-id": one.id, onpointerenter: () => this.aim(one), onpointerleave: () => this.mark(fitting),
      onfocus: () => this.aim(one), onblur: () => this.mark(fitting),
    }));
    const more = fitting.length > 300 && make("p", {}, word("more options", { n: fitting.length - 300 }));
    const clear = this.chosen.length > 0 && button(word("show all options"), () => this.pick(null), { className: "quiet" });
    refill(box, ...[clear, ...buttons, more, this.why].filter(Boolean));
    this.mark(fitting);
  }

  fitting(chosen) {
    return this.view.options.filter((option) =>
      chosen.every((part) => option.places.some((place) => isAt(place, part))));
  }

  mark(fitting) {
    this.aimed = null;
    const chosen = this.chosen.map((one) => [this.placeOf(one), "chosen"]);
    const can = new Map(fitting.flatMap((one) => one.places).map((one) => [keyOf(one), one]));
    for (const one of this.chosen) can.delete(keyOf(one));
    this.board.mark([...[...can.values()].map((one) => [one, "can"]), ...chosen]);
    this.board.arrows(this.view.last, "last");
  }

  placeOf(part) {
    return part.space ? { sort: "space", space: part.space }
      : { sort: "token", name: part.thing, zone: part.zone ?? "", owner: part.owner ?? "" };
  }

  /** Show an option on the board: its places, and the motions that it causes. */
  aim(option) {
    this.aimed = option;
    this.board.mark(option.places.map((one) => [one, "aimed"]));
    this.board.arrows(option.arrows);
    this.motions(option);
  }

  motions = quiet(60, async (option) => {
    if (this.aimed !== option || this.busy) return;
    const { play } = this.view;
    const found = await this.session.request("warchest/play/motions", { play, id: option.id }).catch(() => []);
    if (this.aimed === option && found.length) {
      this.board.mark(option.places.map((one) => [one, "aimed"]));
      this.board.arrows(found);
    }
  });

  // ---- deciding

  /** Choose a part of the picture: an option, if only one fits; otherwise list those that fit. */
  async pick(found) {
    if (!this.view || !found) {
      this.chosen = [];
      if (this.view) this.list();
      return;
    }
    const key = keyOf(found);
    const without = this.chosen.filter((one) => keyOf(one) !== key);
    if (without.length < this.chosen.length) this.chosen = without;
    else if (this.fitting([...this.chosen, found]).length) this.chosen = [...this.chosen, found];
    else if (this.fitting([found]).length) this.chosen = [found];
    else {
      await this.whyNotAt(found);
      return;
    }
    part("reasons").replaceChildren();
    const fitting = this.fitting(this.chosen);
    if (fitting.length === 1 && this.chosen.length) await this.take(fitting[0]);
    else this.list();
  }

  /** Take an option, and let the bots answer. */
  async take(option) {
    await this.once(async () => {
      const { play, count } = this.view;
      this.show(await this.turned(await this.session.request("warchest/play/apply", { play, count, id: option.id })));
      part("reasons").replaceChildren();
    });
    await this.bots();
  }

  /** Let bots decide while it is their turn. */
  async bots() {
    while (this.wished === null && this.view?.player && (this.seats[this.view.player] ?? YOU) !== YOU) {
      const { play, player, count } = this.view;
      const went = await this.once(async () => {
        this.show(await this.turned(await this.session.request("warchest/play/bot", { play, bot: this.seats[player] }, BOT_PATIENCE)));
      });
      if (!went || (this.view.play === play && this.view.count === count)) return;
    }
  }

  /** Do one thing at a time; return whether it was done. */
  async once(act) {
    if (this.busy) return false;
    this.busy = true;
    document.body.classList.add("busy");
    let done = false;
    try {
      await act();
      done = true;
    } catch (error) {
      this.studio.tell(error.message);
    } finally {
      this.busy = null;
      document.body.classList.remove("busy");
      if (this.view) this.resume.hidden = !this.view.player || this.seats[this.view.player] === YOU;
      if (this.wished !== null) this.travel();
    }
    return done;
  }

  /** Go back or forward to a number of decisions; bots wait until they are asked to play. */
  go(to) {
    if (!this.view) return;
    this.wished = Math.max(0, Math.min(to, this.view.count + this.view.redo));
    this.travel();
  }

  /** Go forward or back by some decisions, counted from the place that the reader has asked for. */
  step(by) {
    if (this.view) this.go((this.wished ?? this.view.count) + by);
  }

  travel = quiet(20, async () => {
    while (this.wished !== null && !this.busy) {
      const to = this.wished;
      const went = await this.once(async () => {
        this.show(await this.turned(await this.session.request("warchest/play/undo", { play: this.view.play, to })));
      });
      if (this.wished === to || !went) this.wished = null;
    }
    if (this.wished === null && this.view) this.slider.value = this.view.count;
  });

  /** Go on from the same position with the cards as they are now. */
  async reload() {
    if (!this.view) return;
    this.set = await this.studio.gameSet();
    this.board.style(this.set.style);
    try {
      const view = await this.turned(await this.session.request("warchest/play/reload", { play: this.view.play }));
      this.show(view, this.view.count === view.count ? this.chosen : []);
      this.compile();
      // Other lines stay: a game may just have begun at a ruling.
      this.studio.untell(this.older);
    } catch (error) {
      this.studio.tell((this.older = word("play is of older cards", { reason: error.message })));
    }
  }

  // ---- why not

  /** Ask why a part of the picture cannot be chosen: for the one act it could be meant for, or for one from a list. */
  async whyNotAt(found) {
    const box = part("reasons"), name = found.space ?? found.thing;
    const asked = this.questions(found);
    if (asked.length === 1) {
      await this.whyNot(asked[0].what, asked[0].text);
    } else if (asked.length) {
      refill(box, make("h3", {}, word("why not of", { what: name })),
        make("div", { className: "row" }, asked.map((one) => button(one.text, () => this.whyNot(one.what, one.text)))));
    } else if (name) {
      box.replaceChildren(make("p", {}, word("nothing to do here", { what: name })));
    }
  }

  /** Return the questions that a click on a part can mean, from the acts that were on offer in this play. */
  questions(found) {
    const fitting = this.fitting(this.chosen), acts = new Set(fitting.map((one) => one.act));
    const known = this.chosen.length ? [...this.roles].filter(([act]) => acts.has(act)) : [...this.roles];
    const sorts = found.space ? ["space", "piece"] : ["token", "card", "player"];
    const made = [];
    for (const [act, roles] of known) {
      const given = {};
      for (const one of this.chosen) {
        const role = fitting.filter((option) => option.act === act).flatMap((option) => option.places)
          .find((place) => isAt(place, one))?.role;
        if (role) given[role] = one.space ?? one.thing;
      }
      for (const [role, sort] of roles) {
        if (!sorts.includes(sort) || role in given) continue;
        const what = { act, ...given, [role]: found.space ?? found.thing };
        made.push({ what, text: Object.entries(what).map(([key, one]) => (key === "act" ? one : `${key} ${one}`)).join(", ") });
      }
    }
    return made.slice(0, 24);
  }

  /** Explain why an option is not on offer: the label of an option, or its data in part. */
  async whyNot(what, text = what) {
    const box = part("reasons");
    try {
      const found = await this.session.request("warchest/play/whyNot", { play: this.view.play, what });
      const lines = found.map((one) => make("li", {}, one.reason, " ", one.uri && button(`“${one.clause}”`,
        () => this.studio.files.reveal(one.uri, one.range), { className: "linked" })));
      refill(box, make("h3", {}, word("why not of", { what: text })),
        lines.length ? make("ul", {}, lines) : make("p", {}, word("it is on offer")));
    } catch (error) {
      box.replaceChildren(make("p", {}, error.message));
    }
  }
}
