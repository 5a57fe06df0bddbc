/** For panels of words and numbers, which need not change sixty times a second. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { frame, status } from "../state/store";

/** Calls at once, and then at most once in so many milliseconds, however often it is asked to; the last time always counts. */
export function pace(milliseconds: number, call: () => void): { ask: () => void; stop: () => void } {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    last = performance.now();
    call();
  };
  const ask = () => {
    if (timer !== undefined) return;
    const wait = last + milliseconds - performance.now();
    if (wait <= 0) run();
    else timer = setTimeout(run, wait);
  };
  return { ask, stop: () => clearTimeout(timer) };
}

/** Has a component follow the session at a pace. The number goes up each time. */
export function usePaced(milliseconds: number): number {
  const beat = useSignal(0);
  useEffect(() => {
    const { ask, stop } = pace(milliseconds, () => beat.value++);
    const ends = [frame.subscribe(ask), status.subscribe(ask)];
    return () => {
      for (const end of ends) end();
      stop();
    };
  }, [milliseconds]);
  return beat.value;
}
