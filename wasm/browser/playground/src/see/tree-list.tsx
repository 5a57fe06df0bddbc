import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Anchor } from "../ui/menu";
import { useDrawn } from "./tree-drawn";
import { moveOf, typedTo, type Move } from "./tree-keys";
import type { Related } from "./tree-related";
import type { Row } from "./tree-rows";
import { fewRows, useWindow } from "./tree-window";

const typingPause = 700;

interface TreeListProps {
  readonly rows: readonly Row[];
  readonly related: Related;
  /** All queues with their line of small print; else only the one that is selected. */
  readonly detailed: boolean;
  readonly onPick: (row: Row) => void;
  readonly onFold: (row: Row, open: boolean) => void;
  /** The context menu of a row is wanted, beside the anchor; left out: there is none. */
  readonly onAct?: (row: Row, anchor: Anchor) => void;
}

/** The tree itself: rows, and the keys and clicks that they are for. */
export function TreeList({ rows, related, detailed, onPick, onFold, onAct }: TreeListProps) {
  const list = useRef<HTMLUListElement>(null);
  const typed = useRef({ text: "", at: 0 }).current;
  const drawn = useDrawn(list);
  const [active, setActive] = useState("");
  const here = rows.some((row) => row.id === active) ? active : rows[0]?.id ?? "";
  const rowOf = (id: string | undefined) => rows.find((row) => row.id === id);
  const elementOf = (id: string) => list.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(id)}"]`);
  const act = (row: Row, anchor: Anchor) => {
    if (row.kind !== "more") onAct?.(row, anchor);
  };

  const parts = useWindow(list, rows, here, String(detailed));
  const goesTo = useRef<string | undefined>(undefined); // a row that is not drawn yet
  useLayoutEffect(() => {
    if (goesTo.current === undefined) return;
    elementOf(goesTo.current)?.focus();
    goesTo.current = undefined;
  });

  const go = (id: string) => {
    setActive(id);
    const element = elementOf(id);
    if (element) element.focus();
    else goesTo.current = id;
  };
  const move = (by: Move) => {
    const row = rowOf(by.row);
    if (!row) return;
    switch (by.does) {
      case "go": go(row.id); break;
      case "open": onFold(row, true); break;
      case "close": onFold(row, false); break;
      case "pick": onPick(row); break;
      case "act": {
        const element = elementOf(row.id);
        if (element) act(row, element.getBoundingClientRect());
      }
    }
  };
  const typeahead = (key: string): Move | undefined => {
    if (!/^[\p{L}\p{N}_.-]$/u.test(key)) return undefined;
    const now = performance.now();
    typed.text = now - typed.at > typingPause ? key : typed.text + key;
    typed.at = now;
    return { does: "go", row: typedTo(rows, here, typed.text) ?? here };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = moveOf(event, rows, here) ?? typeahead(event.key);
    if (!by) return;
    event.preventDefault();
    move(by);
  };
  const onPointed = (event: MouseEvent) => {
    const target = event.target as Element;
    const row = rowOf(target.closest<HTMLElement>("[data-row]")?.dataset.row);
    if (!row) return;
    setActive(row.id);
    const button = target.closest("[data-act]");
    if (event.type === "contextmenu") {
      if (!onAct) return;
      event.preventDefault();
      act(row, { left: event.clientX, right: event.clientX, top: event.clientY, bottom: event.clientY });
    } else if (button) act(row, button.getBoundingClientRect());
    else if (target.closest("[data-fold]") && row.place.open !== undefined) onFold(row, !row.place.open);
    else onPick(row);
  };

  const inSight = drawn(parts.flatMap((part) => ("row" in part ? rows[part.row] ?? [] : [])), (row) => (
    { selected: related.picked === row.id, related: related.beside.has(row.id), active: row.id === here, detailed, acts: onAct !== undefined }));
  let next = 0;
  return (
    <ul ref={list} class={rows.length > fewRows ? "tree-list tree-long" : "tree-list"} role="tree" aria-label="Queues and applications" onKeyDown={onKeyDown} onClick={onPointed} onContextMenu={onPointed}>
      <li class="tree-head" role="presentation" aria-hidden="true"><span>in use</span><span>guaranteed</span><span>max</span></li>
      {parts.map((part) => ("row" in part ? inSight[next++] : <li key={`gap before ${String(next)}`} role="presentation" style={{ height: `${String(part.gap)}px` }} />))}
    </ul>
  );
}
