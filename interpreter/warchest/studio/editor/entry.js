// The parts of CodeMirror that the page uses, as one module.
export { basicSetup } from "codemirror";
export { acceptCompletion, completionStatus, startCompletion } from "@codemirror/autocomplete";
export { indentWithTab, redo, undo } from "@codemirror/commands";
export { yaml } from "@codemirror/lang-yaml";
export { forEachDiagnostic, lintGutter, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
export {
  LSPClient, LSPPlugin, Workspace, findReferencesKeymap, formatDocument, formatKeymap, hoverTooltips,
  jumpToDefinition, jumpToDefinitionKeymap, serverCompletion,
} from "@codemirror/lsp-client";
export { Annotation, Compartment, EditorState, StateEffect, StateField, Text, Transaction } from "@codemirror/state";
export { Decoration, EditorView, ViewPlugin, WidgetType, keymap } from "@codemirror/view";
