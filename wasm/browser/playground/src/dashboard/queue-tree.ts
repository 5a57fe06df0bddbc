import { signal } from "@preact/signals";
import type { QueueDump } from "../engine/types";
import { useFetched, type Fetched } from "./fetched";
import { read, withQuery } from "./host/api";
import { queueOf, type Page, type QueueObject } from "./host/objects";

/** So many queues are shown as a tree. A cluster with more is looked at by the filter. */
const most = 5000;
const aPage = 1000;

export interface Tree {
  readonly queues: readonly QueueDump[];
  /** Whether there are more than the page reads. */
  readonly more: boolean;
}

const latest = signal<Tree>({ queues: [], more: false });

/** The queues as they were last read. */
export const queueList = (): readonly QueueDump[] => latest.peek().queues;
export const knownQueue = (path: string): QueueDump | undefined => latest.peek().queues.find((queue) => queue.path === path);

/** All queues, kept up to date while they are shown. */
export function useQueues(): Fetched<Tree> {
  return useFetched("queues", async (abort) => {
    const tree = await readQueues(abort);
    latest.value = tree;
    return tree;
  });
}

async function readQueues(abort: AbortSignal): Promise<Tree> {
  const queues: QueueDump[] = [];
  let from = "";
  do {
    const page = await read<Page<QueueObject>>(withQuery("v1/queues", { limit: aPage, continue: from }), abort);
    queues.push(...page.items.map(queueOf));
    from = page.continue ?? "";
  } while (from !== "" && queues.length < most);
  return { queues, more: from !== "" };
}
