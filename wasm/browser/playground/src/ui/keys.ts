import { actions } from "../state/run";
import { phase, playing, views } from "../state/store";
import { go } from "./route";
import { searchBox } from "./search-box";
import { helpOpen } from "./help";

/** Serves the keys of the whole page, wherever nothing closer to the focus has a use for them. */
export function serveKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || taken(event)) return;
    const act = event.ctrlKey || event.metaKey ? changeOf(event) : actOf(event);
    if (!act) return;
    event.preventDefault();
    act();
  });
}

function actOf(event: KeyboardEvent): (() => void) | undefined {
  const numbered = views[Number(event.key) - 1];
  if (numbered) return () => go(numbered);
  switch (event.key) {
    case "?": return () => (helpOpen.value = true);
    case "/": return () => searchBox.current?.select();
  }
  return phase.value === "ready" ? playOf(event) : undefined;
}

/** Undo and redo as everywhere else. */
function changeOf(event: KeyboardEvent): (() => void) | undefined {
  if (phase.value !== "ready") return undefined;
  switch (event.key.toLowerCase()) {
    case "z": return () => void (event.shiftKey ? actions.redo() : actions.undo());
    case "y": return () => void actions.redo();
    default: return undefined;
  }
}

function playOf(event: KeyboardEvent): (() => void) | undefined {
  switch (event.key) {
    case " ": return () => (playing.value ? actions.pause() : actions.play());
    case "ArrowRight": return () => void actions.step(event.shiftKey ? "instant" : "decision");
    case "ArrowLeft": return () => void actions.back();
    case "Home": return () => void actions.seekTime(0);
    case "End": return () => void actions.runToEnd();
    case "Escape": return () => actions.select(undefined);
    default: return undefined;
  }
}

const typing = "input, textarea, select, [contenteditable], dialog, [popover]";
const ownArrows = "[role=tree], [role=grid], [role=tablist], [role=menu], [role=listbox], [role=slider], [role=application]";

/** Whether the key belongs to what has the focus: a field, a dialog, a button for Space, a list for the arrows. */
function taken(event: KeyboardEvent): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof Element)) return false;
  if (target.closest(typing)) return true;
  if (event.key === " ") return target.closest("button, a, summary, [role=button]") !== null;
  return /^(Arrow|Home|End)/.test(event.key) && target.closest(ownArrows) !== null;
}
