import type { Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { actions } from "../state/run";
import type { Spot } from "./grid-canvas";
import type { Box } from "./grid-layout";
import { tipOf } from "./grid-words";

export interface Hover {
  readonly spot: Spot;
  /** On the canvas. */
  readonly x: number;
  readonly y: number;
}

interface TooltipProps {
  readonly hover: Signal<Hover | undefined>;
  /** What scrolls the canvas. */
  readonly scrolled: RefObject<HTMLElement | null>;
}

/** Beside the pointer, on the side where there is more room. */
export function Tooltip({ hover, scrolled }: TooltipProps) {
  const now = hover.value;
  const room = scrolled.current;
  if (!now || !room) return null;
  const { spot } = now;
  const tip = tipOf(spot.node, spot.block, actions.model());
  const x = now.x + 10;
  const y = now.y + 10 - room.scrollTop;
  const place = {
    ...(x > room.clientWidth / 2 ? { right: `${room.clientWidth - x + 12}px` } : { left: `${x + 14}px` }),
    ...(y > room.clientHeight / 2 ? { bottom: `${room.clientHeight - y + 8}px` } : { top: `${y + 12}px` }),
  };
  return (
    <div class="grid-tip" style={place} aria-hidden="true">
      <b>{tip.title}</b>
      {tip.lines.map((line) => <span key={line}>{line}</span>)}
    </div>
  );
}

/** Where the arrow keys are. */
export function FocusRing({ box }: { readonly box: Box | undefined }) {
  if (!box) return null;
  const { x, y, width, height } = box;
  return <div class="grid-focus" ref={(it) => it?.scrollIntoView({ block: "nearest" })} style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }} />;
}
