/** What happens together is one step for the Back button. */

import { signal } from "@preact/signals";

/** How many changes are under way that belong together: the address waits for them. */
export const underWay = signal(0);
/** Whether the present change takes the place of the address before it, so that Back does not stop there. */
export let passing = false;

/** How many openings have begun: the Back button is to return from one even before it ends. */
export const openings = signal(0);

/** Does some work as one step, or in passing. */
export async function asOneStep<T>(work: () => Promise<T>, quietly = false): Promise<T> {
  underWay.value++;
  try {
    return await work();
  } finally {
    if (quietly) inPassing(() => underWay.value--);
    else underWay.value--;
  }
}

/** Makes a change that is no step of its own, as those that happen by themselves. */
export function inPassing(change: () => void): void {
  passing = true;
  try {
    change();
  } finally {
    passing = false;
  }
}
