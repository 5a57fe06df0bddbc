import { Share } from "./share/share";
import { actions } from "./state/run";
import { redoable, title, undoable, view, views, type View } from "./state/store";
import { IconButton } from "./ui/button";
import { Header } from "./ui/header";
import { helpOpen } from "./ui/help";
import { addressOf } from "./ui/route";
import { Search } from "./ui/search";

/** How the views are called. */
export const viewNames: Readonly<Record<View, string>> = { cluster: "Cluster", configure: "Configure", compare: "Compare", policy: "Policy", scenarios: "Scenarios", learn: "Learn" };

export function PageHeader() {
  return (
    <Header page="playground" title={title.value} views={views.map((name) => ({ name: viewNames[name], address: addressOf(name), current: name === view.value }))}
      tools={<><UndoRedo /><Search /><Share /></>} last={<IconButton icon="help" label="Help: words and keys" onClick={() => (helpOpen.value = true)} />} />
  );
}

/** Changes by hand, taken back and made again. */
function UndoRedo() {
  return (
    <div class="header-undo" role="group" aria-label="Changes by hand">
      <IconButton icon="undo" label={undoable.value === undefined ? "Undo" : `Undo: ${undoable.value}`} disabled={undoable.value === undefined} onClick={() => void actions.undo()} />
      <IconButton icon="redo" label={redoable.value === undefined ? "Redo" : `Redo: ${redoable.value}`} disabled={redoable.value === undefined} onClick={() => void actions.redo()} />
    </div>
  );
}
