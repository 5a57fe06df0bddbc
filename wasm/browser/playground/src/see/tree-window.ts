/** Which rows of a long tree are drawn: those in sight and some around them. Gaps stand for the others. */

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

/** Up to so many rows all are drawn: find-in-page and screen readers then have all of them. */
export const fewRows = 300;
const around = 12; // rows beyond each edge

/** A stretch of the tree: a row by its place, or so many pixels of rows that are not drawn. */
export type Part = { readonly row: number } | { readonly gap: number };

interface View {
  readonly top: number;
  readonly height: number;
}

interface Measurable {
  readonly id: string;
  readonly kind: string;
}

/** The parts of a tree of rows of such heights. The row with the focus is always drawn, so that keys go on from it. */
export function partsOf(heights: readonly number[], { top, height }: View, active: number): Part[] {
  if (heights.length <= fewRows) return heights.map((_, row) => ({ row }));
  let first = 0;
  let above = 0;
  while (first < heights.length - 1 && above + (heights[first] ?? 0) <= top) above += heights[first++] ?? 0;
  let end = first;
  for (let sum = above; end < heights.length && sum < top + height; end++) sum += heights[end] ?? 0;
  const from = Math.max(0, first - around);
  const to = Math.min(heights.length, end + around);
  const parts: Part[] = [];
  let gap = 0;
  heights.forEach((each, row) => {
    if ((row < from || row >= to) && row !== active) {
      gap += each;
      return;
    }
    if (gap > 0) parts.push({ gap });
    gap = 0;
    parts.push({ row });
  });
  if (gap > 0) parts.push({ gap });
  return parts;
}

/** Follows what is in sight of a list. Rows that were never drawn count as high as the others of their kind. */
export function useWindow(list: RefObject<HTMLElement | null>, rows: readonly Measurable[], active: string, look: string): readonly Part[] {
  const [view, setView] = useState<View>({ top: 0, height: 800 });
  const measured = useRef(new Map<string, number>()).current;
  const typical = useRef(new Map<string, number>()).current;
  const long = rows.length > fewRows;

  useLayoutEffect(() => {
    measured.clear();
    typical.clear();
  }, [look]);
  useLayoutEffect(() => {
    if (!long) return;
    const kinds = new Map(rows.map((row) => [row.id, row.kind]));
    for (const element of list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? []) {
      const id = element.dataset.row ?? "";
      measured.set(id, element.offsetHeight);
      typical.set(kinds.get(id) ?? "", element.offsetHeight);
    }
  });
  useEffect(() => {
    const element = list.current;
    if (!element) return;
    const see = (): void => { setView({ top: element.scrollTop, height: element.clientHeight }); };
    const observer = new ResizeObserver(see);
    observer.observe(element);
    element.addEventListener("scroll", see, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", see);
    };
  }, []);

  if (!long) return partsOf(rows.map(() => 0), view, -1);
  return partsOf(rows.map(({ id, kind }) => measured.get(id) ?? typical.get(kind) ?? 40), view, rows.findIndex((row) => row.id === active));
}
