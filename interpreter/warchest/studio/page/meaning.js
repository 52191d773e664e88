// The meaning of the sentence under the cursor: its reading in full, who decides, and when it is judged.
import { button, make } from "./dom.js";
import { diagram } from "./range.js";
import { word } from "./words.js";

export class Meaning {
  constructor(studio, panel) {
    this.studio = studio;
    this.panel = panel;
    this.asked = 0;
  }

  /** Show the reading of the sentences at a place. */
  async show(position) {
    const { session, editor } = this.studio, asked = (this.asked += 1);
    if (!editor.uri || !session.connection) return;
    let found = null;
    try {
      found = await session.request("warchest/read", { uri: editor.uri, range: { start: position, end: position } });
    } catch (error) {
      found = { readings: [], findings: [], reason: error.message };
    }
    if (asked !== this.asked) return;
    this.readings = found.readings;
    const parts = found.readings.flatMap((one) => this.reading(one));
    this.panel.replaceChildren(this.range(), ...(parts.length ? parts : [make("p", { className: "note" },
      found.reason ?? word("put the cursor on a sentence"))]));
  }

  /** Return the button that shows the spaces which the card reaches, and the diagram if it was asked for. */
  range() {
    const { editor, session } = this.studio;
    const box = make("div", {});
    const show = () => this.studio.trying(async () => {
      const found = await session.request("warchest/range", { uri: editor.uri }, 30_000);
      this.drawn = { text: editor.text, made: found.marks.length ? diagram(found) : make("p", { className: "note" }, word("no range")) };
      box.replaceChildren(this.drawn.made);
    });
    if (this.drawn?.text === editor.text) box.append(this.drawn.made);
    return make("div", {}, button(word("show range"), show), box);
  }

  reading(one) {
    const said = one.said.length ? make("ul", { className: "said" }, one.said.map((line) => make("li", {}, line)))
      : make("p", {}, one.unsaid);
    const facts = one.facts.length > 0 && make("dl", {}, one.facts.flatMap((fact) => [
      make("dt", {}, fact.about), make("dd", {}, fact.text)]));
    return [make("p", { className: "quoted" }, one.sentences.join(" ")), make("h3", {}, word("understood as")), said,
      facts || ""];
  }
}
