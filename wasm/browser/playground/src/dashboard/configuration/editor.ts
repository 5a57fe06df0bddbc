/** The editor of the host's configuration, with suggestions from its own table of keys. */

import { computed, signal } from "@preact/signals";
import { configurationEditor } from "../../configure/editor/editor";
import type { Keys, Policy } from "../../configure/keys";
import { typesOf } from "../../model/quantities";
import { read } from "../host/api";
import type { PolicyObject } from "../host/objects";
import { queueList } from "../queue-tree";
import { problemsFound } from "./problems";
import { apply, comparing, draft, running, tried } from "./work";

const keys = signal<Keys>([]);
const policies = signal<readonly Policy[]>([]);

export const editor = configurationEditor({
  draft, running, comparing, apply, problems: problemsFound,
  checked: computed(() => tried.value?.of.text),
  known: () => ({ keys: keys.peek(), policies: policies.peek(), types: typesOf(...queueList().map(({ max }) => max)) }),
});

/** Reads what suggestions are made from; without it there are none. */
export async function learn(): Promise<void> {
  const [table, modules] = await Promise.allSettled([read<Keys>("keys.json"), read<{ items: PolicyObject[] }>("v1/policies")]);
  if (table.status === "fulfilled") keys.value = table.value;
  if (modules.status === "fulfilled") policies.value = modules.value.items.map(({ policy: name, points }) => ({ name, points }));
}
