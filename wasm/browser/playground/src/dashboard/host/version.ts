/** What the host says of itself. It is read after each connection: another host may answer at the same address by then. */

import type { ReadonlySignal } from "@preact/signals";
import { read } from "./api";
import type { Connection } from "./follower";
import { setLapse } from "./times";

interface Version {
  /** Of a cluster that is simulated, in time lapse: how many times faster its clock runs, and what it shows. */
  readonly demo_speed?: number;
  readonly demo_time?: string;
}

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
    const { demo_speed: speed, demo_time: time } = await read<Version>("v1/version", abort);
    if (!abort.aborted) setLapse(time, speed);
  } catch {
    // What is wrong is said elsewhere; what is known stays.
  }
}
