/** How editors look: all of it from the page's tokens, which shadow roots inherit. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const mono = { fontFamily: "var(--mono)", fontSize: "13px", lineHeight: "1.55" };
const floating = { background: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "8px", boxShadow: "var(--lift)" };
/** A colour of the page that lets through what is below it; share: per cent. */
export const veil = (colour: string, share: number): string => `color-mix(in oklab, var(${colour}) ${share}%, transparent)`;

const theme = EditorView.theme({
  "&": { height: "100%", background: "var(--card)", color: "var(--ink)" },
  // The ring is around all of the editor (editor.css): here the gutter would hide a part of it.
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { ...mono, overflow: "auto" },
  ".cm-content": { padding: "0.5rem 0", caretColor: "var(--accent)" },
  ".cm-line": { padding: "0 0.75rem 0 0.5rem" },
  ".cm-cursor, .cm-dropCursor": { borderLeftColor: "var(--accent)", borderLeftWidth: "2px" },
  ".cm-gutters": { background: "var(--card)", color: "var(--mute)", border: "0" },
  ".cm-activeLine": { background: veil("--sunk", 55) },
  ".cm-activeLineGutter": { background: veil("--sunk", 55), color: "var(--ink)" },
  "& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": { background: veil("--accent", 22) },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": { background: veil("--accent", 20), outline: "1px solid var(--line)" },
  ".cm-nonmatchingBracket": { color: "var(--bad)" },
  ".cm-foldGutter span": { color: "var(--mute)" },
  ".cm-foldPlaceholder": { background: "var(--sunk)", border: "1px solid var(--line)", color: "var(--mute)" },

  ".cm-panels": { background: "var(--card)", color: "var(--mute)" },
  ".cm-panels-bottom": { borderTop: "1px solid var(--grid)" },
  ".hint": { font: "12px/1.4 var(--sans)", padding: "0.3rem 0.85rem" },

  ".cm-tooltip": floating,
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { ...mono, maxHeight: "16em", padding: "0.25rem" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "0.1rem 0.5rem", borderRadius: "5px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { color: "var(--mute)", fontStyle: "normal", marginLeft: "1em" },
  "li[aria-selected] .cm-completionDetail": { color: "inherit" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-tooltip.cm-completionInfo": { padding: "0.6rem 0.75rem", maxWidth: "22rem" },
  ".key": { font: "13px/1.45 var(--sans)" },
  ".cm-tooltip-hover > .key": { padding: "0.6rem 0.75rem", maxWidth: "24rem" },
  ".key + .key": { marginTop: "0.6rem", paddingTop: "0.6rem", borderTop: "1px solid var(--line)" },
  ".key b": { ...mono, fontWeight: "600", color: "var(--accent)" },
  ".key p": { margin: "0.15rem 0 0", textWrap: "pretty" },
  ".key dl": { display: "grid", gridTemplateColumns: "auto 1fr", gap: "0 0.75rem", margin: "0.35rem 0 0", fontSize: "12px", color: "var(--mute)" },
  ".key dd": { margin: "0", color: "var(--ink)" },

  ".cm-diagnostic": { font: "13px/1.45 var(--sans)", padding: "0.45rem 0.75rem", borderLeft: "0", maxWidth: "28rem" },
  ".cm-diagnostic-error": { boxShadow: "inset 3px 0 var(--bad)" },
  ".cm-diagnostic-warning": { boxShadow: "inset 3px 0 var(--warn-line)" },
  ".cm-diagnosticText b": { display: "block", fontWeight: "600" },
  ".cm-lintRange-error, .cm-lintRange-warning": { backgroundImage: "none", paddingBottom: "0", textDecoration: "underline wavy 1.5px", textUnderlineOffset: "3px", textDecorationSkipInk: "none" },
  ".cm-lintRange-error": { textDecorationColor: "var(--bad)" },
  ".cm-lintRange-warning": { textDecorationColor: "var(--warn-line)" },
  ".cm-lint-marker": { content: "normal", width: "1em", textAlign: "center" },
  ".cm-lint-marker-error::before": { content: '"✕"', color: "var(--bad)" },
  ".cm-lint-marker-warning::before": { content: '"△"', color: "var(--warn-line)" },
  ".cm-lintPoint::after": { borderBottomColor: "var(--bad)" },

  ".cm-changedLine, &.cm-merge-b .cm-changedLine": { background: veil("--c3", 7) },
  ".cm-changedText, &.cm-merge-b .cm-changedText": { background: veil("--c3", 10) },
  ".cm-deletedChunk": { background: veil("--c2", 9), padding: "0 0.75rem 0 0.5rem" },
  ".cm-deletedChunk .cm-deletedText, .cm-deletedLine del": { background: veil("--c2", 12), textDecoration: "line-through" },
  ".cm-changedLineGutter, &.cm-merge-b .cm-changedLineGutter": { background: "var(--c3)" },
  ".cm-deletedLineGutter": { background: "var(--c2)" },
  ".cm-chunkButtons button": { font: "12px var(--sans)", background: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)", borderRadius: "99px", padding: "0.05rem 0.6rem", cursor: "pointer" },
  ".cm-chunkButtons button:hover": { borderColor: "var(--accent)", color: "var(--accent)" },
});

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--c1)" },
  { tag: [tags.string, tags.content], color: "var(--ink)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--c4)" },
  { tag: tags.comment, color: "var(--mute)", fontStyle: "italic" },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], color: "var(--mute)" },
]);

export const look = [theme, syntaxHighlighting(colours)];
