// The editor of a text, with the server's marks, tips, completion and fixes.
import {
  Annotation, Compartment, Decoration, EditorState, EditorView, LSPPlugin, StateEffect, StateField, ViewPlugin,
  WidgetType, basicSetup, findReferencesKeymap, formatDocument, formatKeymap, hoverTooltips, indentWithTab,
  jumpToDefinitionKeymap, keymap, lintGutter, serverCompletion, setDiagnostics, yaml,
} from "./codemirror.js";
import { quiet } from "./dom.js";

/** The pause in milliseconds before the server gets the changes. */
const SOON = 30;
const GRADES = ["", "error", "warning", "info", "hint"];
const fromOutside = Annotation.define();

/** The extensions that the client of the language server needs. */
export const clientExtensions = () => [serverCompletion(), hoverTooltips({ hoverTime: 300 })];

/** Return a field of the editor with the decorations that an effect has set last; they move with the text. */
function drawnBy(effect) {
  return StateField.define({
    create: () => Decoration.none,
    update(known, change) {
      for (const one of change.effects) if (one.is(effect)) return one.value;
      return known.map(change.changes);
    },
    provide: (field) => EditorView.decorations.from(field),
  });
}

// ---- lenses: notes after a line, such as the outcome of a ruling; the text does not move for them

const setLenses = StateEffect.define();

class Lens extends WidgetType {
  constructor(titles) {
    super();
    this.titles = titles;
  }

  eq(other) {
    return other.titles.join() === this.titles.join();
  }

  toDOM() {
    const made = document.createElement("span");
    made.className = "lens";
    made.textContent = this.titles.join(" · ");
    return made;
  }
}

const lenses = drawnBy(setLenses);

// ---- marks on parts of the text, such as sentences that were never seen to act

const setMarks = StateEffect.define();
const marks = drawnBy(setMarks);

/** The editor; `onedit` and `onmove` are called when the text or the cursor changes, `onsave` and `onrename` on Ctrl-S and F2. */
export class Editor {
  constructor(parent, session, labels) {
    this.session = session;
    this.onedit = this.onmove = this.onsave = this.onrename = () => {};
    this.uri = "";
    this.states = new Map();
    this.writable = new Compartment();
    this.labels = labels;
    this.view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions: [EditorState.readOnly.of(true)] }) });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  /** Forget the text that is shown, which is removed. */
  forget() {
    this.states.delete(this.uri);
    this.uri = "";
    this.view.setState(EditorState.create({ doc: "", extensions: [EditorState.readOnly.of(true)] }));
  }

  /** Show a text: that of a file as it was left, or a given one. */
  show(uri, text, isReadOnly) {
    this.keep();
    const known = this.states.get(uri);
    const state = known && known.doc.toString() === text ? known : this.state(uri, text, isReadOnly);
    this.uri = uri;
    this.view.setState(state);
    this.moved();
  }

  /** Keep the state of the text that is shown, for the next time. */
  keep() {
    if (!this.uri) return;
    this.session.client.sync();
    this.states.set(this.uri, this.view.state);
  }

  state(uri, doc, isReadOnly) {
    const told = ViewPlugin.define(() => ({
      update: (update) => {
        if (update.docChanged) {
          this.tell();
          this.onedit(this.text, update.transactions.some((one) => one.annotation(fromOutside)));
        }
        if (update.docChanged || update.selectionSet) this.moved();
      },
    }));
    return EditorState.create({ doc, extensions: [
      keymap.of([
        { key: "Mod-s", run: () => (this.onsave(), true), preventDefault: true },
        { key: "F2", run: () => (this.onrename(), true), preventDefault: true },
        ...formatKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap,
      ]),
      EditorState.phrases.of(this.labels.phrases), basicSetup, yaml(), lintGutter(), EditorView.lineWrapping, lenses, marks, told,
      this.writable.of([EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]),
      EditorView.contentAttributes.of({ "aria-label": this.labels.editor }),
      // A Tab leaves the editor, so that the keyboard gets everywhere; Ctrl-] and Ctrl-[ change the indentation.
      this.session.client.plugin(uri, "yaml"),
    ] });
  }

  tell = quiet(SOON, () => this.session.connection && this.session.client.sync());
  /** Call `onmove` soon: the cursor has moved, or more is known of the text. */
  moved = quiet(120, () => this.onmove(this.position));

  /** The place of the cursor, as in LSP. */
  get position() {
    const at = this.view.state.selection.main.head, line = this.view.state.doc.lineAt(at);
    return { line: line.number - 1, character: at - line.from };
  }

  /** Show the findings of the text, with fixes for some of them. */
  find(diagnostics, fixes) {
    const doc = this.view.state.doc;
    const known = diagnostics.filter((one) => one.range.end.line < doc.lines);
    this.view.dispatch(setDiagnostics(this.view.state, known.map((one) => ({
      from: this.offset(one.range.start), to: Math.max(this.offset(one.range.end), this.offset(one.range.start)),
      severity: GRADES[one.severity], source: String(one.code ?? ""), message: one.message,
      actions: (fixes.get(one) ?? []).map((fix) => ({ name: fix.title, apply: () => this.onfix(fix) })),
    }))));
  }

  offset(place) {
    const doc = this.view.state.doc, line = doc.line(Math.min(place.line + 1, doc.lines));
    return Math.min(line.from + place.character, line.to);
  }

  /** Put edits into the text that is shown; places are those of the text as it is now. */
  apply(edits) {
    const changes = edits.map((one) => (
      { from: this.offset(one.range.start), to: this.offset(one.range.end), insert: one.newText }));
    this.view.dispatch({ changes, userEvent: "input" });
  }

  /** Replace the whole text, because it was changed elsewhere. */
  replace(text) {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text }, annotations: fromOutside.of(true),
    });
  }

  /** Move the cursor to a place, and show it. */
  go(range) {
    const anchor = this.offset(range.start);
    this.view.dispatch({ selection: { anchor, head: this.offset(range.end) }, scrollIntoView: true });
    this.view.focus();
  }

  /** Show the titles of some lenses after the lines where they begin. */
  lens(found) {
    const byLine = Map.groupBy(found, (one) => one.range.start.line);
    const made = [...byLine].filter(([line]) => line < this.view.state.doc.lines).sort(([a], [b]) => a - b)
      .map(([line, ones]) => Decoration.widget({ widget: new Lens(ones.map((one) => one.command.title)), side: 1 })
        .range(this.view.state.doc.line(line + 1).to));
    this.view.dispatch({ effects: setLenses.of(Decoration.set(made)) });
  }

  /** Mark parts of the text: ranges, each with a class and a title. */
  mark(found) {
    const made = found.map((one) => ({ from: this.offset(one.range.start), to: this.offset(one.range.end), ...one }))
      .filter((one) => one.from < one.to).sort((a, b) => a.from - b.from)
      .map((one) => Decoration.mark({ class: one.className, attributes: { title: one.title } }).range(one.from, one.to));
    this.view.dispatch({ effects: setMarks.of(Decoration.set(made, true)) });
  }

  format() {
    return formatDocument(this.view);
  }
}

export { LSPPlugin, indentWithTab };
