import { useEffect, useRef, useState } from "preact/hooks";

/** How long nothing is typed before a filter is applied, in milliseconds. */
const rest = 300;

interface Filter {
  readonly text: string;
  readonly set: (text: string) => void;
}

/** The text of a filter: what was typed last, applied once typing rests, and following what is set elsewhere. */
export function useFilter(applied: string | undefined, apply: (text: string) => void): Filter {
  const [text, setText] = useState(applied ?? "");
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => { setText(applied ?? ""); }, [applied]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    text,
    set(next) {
      setText(next);
      clearTimeout(timer.current);
      timer.current = setTimeout(() => { apply(next.trim()); }, rest);
    },
  };
}

/** Filters that say something. */
export function filled(filters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}
