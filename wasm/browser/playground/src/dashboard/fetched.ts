import { useEffect, useRef, useState } from "preact/hooks";
import { given } from "./host/token";
import { moment } from "./live";
import { Refresher } from "./refresher";

export interface Fetched<T> {
  /** The last answer to this question; undefined: there is none yet. */
  readonly value?: T;
  /** What went wrong since. */
  readonly failure?: unknown;
  /** Asks again at once. */
  readonly reload: () => void;
}

/**
 * The answer to a question about the host, kept up to date while it is shown. Another key is another question. Every: so many
 * milliseconds apart it is put although nothing was decided.
 */
export function useFetched<T>(key: string, ask: (abort: AbortSignal) => Promise<T>, every?: number): Fetched<T> {
  const [heard, setHeard] = useState<{ readonly key: string; readonly value?: T; readonly failure?: unknown }>({ key });
  const refresher = useRef<Refresher<T>>(undefined);
  useEffect(() => {
    const made = new Refresher<T>({
      ask,
      hear: (value) => { setHeard({ key, value }); },
      fail: (failure) => { setHeard((before) => (before.key === key ? { ...before, failure } : { key, failure })); },
    });
    refresher.current = made;
    made.now();
    const changed = () => { if (!document.hidden) made.changed(); };
    const ends = [skipFirst(moment, changed), skipFirst(given, () => { made.now(); })];
    document.addEventListener("visibilitychange", changed);
    const timer = every === undefined ? undefined : setInterval(changed, every);
    return () => {
      for (const end of ends) end();
      document.removeEventListener("visibilitychange", changed);
      clearInterval(timer);
      made.stop();
    };
  }, [key]);
  const known = heard.key === key ? heard : {};
  return { ...known, reload: () => refresher.current?.now() };
}

/** Subscribes to what comes from now on. */
function skipFirst(of: { subscribe(call: () => void): () => void }, call: () => void): () => void {
  let first = true;
  return of.subscribe(() => {
    if (!first) call();
    first = false;
  });
}
