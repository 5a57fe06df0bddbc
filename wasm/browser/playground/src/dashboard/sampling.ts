/** Takes samples of the cluster for as long as the page is open. */

import { parentPath } from "../model/paths";
import { readEarlier, samplesOf } from "./earlier";
import { read } from "./host/api";
import { queueOf, type QueueObject } from "./host/objects";
import { hostNow } from "./host/times";
import { begun, connection, seq } from "./live";
import { queueList } from "./queue-tree";
import { Samples } from "./samples";

/** Milliseconds between two samples. */
const apart = 2000;

export const samples = new Samples();

export function takeSamples(): void {
  let asking = false;
  const take = async () => {
    if (asking || connection.peek().state !== "live") return;
    asking = true;
    try {
      const roots = await Promise.all(rootPaths().map((path) => read<QueueObject>(`v1/queues/${encodeURIComponent(path)}`)));
      samples.add({ at: hostNow() / 1000, roots: roots.map(queueOf), seq: seq.peek() });
    } catch {
      // What is wrong is said elsewhere; there is no sample then.
    } finally {
      asking = false;
    }
  };
  begun.subscribe(() => {
    samples.clear();
    reading = undefined;
  });
  setInterval(() => { void take(); }, apart);
}

let reading: object | undefined;

/** Has the samples begin with what the host still has of decisions. It is read once, when it is first shown. */
export async function beginEarlier(): Promise<void> {
  const { first } = samples;
  if (reading || !first) return;
  const mine = reading = {};
  try {
    const found = samplesOf(await readEarlier(first.seq), first);
    if (reading === mine) samples.begin(found);
  } catch {
    if (reading === mine) reading = undefined; // it is tried again with the next sample
  }
}

/** The roots of all partitions that the page knows of. */
function rootPaths(): readonly string[] {
  const roots = queueList().map(({ path }) => path).filter((path) => parentPath(path) === "");
  return roots.length > 0 ? roots : ["root"];
}
