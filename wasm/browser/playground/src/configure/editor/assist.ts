/** Suggestions and explanations at the cursor, from the scheduler's own table of keys. */

import { autocompletion, startCompletion, type Completion, type CompletionContext, type CompletionResult } from "@codemirror/autocomplete";
import type { EditorState } from "@codemirror/state";
import { hoverTooltip, type EditorView, type Tooltip } from "@codemirror/view";
import type { KeyAnswer } from "../../engine/types";
import { keyIn, type Keys } from "../keys";
import { outlineOf } from "../outline/read";
import { suggest, type Known, type Suggestion } from "../suggest";
import { formatOf } from "./format";

/** Suggests and explains from what is known when it is asked. */
export const assist = (known: () => Known) => [
  autocompletion({ override: [(context) => complete(context, known())], icons: false }),
  hoverTooltip((view, pos) => explain(view, pos, known().keys)),
];

function readAt(state: EditorState, cursor: number) {
  const text = state.doc.toString();
  const format = formatOf(state);
  return { text, format, outline: outlineOf({ text, format }, cursor) };
}

function complete({ state, pos, explicit }: CompletionContext, known: Known): CompletionResult | null {
  const { text, format, outline } = readAt(state, pos);
  const { spot } = outline;
  // On a line without anything only who asks is told.
  if (!spot || (!explicit && spot.from === pos && spot.kind === "key")) return null;
  const options = suggest(outline, text, format, known);
  // What is written in full needs no suggestion, and Enter is to begin a line there.
  if (!explicit && options.some(({ label }) => label === text.slice(spot.from, spot.to))) return null;
  return { from: spot.from, to: spot.to, options: options.map(completion) };
}

function completion(suggestion: Suggestion, rank: number): Completion {
  const { label, kind, about } = suggestion;
  const [first] = about;
  return {
    label,
    type: kind,
    detail: about.length > 1 ? about.map((k) => k.name.split(".").at(-1)).join(", ") : kind === "enum" ? "" : first?.type,
    info: about.length > 0 ? () => card(about) : undefined,
    sortText: String(rank).padStart(4, "0"),
    boost: first?.status === "works" ? 1 : 0,
    apply: (view, _, from, to) => write(view, suggestion, from, to),
  };
}

/** Puts a suggestion in, with the cursor where its value goes, and goes on with the values if there are some. */
function write(view: EditorView, { label, before, after, kind }: Suggestion, from: number, to: number): void {
  view.dispatch({ changes: { from, to, insert: before + after }, selection: { anchor: from + before.length }, userEvent: "input.complete", scrollIntoView: true });
  if (kind === "property" && !before.endsWith(label)) startCompletion(view);
}

function explain(view: EditorView, pos: number, keys: Keys): Tooltip | null {
  const { text, outline: { spot } } = readAt(view.state, pos);
  if (!spot || spot.from === spot.to || spot.kind === "header") return null;
  const key = keyIn(keys, spot.mapping, spot.entry?.name.text ?? text.slice(spot.from, spot.to));
  return key ? { pos: spot.from, end: spot.to, create: () => ({ dom: card([key]) }) } : null;
}

/** What keys mean, as one element. */
function card(about: Keys): HTMLElement {
  const all = element("div");
  all.append(...about.map(ofKey));
  return about.length === 1 ? (all.firstElementChild as HTMLElement) : all;
}

function ofKey({ name, meaning, type, default: otherwise, inherited, status }: KeyAnswer): HTMLElement {
  const facts = Object.entries({ value: type, default: otherwise, inherited, status: status === "works" ? "" : status }).filter(([, fact]) => fact !== "");
  const list = element("dl");
  list.append(...facts.flatMap(([term, fact]) => [element("dt", term), element("dd", fact)]));
  const key = element("div");
  key.className = "key";
  key.append(element("b", name), element("p", meaning), list);
  return key;
}

function element(tag: string, text = ""): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}
