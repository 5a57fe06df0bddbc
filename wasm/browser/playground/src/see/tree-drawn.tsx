import type { RefObject, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { playing } from "../state/store";
import { TreeRow, type Looks } from "./tree-row";
import type { Row } from "./tree-rows";

const awayPace = 1000; // ms

interface Drawn {
  readonly sign: string;
  readonly row: Row;
  readonly looks: Looks;
}

/**
 * Makes the nodes of the rows. A row that says the same keeps its objects, and is passed over when the page is brought
 * up to date. (Keeping the nodes themselves would keep every list that they were ever part of.) While it plays, rows that
 * are scrolled away are looked at once a second only.
 */
export function useDrawn(list: RefObject<HTMLElement | null>): (rows: readonly Row[], looksOf: (row: Row) => Looks) => VNode[] {
  const before = useRef(new Map<string, Drawn>());
  const wholeAt = useRef(-Infinity);
  const away = useAway(list);
  return (rows, looksOf) => {
    const now = performance.now();
    const whole = !playing.value || now - wholeAt.current > awayPace;
    if (whole) wholeAt.current = now;
    const next = new Map<string, Drawn>();
    for (const row of rows) {
      const known = before.current.get(row.id);
      next.set(row.id, known && !whole && away.has(row.id) ? known : draw(row, looksOf(row), known));
    }
    before.current = next;
    return [...next.values()].map(({ row, looks }) => <TreeRow key={row.id} row={row} looks={looks} />);
  };
}

function draw(row: Row, looks: Looks, known: Drawn | undefined): Drawn {
  const sign = JSON.stringify([row, looks]);
  return known?.sign === sign ? known : { sign, row, looks };
}

/** The rows whose content the browser does not draw at present, as tree.css lets it. */
function useAway(list: RefObject<HTMLElement | null>): ReadonlySet<string> {
  const away = useRef(new Set<string>()).current;
  useEffect(() => {
    const hear = (event: Event) => {
      const { skipped } = event as ContentVisibilityAutoStateChangeEvent;
      const id = (event.target as HTMLElement).dataset.row ?? "";
      if (skipped) away.add(id);
      else away.delete(id);
    };
    const element = list.current;
    element?.addEventListener("contentvisibilityautostatechange", hear);
    return () => element?.removeEventListener("contentvisibilityautostatechange", hear);
  }, []);
  return away;
}
