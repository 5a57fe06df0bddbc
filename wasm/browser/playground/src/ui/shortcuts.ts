interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
}

/** What keys.ts serves, in words. */
export const shortcuts: readonly Shortcut[] = [
  { keys: ["Space"], does: "Play or pause" },
  { keys: ["→"], does: "On by one decision" },
  { keys: ["Shift", "→"], does: "On by one instant" },
  { keys: ["←"], does: "Back by one decision" },
  { keys: ["Home"], does: "To the start" },
  { keys: ["End"], does: "To the end" },
  { keys: ["Ctrl", "Z"], does: "Undo a change by hand; with Shift: redo it" },
  { keys: ["/"], does: "Find a queue, application, ask or node" },
  { keys: ["1", "…", "6"], does: "The views, Cluster to Learn" },
  { keys: ["Shift", "F10"], does: "In the tree: what can be done with the queue or application" },
  { keys: ["←", "→"], does: "On a line between panes: moves it; Enter brings it back" },
  { keys: ["Esc"], does: "Select nothing; close what is open" },
  { keys: ["?"], does: "Words and keys" },
];
