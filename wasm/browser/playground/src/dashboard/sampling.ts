/** Takes samples of the cluster for as long as the page is open. */

import { parentPath } from "../model/paths";
import { read } from "./host/api";
import { queueOf, type QueueObject } from "./host/objects";
import { connection, rates } from "./live";
import { queueList } from "./queues";
import { Samples } from "./samples";

/** Milliseconds between two samples. */
const apart = 2000;

export const samples = new Samples();
export const opened = performance.now();

export function takeSamples(): void {
  let asking = false;
  const take = async () => {
    if (asking || connection.peek().state !== "live") return;
    asking = true;
    try {
      const roots = await Promise.all(rootPaths().map((path) => read<QueueObject>(`v1/queues/${encodeURIComponent(path)}`)));
      samples.add((performance.now() - opened) / 1000, roots.map(queueOf), rates.peek().all);
    } catch {
      // What is wrong is said elsewhere; there is no sample then.
    } finally {
      asking = false;
    }
  };
  setInterval(() => { void take(); }, apart);
}

/** The roots of all partitions that the page knows of. */
function rootPaths(): readonly string[] {
  const roots = queueList().map(({ path }) => path).filter((path) => parentPath(path) === "");
  return roots.length > 0 ? roots : ["root"];
}
