/** The result of steps, line by line: a sign in the gutter, and below a step that did not pass why. */

import { RangeSet, StateEffect, StateField, type EditorState, type Extension, type Range } from "@codemirror/state";
import { Decoration, EditorView, gutter, GutterMarker, WidgetType, type DecorationSet } from "@codemirror/view";
import { capital } from "../state/sentence";
import { veil } from "../ui/editor/look";
import type { Played, Status } from "./answers";

/** Of a line: the worst that became of it. */
export interface Mark {
  readonly line: number;
  readonly status: Status;
  /** Why; only where it did not pass by itself. */
  readonly message?: string;
  readonly nearest?: string;
}

/** From bad to good. */
const order: readonly Status[] = ["failed", "ambiguous", "undefined", "pending", "skipped", "passed"];

/** Brings scenarios to their lines; those of an outline, and of a background, are played several times. */
export function marksOf(scenarios: readonly Played[]): readonly Mark[] {
  const marks = new Map<number, Mark>();
  const add = (mark: Mark) => {
    const there = marks.get(mark.line);
    if (!there || order.indexOf(mark.status) < order.indexOf(there.status)) marks.set(mark.line, mark);
  };
  for (const { line, example, status, message, steps } of scenarios) {
    if (!status) continue;
    add({ line, status, ...(steps.length === 0 && message !== undefined && { message }) });
    if (example !== undefined) add({ line: example, status });
    for (const step of steps) {
      const where = example === undefined ? "" : `With the example in line ${example}: `;
      const why = step.message && { message: where + step.message, ...(step.nearest && { nearest: step.nearest }) };
      if (step.status) add({ line: step.line, status: step.status, ...why });
    }
  }
  return [...marks.values()].sort((a, b) => a.line - b.line);
}

export const signs: Readonly<Record<Status, string>> = { passed: "✓", failed: "✗", ambiguous: "≈", undefined: "?", pending: "…", skipped: "–" };

/** Shows marks in place of those that are there. */
export const setMarks = StateEffect.define<readonly Mark[]>();

interface Shown {
  readonly decorations: DecorationSet;
  readonly signs: RangeSet<Sign>;
}

class Sign extends GutterMarker {
  private readonly status: Status;

  constructor(status: Status) {
    super();
    this.status = status;
  }

  override eq(other: Sign): boolean {
    return other.status === this.status;
  }

  override toDOM(): Node {
    return Object.assign(document.createElement("span"), { className: `cm-sign cm-sign-${this.status}`, textContent: signs[this.status], title: this.status });
  }
}

class Why extends WidgetType {
  private readonly mark: Mark;

  constructor(mark: Mark) {
    super();
    this.mark = mark;
  }

  override eq({ mark }: Why): boolean {
    return mark.status === this.mark.status && mark.message === this.mark.message;
  }

  override toDOM(): HTMLElement {
    const { status, message = "", nearest } = this.mark;
    const box = Object.assign(document.createElement("div"), { className: `cm-why cm-why-${status}` });
    box.textContent = capital(message);
    if (nearest) box.append(Object.assign(document.createElement("div"), { className: "cm-nearest", textContent: `The nearest sentence: ${nearest}` }));
    const outer = Object.assign(document.createElement("div"), { className: "cm-below" }); // the editor measures what has no margin
    outer.append(box);
    return outer;
  }
}

const nothing: Shown = { decorations: Decoration.none, signs: RangeSet.of<Sign>([]) };

const shown = StateField.define<Shown>({
  create: () => nothing,
  update(now, { changes, effects, state }) {
    const set = effects.findLast((e) => e.is(setMarks));
    if (set) return show(state, set.value);
    return changes.empty ? now : { decorations: now.decorations.map(changes), signs: now.signs.map(changes) };
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

function show(state: EditorState, marks: readonly Mark[]): Shown {
  const decorations: Range<Decoration>[] = [];
  const gutterSigns: Range<Sign>[] = [];
  for (const mark of marks) {
    if (mark.line < 1 || mark.line > state.doc.lines) continue;
    const { from, to, text } = state.doc.line(mark.line);
    gutterSigns.push(new Sign(mark.status).range(from));
    if (mark.message === undefined) continue;
    const indent = text.length - text.trimStart().length;
    if (from + indent < to) decorations.push(Decoration.mark({ class: `cm-step-${mark.status}` }).range(from + indent, to));
    decorations.push(Decoration.widget({ widget: new Why(mark), side: 1, block: true }).range(to));
  }
  return { decorations: Decoration.set(decorations, true), signs: RangeSet.of(gutterSigns, true) };
}

const line = (colour: string) => ({ textDecoration: `underline wavy 1.5px var(${colour})`, textUnderlineOffset: "3px", textDecorationSkipInk: "none" });

const look = EditorView.theme({
  ".cm-signs": { width: "1.3rem" },
  ".cm-sign": { display: "block", textAlign: "center", fontWeight: "700", color: "var(--mute)" },
  ".cm-sign-passed": { color: "var(--good)" },
  ".cm-sign-failed, .cm-sign-undefined, .cm-sign-ambiguous": { color: "var(--bad)" },
  ".cm-step-failed, .cm-step-undefined, .cm-step-ambiguous": line("--bad"),
  ".cm-step-skipped, .cm-step-pending": line("--warn-line"),
  ".cm-below": { padding: "0.15rem 0.75rem 0.35rem 2.2rem" },
  ".cm-why": { font: "12.5px/1.5 var(--mono)", whiteSpace: "pre-wrap", overflowWrap: "anywhere", maxWidth: "min(52rem, 68vw)", padding: "0.35rem 0.65rem", borderRadius: "6px", boxShadow: "inset 3px 0 var(--bad)", background: veil("--bad", 9) },
  ".cm-why-skipped, .cm-why-pending": { boxShadow: "inset 3px 0 var(--warn-line)", background: veil("--warn-line", 14) },
  ".cm-nearest": { color: "var(--accent)", marginTop: "0.15rem" },
});

/** The gutter, and the field that keeps what is shown. */
export const marks: Extension = [shown, gutter({ class: "cm-signs", markers: (view) => view.state.field(shown).signs }), look];
