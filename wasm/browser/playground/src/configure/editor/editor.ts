/** An editor of configurations. Its text is a draft, which others may set as well. */

import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { bracketMatching, foldGutter, indentOnInput } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap, lineNumbers, showPanel } from "@codemirror/view";
import { effect, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Configuration } from "../../model/scenario";
import { basics, KeptEditor } from "../../ui/editor/kept";
import type { Problem } from "../problems";
import type { Known } from "../suggest";
import { assist } from "./assist";
import { formatOf, inFormat, setFormat } from "./format";

/** What an editor of configurations works on. */
export interface Work {
  readonly draft: Signal<Configuration>;
  readonly running: ReadonlySignal<Configuration>;
  /** Whether the differences to what runs are shown. */
  readonly comparing: ReadonlySignal<boolean>;
  readonly problems: ReadonlySignal<readonly Problem[]>;
  /** The text that the problems are those of. */
  readonly checked: ReadonlySignal<string | undefined>;
  readonly known: () => Known;
  readonly apply: () => Promise<void>;
}

export function configurationEditor(work: Work): KeptEditor {
  const { draft, known, apply } = work;
  const extensions: Extension = [
    lineNumbers(), foldGutter(), lintGutter(), indentOnInput(), bracketMatching(), closeBrackets(), assist(known),
    EditorView.contentAttributes.of({ "aria-label": "Configuration", "aria-describedby": "hint" }),
    showPanel.of(() => ({ dom: Object.assign(document.createElement("div"), { id: "hint", className: "hint", textContent: "Ctrl+Space suggests · Ctrl+Enter applies · Tab leaves the editor" }) })),
    keymap.of([{ key: "Mod-Enter", run: () => { void apply(); return true; } }, ...closeBracketsKeymap]),
    EditorView.updateListener.of(({ state, startState, docChanged }) => {
      if (docChanged || formatOf(state) !== formatOf(startState)) draft.value = { text: state.doc.toString(), format: formatOf(state) };
    }),
    comparison.of([]),
    basics,
  ];
  return new KeptEditor(
    () => EditorState.create({ doc: draft.peek().text, extensions: [inFormat(draft.peek().format), extensions] }),
    (shown) => [effect(() => take(shown, draft.value)), effect(() => compare(shown, work)), effect(() => mark(shown, work))],
  );
}

const comparison = new Compartment();

/** Takes over a draft that was set from outside: a file, an example, another format. It can be undone. */
function take(shown: EditorView, { text, format }: Configuration): void {
  const { state } = shown;
  const other = state.doc.toString() !== text;
  if (!other && formatOf(state) === format) return;
  shown.dispatch({
    changes: other ? { from: 0, to: state.doc.length, insert: text } : undefined,
    selection: other ? { anchor: 0 } : undefined,
    effects: formatOf(state) === format ? [] : [setFormat.of(format)],
    userEvent: "input.replace",
  });
}

/** Marks the problems, once those of this very text are known; until then marks move along with the text. */
function mark(shown: EditorView, { problems, checked }: Work): void {
  const found = problems.value;
  if (checked.value === shown.state.doc.toString()) shown.dispatch(setDiagnostics(shown.state, found.flatMap(diagnostic)));
}

/** Shows the differences to what runs, if that is wanted and the formats are the same. */
function compare(shown: EditorView, { comparing, running, draft }: Work): void {
  const wanted = comparing.value && running.value.format === draft.value.format;
  const now = wanted ? running.value.text : undefined;
  if (now === compared.get(shown)) return;
  compared.set(shown, now);
  const merge = now === undefined ? [] : unifiedMergeView({ original: now, mergeControls: control, syntaxHighlightDeletions: false });
  shown.dispatch({ effects: comparison.reconfigure(merge) });
}

/** What each editor is compared with. */
const compared = new WeakMap<EditorView, string | undefined>();

/** Changes can be taken back one by one. There is nothing to accept: they are applied together. */
function control(type: "accept" | "reject", act: (event: MouseEvent) => void): HTMLElement {
  if (type === "accept") return Object.assign(document.createElement("span"), { hidden: true });
  return Object.assign(document.createElement("button"), { type: "button", textContent: "Revert", onmousedown: act });
}

function diagnostic({ severity, about, text, at }: Problem): Diagnostic[] {
  if (!at) return [];
  const renderMessage = (): Node => {
    const message = document.createElement("span");
    message.append(Object.assign(document.createElement("b"), { textContent: about }), text);
    return message;
  };
  return [{ ...at, severity, message: `${about}: ${text}`, renderMessage }];
}
