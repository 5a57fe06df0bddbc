import "./separator.css";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { bounds, paneSizes, resize, type Pane } from "./pane-sizes";

/** The element that tells the size of a pane. */
const elements: Readonly<Record<Pane, string>> = { tree: "pane-tree", side: "pane-side", low: "pane-stream", time: "pane-time", detail: "pane-detail" };
const step = 2; // percent that an arrow key moves it
const largeStep = 10;

interface SeparatorProps {
  readonly pane: Pane;
  /** Names the panes between which it stands. */
  readonly label: string;
  /** upright: between columns. */
  readonly upright: boolean;
  /** Whether the pane stands behind it, and grows as it moves towards the start. */
  readonly behind?: boolean;
}

/** Stands between two panes and moves: by a pointer, by the arrow keys, and back to its place by a double click or Enter. */
export function Separator({ pane, label, upright, behind = false }: SeparatorProps) {
  const self = useRef<HTMLDivElement>(null);
  const taken = useShare(pane, upright);
  const grip = useRef<{ at: number; percent: number; room: number }>(undefined);
  const [least, most] = bounds[pane];
  const sign = behind ? -1 : 1;

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const by = event.shiftKey ? largeStep : step;
    const now = taken.peek();
    const to = {
      [upright ? "ArrowLeft" : "ArrowUp"]: now - sign * by, [upright ? "ArrowRight" : "ArrowDown"]: now + sign * by, Home: behind ? most : least, End: behind ? least : most,
    }[event.key];
    if (to === undefined && event.key !== "Enter") return;
    event.preventDefault();
    resize(pane, to);
  };
  const hold = (event: PointerEvent) => {
    const room = roomOf(self.current, pane, upright);
    if (event.button !== 0 || room === 0) return;
    self.current?.setPointerCapture(event.pointerId);
    grip.current = { at: upright ? event.clientX : event.clientY, percent: taken.peek(), room };
  };
  const drag = (event: PointerEvent) => {
    if (!grip.current) return;
    const { at, percent, room } = grip.current;
    const moved = (upright ? event.clientX : event.clientY) - at;
    if (moved !== 0) resize(pane, percent + (sign * 100 * moved) / room);
  };
  const leave = () => (grip.current = undefined);

  return (
    <div ref={self} class={`separator separator-${pane}`} role="separator" tabIndex={0} aria-label={label} aria-controls={elements[pane]} aria-orientation={upright ? "vertical" : "horizontal"}
      aria-valuemin={least} aria-valuemax={most} aria-valuenow={Math.round(Math.min(most, Math.max(least, taken.value)))} aria-valuetext={`${Math.round(taken.value)}%`}
      title="Drag it, or use the arrow keys; a double click or Enter resets it"
      onKeyDown={press} onPointerDown={hold} onPointerMove={drag} onPointerUp={leave} onPointerCancel={leave} onDblClick={() => resize(pane, undefined)} />
  );
}

/** The percent that a pane takes at present, whatever gave it its size. */
function useShare(pane: Pane, upright: boolean) {
  const share = useSignal(paneSizes.peek()[pane] ?? 25);
  useEffect(() => {
    const element = document.getElementById(elements[pane]);
    if (!element) return undefined;
    const look = () => {
      const room = roomOf(element, pane, upright);
      const size = upright ? element.offsetWidth : element.offsetHeight;
      if (room > 0 && size > 0) share.value = (100 * size) / room;
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    if (element.parentElement) observer.observe(element.parentElement);
    return () => observer.disconnect();
  }, [pane, upright]);
  return share;
}

/** The pixels of which a pane takes its percent. */
function roomOf(element: Element | null, pane: Pane, upright: boolean): number {
  const cluster = element?.closest<HTMLElement>(".cluster, .split");
  if (!cluster) return 0;
  if (pane !== "time") {
    const { paddingLeft, paddingRight, paddingTop, paddingBottom } = getComputedStyle(cluster);
    return upright ? cluster.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) : cluster.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  }
  const wide = (name: string) => document.getElementById(name)?.offsetWidth ?? 0;
  return wide("pane-time") + wide("pane-stream");
}
