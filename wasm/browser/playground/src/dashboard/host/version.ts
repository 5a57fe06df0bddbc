/** What the host says of itself. It is read after each connection: another host may answer at the same address by then. */

import { signal, type ReadonlySignal } from "@preact/signals";
import { read } from "./api";
import type { Connection } from "./follower";

interface Version {
  /** The cluster is simulated, in time lapse. */
  readonly demo?: boolean;
}

/** Whether the cluster is simulated, in time lapse. */
export const simulated = signal(false);

/** Reads the version of the host each time the connection becomes live. */
export function followVersion(connection: ReadonlySignal<Connection>): void {
  let before: Connection["state"] | undefined;
  let abort = new AbortController();
  connection.subscribe(({ state }) => {
    if (state === before) return;
    before = state;
    abort.abort(); // its answer would be about the connection before
    abort = new AbortController();
    if (state === "live") void take(abort.signal);
  });
}

async function take(abort: AbortSignal): Promise<void> {
  try {
    const { demo } = await read<Version>("v1/version", abort);
    if (!abort.aborted) simulated.value = demo === true;
  } catch {
    // What is wrong is said elsewhere; what is known stays.
  }
}
