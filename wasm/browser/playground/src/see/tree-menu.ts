import { openForm } from "../play/form";
import { actions } from "../state/run";
import type { MenuItem } from "../ui/menu";
import { go } from "../ui/route";
import type { AppRow, QueueRow, Row } from "./tree-rows";

/** What can be done with a queue or an application. */
export function menuOf(row: Row): MenuItem[] {
  switch (row.kind) {
    case "queue": return queueMenu(row);
    case "app": return appMenu(row);
    case "more": return [];
  }
}

function queueMenu({ id, leaf }: QueueRow): MenuItem[] {
  const onlyLeaves = leaf ? undefined : "Only leaf queues accept applications.";
  return [
    { text: "Submit an application here…", icon: "app", disabled: !leaf, hint: onlyLeaves, onPick: () => openForm({ kind: "application", queue: id }) },
    { text: "Add a workload here…", icon: "chart", disabled: !leaf, onPick: () => openForm({ kind: "workload", queue: id }) },
    { text: "Explain this queue", icon: "info", onPick: () => actions.select({ kind: "queue", id }) },
    { text: "Change the configuration", icon: "queue", onPick: () => go("configure") },
  ];
}

function appMenu({ id }: AppRow): MenuItem[] {
  return [
    { text: "Add asks…", icon: "ask", onPick: () => openForm({ kind: "asks", app: id }) },
    { text: "Move to another queue…", icon: "queue", onPick: () => openForm({ kind: "move", app: id }) },
    { text: "Explain this application", icon: "info", onPick: () => actions.select({ kind: "app", id }) },
    { text: "Remove it", icon: "bad", danger: true, hint: "Its asks are removed, and its allocations end.", onPick: () => void actions.feed([{ type: "app.remove", id }]) },
  ];
}
