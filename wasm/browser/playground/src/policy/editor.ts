/** The editor of the policy. Its text is the draft. */

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { typescriptLanguage } from "@codemirror/lang-javascript";
import { bracketMatching, foldGutter, HighlightStyle, indentOnInput, LanguageSupport, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { effect } from "@preact/signals";
import { basics, KeptEditor } from "../ui/editor/kept";
import { draft } from "./draft";
import type { Problem } from "./problems";
import { runPolicy } from "./run";
import { buildOnceQuiet, judged, problems } from "./work";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--c1)" },
  { tag: [tags.typeName], color: "var(--c4)" },
]);

const extensions: Extension = [
  syntaxHighlighting(colours),
  lineNumbers(), foldGutter(), lintGutter(), indentOnInput(), bracketMatching(), closeBrackets(), new LanguageSupport(typescriptLanguage),
  EditorView.contentAttributes.of({ "aria-label": "Policy", "aria-describedby": "policy-keys", tabindex: "0" }),
  keymap.of([{ key: "Mod-Enter", run: () => { void runPolicy(); return true; } }, ...closeBracketsKeymap]),
  EditorView.updateListener.of(({ state, docChanged }) => {
    if (docChanged) draft.value = state.doc.toString();
  }),
  basics,
];

export const editor = new KeptEditor(() => EditorState.create({ doc: draft.peek(), extensions }), (shown) => [
  effect(() => take(shown, draft.value)),
  effect(buildOnceQuiet),
  effect(() => mark(shown)),
]);

/** Takes over a text that was set from outside: a file, an example. It can be undone. */
function take(shown: EditorView, text: string): void {
  const { state } = shown;
  if (state.doc.toString() === text) return;
  shown.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, selection: { anchor: 0 }, userEvent: "input.replace" });
}

/** Marks the problems of this very text; until they are known marks move along with the text. */
function mark(shown: EditorView): void {
  const list = problems.value;
  const { state } = shown;
  if (judged.value === state.doc.toString()) shown.dispatch(setDiagnostics(state, list.flatMap((one) => diagnosticOf(one, state.doc.length))));
}

function diagnosticOf({ severity, by, text, at }: Problem, end: number): Diagnostic[] {
  return at ? [{ from: Math.min(at.from, end), to: Math.min(at.to, end), severity, source: by, message: text }] : [];
}
