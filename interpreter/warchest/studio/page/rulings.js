// Rulings: they run on each change, and moves of the play become new ones.
import { button, choice, dialog, field, make, refill } from "./dom.js";
import { word } from "./words.js";

export class Rulings {
  constructor(studio, panel) {
    this.studio = studio;
    this.panel = panel;
    this.results = [];
  }

  /** Run the rulings of all own files, and show their outcomes. */
  async run() {
    const { session, files } = this.studio;
    if (!files.own.size) {
      this.results = [];
    } else {
      try {
        this.results = await session.request("warchest/rulings/run", { ...(files.uri && { uri: files.uri }) }, 60_000);
      } catch (error) {
        this.panel.replaceChildren(make("p", {}, error.message));
        return;
      }
    }
    this.render();
  }

  render() {
    this.studio.files.told();
    const marks = { passed: "✓", failed: "✕", skipped: "–" };
    const rows = this.results.map((one) => make("li", { className: `ruling ${one.outcome}` },
      button([make("b", { "aria-hidden": "true" }, marks[one.outcome]), ` ${one.name}`],
        () => this.studio.files.reveal(one.uri, one.range), { className: "linked",
          "aria-label": `${one.name}: ${word(one.outcome)}` }),
      one.outcome === "passed" ? "" : make("ul", {}, (one.wrong.length ? one.wrong : [one.message]).map((line) => make("li", {}, line))),
      button(word("show on the board"), () => this.draw(one), { className: "quiet" }),
      button(word("play from here"), () => this.studio.trying(() => this.studio.play.from(one)), { className: "quiet" })));
    refill(this.panel,
      button(word("make a ruling"), () => this.make()),
      rows.length ? make("ul", { className: "plain" }, rows) : make("p", { className: "note" }, word("no rulings yet")));
  }

  async draw(one) {
    const { studio } = this, { session } = studio;
    await studio.trying(async () => {
      const { svg } = await session.request("warchest/picture", { uri: one.uri, name: one.name, prefix: "board", styled: false });
      studio.figure(one.name, [{ title: one.name, svg }]);
    });
  }

  /** Make a ruling of decisions of the play, put it on a card, and run it. */
  async make() {
    const { session, files, play } = this.studio;
    const own = [...files.own.values()].filter((one) => one.problem === undefined);
    if (!play.view?.count || !own.length) {
      this.studio.tell(word(own.length ? "play something first" : "make a card first"));
      return;
    }
    const name = make("input", { required: true, maxLength: 80, value: word("what was played") });
    const file = choice(own.map((one) => one.path), { value: files.path || own[0].path });
    const last = Math.min(play.view.count, 3);
    const from = make("input", { type: "number", min: 0, max: play.view.count - 1, value: play.view.count - last });
    const shrink = make("input", { type: "checkbox", checked: true });
    const chosen = await dialog(word("make a ruling"), [field(word("name"), name), field(word("card"), file),
      field(word("from move"), from), field(word("only what matters"), shrink)],
    [["", word("cancel")], ["make", word("make")]]);
    if (!chosen) return;
    await this.studio.trying(async () => {
      const target = files.own.get(file.value);
      const made = await session.request("warchest/play/ruling", { play: play.view.play, start: Number(from.value) || 0,
        name: name.value.trim(), uri: target.uri, shrink: shrink.checked }, 60_000);
      files.open(target.path);
      files.apply(made.edit);
      this.studio.tell(word("the ruling is on the card"));
      await this.run();
      this.studio.about("rulings");
    });
  }
}
