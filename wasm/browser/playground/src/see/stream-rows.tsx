import { useSignal, type ReadonlySignal, type Signal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { ComponentType } from "preact";
import type { Decision } from "../engine/types";
import { playing } from "../state/store";
import { Button } from "../ui/button";
import { clockTimeOf, inSight, placeOf } from "./stream-list";

/** CSS pixels, for two lines. All rows are equally high, so that only those in sight have to be there; fingers need higher ones. */
export const rowHeight = typeof matchMedia === "function" && matchMedia("(pointer: coarse)").matches ? 44 : 40;

export interface RowProps {
  readonly decision: Decision;
  readonly index: number;
  readonly of: number;
  /** Where the arrow keys are: the one row that Tab comes to. */
  readonly reached: boolean;
  readonly picked: boolean;
  readonly onReach: () => void;
}

interface RowsProps {
  readonly row: ComponentType<RowProps>;
  /** The number of the decision that is picked. */
  readonly picked: number | undefined;
  readonly list: ReadonlySignal<readonly Decision[]>;
  /** Whether the newest stays in sight. */
  readonly follow: Signal<boolean>;
}

/** The decisions, of which only those in sight are there. */
export function Rows({ list, follow, row: Row, picked }: RowsProps) {
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(400);
  const active = useSignal<number | undefined>(undefined);
  const decisions = list.value;
  const before = useRef(decisions);
  const widest = useRef(8); // time that was shown, in characters: the column never becomes narrower
  const { from, to } = inSight(decisions.length, top.value, height.value, rowHeight);

  useEffect(() => {
    if (!box.current) return undefined;
    const sizes = new ResizeObserver(([entry]) => (height.value = entry?.contentRect.height ?? height.peek()));
    sizes.observe(box.current);
    return () => sizes.disconnect();
  }, []);
  useLayoutEffect(() => {
    const reading = Math.floor(top.peek() / rowHeight);
    const moved = placeOf(before.current[reading], decisions, reading) - reading;
    before.current = decisions;
    const y = follow.value ? Math.max(0, decisions.length * rowHeight - height.value) : top.peek() + moved * rowHeight;
    // While nothing has moved there is nothing to scroll, and no layout to wait for.
    if (!box.current || top.peek() === y) return;
    box.current.scrollTop = y;
    top.value = y;
  }, [decisions, follow.value, height.value]);

  const scrolled = () => {
    const element = box.current;
    if (!element) return;
    const resized = Math.abs(element.clientHeight - height.peek()) >= 1;
    // Only who scrolls up stops following: less room moves the end out of sight as well.
    if (element.scrollTop + element.clientHeight >= element.scrollHeight - rowHeight) follow.value = true;
    else if (element.scrollTop < top.peek() && !resized) follow.value = false;
    top.value = element.scrollTop;
  };
  const current = Math.min(active.value ?? decisions.length - 1, decisions.length - 1);
  const press = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(height.value / rowHeight) - 1);
    const to = {
      ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: decisions.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(Math.min(Math.max(to, 0), decisions.length - 1));
  };
  const goTo = (index: number) => {
    const element = box.current;
    if (!element) return;
    active.value = index;
    const y = index * rowHeight;
    if (y < element.scrollTop) element.scrollTop = y;
    else if (y + rowHeight > element.scrollTop + element.clientHeight) element.scrollTop = y + rowHeight - element.clientHeight;
    scrolled();
    requestAnimationFrame(() => element.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus());
  };
  const shown = decisions.slice(from, to);
  widest.current = Math.max(widest.current, ...shown.map(({ at }) => clockTimeOf(at).length));

  // While it plays every row is another one ten times a second: then the rows stay, and what they say changes.
  return (
    <>
      <div ref={box} class="stream-scroll" onScroll={scrolled} onKeyDown={press}>
        <ol class="stream-list" aria-label="Decisions" style={{ height: `${decisions.length * rowHeight}px`, "--time": `${widest.current}ch` }}>
          {shown.map((decision, i) => (
            <Row key={playing.value ? i : decision.seq} decision={decision} index={from + i} of={decisions.length} reached={from + i === current} picked={decision.seq === picked}
              onReach={() => (active.value = from + i)} />
          ))}
        </ol>
      </div>
      {!follow.value && <div class="stream-follow"><Button small icon="down" onClick={() => (follow.value = true)}>Newest</Button></div>}
    </>
  );
}
