/** Suggestions while a feature is written, and what is wrong with it before it is played. */

import { autocompletion, snippet, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { Action, Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { ParseError, PlayedStep, Sentence } from "./answers";
import { sentence } from "../state/sentence";
import type { Outcome } from "./draft";
import { sentences } from "./runner";
import { beginnings, spotOf, template, variants } from "./sentences";

export const assist = autocompletion({ override: [complete], icons: false });

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const line = state.doc.lineAt(pos);
  if (pos < line.to && state.doc.sliceString(pos, line.to).trim() !== "") return null; // in the midst of a line
  const spot = spotOf(state.doc.sliceString(0, pos));
  if (!spot) return null;
  if (spot.kind === "keyword") {
    if (!explicit && spot.from === pos) return null;
    return { from: spot.from, options: beginnings.map((label) => ({ label, type: "keyword" })), validFor: /^[A-Za-z]*$/ };
  }
  const { keyword } = spot;
  const fitting = sentences.peek().filter(({ keywords }) => !keyword || keywords.includes(keyword));
  return { from: spot.from, to: line.to, options: fitting.flatMap((sentence) => variants(sentence.form).map((form) => completion(sentence, form))), validFor: /^[^\n]*$/ };
}

function completion(sentence: Sentence, form: string): Completion {
  return {
    label: form,
    apply: snippet(template(sentence, form)),
    info: () => card(sentence),
    boost: form.includes("[") ? -1 : 0,
  };
}

function card({ topic, doc }: Sentence): HTMLElement {
  const box = Object.assign(document.createElement("div"), { className: "key" });
  box.append(Object.assign(document.createElement("b"), { textContent: topic }), Object.assign(document.createElement("p"), { textContent: doc }));
  return box;
}

/** What a look at the text has found, in the editor's terms. */
export function diagnosticsOf(state: EditorState, { text, scenarios, errors }: Outcome): readonly Diagnostic[] {
  if (state.doc.toString() !== text) return [];
  const wrong = scenarios.flatMap(({ steps }) => steps).filter(({ status, text: said }) => said !== "" && (status === "undefined" || status === "ambiguous"));
  const byLine = new Map(wrong.map((step) => [step.line, step]));
  return [...errors.map((error) => ofError(state, error)), ...[...byLine.values()].map((step) => ofStep(state, step))];
}

function ofError({ doc }: EditorState, { line, column, message }: ParseError): Diagnostic {
  const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const from = Math.min(at.from + Math.max(column - 1, 0), at.to);
  return { from, to: at.to, severity: "error", message: sentence(message) };
}

function ofStep({ doc }: EditorState, { line, text, message = "", nearest }: PlayedStep): Diagnostic {
  const at = doc.line(Math.min(line, doc.lines));
  const from = at.from + Math.max(0, at.text.indexOf(text));
  const actions: Action[] = [];
  const like = sentences.peek().find(({ form }) => form === nearest);
  if (like) {
    const form = variants(like.form)[0] ?? like.form;
    actions.push({ name: "Write it so", apply: (view) => { snippet(template({ takes: "", doc: "" }, form))(view, null, from, at.to); } });
  }
  return { from, to: at.to, severity: "error", message: nearest ? `${sentence(message)} The nearest one: ${nearest}` : sentence(message), actions };
}
