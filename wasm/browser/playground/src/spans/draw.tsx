/** The drawing of the rows, as parts of one SVG. All of it is hidden from screen readers: they hear words, or have the table. */

import type { Hue } from "../see/colours";
import { pad, type Line, type Target } from "./layout";
import type { Load } from "./rows";
import { xOf, type Scale } from "./scale";
import type { Span, WindowSpan } from "./span";

export interface Drawn {
  readonly scale: Scale;
  readonly now: number;
  readonly lines: readonly Line[];
  readonly windows: readonly WindowSpan[];
  /** The colour of an application. */
  readonly hue: (app: string) => Hue;
  readonly lit: Target | undefined;
  /** The ask that is picked elsewhere. */
  readonly picked: string | undefined;
  /** By row, of those without lanes; and the most that any of them has at once. */
  readonly loads: ReadonlyMap<string, readonly Load[]>;
  readonly mostLoad: number;
}

const unbounded = 90; // pixels in which what promises no end fades

/** Patterns and masks; their names are of the page. */
export function Marks() {
  return (
    <svg class="spans-marks" aria-hidden="true" width="0" height="0">
      <defs>
        <linearGradient id="spans-fading"><stop offset="0" stop-color="#fff" /><stop offset="1" stop-color="#000" /></linearGradient>
        <mask id="spans-fade" maskContentUnits="objectBoundingBox"><rect width="1" height="1" fill="url(#spans-fading)" /></mask>
        <pattern id="spans-late" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="3" height="6" class="spans-late-line" /></pattern>
        <pattern id="spans-leaves" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect width="2" height="6" class="spans-leaves-line" /></pattern>
        <pattern id="spans-window" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="1.5" height="8" class="spans-window-line" /></pattern>
      </defs>
    </svg>
  );
}

export function Rows(drawn: Drawn) {
  const { scale, lines, windows, now } = drawn;
  const x = xOf(scale, now);
  const height = lines.reduce((sum, one) => sum + one.height, 0);
  return (
    <>
      {lines.map(({ row, top, height: h }, i) => <rect key={row.key} class={i % 2 === 0 ? "spans-row" : "spans-row spans-row-odd"} y={top} width={scale.width} height={h} />)}
      {windows.map((one) => <Band key={`${one.window} ${one.from}`} window={one} drawn={drawn} />)}
      {lines.map((line) => (line.row.lanes ? <Lanes key={line.row.key} line={line} drawn={drawn} /> : <LoadOf key={line.row.key} line={line} drawn={drawn} />))}
      {x >= 0 && x <= scale.width && <path class="spans-now" d={`M${x} 0v${height}`} />}
      <Lit drawn={drawn} />
    </>
  );
}

/** A window over the rows of its nodes; rows that follow each other are one band. */
function Band({ window: { from, until, nodes, open }, drawn: { scale, lines } }: { readonly window: WindowSpan; readonly drawn: Drawn }) {
  const of = new Set(nodes);
  const [x, end] = [Math.max(0, xOf(scale, from)), Math.min(scale.width, until === undefined ? scale.width : xOf(scale, until))];
  const bands: { top: number; bottom: number }[] = [];
  for (const { row, top, height } of lines) {
    if (!row.names.some((name) => of.has(name))) continue;
    const last = bands.at(-1);
    if (last?.bottom === top) last.bottom = top + height;
    else bands.push({ top, bottom: top + height });
  }
  if (end <= x) return null;
  return <>{bands.map(({ top, bottom }) => <rect key={top} class={open ? "spans-band spans-band-open" : "spans-band"} x={x} y={top} width={end - x} height={bottom - top} />)}</>;
}

function Lanes({ line, drawn }: { readonly line: Line; readonly drawn: Drawn }) {
  return <>{line.row.lanes?.flatMap((lane, i) => lane.map((span) => <One key={`${span.kind} ${span.ask} ${span.from}`} span={span} y={line.top + pad + i * line.lane} height={line.lane - 1} drawn={drawn} />))}</>;
}

interface OneProps {
  readonly span: Span;
  readonly y: number;
  readonly height: number;
  readonly drawn: Drawn;
}

/** A span: what has passed of it whole, what is promised of it lighter. */
function One({ span, y, height, drawn: { scale, now, hue, picked } }: OneProps) {
  const { kind, from, until, app, ask } = span;
  const x = (at: number) => Math.min(scale.width + 1, Math.max(-1, xOf(scale, at)));
  const [left, middle] = [x(from), x(Math.max(from, now))];
  const right = until === undefined ? Math.min(middle + unbounded, scale.width) : x(Math.max(until, from));
  if (right < 0 && middle < 0 || left > scale.width) return null;
  const { colour, variant } = hue(app);
  const bar = (name: string, a: number, b: number) => <rect class={name} x={a} y={y} width={Math.max(1.5, b - a)} height={height} rx={Math.min(2, height / 3)} />;
  const fades = until === undefined ? " spans-fades" : "";
  return (
    <g class={`spans-one spans-${kind} spans-hue-${variant}${ask === picked ? " spans-picked" : ""}`} style={{ "--hue": `var(--c${colour + 1})` }}>
      {kind === "ended" ? bar("spans-past", left, right)
        : kind === "planned" ? bar(`spans-plan${fades}`, left, until === undefined ? Math.min(left + unbounded, scale.width) : right)
        : <>{bar("spans-done", left, middle)}{right > middle && bar(`spans-promise${fades}`, middle, right)}</>}
      {kind === "leaves" && bar("spans-leaving", left, middle)}
      {kind === "late" && <>{bar("spans-over", right, middle)}<path class="spans-passed" d={`M${right} ${y - 2}v${height + 4}`} /></>}
      {height >= 11 && (right - left > 7 * ask.length + 8) && <text class="spans-name" x={Math.max(left, 0) + 4} y={y + height / 2}>{ask}</text>}
    </g>
  );
}

/** How many run at once, and above them those that are planned. */
function LoadOf({ line: { row, top, height }, drawn: { scale, loads: of, mostLoad } }: { readonly line: Line; readonly drawn: Drawn }) {
  const loads = of.get(row.key) ?? [];
  const bottom = top + height - pad;
  const path = (which: "run" | "all") => {
    let d = `M0 ${bottom}`;
    let y = bottom;
    for (const load of loads) {
      const x = Math.min(scale.width, Math.max(0, xOf(scale, load.at)));
      const to = bottom - (load[which] / mostLoad) * (height - 2 * pad);
      d += `L${x} ${y}L${x} ${to}`;
      y = to;
    }
    return `${d}L${scale.width} ${y}L${scale.width} ${bottom}Z`;
  };
  return <g><path class="spans-load-all" d={path("all")} /><path class="spans-load" d={path("run")} /></g>;
}

/** A ring around what is pointed at, or where the arrow keys are. */
function Lit({ drawn: { lit, lines, scale, now } }: { readonly drawn: Drawn }) {
  if (!lit || lit.kind === "window") return null;
  const line = lines.find(({ row }) => row.key === lit.row.key);
  if (!line) return null;
  if (lit.kind === "row") return <rect class="spans-lit" x={1} y={line.top + 1} width={scale.width - 2} height={line.height - 2} rx={3} />;
  const { span } = lit;
  const lane = line.row.lanes?.findIndex((list) => list.some((one) => one.ask === span.ask && one.from === span.from && one.kind === span.kind)) ?? 0;
  const right = span.until === undefined ? Math.max(xOf(scale, span.from), xOf(scale, now)) + unbounded / 2 : xOf(scale, Math.max(span.until, span.kind === "late" || span.kind === "leaves" ? now : span.until));
  const [a, b] = [Math.max(1, xOf(scale, span.from) - 2), Math.min(scale.width - 1, right + 2)];
  return <rect class="spans-lit" x={a} y={line.top + pad + Math.max(0, lane) * line.lane - 2} width={Math.max(4, b - a)} height={line.lane + 3} rx={3} />;
}
