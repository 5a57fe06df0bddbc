import "./spans.css";
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { hueOf } from "../see/colours";
import { Button } from "../ui/button";
import { Select } from "../ui/field";
import { count } from "../ui/format";
import { Marks, Rows } from "./draw";
import { indexNear, linesOf, nextSpot, targetAt, type Line, type Spot, type Target } from "./layout";
import { Legend } from "./legend";
import { loadOf, rowsOf, type By, type Part, type Row } from "./rows";
import { around, stretches, stretchWords, ticksOf, timeAt, xOf, type Scale, type Stretch } from "./scale";
import { describe, describeWindow, extent, openings, tally, type Say, type Spans, type WindowSpan } from "./span";

/** What is opened by a click or Enter. */
export interface Opened {
  readonly kind: "ask" | "node" | "queue";
  readonly id: string;
}

interface ChartProps {
  readonly of: Spans;
  /** How times read: in a sentence, and in a few characters on the axis. */
  readonly say: Say;
  readonly tick?: Say;
  /** What is round on the axis, as a midnight. */
  readonly zero?: number;
  /** The ask that is picked elsewhere. */
  readonly picked?: string | undefined;
  readonly onOpen: (what: Opened) => void;
}

/** Names take so much beside the rows. */
const namesOf = (width: number) => (width < 480 ? 76 : 132);
const axis = 22;
const strip = 20;

/** Nodes or queues over time: what ran, what runs until when, what is planned, and windows. */
export function SpansChart({ of, say, tick = say, zero = 0, picked, onOpen }: ChartProps) {
  const by = useSignal<By>("node");
  const stretch = useSignal<Stretch>("all");
  const part = useSignal<Part | undefined>(undefined);
  const size = useSignal({ width: 0, height: 0 });
  const room = useRef<HTMLDivElement>(null);
  const spot = useSignal<Spot | undefined>(undefined);
  const pointed = useSignal<Target | undefined>(undefined);
  const tapped = useRef<string>(undefined);
  const named = useComputed(() => namesOf(size.value.width));
  useEffect(() => {
    if (!room.current) return undefined;
    const sizes = new ResizeObserver(([entry]) => {
      if (entry) size.value = { width: Math.floor(entry.contentRect.width), height: Math.floor(entry.contentRect.height) };
    });
    sizes.observe(room.current);
    return () => sizes.disconnect();
  }, []);

  const { rows, all } = useMemo(() => rowsOf(of, by.value, part.value), [of, by.value, part.value]);
  const loads = useMemo(() => new Map(rows.flatMap((row) => (row.lanes ? [] : [[row.key, loadOf(row.spans, of.now)] as const]))), [rows]);
  const [from, to] = stretch.value === "all" ? extent(of) : around(of.now, stretch.value);
  const scale: Scale = { from, to, width: Math.max(0, size.value.width - named.value) };
  const windows = useMemo(() => openings(of.windows, from, to), [of.windows, from, to]);
  const above = axis + (windows.length > 0 ? strip : 0);
  const { lines, height } = linesOf(rows, size.value.height - above);

  const items = windows.length > 0 ? [windows.length, ...rows.map(itemsOf)] : rows.map(itemsOf);
  const targetOf = ({ row, item }: Spot): Target | undefined => {
    const at = windows.length > 0 ? row - 1 : row;
    const window = at < 0 ? windows[Math.max(0, item)] : undefined;
    if (window) return { kind: "window", window };
    const found = rows[at];
    const span = item >= 0 && found?.lanes ? found.spans[item] : undefined;
    return found && (span ? { kind: "span", row: found, span } : { kind: "row", row: found });
  };
  const focused = spot.value && targetOf(spot.value);
  const lit = pointed.value ?? focused;

  const open = (target: Target | undefined) => {
    if (target?.kind === "span") {
      if (target.span.kind !== "ended") onOpen({ kind: "ask", id: target.span.ask });
    } else if (target?.kind === "row") {
      if (target.row.part) [part.value, spot.value] = [target.row.part, spot.value && { row: 0, item: -1 }];
      else onOpen({ kind: by.value, id: target.row.key });
    }
  };
  const at = (event: MouseEvent): Target | undefined => {
    const box = room.current?.getBoundingClientRect();
    if (!box) return undefined;
    const [x, y] = [event.clientX - box.left - named.value, event.clientY - box.top];
    if (y < axis) return undefined;
    if (y < above) {
      const when = timeAt(scale, x);
      const window = windows.find((one) => one.from <= when && when <= (one.until ?? Infinity)) ?? windows[0];
      return window && { kind: "window", window };
    }
    return targetAt(lines, scale, of.now, x, y - above + (room.current?.scrollTop ?? 0));
  };
  /** A finger has no hover: its first tap says what is there, and the second one opens it. */
  const tap = (target: Target | undefined, finger: boolean) => {
    const again = target !== undefined && keyOf(target) === tapped.current;
    tapped.current = target && keyOf(target);
    pointed.value = target;
    if (!finger || again) open(target);
  };
  const press = (event: KeyboardEvent) => {
    const now = spot.value ?? { row: 0, item: -1 };
    if (event.key === "Enter" || event.key === " ") {
      open(targetOf(now));
    } else if (event.key === "Escape" && part.value) {
      part.value = undefined;
    } else {
      const target = targetOf(now);
      const when = target?.kind === "span" ? target.span.from : of.now;
      const next = nextSpot(items, now, event.key, (row) => {
        const found = targetOf({ row, item: -1 });
        return now.item < 0 || found?.kind !== "row" || !found.row.lanes ? -1 : indexNear(found.row.spans, when);
      });
      if (!next) return;
      spot.value = next;
    }
    pointed.value = undefined;
    event.preventDefault();
    event.stopPropagation();
  };
  const choose = (change: () => void) => {
    change();
    part.value = undefined;
    spot.value = undefined;
    pointed.value = undefined;
  };

  return (
    <div class="spans">
      <div class="spans-bar">
        <Select bare label="Rows" value={by.value} onChange={(to) => choose(() => { by.value = to; })} options={[{ value: "node", text: "By node" }, { value: "queue", text: "By queue" }]} />
        <Select bare label="Stretch of time" value={stretch.value} onChange={(to) => (stretch.value = to)} options={stretches.map((value) => ({ value, text: stretchWords[value] }))} />
        {part.value && <Button small icon="undo" onClick={() => choose(() => undefined)}>{`All ${count(all, by.value)}`}</Button>}
        {rows.some((row) => row.part) && <small>{count(all, by.value)}, {rows.length} rows. A row opens.</small>}
      </div>
      <div ref={room} class="spans-room" role="application" tabIndex={0} aria-label={`${by.value === "node" ? "Nodes" : "Queues"} over time`} aria-describedby="spans-keys" onKeyDown={press}
        onFocus={() => { if (room.current?.matches(":focus-visible")) spot.value ??= { row: 0, item: -1 }; }} onBlur={() => { spot.value = undefined; }}
        onPointerMove={(event) => { pointed.value = at(event); }} onPointerLeave={(event) => { if (event.pointerType !== "touch") pointed.value = undefined; }}
        onClick={(event) => { tap(at(event), "pointerType" in event && event.pointerType === "touch"); }}>
        <Marks />
        <div class="spans-head" style={{ paddingLeft: `${named.value}px` }} aria-hidden="true">
          <svg width={scale.width} height={above}>
            <Axis scale={scale} now={of.now} tick={tick} zero={zero} />
            {windows.map((one) => <Opening key={`${one.window} ${one.from}`} window={one} scale={scale} lit={lit?.kind === "window" && lit.window.window === one.window && lit.window.from === one.from} />)}
          </svg>
          {windows.length > 0 && <span class="spans-label" style={{ top: `${axis}px`, width: `${named.value}px`, height: `${strip}px` }}>Windows</span>}
        </div>
        <div class="spans-sheet" aria-hidden="true" style={{ height: `${height}px`, paddingLeft: `${named.value}px` }}>
          {lines.map(({ row, top, height: h }) => <span key={row.key} class={`spans-label${row.part ? " spans-label-part" : ""}`} style={{ top: `${top}px`, height: `${h}px`, width: `${named.value}px` }}><b>{row.label}</b></span>)}
          <svg width={scale.width} height={height}>
            <Rows scale={scale} now={of.now} lines={lines} windows={by.value === "node" ? windows : []} hue={hueOf} lit={lit} picked={picked} loads={loads} mostLoad={Math.max(1, ...[...loads.values()].flat().map((one) => one.all))} />
          </svg>
          {focused && <Focus lines={lines} of={focused} />}
        </div>
      </div>
      <p class="spans-said" aria-live="polite">{lit ? words(lit, by.value, say) : <span class="spans-hint">{tally(of.spans)}. Point at something, or tap it; a second tap opens it.</span>}</p>
      <p id="spans-keys" hidden>Arrow keys go from row to row and along a row, Enter opens what they are at.</p>
      <Legend of={of} together={loads.size > 0} />
    </div>
  );
}

function itemsOf({ lanes, spans }: Row): number {
  return lanes ? spans.length : 0;
}

function keyOf(target: Target): string {
  switch (target.kind) {
    case "window": return `window ${target.window.window} ${target.window.from}`;
    case "row": return `row ${target.row.key}`;
    case "span": return `${target.span.kind} ${target.span.ask} ${target.span.from}`;
  }
}

function words(target: Target, by: By, say: Say): string {
  switch (target.kind) {
    case "window": return describeWindow(target.window, say);
    case "span": return describe(target.span, say);
    case "row": {
      const { label, names, spans } = target.row;
      const what = names.length > 1 ? `${count(names.length, by)}, ${names[0] ?? ""} to ${names.at(-1) ?? ""}` : `${by === "node" ? "Node" : "Queue"} ${label}`;
      return `${what}: ${tally(spans)}.`;
    }
  }
}

function Axis({ scale, now, tick, zero }: { readonly scale: Scale; readonly now: number; readonly tick: Say; readonly zero: number }) {
  const x = xOf(scale, now);
  return (
    <g class="spans-axis">
      {ticksOf(scale, 86, zero).map((at) => <g key={at} transform={`translate(${xOf(scale, at)} 0)`}><path d={`M0 ${axis - 5}v5`} />{xOf(scale, at) < scale.width - 34 && <text x={3} y={axis - 8}>{tick(at)}</text>}</g>)}
      {x >= 0 && x <= scale.width && <path class="spans-now" d={`M${x} 4v${axis}`} />}
    </g>
  );
}

function Opening({ window: { window, from, until }, scale, lit }: { readonly window: WindowSpan; readonly scale: Scale; readonly lit: boolean }) {
  const [x, end] = [Math.max(0, xOf(scale, from)), Math.min(scale.width, until === undefined ? scale.width : xOf(scale, until))];
  if (end <= x) return null;
  return (
    <g class={lit ? "spans-opening spans-opening-lit" : "spans-opening"}>
      <rect x={x} y={axis + 2} width={Math.max(2, end - x)} height={strip - 4} rx={3} />
      {end - x > 7 * window.length + 8 && <text x={x + 4} y={axis + strip / 2}>{window}</text>}
    </g>
  );
}

/** Scrolls to where the arrow keys are. */
function Focus({ lines, of }: { readonly lines: readonly Line[]; readonly of: Target }) {
  const line = of.kind === "window" ? lines[0] : lines.find(({ row }) => row.key === of.row.key);
  if (!line) return null;
  return <i key={line.row.key} class="spans-focus" ref={(it) => it?.scrollIntoView({ block: "nearest" })} style={{ top: `${line.top}px`, height: `${line.height}px` }} />;
}
