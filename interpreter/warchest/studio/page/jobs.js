// Long jobs about the cards: simulations, checks, coverage, mutants and near readings, with progress, and stopped at will.
import { button, choice, field, make } from "./dom.js";
import { quiz, takings } from "./quiz.js";
import { job } from "./session.js";
import { counted, word } from "./words.js";

const KINDS = ["check", "sim", "means", "cover", "mutants", "balance"];
const NEED_NONE = ["sim", "balance"];

export class Jobs {
  constructor(studio, panel) {
    this.studio = studio;
    this.running = null;
    this.budget = choice([["10", word("seconds", { n: 10 })], ["30", word("seconds", { n: 30 })], ["120", word("seconds", { n: 120 })]],
      { "aria-label": word("time") });
    this.whole = choice([["file", word("this card")], ["all", word("all my cards")]], { "aria-label": word("about") });
    this.starts = KINDS.map((kind) => button(word(`job ${kind}`), () => this.start(kind), { title: word(`about job ${kind}`) }));
    this.bar = make("progress", { hidden: true, max: 1, value: 0, "aria-label": word("progress") });
    this.stop = button(word("stop"), () => this.running?.stop(), { hidden: true });
    this.line = make("p", { role: "status", className: "note" });
    this.result = make("div", { className: "result" });
    panel.append(make("div", { className: "row" }, this.starts), make("div", { className: "row" }, field(word("about"), this.whole),
      field(word("time"), this.budget), this.stop), this.bar, this.line, this.result);
  }

  params(kind) {
    const { editor, files, play } = this.studio;
    const one = files.file ?? [...files.own.values()][0];
    const about = kind === "sim" ? (one ? { uri: one.uri } : {}) : { uri: one?.uri };
    const place = kind === "means" ? { range: { start: editor.position, end: editor.position } } : {};
    const bots = kind === "sim" ? { bots: ["greedy"], games: 200 } : {};
    const names = this.whole.value === "all" && kind !== "means" && kind !== "sim"
      ? { names: (play.set?.files ?? []).filter((file) => !file.readOnly).map((file) => file.name) } : {};
    return { kind, budget: Number(this.budget.value), ...about, ...place, ...bots, ...names };
  }

  /** Start a job on a session of its own. */
  async start(kind) {
    const { files, session } = this.studio;
    if (this.running) return;
    if (!NEED_NONE.includes(kind) && !files.own.size) {
      this.line.textContent = word("make a card first");
      return;
    }
    session.client.sync();
    this.show(true);
    this.line.textContent = word("starting");
    this.running = job(session, "warchest/job", this.params(kind), (told) => {
      this.bar.max = Math.max(told.total, 1);
      this.bar.value = told.done;
      this.line.textContent = word("done of", { done: told.done, total: told.total, text: told.text });
    });
    try {
      this.tell(await this.running.done, kind);
    } catch (error) {
      this.line.textContent = error.message === "stopped" ? word("stopped") : error.message;
    } finally {
      this.running = null;
      this.show(false);
    }
  }

  show(isRunning) {
    const had = [...this.starts, this.stop].find((one) => one === document.activeElement);
    this.bar.hidden = this.stop.hidden = !isRunning;
    this.bar.value = 0;
    for (const one of this.starts) one.disabled = isRunning;
    if (had) (isRunning ? this.stop : this.starts[0]).focus();
  }

  /** Show the result of a job. */
  tell(found, kind) {
    this.line.textContent = found.partial ? word("time was over") : "";
    const tables = found.tables.map((one) => this.table(one));
    const faults = found.findings.map((one) => this.finding(one));
    const marks = this.marks(found.marks);
    const questions = found.questions.map((one, at) => this.question(one, at));
    this.result.replaceChildren(make("p", {}, make("strong", {}, found.summary)), ...found.notes.map((one) => make("p", { className: "note" }, one)),
      ...questions, ...faults, ...marks, ...(found.page ? this.report(found) : tables));
    if (kind === "cover" || kind === "mutants") this.onEditor(found);
  }

  /** The report of a job, in a frame in which nothing runs, and a way to keep it. */
  report(found) {
    return [make("iframe", { className: "report", title: found.summary, sandbox: "", srcdoc: found.page }),
      button(word("report page"), () => this.studio.download("report.html", found.page, "text/html"))];
  }

  table(one) {
    const row = (cells, name) => make("tr", {}, cells.map((cell) => make(name, {}, cell)));
    return make("details", { open: one.rows.length < 12 }, make("summary", {}, one.title),
      make("table", {}, make("thead", {}, row(one.columns, "th")), make("tbody", {}, one.rows.map((cells) => row(cells, "td")))));
  }

  finding(one) {
    const { studio } = this, { files } = studio;
    const change = one.after !== undefined && make("p", {}, make("s", {}, one.before ?? ""), " → ", make("ins", {}, one.after));
    return make("div", { className: "finding" }, change,
      one.uri ? button(one.message, () => files.reveal(one.uri, one.range), { className: "linked" }) : make("p", {}, one.message),
      make("div", { className: "row" },
        one.svg && button(word("show on the board"), () => studio.figure(one.message, [{ title: one.law ?? "", svg: one.svg }])),
        one.position && button(word("play from there"), () => studio.trying(() => studio.play.start({ position: one.position, seed: 1 }))),
        one.edit && button(word("adopt as a ruling"), () => this.take(one.edit, "the ruling is on the card"))));
  }

  marks(found) {
    const never = found.filter((one) => !one.count);
    if (!found.length) return [];
    return [make("p", {}, counted(never.length, "sentence never seen")), make("ul", {}, never.map((one) => make("li", {},
      button(one.text, () => this.studio.files.reveal(one.uri, one.range), { className: "linked" }))))];
  }

  /** Mark the sentences of the editor that were never seen to act. */
  onEditor(found) {
    const { editor } = this.studio;
    editor.mark([
      ...found.marks.filter((one) => one.uri === editor.uri).map((one) => ({ range: one.range, title: one.message,
        className: one.count ? "noticed" : "never" })),
      ...found.findings.filter((one) => one.uri === editor.uri && !found.marks.length).map((one) => ({ range: one.range,
        title: one.message, className: "never" })),
    ]);
  }

  /** Offer a quiz on a question: at its end the reading that is meant is written, or kept by a ruling. */
  question(one, at) {
    const box = make("div", { className: "row" });
    const readings = one.answers.filter((answer) => !answer.written).flatMap((answer) => answer.readings.map((reading) => reading.text));
    return make("div", { className: "finding" }, make("h3", {}, word("question", { n: at + 1 })),
      make("p", { className: "note" }, counted(readings.length, "near reading")),
      make("details", {}, make("summary", {}, word("near readings")), make("ul", {}, readings.map((text) => make("li", {}, text)))),
      button(word("begin the quiz"), async () => {
        const meant = await quiz(one, this.studio.play.set.style);
        if (meant) box.replaceChildren(make("p", {}, meant.written ? word("as it is written") : word("another is meant")), ...takings(meant, this.take));
      }), box);
  }

  /** Put an edit into the files, and run the rulings. */
  take = (edit, told) => {
    this.studio.files.apply(edit);
    this.studio.tell(word(told));
    this.studio.rulings.run();
  };
}
