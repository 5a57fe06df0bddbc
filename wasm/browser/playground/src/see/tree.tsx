import "./tree.css";
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import type { QueueDump } from "../engine/types";
import { AddMenu } from "../play/add-menu";
import { actions } from "../state/run";
import { queues, selection, shown } from "../state/store";
import { IconButton } from "../ui/button";
import { MenuList, type Anchor } from "../ui/menu";
import { Empty, Panel } from "../ui/panel";
import { usePaced } from "./pace";
import { TreeList } from "./tree-list";
import { menuOf } from "./tree-menu";
import { relatedTo } from "./tree-related";
import { rowsOf, type Row } from "./tree-rows";
import { Users } from "./users";

/** How many applications are listed: of a closed queue, of an open one, and how many more on request. */
const unaskedApps = 8;
const firstApps = 50;
const moreApps = 200;
/** Up to so many queues, all begin open. */
const fewQueues = 12;

// What the user chose outlives a change of view.
const folded = signal<ReadonlyMap<string, boolean>>(new Map());
const listed = signal<ReadonlyMap<string, number>>(new Map());
const detailed = signal(false);
/** Whether users and groups are listed in place of queues. */
const byUser = signal(false);

/** The queues, what they use, and their applications. */
export function Tree() {
  usePaced(Math.max(100, queues.peek().length / 10)); // a long tree takes its time
  const [menu, setMenu] = useState<{ readonly row: Row; readonly anchor: Anchor }>();
  const few = queues.value.length <= fewQueues;
  const model = actions.model();
  const rows = rowsOf(queues.value, model, {
    shown: shown.value,
    isOpen: (queue: QueueDump) => folded.value.get(queue.path) ?? (few || !queue.leaf),
    most: mostOf,
  });
  const tools = (
    <>
      <IconButton icon="users" label="Users and groups against their limits" pressed={byUser.value} onClick={() => (byUser.value = !byUser.value)} />
      <IconButton icon="list" label="Details of every queue" pressed={detailed.value} disabled={byUser.value} onClick={() => (detailed.value = !detailed.value)} />
      <AddMenu />
    </>
  );
  return (
    <Panel title={byUser.value ? "Users" : "Queues"} class="tree" flush tools={tools}>
      {byUser.value && <Users />}
      {!byUser.value && rows.length === 0 && <Empty>No queues yet. They come with a configuration.</Empty>}
      {!byUser.value && rows.length > 0 && (
        <TreeList rows={rows} related={relatedTo(selection.value, model)} detailed={detailed.value} onPick={pick} onAct={(row, anchor) => setMenu({ row, anchor })}
          onFold={(row, open) => (folded.value = new Map(folded.value).set(row.id, open))} />
      )}
      {menu && <MenuList label={`Actions for ${menu.row.id}`} anchor={menu.anchor} items={menuOf(menu.row)} onClose={() => setMenu(undefined)} />}
    </Panel>
  );
}

function mostOf(queue: string): number {
  return listed.value.get(queue) ?? (folded.value.has(queue) ? firstApps : unaskedApps);
}

function pick(row: Row) {
  if (row.kind !== "more") actions.select({ kind: row.kind, id: row.id });
  else listed.value = new Map(listed.value).set(row.queue, mostOf(row.queue) < firstApps ? firstApps : mostOf(row.queue) + moreApps);
}
