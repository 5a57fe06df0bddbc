/** The editor of features. Its text is the draft. */

import { snippet } from "@codemirror/autocomplete";
import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { gherkin } from "@codemirror/legacy-modes/mode/gherkin";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { effect } from "@preact/signals";
import { basics, KeptEditor } from "../ui/editor/kept";
import type { Sentence } from "./answers";
import { assist, diagnosticsOf } from "./assist";
import { draft, looked, played } from "./draft";
import { marks, marksOf, setMarks } from "./marks";
import { look, playAll, playAt } from "./play";
import { template, variants } from "./sentences";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: tags.string, color: "var(--c1)" },
  { tag: [tags.variableName, tags.tagName], color: "var(--c4)" },
  { tag: tags.bracket, color: "var(--mute)" },
]);

const extensions: Extension = [
  syntaxHighlighting(colours),
  lineNumbers(), marks, new LanguageSupport(StreamLanguage.define(gherkin)), assist,
  EditorView.contentAttributes.of({ "aria-label": "Feature", "aria-describedby": "scenarios-keys" }),
  keymap.of([
    { key: "Mod-Enter", run: () => { void playAll(); return true; } },
    { key: "Shift-Enter", run: ({ state }) => { void playAt(lineAt(state)); return true; } },
  ]),
  EditorView.updateListener.of(({ state, docChanged }) => {
    if (docChanged) draft.value = { ...draft.peek(), text: state.doc.toString() };
  }),
  basics,
];

/** How long nothing is written before the text is looked at, in milliseconds. */
const quiet = 400;

export const editor = new KeptEditor(() => EditorState.create({ doc: draft.peek().text, extensions }), (shown) => [
  effect(() => take(shown, draft.value.text)),
  effect(lookOnceQuiet),
  effect(() => mark(shown)),
  effect(() => { shown.dispatch(setDiagnostics(shown.state, looked.value ? diagnosticsOf(shown.state, looked.value) : [])); }),
]);

/** Has the draft looked at when nothing was written for a while; gives what calls that off. */
function lookOnceQuiet(): (() => void) | undefined {
  const { text } = draft.value;
  if (looked.peek()?.text === text) return undefined;
  const timer = setTimeout(() => { void look(); }, quiet);
  return () => { clearTimeout(timer); };
}

/** Plays the scenario at the cursor. */
export function playHere(): Promise<void> {
  return playAt(editor.view ? lineAt(editor.view.state) : 1);
}

/** Puts the cursor at the beginning of a line, and the focus on the editor. */
export function goTo(line: number): void {
  const { doc } = editor.view?.state ?? {};
  if (doc) editor.goTo(doc.line(Math.min(Math.max(line, 1), doc.lines)).from);
}

function lineAt(state: EditorState): number {
  return state.doc.lineAt(state.selection.main.head).number;
}

/** Shows the result of the text; where it has changed since, what is shown stays and moves along. */
function mark(shown: EditorView): void {
  const outcome = played.value;
  if (outcome && outcome.text !== shown.state.doc.toString()) return;
  shown.dispatch({ effects: setMarks.of(marksOf(outcome?.scenarios ?? [])) });
}

/** Takes over a text that was set from outside: a file, a shipped feature. It can be undone. */
function take(shown: EditorView, text: string): void {
  const { state } = shown;
  if (state.doc.toString() === text) return;
  shown.dispatch({ changes: { from: 0, to: state.doc.length, insert: text }, selection: { anchor: 0 }, effects: setMarks.of([]), userEvent: "input.replace" });
}

/** Puts a sentence on a line of its own below the cursor, to be filled in. */
export function insert(sentence: Sentence): void {
  const { view } = editor;
  if (!view) return;
  const line = view.state.doc.lineAt(view.state.selection.main.head);
  const [form = sentence.form] = variants(sentence.form);
  snippet(`\n${sentence.keywords[0] ?? "Given"} ${template(sentence, form)}`)(view, null, line.to, line.to);
  view.focus();
}
