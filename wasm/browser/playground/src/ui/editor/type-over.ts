import { EditorView } from "@codemirror/view";

/**
 * Has the editor itself replace a selection that is typed over. The browser would keep the look of the first letter in a
 * style attribute, which the page's policy forbids, and which it then reports.
 */
export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { data, inputType, isComposing } = event;
    const { from, to, empty } = view.state.selection.main;
    if (empty || data === null || inputType !== "insertText" || isComposing) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(data), { userEvent: "input.type", scrollIntoView: true });
    if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert))) view.dispatch(insert());
    return true;
  },
});
