import { Menu } from "../ui/menu";
import { openForm } from "./form";

/** Everything that can be done by hand. */
export function AddMenu() {
  return (
    <Menu label="Add" icon="add" primary items={[
      { text: "Nodes…", icon: "node", onPick: () => openForm({ kind: "nodes" }) },
      { text: "An application…", icon: "app", hint: "with its asks", onPick: () => openForm({ kind: "application" }) },
      { text: "Asks…", icon: "ask", hint: "to an existing application", onPick: () => openForm({ kind: "asks" }) },
      { text: "Move an application…", icon: "app", hint: "with its asks and allocations", onPick: () => openForm({ kind: "move" }) },
      { text: "A workload…", icon: "chart", hint: "many applications, generated from a seed", onPick: () => openForm({ kind: "workload" }) },
      { text: "Drain, resume or remove a node…", icon: "node", onPick: () => openForm({ kind: "node" }) },
      { text: "Remove or release…", icon: "bad", hint: "an application, an ask, an allocation", onPick: () => openForm({ kind: "remove" }) },
    ]}>Add</Menu>
  );
}
