interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** What keys.ts serves, in words. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ["Space"], does: "Play or pause" },
  { keys: ["→"], does: "Forward by one decision" },
  { keys: ["Shift", "→"], does: "Forward by one instant" },
  { keys: ["←"], does: "Back by one decision" },
  { keys: ["Home"], does: "To the start" },
  { keys: ["End"], does: "To the end" },
  { keys: ["Ctrl", "Z"], does: "Undo a change by hand; with Shift: redo it" },
  { keys: ["/"], does: "Find a queue, application, ask or node" },
  { keys: ["1", "…", "6"], does: "The views, Cluster to Learn" },
  { keys: ["Shift", "F10"], does: "In the tree: the actions for the queue or application" },
  { keys: ["←", "→"], does: "On a line between panes: moves it; Enter resets it" },
  { keys: ["Esc"], does: "Clear the selection; close a dialog" },
  { keys: ["?"], does: "Words and keys" },
];
