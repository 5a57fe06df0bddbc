/** Travel in time by a pointer that moves: only the last place that it asked for counts. */

import { actions } from "../state/run";

let wanted: number | undefined;
let under = false;

/** Goes to a time of the session, in nanoseconds, as soon as the travel under way has ended. */
export function travelTo(nanoseconds: number) {
  wanted = nanoseconds;
  if (!under) void travel();
}

async function travel() {
  under = true;
  try {
    while (wanted !== undefined) {
      const to = wanted;
      wanted = undefined;
      await actions.seekTime(to);
    }
  } finally {
    under = false;
  }
}
