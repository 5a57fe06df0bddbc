/** What the editors of the page have in common. */

import { completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap } from "@codemirror/view";
import { look } from "./look";
import { typeOver } from "./type-over";

/** Goes behind what an editor has of its own, which then comes first. Tab is left out: it leaves the editor, as everywhere on the page. */
export const basics: Extension = [
  history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), indentUnit.of("  "), EditorState.tabSize.of(2), typeOver, look,
  keymap.of([...completionKeymap, ...historyKeymap, ...defaultKeymap]),
];

/** An editor whose text, cursor and history outlive its view. */
export class KeptEditor {
  /** While it is shown. */
  view: EditorView | undefined;
  private left: EditorState | undefined;
  private readonly begin: () => EditorState;
  private readonly follow: (shown: EditorView) => readonly (() => void)[];

  /** Follow has a view keep up with what is outside of it, and gives what ends that. */
  constructor(begin: () => EditorState, follow: (shown: EditorView) => readonly (() => void)[]) {
    this.begin = begin;
    this.follow = follow;
  }

  /** Shows it below a shadow root: there its styles are constructed sheets, which the page's policy allows. Gives what ends it. */
  show(root: ShadowRoot): () => void {
    const shown = new EditorView({ state: this.left ?? this.begin(), parent: root, root });
    this.view = shown;
    const ends = this.follow(shown);
    return () => {
      for (const end of ends) end();
      this.left = shown.state;
      this.view = undefined;
      shown.destroy();
    };
  }

  /** Selects a stretch, as far as the text has it, brings it to the middle and takes the focus. */
  goTo(from: number, to = from): void {
    const { view } = this;
    if (!view) return;
    const end = view.state.doc.length;
    const [anchor, head] = [Math.min(from, end), Math.min(to, end)];
    view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    view.focus();
  }
}
