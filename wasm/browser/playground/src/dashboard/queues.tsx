import "../see/tree.css";
import { signal } from "@preact/signals";
import { useState } from "preact/hooks";
import { TreeList } from "../see/tree-list";
import { rowsOf, type Row } from "../see/tree-rows";
import { count } from "../ui/format";
import { Empty } from "../ui/panel";
import { TextField } from "../ui/field";
import { Failure } from "./failure";
import { queuesWith } from "./passing";
import { QueueDetail } from "./queue-detail";
import { useQueues, type Tree } from "./queue-tree";
import { addressOf, go, place } from "./route";
import { Split } from "./split";

/** Up to so many queues, all begin open. */
const fewQueues = 40;

const none = { apps: new Map<string, never>() };

const folded = signal<ReadonlyMap<string, boolean>>(new Map());

/** The tree of queues, and beside it the one that is picked. */
export function Queues() {
  const { name } = place.value;
  const { value, failure, reload } = useQueues();
  const [wanted, want] = useState("");
  const tools = <div class="filters"><TextField label="Only with" value={wanted} onInput={want} placeholder="a part of the path" /></div>;
  const list = value ? <>{failure !== undefined && <Failure of={failure} onRetry={reload} />}<Shown tree={value} wanted={wanted} picked={name} /></>
    : failure === undefined ? <Empty>Loading…</Empty> : <Failure of={failure} onRetry={reload} />;
  return <Split title="Queues" tools={tools} list={list} detail={name === "" ? undefined : { kind: "Queue", name, close: addressOf("queues"), content: <QueueDetail key={name} path={name} /> }} />;
}

function Shown({ tree: { queues, more }, wanted, picked }: { readonly tree: Tree; readonly wanted: string; readonly picked: string }) {
  const few = queues.length <= fewQueues;
  const shown = queuesWith(queues, wanted);
  const rows = rowsOf(shown, none, { shown: "", isOpen: ({ path, leaf }) => folded.value.get(path) ?? (few || wanted !== "" || !leaf), most: () => 0 });
  if (rows.length === 0) return <Empty>No queue has “{wanted}” in its path.</Empty>;
  return (
    <>
      {more && <p class="note">The first {count(queues.length, "queue")} are shown.</p>}
      <TreeList rows={rows} related={{ picked, beside: new Set() }} detailed={false} onPick={(row: Row) => go(addressOf("queues", row.id))}
        onFold={(row, open) => (folded.value = new Map(folded.value).set(row.id, open))} />
    </>
  );
}
