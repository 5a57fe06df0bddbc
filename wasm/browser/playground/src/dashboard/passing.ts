/** What passes the filters of lists that the page has whole. */

import type { Decision, QueueDump } from "../engine/types";

/** Decisions that name something with a text in it. */
export function passing(decisions: readonly Decision[], only: string): readonly Decision[] {
  const text = only.trim().toLowerCase();
  if (text === "") return decisions;
  const names = ({ id, app, queue, node, for: whom, policy, from, to }: Decision) => [id, app, queue, node, whom, policy, from, to];
  return decisions.filter((d) => names(d).some((name) => name?.toLowerCase().includes(text)));
}

/** Queues with a text in their path, and those above them. */
export function queuesWith(queues: readonly QueueDump[], wanted: string): readonly QueueDump[] {
  const text = wanted.trim().toLowerCase();
  if (text === "") return queues;
  const found = queues.filter(({ path }) => path.toLowerCase().includes(text));
  const above = new Set(found.flatMap(({ path }) => path.split(".").map((_, i, names) => names.slice(0, i + 1).join("."))));
  return queues.filter(({ path }) => above.has(path));
}
