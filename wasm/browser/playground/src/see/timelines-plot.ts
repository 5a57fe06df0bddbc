/** One chart of uPlot, in the colours of the page. */

import uPlot from "uplot";
import type { Palette } from "./colours";
import { risen, type Chart, type Line } from "./timelines-series";

interface PlotOptions {
  readonly chart: Chart;
  readonly palette: Palette;
  readonly width: number;
  readonly height: number;
  /** Seconds of the session, now. */
  readonly now: () => number;
  /** Goes to this time, in seconds; left out: times cannot be chosen. */
  readonly travel?: ((time: number) => void) | undefined;
  /** Whether the times are written below: of a column of charts only the last one has them. */
  readonly times: boolean;
  readonly time: (seconds: number) => string;
}

/** Seconds between the times that are written: round ones. */
const timeSteps = [0.01, 0.1, 1, 2, 5, 10, 15, 30, ...[1, 2, 5, 10, 15, 30].map((m) => m * 60), ...[1, 2, 3, 6, 12, 24, 48, 120, 240, 720, 2400, 8760].map((h) => h * 3600)];

/** Dashes tell lines apart without their colour. */
const dashes: readonly number[][] = [[], [6, 3], [2, 2], [8, 3, 2, 3]];

export function dashOf(line: number): number[] {
  return dashes[line % dashes.length] ?? [];
}

export function plot(target: HTMLElement, options: PlotOptions): uPlot {
  const { chart, palette, width, height } = options;
  const axis = { stroke: palette.mute, font: `11px ${palette.sans}`, grid: { stroke: palette.grid, width: 1 }, ticks: { show: false } } satisfies uPlot.Axis;
  const made = new uPlot({
    width, height, padding: [6, 16, options.times ? 0 : 6, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 6 }, sync: { key: "timelines" } },
    scales: { x: { time: false }, y: { range: (u, _, most) => [0, chart.top ?? Math.max(highest(u, chart, most) * 1.08, 1)] } },
    axes: [
      { ...axis, show: options.times, size: 24, space: 70, gap: 5, incrs: timeSteps, values: (_, at) => at.map(options.time) },
      { ...axis, size: 52, space: 24, gap: 4, values: (_, at) => at.map((value) => (Number.isInteger(value) || chart.top ? label(chart, value) : "")) },
    ],
    series: [{}, ...chart.lines.map((line, i) => seriesOf(line, i, palette))],
    hooks: { draw: [(u) => drawNow(u, options)] },
  }, undefined, target);
  if (options.travel) travelByPointer(made, options.travel);
  return made;
}

function seriesOf({ label, form }: Line, index: number, palette: Palette): uPlot.Series {
  const colour = colourOf(palette, index);
  return {
    label, stroke: colour, width: 1.5, dash: dashOf(index), fill: index === 0 ? `${colour}22` : undefined,
    points: { show: form === "dots", size: 4, fill: colour, width: 0 }, paths: form === "steps" ? uPlot.paths.stepped?.({ align: 1 }) : form === "rises" ? rising : () => null,
  };
}

/** A saw: up by a second each second until the next sample, and then to what that says. */
function rising(u: uPlot, index: number, from: number, to: number): uPlot.Series.Paths {
  const stroke = new Path2D();
  const [time = []] = u.data;
  const values = (u.data[index] ?? []) as (number | null)[];
  const at = (x: number, y: number): [number, number] => [u.valToPos(x, "x", true), u.valToPos(y, "y", true)];
  for (let i = from; i <= to; i++) {
    const [x = 0, next = x] = [time[i], time[i + 1]];
    const point = at(x, values[i] ?? 0);
    if (i === from) stroke.moveTo(...point);
    else stroke.lineTo(...point);
    if (i < to) stroke.lineTo(...at(next, risen(time as number[], values, i)));
  }
  const fill = new Path2D(stroke);
  fill.lineTo(...at(time[to] ?? 0, 0));
  fill.lineTo(...at(time[from] ?? 0, 0));
  return { stroke, fill, flags: 1 };
}

/** The top of what is drawn. */
function highest(u: uPlot, chart: Chart, most: number): number {
  const [time = []] = u.data;
  return chart.lines.reduce((top, line, i) => {
    if (line.form !== "rises") return top;
    const values = (u.data[i + 1] ?? []) as (number | null)[];
    return values.reduce<number>((so, _, sample) => Math.max(so, risen(time as number[], values, sample)), top);
  }, most);
}

function label(chart: Chart, value: number): string {
  return chart.say(value).replace(/ asks?$/, "");
}

function colourOf(palette: Palette, line: number): string {
  return palette.fills[line % palette.fills.length]?.[0] ?? palette.ink;
}

/** What is beyond now, after going back, steps back; now has a line. */
function drawNow(u: uPlot, { palette, now }: PlotOptions) {
  const { ctx, bbox } = u;
  const x = Math.round(u.valToPos(now(), "x", true));
  if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) return;
  ctx.save();
  ctx.globalAlpha = 0.66;
  ctx.fillStyle = palette.card;
  ctx.fillRect(x, bbox.top, bbox.left + bbox.width - x, bbox.height);
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.accent;
  ctx.fillRect(x - uPlot.pxRatio, bbox.top, 2 * uPlot.pxRatio, bbox.height);
  ctx.restore();
}

function travelByPointer(u: uPlot, travel: (time: number) => void) {
  const { over } = u;
  const go = (event: PointerEvent) => travel(u.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
  over.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    over.setPointerCapture(event.pointerId);
    go(event);
  });
  over.addEventListener("pointermove", (event) => {
    if (over.hasPointerCapture(event.pointerId)) go(event);
  });
}
